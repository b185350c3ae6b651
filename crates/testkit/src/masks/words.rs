//! Words that masks look for: times, dates and durations.

/// The mask of a duration.
const TIME: &str = "[time]";

/// The length of the clock time that `text` starts with: `20:03`, `20:03:21`, `20:03:21.123Z`.
pub(super) fn time(text: &str) -> Option<usize> {
    let mut length = shaped(text, "dd:dd")?;
    length += shaped(&text[length..], ":dd").unwrap_or(0);
    if text[length..].starts_with('.') {
        let digits = digits(&text[length + 1..]);
        length += if digits > 0 { digits + 1 } else { 0 };
    }
    length += usize::from(text[length..].starts_with('Z'));
    ends(&text[length..]).then_some(length)
}

/// The length of the date that `text` starts with, and of the time that may follow it.
pub(super) fn date(text: &str) -> Option<usize> {
    let length = shaped(text, "dddd-dd-dd")?;
    match text[length..].strip_prefix('T').and_then(time) {
        Some(time) => Some(length + 1 + time),
        None => ends(&text[length..]).then_some(length),
    }
}

/// The length of the duration that `text` starts with: `12ms`, `1.3s`, `250 ms`, `2m 05s`.
pub(super) fn duration(text: &str) -> Option<usize> {
    let mut length = one_duration(text)?;
    while let Some(more) = text[length..].strip_prefix(' ').and_then(one_duration) {
        length += 1 + more;
    }
    Some(length)
}

fn one_duration(text: &str) -> Option<usize> {
    let mut length = digits(text);
    if length == 0 {
        return None;
    }
    let fraction = text[length..].strip_prefix('.').map_or(0, digits);
    length += if fraction > 0 { fraction + 1 } else { 0 };
    length += usize::from(text[length..].starts_with(' '));
    let unit = ["ms", "µs", "s", "m", "h"]
        .into_iter()
        .find(|unit| text[length..].strip_prefix(unit).is_some_and(ends))?;
    Some(length + unit.len())
}

/// Puts the mask of a duration in. Blanks beside it are part of its column: they make up for what
/// it is wider or narrower. Gives what follows.
pub(super) fn mask_duration<'a>(out: &mut String, text: &'a str, length: usize) -> &'a str {
    let width = text[..length].chars().count();
    let rest = &text[length..];
    let before = out.len() - out.trim_end_matches(' ').len();
    let after = rest.len() - rest.trim_start_matches(' ').len();
    if after >= 2 && width + after > TIME.len() {
        out.push_str(TIME);
        out.push_str(&" ".repeat(width + after - TIME.len()));
        &rest[after..]
    } else if before >= 2 && width + before > TIME.len() {
        out.truncate(out.len() - before);
        out.push_str(&" ".repeat(width + before - TIME.len()));
        out.push_str(TIME);
        rest
    } else {
        out.push_str(TIME);
        rest
    }
}

/// The length of the number that `text` starts with, where what stands before is a JSON key that
/// ends in `_ms`.
pub(super) fn milliseconds(before: &str, text: &str) -> Option<usize> {
    let length = digits(text);
    let is_key = before.trim_end_matches(' ').ends_with("_ms\":");
    (length > 0 && is_key).then_some(length)
}

/// The length of `shape` where `text` starts with it; a `d` is any digit.
fn shaped(text: &str, shape: &str) -> Option<usize> {
    let mut chars = text.chars();
    let fits = shape.chars().all(|wanted| match (wanted, chars.next()) {
        ('d', Some(c)) => c.is_ascii_digit(),
        (wanted, c) => c == Some(wanted),
    });
    fits.then_some(shape.len())
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// Whether a word has ended before `rest`.
fn ends(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}
