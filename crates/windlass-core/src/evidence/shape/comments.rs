//! Which lines of code are nothing but comments.

use memchr::memmem;

/// Ends of comments that may go over many lines. Remembers which of them come no more, so that each text is
/// searched once.
#[derive(Debug, Default)]
pub(super) struct Comments {
    gone: [bool; BLOCKS.len()],
}

/// How comments begin and end that may go over many lines.
const BLOCKS: [(&str, &str); 2] = [("/*", "*/"), ("<!--", "-->")];

impl Comments {
    /// How long the comment is that the text, which is the rest of a line and all that follows, begins with.
    pub(super) fn length(&mut self, text: &str) -> Option<usize> {
        for (number, (begin, end)) in BLOCKS.iter().enumerate() {
            let Some(inner) = text.strip_prefix(begin).filter(|_| !self.gone[number]) else {
                continue;
            };
            // One that is never closed is none: `/*` may be a pattern of paths.
            match memmem::find(inner.as_bytes(), end.as_bytes()) {
                Some(at) => return Some(begin.len() + at + end.len()),
                None => self.gone[number] = true,
            }
        }
        is_comment(text).then(|| memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len()))
    }
}

/// Whether a line that begins like this is a comment to its end.
fn is_comment(text: &str) -> bool {
    let is_followed = |rest: &str, by: &[char]| {
        rest.chars().next().is_none_or(|c| c.is_whitespace() || by.contains(&c))
    };
    if text.starts_with("//") || text.starts_with(";;") {
        return true;
    }
    if text.starts_with('#') {
        return is_followed(text.trim_start_matches('#'), &[]);
    }
    // A flag of a command that goes over many lines begins with two dashes as well.
    text.strip_prefix("--").is_some_and(|rest| is_followed(rest, &['-', '|', '^', '[']))
        || text.strip_prefix(';').is_some_and(|rest| rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_comments_in_many_languages() {
        let length = |text: &str| Comments::default().length(text);
        for line in ["// x", "/// x", "# x", "#", "## x", "-- x", "---", ";; x", "; x"] {
            assert_eq!(length(&format!("{line}\ny")), Some(line.len()), "{line}");
        }
        assert_eq!(length("/* a\n * b\n */ c"), Some(13));
        assert_eq!(length("<!-- a\n b -->\nc"), Some(13));
    }

    #[test]
    fn code_that_looks_alike_is_none() {
        for line in [
            "#include <x>",
            "#!/bin/sh",
            "#[test]",
            "--flag",
            "--x;",
            "* b",
            "*p = 1",
            "/*.log",
            ";[1]",
        ] {
            assert_eq!(Comments::default().length(&format!("{line}\ny")), None, "{line}");
        }
    }
}
