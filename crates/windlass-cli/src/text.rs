//! Words for people: counts, lists, durations, bytes, money, times, bars. Nothing here prints.

use std::time::Duration;

pub(crate) use windlass_core::text::count::{agree, count as number};
use windlass_core::{text::count::plural, time::Timestamp};

/// A count with its noun, in a sentence: "no files", "1 iteration", "3 iterations".
pub(crate) fn count(n: impl TryInto<u64>, noun: &str) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        0 => format!("no {}", plural(noun)),
        n => number(n, noun),
    }
}

/// A list as people write it: "a", "a and b", "a, b and c".
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// A duration: "20 ms", "2.1 s", "45 s", "3 min 5 s", "1 h 12 min", "2 d 3 h".
pub(crate) fn duration(duration: Duration) -> String {
    let ms = duration.as_millis();
    let seconds = duration.as_secs();
    let two = |big: u64, big_unit: &str, small: u64, small_unit: &str| match small {
        0 => format!("{big} {big_unit}"),
        small => format!("{big} {big_unit} {small} {small_unit}"),
    };
    match seconds {
        0 if ms < 100 => format!("{ms} ms"),
        0..10 => match ms / 100 {
            tenths if tenths % 10 == 0 => format!("{} s", tenths / 10),
            tenths => format!("{}.{} s", tenths / 10, tenths % 10),
        },
        10..60 => format!("{seconds} s"),
        60..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        3600..86_400 => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

/// A duration in milliseconds, as [`duration`] writes it.
pub(crate) fn millis(ms: u64) -> String {
    duration(Duration::from_millis(ms))
}

/// A duration of fixed form for counting up in place: "0:07", "12:30", "1:02:03".
pub(crate) fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// A number of bytes: "17 bytes", "1.5 KiB", "12 MiB".
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return count(bytes, "byte");
    }
    let unit = (bytes.ilog2() / 10).min(6);
    let tenths = u128::from(bytes) * 10 / (1u128 << (10 * unit));
    let name = UNITS[unit as usize - 1];
    if tenths >= 100 || tenths.is_multiple_of(10) {
        format!("{} {name}", tenths / 10)
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

/// Money: "$0.12", "$0.0042" where cents would say nothing.
pub(crate) fn money(usd: f64) -> String {
    if usd != 0.0 && usd.abs() < 0.01 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

/// A large number, short: "950", "1.2k", "3.4M".
pub(crate) fn short(n: u64) -> String {
    let (divisor, unit) = match n {
        0..1_000 => return n.to_string(),
        1_000..1_000_000 => (1_000, "k"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    };
    let tenths = n / (divisor / 10);
    if tenths >= 100 || tenths.is_multiple_of(10) {
        format!("{}{unit}", tenths / 10)
    } else {
        format!("{}.{}{unit}", tenths / 10, tenths % 10)
    }
}

/// How long ago a moment was: "just now", "40 s ago", "2 min ago", "3 d ago".
pub(crate) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.since(at).as_secs();
    match seconds {
        0..5 => "just now".to_owned(),
        5..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// A moment on the user's clock: "2026-08-22 21:04:05".
pub(crate) fn local_time(at: Timestamp) -> String {
    time_in(at, &jiff::tz::TimeZone::system(), "%Y-%m-%d %H:%M:%S")
}

/// The time of day on the user's clock: "21:04".
pub(crate) fn time_of_day(at: Timestamp) -> String {
    time_in(at, &jiff::tz::TimeZone::system(), "%H:%M")
}

fn time_in(at: Timestamp, zone: &jiff::tz::TimeZone, format: &str) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(
        |_| at.to_string(),
        |at| at.to_zoned(zone.clone()).strftime(format).to_string(),
    )
}

/// A bar of `width` cells: "━━━━╌╌╌╌╌╌".
pub(crate) fn bar(done: u64, of: u64, width: usize) -> String {
    let cells = width as u64;
    let full = (done.min(of) * cells).checked_div(of).unwrap_or(0);
    let full = usize::try_from(full).unwrap_or(width);
    format!("{}{}", "━".repeat(full), "╌".repeat(width - full))
}

/// Which iteration a loop is in: "iteration 3 of at most 10", "iteration 3" where there is no limit.
pub(crate) fn iteration(iteration: u32, max_iterations: u32) -> String {
    match max_iterations {
        0 => format!("iteration {iteration}"),
        max => format!("iteration {iteration} of at most {max}"),
    }
}

/// How many cells of a terminal the text takes; colours take none.
pub(crate) fn width(text: &str) -> usize {
    // Most of what is shown is plain, and lists are long.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    let mut in_colour = false;
    let mut cells = 0;
    for c in text.chars() {
        match c {
            '\u{1b}' => in_colour = true,
            'm' if in_colour => in_colour = false,
            _ if in_colour => {}
            c => cells += char_width(c),
        }
    }
    cells
}

/// The text cut to `cells` cells of a terminal, with "…" where something is missing.
pub(crate) fn truncate(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut room = cells.saturating_sub(1);
    let mut cut = String::new();
    for c in text.chars() {
        let Some(left) = room.checked_sub(char_width(c)) else { break };
        room = left;
        cut.push(c);
    }
    if cells > 0 {
        cut.push('…');
    }
    cut
}

/// The text filled up with spaces to `cells` cells.
pub(crate) fn pad(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(width(text))))
}

/// The end of a text that takes at most so many cells.
pub(crate) fn truncate_start(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut room = cells.saturating_sub(1);
    let fits = |c: &char| room.checked_sub(char_width(*c)).map(|left| room = left).is_some();
    let kept: String = text.chars().rev().take_while(fits).collect();
    let kept: String = kept.chars().rev().collect();
    if cells > 0 { format!("…{kept}") } else { kept }
}

/// Rows as lines whose columns stand below each other, two spaces apart.
pub(crate) fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// How many cells one character takes: wide ones two, combining ones none.
pub(crate) fn char_width(c: char) -> usize {
    match c {
        '\0'..='\u{2ff}' => 1,
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}'
        | '\u{93c}'
        | '\u{941}'..='\u{948}'
        | '\u{94d}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200b}'..='\u{200f}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{231a}'..='\u{231b}'
        | '\u{23e9}'..='\u{23ec}'
        | '\u{2614}'..='\u{2615}'
        | '\u{26a1}'
        | '\u{2705}'
        | '\u{274c}'
        | '\u{274e}'
        | '\u{2753}'..='\u{2757}'
        | '\u{2795}'..='\u{2797}'
        | '\u{2b50}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f004}'
        | '\u{1f0cf}'
        | '\u{1f18e}'..='\u{1f19a}'
        | '\u{1f200}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f7e0}'..='\u{1f7eb}'
        | '\u{1f90c}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_the_right_noun() {
        assert_eq!(count(0_u32, "file"), "no files");
        assert_eq!(count(1_u32, "iteration"), "1 iteration");
        assert_eq!(count(3_usize, "iteration"), "3 iterations");
        assert_eq!(count(2_u32, "retry"), "2 retries");
        assert_eq!(count(2_u32, "day"), "2 days");
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn durations_have_two_figures_at_the_most() {
        for (ms, words) in [
            (0, "0 ms"),
            (20, "20 ms"),
            (120, "0.1 s"),
            (2_190, "2.1 s"),
            (4_000, "4 s"),
            (59_999, "59 s"),
            (60_000, "1 min"),
            (185_000, "3 min 5 s"),
            (4_320_000, "1 h 12 min"),
            (183_600_000, "2 d 3 h"),
        ] {
            assert_eq!(millis(ms), words);
        }
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }

    #[test]
    fn sizes_and_sums_are_short() {
        for (n, words) in [
            (0, "no bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (12 << 20, "12 MiB"),
            (u64::MAX, "15 EiB"),
        ] {
            assert_eq!(bytes(n), words);
        }
        assert_eq!(
            [money(0.0), money(0.123), money(0.0042), money(12.5)],
            ["$0.00", "$0.12", "$0.0042", "$12.50"]
        );
        assert_eq!(
            [short(950), short(1_250), short(34_000), short(3_400_000)],
            ["950", "1.2k", "34k", "3.4M"]
        );
    }

    #[test]
    fn times_are_told_from_now() {
        let now = Timestamp(1_000_000_000);
        let before = |seconds: i64| ago(Timestamp(now.0 - seconds * 1000), now);
        assert_eq!([before(0), before(40), before(150)], ["just now", "40 s ago", "2 min ago"]);
        assert_eq!(
            [before(7_300), before(200_000), before(-50)],
            ["2 h ago", "2 d ago", "just now"]
        );
        assert_eq!(
            time_in(Timestamp(0), &jiff::tz::TimeZone::UTC, "%Y-%m-%d %H:%M:%S"),
            "1970-01-01 00:00:00"
        );
        assert_eq!(
            time_in(Timestamp(i64::MAX), &jiff::tz::TimeZone::UTC, "%H"),
            format!("{} ms", i64::MAX)
        );
    }

    #[test]
    fn a_bar_is_as_wide_as_asked_whatever_it_shows() {
        assert_eq!(bar(0, 4, 8), "╌╌╌╌╌╌╌╌");
        assert_eq!(bar(1, 4, 8), "━━╌╌╌╌╌╌");
        assert_eq!(bar(9, 4, 8), "━━━━━━━━");
        assert_eq!(bar(3, 0, 4), "╌╌╌╌");
    }

    #[test]
    fn text_is_cut_to_cells_and_not_to_bytes() {
        assert_eq!(truncate("short", 5), "short");
        assert_eq!(truncate("a longer one", 6), "a lon…");
        assert_eq!(truncate("世界世界", 5), "世界…");
        assert_eq!(truncate("世界世界", 4), "世…");
        assert_eq!(truncate("ab", 0), "");
        assert_eq!([width("e\u{301}"), width("🦀"), width("━")], [1, 2, 1]);
        assert_eq!(pad("世", 4), "世  ");
        assert_eq!(width("\u{1b}[31mred\u{1b}[0m"), 3);
    }

    #[test]
    fn columns_stand_below_each_other() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows = [row(&["a", "bb", "c"]), row(&["世界", "", "d"]), row(&["x"])];
        assert_eq!(table(&rows), ["a     bb  c", "世界      d", "x"]);
    }
}
