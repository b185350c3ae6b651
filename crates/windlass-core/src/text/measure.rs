//! What a word says that is a number: a plain one, a share, a size, or a time. Pure.

/// What kind of number a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// A number, maybe in thousands or millions.
    Number,
    /// A percentage.
    Percent,
    /// A number of bytes.
    Size,
    /// A time, or a rate: so much in a time, or a time for each.
    Time,
}

/// A number as it is written: `12`, `-0.5`, `1,234`, `3.2e-05`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Literal {
    /// The number.
    pub value: f64,
    /// How many bytes it takes.
    pub length: usize,
    /// Whether it has neither a fraction nor an exponent.
    pub is_whole: bool,
}

/// The number that a text begins with, without a sign. A version or an address such as `1.2.3` is none.
pub(crate) fn literal(text: &str) -> Option<Literal> {
    let (length, is_whole) = extent(text.as_bytes())?;
    let written: String = text[..length].chars().filter(|c| !GROUPING.contains(c)).collect();
    let value = written.parse().ok()?;
    Some(Literal { value, length, is_whole })
}

/// How many bytes the number takes that a text begins with, and whether it is whole.
fn extent(bytes: &[u8]) -> Option<(usize, bool)> {
    let whole = grouped(bytes);
    if whole == 0 {
        return None;
    }
    let mut length = whole;
    if bytes.get(length) == Some(&b'.') {
        let fraction = digits(&bytes[length + 1..]);
        length += if fraction > 0 { fraction + 1 } else { 0 };
    }
    let goes_on = length > whole && bytes.get(length) == Some(&b'.');
    if goes_on && digits(&bytes[length + 1..]) > 0 {
        return None;
    }
    length += exponent(&bytes[length..]);
    Some((length, length == whole))
}

/// What a whole word is, where it is a number with a unit or without; a sign may stand before it.
pub(crate) fn measure(word: &str) -> Option<Measure> {
    let is_bare = word.starts_with(|c: char| c.is_ascii_digit());
    let text = if is_bare { word } else { word.trim_start_matches(SIGNS) };
    let (length, _) = extent(text.as_bytes())?;
    match &text[length..] {
        "" => Some(Measure::Number),
        rest if rest.starts_with(|c: char| c.is_ascii_digit()) => None,
        rest => unit(rest).or_else(|| compound(rest)),
    }
}

/// What a number is that stands before this unit.
pub(crate) fn unit(word: &str) -> Option<Measure> {
    const TIMES: &[&str] = &[
        "ns",
        "us",
        "µs",
        "μs",
        "ms",
        "s",
        "m",
        "h",
        "msec",
        "msecs",
        "sec",
        "secs",
        "min",
        "mins",
        "hr",
        "hrs",
        "second",
        "seconds",
        "minute",
        "minutes",
        "hour",
        "hours",
        "day",
        "days",
        "millisecond",
        "milliseconds",
        "microsecond",
        "microseconds",
        "nanosecond",
        "nanoseconds",
    ];
    const SIZES: &[&str] =
        &["B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "byte", "bytes", "Bytes"];
    if TIMES.contains(&word) || is_rate(word) {
        return Some(Measure::Time);
    }
    match word {
        "%" => Some(Measure::Percent),
        "k" | "K" | "M" | "G" => Some(Measure::Number),
        _ => SIZES.contains(&word).then_some(Measure::Size),
    }
}

/// What a number is multiplied by that stands before this unit, so that sizes can be compared.
pub(crate) fn factor(unit: &str) -> f64 {
    match unit {
        "k" | "K" | "kB" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => 1.0,
    }
}

/// Whether it is so much in a time, such as `req/s`, or so much time for each, such as `ns/op`.
pub(crate) fn is_rate(word: &str) -> bool {
    const PER: &[&str] = &["s", "sec", "second", "min", "minute", "h", "hour", "ms"];
    const OF: &[&str] = &["ns", "us", "µs", "μs", "ms", "s", "min"];
    word.split_once('/').is_some_and(|(of, per)| PER.contains(&per) || OF.contains(&of))
}

/// Signs and marks that a number may have before it.
pub(crate) const SIGNS: &[char] = &['+', '-', '−', '±', '~', '≈', '≤', '≥', '$', '€', '£', '×'];

/// What stands between groups of three digits.
const GROUPING: &[char] = &[',', '_', '\''];

/// A time in several units, such as the `m2.5s` of `1m2.5s`.
fn compound(rest: &str) -> Option<Measure> {
    let letters = rest.find(|c: char| c.is_ascii_digit())?;
    let is_time = unit(&rest[..letters]) == Some(Measure::Time);
    (is_time && measure(&rest[letters..]) == Some(Measure::Time)).then_some(Measure::Time)
}

/// How many digits there are at the beginning, with what groups them.
fn grouped(bytes: &[u8]) -> usize {
    let mut length = digits(bytes);
    if !(1..=3).contains(&length) {
        return length;
    }
    let Some(mark) = bytes.get(length).filter(|mark| GROUPING.contains(&char::from(**mark))) else {
        return length;
    };
    while bytes.get(length) == Some(mark) && digits(&bytes[length + 1..]) == 3 {
        length += 4;
    }
    length
}

fn exponent(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let power = digits(&bytes[1 + sign..]);
    let goes_on = bytes.get(1 + sign + power).is_some_and(u8::is_ascii_alphanumeric);
    if power == 0 || goes_on { 0 } else { 1 + sign + power }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_people_write_it() {
        for (text, value) in [
            ("12", 12.0),
            ("0.80 left", 0.8),
            ("1,234,567", 1_234_567.0),
            ("1_000 rows", 1000.0),
            ("1,23", 1.0),
            ("12,345", 12345.0),
            ("1234,567", 1234.0),
            ("3.2e-05", 3.2e-5),
            ("5e", 5.0),
            ("7.", 7.0),
            ("1.5.", 1.5),
        ] {
            assert_eq!(literal(text).map(|number| number.value), Some(value), "{text}");
        }
        for text in ["1.2.3", "127.0.0.1", "x", ".5", ""] {
            assert_eq!(literal(text), None, "{text}");
        }
    }

    #[test]
    fn times_sizes_and_shares_are_told_from_plain_numbers() {
        let cases: &[(&[&str], Option<Measure>)] = &[
            (&["12", "-0.5", "+1,234", "$12.50", "12k", "3.4M"], Some(Measure::Number)),
            (&["81.5%", "100%"], Some(Measure::Percent)),
            (&["12.3KB", "4MiB", "16B"], Some(Measure::Size)),
            (
                &[
                    "12ms", "1.2s", "1m2.5s", "1h02m03s", "3min", "~4µs", "987ns/op", "3.6it/s",
                    "9MB/s",
                ],
                Some(Measure::Time),
            ),
            (&["12x", "3rd", "1.2.3", "2d", "x86", "s", "12abc", "1m2x"], None),
        ];
        for (words, expected) in cases {
            for word in *words {
                assert_eq!(measure(word), *expected, "{word}");
            }
        }
    }
}
