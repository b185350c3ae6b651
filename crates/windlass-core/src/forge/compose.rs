//! What a review says: findings beside the lines that they are about where the diff has them, the
//! others in its body. Whatever comes from an agent is made harmless here. Pure.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeMap};

use super::{
    FileStatus, InlineComment, LONGEST_TEXT, PullFile, characters, neutral, right::RightLines,
};
use crate::{findings::Finding, secrets::Secrets};

/// The most comments in one review: with more, forges give up half-way or call it abuse.
const MOST_COMMENTS: usize = 30;

/// The most characters of one text of a finding.
const LONGEST_PART: usize = 4_000;

/// The words of a review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composed {
    /// What stands in its body.
    pub body: String,
    /// What stands beside lines.
    pub comments: Vec<InlineComment>,
    /// How many findings stand nowhere, for want of room.
    pub left_out: usize,
}

/// Composes a review. `summary` is windlass's own words, and comes first as it is; the findings are
/// whoever's, and are made harmless. The gravest have the first call on room.
#[must_use]
pub fn review_of(summary: &str, findings: &[Finding], files: &[PullFile]) -> Composed {
    let lines: BTreeMap<&str, RightLines> = files
        .iter()
        .filter(|file| file.status != FileStatus::Removed)
        .filter_map(|file| Some((file.path.as_str(), RightLines::of(file.patch.as_deref()?))))
        .collect();
    let mut by_gravity: Vec<&Finding> = findings.iter().collect();
    by_gravity.sort_by_key(|finding| Reverse(finding.severity));
    let (mut comments, mut others) = (Vec::new(), Vec::new());
    for finding in by_gravity {
        match beside(finding, &lines) {
            Some(comment) if comments.len() < MOST_COMMENTS => comments.push(comment),
            _ => others.push(finding),
        }
    }
    let mut body = summary.trim_end().to_owned();
    if !others.is_empty() && !comments.is_empty() {
        body += "\n\nThe others, which are not about changed lines or are too many to stand there:";
    }
    let entries = others.iter().map(|finding| {
        let place = finding.place().map_or_else(String::new, |place| neutral::code(&place) + " ");
        format!("**{}** {place}{}", finding.severity, words(finding))
    });
    let left_out = append(&mut body, entries);
    Composed { body, comments, left_out }
}

/// The body with what was to stand beside lines, for a forge that refuses their places.
#[must_use]
pub fn folded(body: &str, comments: &[InlineComment]) -> String {
    let mut body = body.trim_end().to_owned();
    append(
        &mut body,
        comments.iter().map(|comment| {
            let InlineComment { path, line, start_line, body } = comment;
            let lines = start_line.map_or_else(String::new, |start| format!("{start}-"));
            format!("{}: {body}", neutral::code(&format!("{path}:{lines}{line}")))
        }),
    );
    body
}

/// The text, cut to what a forge takes, and saying so.
#[must_use]
pub fn capped(text: &str) -> Cow<'_, str> {
    const NOTE: &str = "\n\n*The rest is cut off, for it is too long.*";
    if characters(text) <= LONGEST_TEXT {
        return Cow::Borrowed(text);
    }
    Cow::Owned(cut(text, LONGEST_TEXT - NOTE.len()).to_owned() + NOTE)
}

/// Appends as many as fit, and says how many do not; gives that number.
fn append(body: &mut String, entries: impl ExactSizeIterator<Item = String>) -> usize {
    const ROOM_FOR_THE_REST: usize = 100;
    let mut left_out = 0;
    let mut room = LONGEST_TEXT.saturating_sub(characters(body) + ROOM_FOR_THE_REST);
    for entry in entries {
        let length = characters(&entry) + 2;
        if left_out > 0 || length > room {
            left_out += 1;
        } else {
            room -= length;
            body.push_str("\n\n");
            body.push_str(&entry);
        }
    }
    if left_out > 0 {
        body.push_str(&format!("\n\n*{left_out} more do not fit here.*"));
    }
    left_out
}

/// The comment for a finding, where the diff has lines of it.
fn beside(finding: &Finding, lines: &BTreeMap<&str, RightLines>) -> Option<InlineComment> {
    let file = finding.file.as_deref()?.trim().trim_start_matches("./");
    let first = finding.line?;
    let (path, lines) = lines.get_key_value(file)?;
    let place = lines.overlap(first, finding.end_line.unwrap_or(first).max(first))?;
    Some(InlineComment {
        path: (*path).to_owned(),
        line: place.end,
        start_line: (place.start < place.end).then_some(place.start),
        body: format!("**{}** {}", finding.severity, words(finding)),
    })
}

