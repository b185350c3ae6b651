//! JSON as people write it: comments, and commas at the end of lists, become blanks.

/// The same text as plain JSON; every character stays where it was.
pub(super) fn plain(text: &str) -> String {
    let text = without_comments(text.strip_prefix('\u{feff}').unwrap_or(text));
    without_last_commas(&text)
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match (in_string, c, chars.peek()) {
            (true, '\\', Some(_)) => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            (_, '"', _) => in_string = !in_string,
            (false, '/', Some('/')) => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            (false, '/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                out.push(' ');
                continue;
            }
            _ => (),
        }
        out.push(c);
    }
    out
}

/// Leaves out each comma that only blanks part from the end of its list.
fn without_last_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == ',' && !in_string && text[at + 1..].trim_start().starts_with(['}', ']']) {
            continue;
        }
        if c == '"' && !is_escaped {
            in_string = !in_string;
        }
        is_escaped = in_string && c == '\\' && !is_escaped;
        out.push(c);
    }
    out
}
