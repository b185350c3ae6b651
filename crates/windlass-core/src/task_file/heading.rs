//! Headings below which tasks do not block: "Optional", "Later", "Nice to have" and the like.

/// Words that say that something need not be done now.
const NOT_NOW: &[&str] = &[
    "optional",
    "later",
    "nice to have",
    "nice to haves",
    "future",
    "backlog",
    "out of scope",
    "someday",
    "maybe",
    "deferred",
    "postponed",
    "wish list",
    "wishlist",
    "stretch",
    "icebox",
    "parking lot",
    "not now",
    "won't do",
    "wont do",
];

/// Words that may stand beside them. Any other word makes it another heading: "Optional arguments"
/// is about arguments.
const BESIDE: &[&str] = &[
    "task",
    "tasks",
    "work",
    "idea",
    "ideas",
    "item",
    "items",
    "goal",
    "goals",
    "improvements",
    "features",
    "enhancements",
    "things",
    "todo",
    "todos",
    "steps",
    "extras",
    "phase",
    "version",
    "versions",
    "release",
    "releases",
    "list",
    "for",
    "and",
    "or",
    "the",
    "a",
    "on",
    "not",
    "blocking",
    "required",
    "at",
    "some",
    "point",
];

/// Which tasks do not block, heading by heading.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The level of the heading below which nothing blocks.
    optional_from: Option<usize>,
}

impl Outline {
    /// Takes a heading of that level in, 1 being the highest.
    pub(super) fn enter(&mut self, level: usize, text: &str) {
        if self.optional_from.is_none_or(|from| level <= from) {
            self.optional_from = is_optional(text).then_some(level);
        }
    }

    /// Whether what stands here does not block.
    pub(super) fn is_optional(&self) -> bool {
        self.optional_from.is_some()
    }
}

/// Whether what stands below such a heading does not block: where its first part says so, or what
/// stands in brackets at its end.
fn is_optional(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let first = lower.split(['(', '[', ':', '–', '—', '/']).next().unwrap_or_default();
    let first = first.split(" - ").next().unwrap_or_default();
    let in_brackets = lower
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')' && c != ']')
        .strip_suffix([')', ']'])
        .and_then(|text| text.rsplit_once(['(', '[']))
        .map(|(_, inner)| inner);
    says_not_now(first) || in_brackets.is_some_and(says_not_now)
}

fn says_not_now(text: &str) -> bool {
    let letters: String = text
        .chars()
        .map(|c| match c {
            '’' => '\'',
            c if c.is_alphabetic() || c == '\'' => c,
            _ => ' ',
        })
        .collect();
    let mut words: Vec<&str> = letters.split_whitespace().collect();
    let mut says = false;
    while let Some(last) = words.last() {
        let found = NOT_NOW.iter().find_map(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            words.ends_with(&phrase).then_some(phrase.len())
        });
        match found {
            Some(taken) => {
                says = true;
                words.truncate(words.len() - taken);
            }
            None if BESIDE.contains(last) => {
                words.pop();
            }
            None => return false,
        }
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_heading_that_says_no_more_than_not_now_does_not_block() {
        for heading in [
            "Optional",
            "LATER",
            "Nice to have",
            "Nice-to-haves",
            "Future work",
            "3. Backlog",
            "Out of scope (for v1)",
            "🚀 Stretch goals:",
            "Someday / maybe",
            "**Later** – when there is time",
            "Phase 4 (optional)",
            "Won’t do",
        ] {
            assert!(is_optional(heading), "{heading}");
        }
        for heading in [
            "Optional arguments",
            "The backlog page",
            "Future<T> support",
            "See you later",
            "Required",
            "Phase 4: what is (optional) here",
            "Tasks",
            "",
        ] {
            assert!(!is_optional(heading), "{heading}");
        }
    }

    #[test]
    fn it_holds_until_a_heading_of_its_level_or_above() {
        let mut outline = Outline::default();
        let mut enter = |level, text| {
            outline.enter(level, text);
            outline.is_optional()
        };
        assert!(!enter(1, "Plan"));
        assert!(enter(2, "Later"));
        assert!(enter(3, "Parser"));
        assert!(enter(2, "Optional"));
        assert!(!enter(2, "Now"));
        assert!(enter(4, "Later"));
        assert!(!enter(1, "More"));
    }
}
