//! A line as it came: read as JSON where it is some, else kept as it is but for its length.

use serde::de::DeserializeOwned;
use windlass_core::said::Said;

/// How many bytes of such a line are kept; the raw file has it whole.
const LONGEST: usize = 4 * 1024;

/// The line as text, cut.
pub(super) fn text(line: &[u8]) -> String {
    let kept = &line[..line.len().min(LONGEST)];
    let mut text = String::from_utf8_lossy(kept).into_owned();
    if line.len() > LONGEST {
        text.push('…');
    }
    text
}

/// The line, said as it is.
pub(super) fn said(line: &[u8]) -> Said {
    Said::Raw { text: text(line) }
}

/// What a line of JSON says; `None` where it is not of that shape. Bytes that are not UTF-8 are
/// replaced rather than lose the line.
pub(super) fn parse<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    match serde_json::from_slice(line) {
        Ok(event) => Some(event),
        Err(_) if std::str::from_utf8(line).is_ok() => None,
        Err(_) => serde_json::from_str(&String::from_utf8_lossy(line)).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_and_a_character_with_it() {
        let text = text("ä".repeat(4000).as_bytes());
        assert_eq!(text, "ä".repeat(2048) + "…");
    }

    #[test]
    fn bytes_that_are_not_text_do_not_lose_the_line() {
        let line = b"{\"a\":\"\xff\"}";
        assert_eq!(parse::<serde_json::Value>(line).unwrap()["a"], "\u{fffd}");
    }
}
