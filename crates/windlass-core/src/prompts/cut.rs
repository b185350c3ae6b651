//! Cuts what windlass has put together to what an agent can take. The user's words are never cut.

use serde_json::Value;

/// What may be cut, by the name of its field at any depth, and which end of it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut<'a> {
    /// The beginning stays, as of a diff.
    KeepStart(&'a str),
    /// The end stays, as of what a check printed.
    KeepEnd(&'a str),
}

impl<'a> Cut<'a> {
    fn field(self) -> &'a str {
        match self {
            Self::KeepStart(field) | Self::KeepEnd(field) => field,
        }
    }

    /// What is given, with all fields of the name shortened by some `excess` bytes in total, or to
    /// nothing but a note.
    pub(super) fn apply(self, mut given: Value, excess: usize) -> Value {
        let mut fields = Vec::new();
        collect(self.field(), &mut given, &mut fields);
        let total: usize = fields.iter().map(|text| text.len()).sum();
        let stays = total.saturating_sub(excess);
        for text in fields {
            let share = stays.saturating_mul(text.len()).checked_div(total).unwrap_or(0);
            let shorter = self.shortened(text, share);
            if shorter.len() < text.len() {
                *text = shorter;
            }
        }
        given
    }

    /// A text in at most so many bytes with a note on what was left out, whole lines if possible.
    /// Where there is no room for more than the note, the note is all there is.
    fn shortened(self, text: &str, limit: usize) -> String {
        let room = limit.saturating_sub(note(text.len()).len() + 1);
        let kept = match self {
            Self::KeepStart(_) => first_lines(text, room),
            Self::KeepEnd(_) => last_lines(text, room),
        };
        let note = note(text.len() - kept.len());
        match (self, kept) {
            (_, "") => note,
            (Self::KeepStart(_), kept) => format!("{}\n{note}", kept.trim_end_matches('\n')),
            (Self::KeepEnd(_), kept) => format!("{note}\n{kept}"),
        }
    }
}

fn note(bytes: usize) -> String {
    format!("[windlass left {bytes} bytes out here: they did not fit]")
}

/// All texts that have this name, at any depth.
fn collect<'v>(field: &str, value: &'v mut Value, found: &mut Vec<&'v mut String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) => found.extend((name == field).then_some(text)),
                    inner => collect(field, inner, found),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| collect(field, item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The beginning of a text, in whole lines where it has several.
fn first_lines(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let start = &text[..text.floor_char_boundary(limit)];
    start.rfind('\n').map_or(start, |at| &start[..=at])
}

/// The end of a text, in whole lines where it has several.
fn last_lines(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = &text[text.ceil_char_boundary(text.len() - limit)..];
    end.split_once('\n').map_or(end, |(_, whole)| whole)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_right_end_stays_in_whole_lines() {
        let text = "first line\n".repeat(20) + &"last line\n".repeat(20);
        let start = Cut::KeepStart("x").shortened(&text, 100);
        insta::assert_snapshot!(start, @"
        first line
        first line
        first line
        first line
        [windlass left 376 bytes out here: they did not fit]
        ");
        let end = Cut::KeepEnd("x").shortened(&text, 100);
        insta::assert_snapshot!(end, @"
        [windlass left 380 bytes out here: they did not fit]
        last line
        last line
        last line
        last line
        ");
        assert!(start.len() <= 100 && end.len() <= 100);
    }

    #[test]
    fn fields_of_one_name_shrink_alike_and_others_do_not() {
        let long = "é".repeat(1000);
        let given = json!({"task": long, "failed": [{"output": long}, {"output": long}]});
        let cut = Cut::KeepEnd("output").apply(given.clone(), 2000);
        assert_eq!(cut["task"], long);
        let outputs = [&cut["failed"][0]["output"], &cut["failed"][1]["output"]];
        assert_eq!(outputs[0], outputs[1]);
        assert!(outputs[0].as_str().is_some_and(|text| text.len() <= 1000 && text.ends_with('é')));
        let cut = Cut::KeepEnd("output").apply(given.clone(), 1_000_000);
        let note = "[windlass left 2000 bytes out here: they did not fit]";
        assert_eq!(cut["failed"], json!([{"output": note}, {"output": note}]));
        assert_eq!(Cut::KeepEnd("other").apply(given.clone(), 1), given);
    }
}
