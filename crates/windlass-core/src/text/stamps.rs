//! Dates, times and ids in a text: what is another in each run although nothing else happened.

/// Marks around a word, which are not part of it.
const AROUND: &[char] =
    &['"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '.', '!'];

/// What stands between the parts of a word that is no stamp as a whole, the widest first.
const BETWEEN: [char; 8] = ['=', '"', '\'', '/', '_', ',', ':', '.'];

/// A longer word is no date.
const LONGEST: usize = 40;

/// A word as what stands before it, the word itself, and what stands after it.
pub(super) fn unwrapped(word: &str) -> Option<(&str, &str, &str)> {
    let inner = word.trim_matches(AROUND);
    let start = word.find(inner).filter(|_| !inner.is_empty())?;
    Some((&word[..start], inner, &word[start + inner.len()..]))
}

/// A line without dates, times and ids. Other numbers stay.
pub(super) fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut date = Spelled::Nothing;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        let Some((before, inner, after)) = unwrapped(word) else {
            out.push_str(word);
            continue;
        };
        out.push_str(before);
        match date.goes_on(inner, words.peek()) {
            Some(now) => {
                date = now;
                out.push('@');
            }
            None => {
                date = Spelled::Nothing;
                add_part(&mut out, inner, &BETWEEN);
            }
        }
        out.push_str(after);
    }
    out
}

/// How far a date goes that is spelled in words, such as `Sun Nov 15 23:00:01 UTC 2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelled {
    Nothing,
    Name,
    Day,
}

impl Spelled {
    fn goes_on(self, word: &str, next: Option<&&str>) -> Option<Self> {
        if !has_digit(word) {
            let is_name = word.starts_with(|c: char| c.is_ascii_uppercase());
            return (is_name && (is_calendar(word) || is_long_name(word))).then_some(Self::Name);
        }
        if is_time(word) {
            return Some(if self == Self::Nothing { self } else { Self::Name });
        }
        let day = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let is_day = matches!(word.len() - day.len(), 0 | 2) && in_range(day, 1..=2, 1, 31);
        let month_follows =
            || next.and_then(|next| unwrapped(next)).is_some_and(|(_, next, _)| is_month(next));
        if is_day && (self == Self::Name || month_follows()) {
            return Some(Self::Day);
        }
        (self != Self::Nothing && in_range(word, 4..=4, 1900, 2099)).then_some(Self::Nothing)
    }
}

/// Adds a word, or a part of one, without the dates, times and ids in it.
fn add_part(out: &mut String, text: &str, between: &[char]) {
    if !may_hold_one(text) {
        out.push_str(text);
    } else if text.len() <= LONGEST && (is_date(text) || is_time(text) || is_moment(text)) {
        out.push('@');
    } else if is_uuid(text) || is_hash(text) {
        out.push('#');
    } else if let Some((separator, inner)) = between.split_first() {
        for (number, part) in text.split(*separator).enumerate() {
            if number > 0 {
                out.push(*separator);
            }
            add_part(out, part, inner);
        }
    } else {
        add_dashed(out, text);
    }
}

/// The same of a part that is taken apart at its dashes only.
fn add_dashed(out: &mut String, text: &str) {
    let parts: Vec<&str> = text.split('-').collect();
    let mut at = 0;
    while at < parts.len() {
        if at > 0 {
            out.push('-');
        }
        let is_date = parts.get(at..at + 3).is_some_and(is_date_of);
        match is_date {
            true => out.push('@'),
            false => out.push_str(if is_hash(parts[at]) { "#" } else { parts[at] }),
        }
        at += if is_date { 3 } else { 1 };
    }
}

/// A day in digits, the year first or last, with or without the time of day.
fn is_date(text: &str) -> bool {
    let is_compact_time = |text: &str| in_range(text.trim_end_matches('Z'), 6..=6, 0, 235_960);
    is_day(text)
        || text
            .split_once(['T', 't', '_'])
            .is_some_and(|(day, time)| is_day(day) && (is_time(time) || is_compact_time(time)))
}

fn is_day(text: &str) -> bool {
    let is_compact = text.len() == 8
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && is_date_of(&[&text[..4], &text[4..6], &text[6..]]);
    let mut parts = text.split(['-', '/', '.']);
    let mut next = || parts.next().unwrap_or_default();
    let (first, month, last) = (next(), next(), next());
    is_compact
        || (parts.next().is_none()
            && is_date_of(&[first, month, last])
            && text.as_bytes()[first.len()] == text.as_bytes()[first.len() + 1 + month.len()])
}

/// Year, month and day, or the other way around.
fn is_date_of(parts: &[&str]) -> bool {
    let &[first, month, last] = parts else { return false };
    let is_two = |text: &str, most| in_range(text, 1..=2, 1, most);
    let is_year = |text: &str| in_range(text, 4..=4, 1900, 2099);
    (is_year(first) && is_two(month, 12) && is_two(last, 31))
        || (is_two(first, 31) && is_two(month, 31) && is_year(last))
}

