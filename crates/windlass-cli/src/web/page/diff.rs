//! What a loop or an iteration changed, file by file: lines that came and went, as text.

use maud::{Markup, html};
use windlass_core::text::sanitise;

use crate::{
    present::patch::{self, FilePatch, Line},
    text,
};

/// How many lines are shown in all, and how many characters of one.
const MOST_LINES: usize = 3_000;
const LONGEST: usize = 1_000;
/// Files with more lines than this are closed at first.
const OPEN: usize = 400;

/// What a diff is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// One iteration.
    Iteration(u32),
    /// The whole loop, which is over.
    Loop,
    /// The whole loop, which runs, up to the last snapshot.
    UpTo(u32),
}

/// The page of a diff. `command` shows all of it. It is replaced when a running loop has moved on.
pub(super) fn diff(id: &str, of: Of, command: &str, whole: &str) -> Markup {
    let files = patch::read(whole);
    let (added, removed) =
        files.iter().fold((0, 0), |sum, file| (sum.0 + file.added, sum.1 + file.removed));
    let mut room = MOST_LINES;
    html! {
        section #diff.panel data-region aria-labelledby="diff-title" tabindex="-1" {
            div.title-row {
                h2 #diff-title {
                    @match of {
                        Of::Iteration(n) => { "Changes in iteration " (n) }
                        Of::Loop => "Changes",
                        Of::UpTo(n) => { "Changes up to iteration " (n) }
                    }
                }
                p.faint {
                    (text::count(files.len(), "file")) ", "
                    span.plus { "+" (added) } " " span.minus { "−" (removed) }
                }
                a.button href={ "/loops/" (id) } data-close="diff" { "Close" }
            }
            @if matches!(of, Of::UpTo(_)) {
                p.faint { "The loop is running; this is updated after each iteration." }
            }
            @if files.is_empty() { p.faint { "No files changed." } }
            @for file in &files { (of_file(file, &mut room)) }
            @if room == 0 {
                p.faint { "The diff is too long for this page. All of it: " code { (command) } }
            }
        }
    }
}

fn of_file(file: &FilePatch, room: &mut usize) -> Markup {
    let shown = file.lines.len().min(*room);
    *room -= shown;
    let path = sanitise::line(&file.path);
    html! {
        details.file id={ "file-" (path.replace(' ', "_")) } open[shown <= OPEN && shown > 0] {
            summary {
                span.path { (path) }
                @if !file.how.is_empty() { " " span.tag { (file.how) } }
                " " span.plus { "+" (file.added) } " " span.minus { "−" (file.removed) }
            }
            pre.patch tabindex="0" aria-label={ "Changes of " (path) } {
                @for (kind, line) in &file.lines[..shown] {
                    span class=(class(*kind)) { (cut(line)) "\n" }
                }
            }
            @if shown < file.lines.len() {
                p.faint { "and " (text::count(file.lines.len() - shown, "line")) " more" }
            }
        }
    }
}

fn class(kind: Line) -> &'static str {
    match kind {
        Line::Added => "add",
        Line::Removed => "del",
        Line::Context => "ctx",
        Line::Hunk => "hunk",
        Line::Note => "note",
    }
}

/// A line that may be shown: of a repository, and so of anybody. Tabs stay.
fn cut(line: &str) -> String {
    let end = line.char_indices().nth(LONGEST).map_or(line.len(), |(end, _)| end);
    let more = if end < line.len() { " …" } else { "" };
    format!("{}{more}", sanitise::text(&line[..end]).replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_came_and_went_are_told_by_their_signs() {
        let bytes = "diff --git a/<b>.rs b/<b>.rs\nnew file mode 100644\n--- /dev/null\n+++ b/<b>.rs\n@@ -0,0 +1,2 @@\n+<script>alert(1)</script>\n+\u{fffd}\x1b[2J\u{202e}x\n";
        let page =
            diff("1a2b", Of::Iteration(3), "windlass diff brave-otter 3", bytes).into_string();
        insta::assert_snapshot!(page.replace("><", ">\n<"), @r#"
        <section class="panel" id="diff" data-region aria-labelledby="diff-title" tabindex="-1">
        <div class="title-row">
        <h2 id="diff-title">Changes in iteration 3</h2>
        <p class="faint">1 file, <span class="plus">+2</span> <span class="minus">−0</span>
        </p>
        <a class="button" href="/loops/1a2b" data-close="diff">Close</a>
        </div>
        <details class="file" id="file-&lt;b&gt;.rs" open>
        <summary>
        <span class="path">&lt;b&gt;.rs</span> <span class="tag">new</span> <span class="plus">+2</span> <span class="minus">−0</span>
        </summary>
        <pre class="patch" tabindex="0" aria-label="Changes of &lt;b&gt;.rs">
        <span class="hunk">@@ -0,0 +1,2 @@
        </span>
        <span class="add">+&lt;script&gt;alert(1)&lt;/script&gt;
        </span>
        <span class="add">+�x
        </span>
        </pre>
        </details>
        </section>
        "#);
    }

    #[test]
    fn a_diff_without_end_is_cut() {
        let mut bytes = "diff --git a/x b/x\n@@ -0,0 +1,90000 @@\n".to_owned();
        bytes.push_str(&"+a line of some length\n".repeat(90_000));
        let page = diff("1a2b", Of::Loop, "windlass diff brave-otter", &bytes).into_string();
        assert!(page.len() < 200 << 10, "{}", page.len());
        assert!(page.contains("and 87001 lines more"), "it says what is left out");
        assert!(page.contains("windlass diff brave-otter"));
    }
}
