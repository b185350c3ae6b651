//! A line of a few dozen pixels for a table: where it comes from and where it went.

use maud::{Markup, html};

use super::scale::at;

const WIDTH: f64 = 96.0;
const HEIGHT: f64 = 22.0;
/// So many of the last values are drawn.
const MOST: usize = 48;

/// The line of the values, oldest first; nothing for fewer than two. `words` say the same.
pub(crate) fn sparkline(values: &[u32], words: &str) -> Markup {
    let values = &values[values.len().saturating_sub(MOST)..];
    if values.len() < 2 {
        return html! {};
    }
    let most = values.iter().copied().max().unwrap_or(1).max(1);
    let step = (WIDTH - 6.0) / (values.len() - 1) as f64;
    let place = |(n, value): (usize, &u32)| {
        let x = 3.0 + n as f64 * step;
        let y = HEIGHT - 3.0 - f64::from(*value) / f64::from(most) * (HEIGHT - 6.0);
        (at(x), at(y))
    };
    let places: Vec<(String, String)> = values.iter().enumerate().map(place).collect();
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
    html! {
        svg.sparkline viewBox={ "0 0 " (at(WIDTH)) " " (at(HEIGHT)) } width=(at(WIDTH)) height=(at(HEIGHT)) role="img" aria-label=(words) {
            polyline points=(line.join(" ")) {}
            @if let Some((x, y)) = places.last() {
                circle cx=(x) cy=(y) r="2.5" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_where_the_values_go() {
        insta::assert_snapshot!(sparkline(&[4, 2, 0], "4 → 2 → 0").into_string(), @r#"<svg class="sparkline" viewBox="0 0 96 22" width="96" height="22" role="img" aria-label="4 → 2 → 0"><polyline points="3,3 48,11 93,19"></polyline><circle cx="93" cy="19" r="2.5"></circle></svg>"#);
        assert_eq!(sparkline(&[4], "4").into_string(), "");
        assert!(sparkline(&vec![7; 5000], "7").into_string().len() < 1500);
    }
}