/// A time of day: `23:01`, `23:01:02.5`, with or without a time zone.
fn is_time(text: &str) -> bool {
    let text = ["Z", "UTC", "am", "pm", "AM", "PM"]
        .iter()
        .find_map(|zone| text.strip_suffix(zone))
        .unwrap_or(text);
    let text = text.split_once(['+', '-']).map_or(text, |(time, _)| time);
    let mut parts = text.split(':');
    let (Some(hours), Some(minutes)) = (parts.next(), parts.next()) else { return false };
    let seconds = parts.next().unwrap_or("00");
    let (seconds, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, "0"));
    parts.next().is_none()
        && in_range(hours, 1..=2, 0, 24)
        && in_range(minutes, 2..=2, 0, 59)
        && in_range(seconds, 2..=2, 0, 60)
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// Seconds or milliseconds since 1970, of a moment between 2014 and 2033.
fn is_moment(text: &str) -> bool {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    matches!(whole.len(), 10 | 13)
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && in_range(&whole[..3], 3..=3, 140, 199)
}

/// A hash or an address in hexadecimal digits; a plain number is none.
fn is_hash(text: &str) -> bool {
    let (digits, least) = text.strip_prefix("0x").map_or((text, 7), |digits| (digits, 8));
    digits.len() >= least
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits.bytes().any(|byte| byte.is_ascii_digit())
        && (digits.bytes().any(|byte| byte.is_ascii_alphabetic()) || digits.len() < text.len())
}

/// Eight, four, four, four and twelve hexadecimal digits.
pub(crate) fn is_uuid(text: &str) -> bool {
    let parts = text.split('-');
    parts.clone().map(str::len).eq([8, 4, 4, 4, 12])
        && parts.flat_map(str::bytes).all(|byte| byte.is_ascii_hexdigit())
}

/// A word of a date.
pub(crate) fn is_calendar(word: &str) -> bool {
    const OTHERS: [&str; 10] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "AM", "PM", "UTC"];
    MONTHS.contains(&word) || OTHERS.contains(&word)
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const LONG_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn is_month(word: &str) -> bool {
    MONTHS.contains(&word) || LONG_MONTHS.contains(&word)
}

fn is_long_name(word: &str) -> bool {
    const DAYS: [&str; 7] =
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    LONG_MONTHS.contains(&word) || DAYS.contains(&word)
}

/// Whether it has digits enough for a date, a time or an id.
fn may_hold_one(text: &str) -> bool {
    let (mut decimal, mut running) = (0, 0);
    text.bytes().any(|byte| {
        decimal += usize::from(byte.is_ascii_digit());
        running = if byte.is_ascii_hexdigit() { running + 1 } else { 0 };
        decimal >= 3 || (running >= 7 && decimal > 0)
    })
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether it is a number of so many digits in that range.
fn in_range(text: &str, digits: std::ops::RangeInclusive<usize>, least: u32, most: u32) -> bool {
    digits.contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().is_ok_and(|number| (least..=most).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_times_and_ids_do_not_stay() {
        for (a, b) in [
            ("built 2026-11-15", "built 2026-12-01"),
            ("at 2026-11-15T23:01:02Z", "at 2026-11-16T04:11:59.123+02:00"),
            ("on 15.11.2026, 23:01", "on 1.2.2027, 4:30"),
            ("Sun Nov 15 23:00:01 UTC 2026 ok", "Mon Dec  7 01:00:01 UTC 2026 ok"),
            ("15 November 2026", "7 December 2027"),
            ("Nov 15th, 2026: 3 left", "Dec 2nd, 2026: 3 left"),
            ("commit 1a2b3c4d5e", "commit 99ffee0011"),
            ("\"at\": 1763488321,", "\"at\": 1763488999,"),
            ("v=\"2026-11-15\"", "v=\"2026-11-16\""),
            ("logs/run-2026-11-15.log", "logs/run-2026-11-16.log"),
            ("at 0x7ffc12ab90", "at 0x55d0aa1134"),
            ("id 3fa85f64-5717-4562-b3fc-2c963f66afa6", "id 9b2d7c11-0c1f-4b0e-8f6a-77e0c0ffee00"),
        ] {
            assert_eq!(without(a), without(b));
        }
    }

    #[test]
    fn other_numbers_stay() {
        for (a, b) in [
            ("n = 12", "n = 13"),
            ("0.80", "0.10"),
            ("1.2.3", "1.2.4"),
            ("2026-11-15 12 tests", "2026-11-15 13 tests"),
            ("Nov 15 12 tests", "Nov 15 13 tests"),
            ("a.rs:12:80", "a.rs:13:80"),
            ("0xff", "0xfe"),
            ("mask 10000000", "mask 20000000"),
            ("16-24-32", "16-24-33"),
            ("up to 2030", "up to 2031"),
        ] {
            assert_ne!(without(a), without(b));
        }
    }
}
