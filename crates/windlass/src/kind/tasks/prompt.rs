//! What the agent is asked in a `tasks` loop. Nothing of it claims when a program prints it back.

use windlass_core::task_file::Format;

/// windlass's own words, where the user gave none; the file and how to tick come in by name.
pub(super) const DEFAULT: &str = "\
Work on the tasks in `{file}`. This is the file as it is now:

<tasks>
{tasks}
</tasks>

Pick one task that is open: the one that matters most among those that can be done now. Do it, all \
of it, and see for yourself that it works. Then mark it as done in `{file}`: {mark}. Leave the other \
tasks as they are, neither marked nor removed: each is for a session of its own. If you find \
something that is missing from the list, add it as an open task.
";

/// What comes in place of the last part where no task is open any more.
const NONE_OPEN: &str = "\
Work on the tasks in `{file}`. This is the file as it is now:

<tasks>
{tasks}
</tasks>

All of them are marked as done, but that is not proven yet. Look at each: is it really done, and does \
it work? Mend what is missing, and what is told below. A task that is not done becomes an open one \
again in `{file}`.
";

/// windlass's own prompt.
pub(super) fn of_windlass(file: &str, text: &str, format: Format, open: u32) -> String {
    let words = if open == 0 { NONE_OPEN } else { DEFAULT };
    let words = words.replace("{file}", file).replace("{mark}", format.how_to_mark());
    // Last of all, so that nothing is put into the user's own words.
    words.replacen("{tasks}", text.trim(), 1).trim_end().to_owned()
}

/// The user's prompt with the file at each `%s`, or at its end where there is none. `%%s` stands
/// for `%s` itself.
pub(super) fn with_file(words: &str, text: &str) -> String {
    let (words, text) = (words.trim(), text.trim());
    let mut prompt = String::with_capacity(words.len() + text.len());
    let mut is_in = false;
    let mut rest = words;
    while let Some(at) = rest.find("%s") {
        match rest[..at].strip_suffix('%') {
            Some(before) => prompt.extend([before, "%s"]),
            None => {
                prompt.extend([&rest[..at], text]);
                is_in = true;
            }
        }
        rest = &rest[at + 2..];
    }
    prompt.push_str(rest);
    if !is_in {
        prompt.extend(["\n\n", text]);
    }
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_stands_at_every_mark_or_at_the_end() {
        assert_eq!(with_file(" Do %s. ", "a\n"), "Do a.");
        assert_eq!(with_file("%s and %s", "x %s"), "x %s and x %s");
        assert_eq!(with_file("Do it.\n", "a"), "Do it.\n\na");
        assert_eq!(with_file("print %%s: %s", "a"), "print %s: a");
        assert_eq!(with_file("print %%s", "a"), "print %s\n\na");
        assert_eq!(with_file("100%", "a"), "100%\n\na");
    }

    #[test]
    fn words_of_windlass_hold_the_file_as_it_is() {
        let prompt = of_windlass("T.md", "- [ ] {file} {mark} {tasks}\n", Format::CheckList, 1);
        insta::assert_snapshot!(prompt, @"
        Work on the tasks in `T.md`. This is the file as it is now:

        <tasks>
        - [ ] {file} {mark} {tasks}
        </tasks>

        Pick one task that is open: the one that matters most among those that can be done now. Do it, all of it, and see for yourself that it works. Then mark it as done in `T.md`: turn its `[ ]` into `[x]`. Leave the other tasks as they are, neither marked nor removed: each is for a session of its own. If you find something that is missing from the list, add it as an open task.
        ");
        let prompt = of_windlass("T.md", "- [x] a", Format::CheckList, 0);
        insta::assert_snapshot!(prompt, @"
        Work on the tasks in `T.md`. This is the file as it is now:

        <tasks>
        - [x] a
        </tasks>

        All of them are marked as done, but that is not proven yet. Look at each: is it really done, and does it work? Mend what is missing, and what is told below. A task that is not done becomes an open one again in `T.md`.
        ");
    }
}