/// What a finding says, made harmless: its title, and in paragraphs the rest.
fn words(finding: &Finding) -> String {
    let secrets = Secrets::shapes();
    let mut words = neutral::line(part(&secrets.redact(&finding.title)));
    let description = neutral::block(part(&secrets.redact(&finding.description)));
    if !description.is_empty() {
        words += &format!("\n\n{description}");
    }
    let suggestion = secrets.redact(finding.suggestion.as_deref().unwrap_or_default());
    let suggestion = neutral::block(part(&suggestion));
    if !suggestion.is_empty() {
        words += &format!("\n\nSuggestion:\n\n{suggestion}");
    }
    words
}

/// As much of a text as one finding may say.
fn part(text: &str) -> &str {
    cut(text, LONGEST_PART)
}

fn cut(text: &str, most: usize) -> &str {
    let mut length = 0;
    let end = text.char_indices().find(|(_, c)| {
        length += c.len_utf16();
        length > most
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Severity;

    fn finding(severity: Severity, file: &str, line: u32, title: &str) -> Finding {
        let (file, line) = (Some(file.to_owned()), Some(line));
        Finding { severity, file, line, title: title.into(), ..Finding::default() }
    }

    fn file(path: &str, patch: &str) -> PullFile {
        PullFile { path: path.into(), patch: Some(patch.into()), ..PullFile::default() }
    }

    #[test]
    fn findings_stand_beside_their_lines_where_the_diff_has_them() {
        let files = [file("src/a.rs", "@@ -1,2 +1,3 @@\n a\n+b\n c"), file("gone.rs", "")];
        let findings = [
            Finding {
                end_line: Some(9),
                description: "Ask @octocat, see #12.".into(),
                suggestion: Some("```suggestion\nfree(b)\n```".into()),
                ..finding(Severity::Medium, "./src/a.rs", 2, "b leaks\nbadly")
            },
            finding(Severity::High, "src/other.rs", 7, "Key `sk-a1b2c3d4e5f6g7h8i9j0k1l2` in code"),
            Finding { title: "No test".into(), ..Finding::default() },
        ];
        let composed = review_of("Two auditors, 3 findings.", &findings, &files);
        insta::assert_snapshot!(composed.body.replace('\u{200b}', "·"), @"
        Two auditors, 3 findings.

        The others, which are not about changed lines or are too many to stand there:

        **HIGH** `src/other.rs:7` Key `[redacted]` in code

        **MEDIUM** No test
        ");
        let [comment] = &composed.comments[..] else { panic!("{:?}", composed.comments) };
        assert_eq!((comment.start_line, comment.line), (Some(2), 3));
        insta::assert_snapshot!(comment.body.replace('\u{200b}', "·"), @"
        **MEDIUM** b leaks badly

        Ask @·octocat, see #·12.

        Suggestion:

        ```
        free(b)
        ```
        ");
        let folded = folded("Hello.", &composed.comments);
        assert!(folded.starts_with("Hello.\n\n`src/a.rs:2-3`: **MEDIUM** b leaks"), "{folded}");
    }

    #[test]
    fn the_gravest_have_the_first_call_on_room() {
        let patch = format!("@@ -0,0 +1,100 @@\n{}", "+x\n".repeat(100));
        let mut findings: Vec<_> =
            (1..=100).map(|line| finding(Severity::Low, "a", line, &"w".repeat(5000))).collect();
        findings.push(finding(Severity::High, "a", 100, "grave"));
        let composed = review_of("s", &findings, &[file("a", &patch)]);
        assert_eq!(composed.comments.len(), MOST_COMMENTS);
        assert!(composed.comments[0].body.contains("grave"));
        assert!(characters(&composed.body) <= LONGEST_TEXT);
        assert!(composed.body.ends_with(&format!("*{} more do not fit here.*", composed.left_out)));
        assert!(composed.left_out > 0 && composed.left_out < 71);
    }

    #[test]
    fn what_is_too_long_is_cut_and_says_so() {
        assert_eq!(capped("short"), "short");
        let long = "é🦀".repeat(LONGEST_TEXT);
        let cut = capped(&long);
        assert!(characters(&cut) <= LONGEST_TEXT && cut.ends_with("too long.*"));
    }
}
