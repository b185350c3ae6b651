//! Reads out of an agent's words when a provider's limit is over. It has no clock: what lies
//! relative to today is reckoned from the moment that it is given.

use jiff::{
    Zoned,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};
use windlass_core::time::Timestamp;

/// What stands before the time, in lower case.
const MARKS: &[&str] = &["resets at ", "resets ", "reset at ", "try again at "];

const MONTHS: &[&str] =
    &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// When the limit is over, where the text says so: `…|1763230000`, `resets 7pm (UTC)`,
/// `try again at Jan 1st, 2030 12:00 AM`. Times without a zone are those of `now`'s zone.
pub(super) fn reset_at(text: &str, now: Option<&Zoned>) -> Option<Timestamp> {
    epoch(text).or_else(|| spoken(text, now))
}

/// A moment in seconds since 1970.
pub(super) fn from_epoch(seconds: i64) -> Option<Timestamp> {
    (seconds > 0).then(|| Timestamp(seconds.saturating_mul(1000)))
}

fn epoch(text: &str) -> Option<Timestamp> {
    let (_, after) = text.rsplit_once('|')?;
    let digits: String = after.trim().chars().take_while(char::is_ascii_digit).collect();
    if digits.len() == 10 { from_epoch(digits.parse().ok()?) } else { None }
}

fn spoken(text: &str, now: Option<&Zoned>) -> Option<Timestamp> {
    let lower = text.to_ascii_lowercase();
    let start = MARKS.iter().find_map(|mark| lower.find(mark).map(|at| at + mark.len()))?;
    let (lower, text) = (&lower[start..], &text[start..]);
    let clause = Clause::read(lower);
    let zone = match zone_in_brackets(text) {
        Some(zone) => zone,
        None => now?.time_zone().clone(),
    };
    let at = clause.after(now.map(|now| now.with_time_zone(zone.clone())).as_ref())?;
    let at = at.to_zoned(zone).ok()?;
    Some(Timestamp(at.timestamp().as_millisecond()))
}

fn zone_in_brackets(text: &str) -> Option<TimeZone> {
    let (_, rest) = text.split_once('(')?;
    let (name, _) = rest.split_once(')')?;
    if name == "UTC" { Some(TimeZone::UTC) } else { TimeZone::get(name).ok() }
}

/// A date and a time as far as they were told.
#[derive(Debug, Default)]
struct Clause {
    month: Option<i8>,
    day: Option<i8>,
    year: Option<i16>,
    time: Option<Time>,
}

impl Clause {
    fn read(text: &str) -> Self {
        let text = text.split('(').next().unwrap_or_default();
        let mut words = text.split([' ', ',', '\u{202f}']).filter(|word| !word.is_empty());
        let mut clause = Self::default();
        let mut next = words.next();
        while let Some(word) = next {
            next = words.next();
            let word = word.trim_end_matches('.');
            let half = next.map(|next| next.trim_matches(['.', '·']).to_owned());
            let is_split = matches!(half.as_deref(), Some("am" | "pm"));
            let time = if is_split {
                format!("{word}{}", half.unwrap_or_default())
            } else {
                word.to_owned()
            };
            if let Some(month) = month(word) {
                clause.month = Some(month);
            } else if let Some(time) = clock(&time) {
                clause.time = Some(time);
                break;
            } else if let Some(number) = ordinal(word) {
                match i8::try_from(number) {
                    Ok(day) => clause.day = Some(day),
                    Err(_) => clause.year = Some(number),
                }
            } else if word != "at" {
                break;
            }
        }
        clause
    }

    /// The first such moment after `now`, or the only one.
    fn after(&self, now: Option<&Zoned>) -> Option<DateTime> {
        let time = self.time?;
        match (self.year, self.month, self.day) {
            (Some(year), Some(month), Some(day)) => {
                Some(DateTime::from_parts(Date::new(year, month, day).ok()?, time))
            }
            (None, Some(month), Some(day)) => {
                let today = now?.date();
                let date = Date::new(today.year(), month, day).ok()?;
                let date =
                    if date < today { Date::new(today.year() + 1, month, day).ok()? } else { date };
                Some(DateTime::from_parts(date, time))
            }
            (None, None, None) => {
                let now = now?.datetime();
                let at = DateTime::from_parts(now.date(), time);
                if at > now {
                    Some(at)
                } else {
                    Some(DateTime::from_parts(now.date().tomorrow().ok()?, time))
                }
            }
            _ => None,
        }
    }
}

fn month(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|month| word.starts_with(month))?;
    i8::try_from(at + 1).ok()
}

/// `1`, `1st`, `2030`.
fn ordinal(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th").then_some(())?;
    digits.parse().ok()
}

/// `7pm`, `12:30am`, `19:00`.
fn clock(word: &str) -> Option<Time> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, ""));
    let hour: i8 = hour.parse().ok()?;
    let hour = match &word[digits.len()..] {
        "am" => hour % 12,
        "pm" => hour % 12 + 12,
        "" if !minute.is_empty() => hour,
        _ => return None,
    };
    let minute = if minute.is_empty() { 0 } else { minute.get(..2)?.parse().ok()? };
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<String> {
        let now: Zoned = "2026-11-15T20:00:00+00:00[UTC]".parse().unwrap();
        reset_at(text, Some(&now)).map(|at| at.to_string())
    }

    #[test]
    fn the_ways_in_which_agents_tell_the_time_are_read() {
        for (text, expected) in [
            ("Claude AI usage limit reached|1763230000", "2025-11-15T18:06:40.000Z"),
            (
                "You've hit your session limit · resets Jan 1, 2030, 12am (UTC)",
                "2030-01-01T00:00:00.000Z",
            ),
            ("limit reached ∙ resets 9:30pm (UTC)", "2026-11-15T21:30:00.000Z"),
            ("limit reached · resets 7pm", "2026-11-16T19:00:00.000Z"),
            ("resets Nov 20, 9am (UTC)", "2026-11-20T09:00:00.000Z"),
            ("resets Jan 2 at 9am", "2027-01-02T09:00:00.000Z"),
            ("credits or try again at Jan 1st, 2030 12:00 AM.", "2030-01-01T00:00:00.000Z"),
            ("or try again at 11:45 PM.", "2026-11-15T23:45:00.000Z"),
        ] {
            assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_not_made_one() {
        for text in [
            "",
            "resets soon",
            "try again at your leisure",
            "a|b",
            "a|12",
            "resets 99pmx",
            "resets 25:00",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
        assert_eq!(reset_at("resets 7pm", None), None);
    }
}
