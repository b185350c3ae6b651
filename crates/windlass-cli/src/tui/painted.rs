//! Lines that [`Paint`] has coloured, for the dashboard: as styled spans, wrapped or cut to fit.
//!
//! Whoever makes the lines has sanitised every foreign word, so an escape in them is ours.
//!
//! [`Paint`]: crate::report::paint::Paint

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::theme::Theme;
use crate::text;

/// So much of one line is shown.
const MOST_CHARS: usize = 4_000;
/// What a tab takes.
const TAB: &str = "    ";
/// The margin of what agents say.
const MARGIN: &str = "  │ ";

/// A painted line as spans.
pub(crate) fn line(painted: &str, theme: Theme) -> Line<'static> {
    let mut spans = Vec::new();
    let mut parts = painted.split('\u{1b}');
    let mut add = |words: &str, style: Style| {
        if !words.is_empty() {
            spans.push(Span::styled(words.replace('\t', TAB), style));
        }
    };
    add(parts.next().unwrap_or_default(), Style::new());
    for part in parts {
        // Only `Paint` puts an escape here, and its form is always `[CODEm`.
        let (code, words) = part.split_once('m').unwrap_or((part, ""));
        add(words, theme.of_code(code.trim_start_matches('[')));
    }
    Line::from(spans)
}

/// A painted line as the rows that it takes up in so many cells. What goes on in a further row
/// stands below the words that it belongs to.
pub(crate) fn rows(painted: &str, cells: usize, theme: Theme) -> Vec<Line<'static>> {
    let line = line(painted, theme);
    if cells == 0 || line.width() <= cells {
        return vec![line];
    }
    let mut letters: Vec<(char, Style)> = line
        .spans
        .iter()
        .flat_map(|span| span.content.chars().map(move |letter| (letter, span.style)))
        .collect();
    if letters.len() > MOST_CHARS {
        letters.truncate(MOST_CHARS);
        letters.push(('…', theme.faint()));
    }
    let margin = margin(&letters, cells);
    let mut rows = Vec::new();
    let mut rest: &[(char, Style)] = &letters;
    while !rest.is_empty() {
        let before: &[(char, Style)] = if rows.is_empty() { &[] } else { &margin };
        let end = break_at(rest, cells.saturating_sub(before.len()));
        let (row, after) = rest.split_at(end);
        rows.push(joined(before.iter().chain(row)));
        // The space that a row ends at is not shown twice.
        rest = if after.first().is_some_and(|(letter, _)| *letter == ' ') {
            &after[1..]
        } else {
            after
        };
    }
    rows
}

/// A line cut to so many cells, with "…" where something is missing.
pub(crate) fn cut(line: Line<'static>, cells: usize) -> Line<'static> {
    if line.width() <= cells {
        return line;
    }
    let mut room = cells.saturating_sub(1);
    let mut letters = Vec::new();
    'all: for span in &line.spans {
        for letter in span.content.chars() {
            let Some(left) = room.checked_sub(text::char_width(letter)) else { break 'all };
            room = left;
            letters.push((letter, span.style));
        }
    }
    if cells > 0 {
        letters.push(('…', Style::new()));
    }
    joined(letters.iter())
}

/// What stands before the further rows of a line.
fn margin(letters: &[(char, Style)], cells: usize) -> Vec<(char, Style)> {
    let begins = |with: &str| with.chars().zip(letters).all(|(a, (b, _))| a == *b);
    if begins(MARGIN) && MARGIN.chars().count() < cells / 2 {
        return letters[..MARGIN.chars().count()].to_vec();
    }
    let spaces = letters.iter().take_while(|(letter, _)| *letter == ' ').count();
    let spaces = if spaces + 2 < cells / 2 { spaces + 2 } else { 0 };
    vec![(' ', Style::new()); spaces]
}

/// How many letters go into so many cells; between words where that is possible.
fn break_at(letters: &[(char, Style)], cells: usize) -> usize {
    let mut room = cells;
    let mut end = 0;
    for (letter, _) in letters {
        let Some(left) = room.checked_sub(text::char_width(*letter)) else { break };
        room = left;
        end += 1;
    }
    if end == letters.len() {
        return end;
    }
    if letters[end].0 == ' ' {
        return end.max(1);
    }
    let space = letters[..end].iter().rposition(|(letter, _)| *letter == ' ');
    // A word that is longer than half a row is broken rather than moved.
    match space {
        Some(space) if space >= end / 2 && space > 0 => space,
        _ => end.max(1),
    }
}

/// Letters as spans, one for each run of the same style.
fn joined<'a>(letters: impl Iterator<Item = &'a (char, Style)>) -> Line<'static> {
    let mut spans: Vec<(String, Style)> = Vec::new();
    for (letter, style) in letters {
        match spans.last_mut() {
            Some((words, same)) if same == style => words.push(*letter),
            _ => spans.push((letter.to_string(), *style)),
        }
    }
    Line::from(
        spans.into_iter().map(|(words, style)| Span::styled(words, style)).collect::<Vec<_>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::paint::Paint;

    fn plain(rows: &[Line<'_>]) -> Vec<String> {
        rows.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn paint_becomes_styles_and_no_escape_is_left() {
        let paint = Paint { colour: true };
        let painted = format!("a {} and {}", paint.good("good"), paint.bad("bad\tone"));
        let theme = Theme { colour: true };
        let line = line(&painted, theme);
        assert_eq!(line.to_string(), "a good and bad    one");
        assert_eq!(line.spans[1].style, theme.good());
        assert_eq!(line.spans[3].style, theme.bad());
    }

    #[test]
    fn a_long_line_is_wrapped_between_words_below_its_margin() {
        let theme = Theme::default();
        assert_eq!(
            plain(&rows("  │ one two three four", 14, theme)),
            ["  │ one two", "  │ three four"]
        );
        assert_eq!(plain(&rows("abcdefghijkl", 5, theme)), ["abcde", "fghij", "kl"]);
        assert_eq!(plain(&rows("世界世界世界", 5, theme)), ["世界", "世界", "世界"]);
        assert_eq!(plain(&rows("", 5, theme)), [""]);
    }

    #[test]
    fn what_is_cut_says_so() {
        let shown = cut(line("one two three", Theme::default()), 6);
        assert_eq!(shown.to_string(), "one t…");
        assert_eq!(cut(line("one", Theme::default()), 3).to_string(), "one");
    }
}
