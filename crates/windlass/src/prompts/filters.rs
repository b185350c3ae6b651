//! What templates can do with texts that are not ours.

use minijinja::{Environment, Value};

use crate::fence;

/// Teaches an environment the filters of prompts.
pub(super) fn add_to(environment: &mut Environment<'static>) {
    environment.add_filter("fenced", fenced);
    environment.add_filter("inline", inline);
    environment.set_formatter(|out, state, value| {
        // What is null is nothing: people do not expect the word of another language there.
        let empty = Value::from("");
        minijinja::escape_formatter(out, state, if value.is_none() { &empty } else { value })
    });
}

/// A text on lines of its own that ends where its fence ends, whatever it says.
fn fenced(text: &str, info: Option<&str>) -> String {
    // No argument or variable of a process can hold this one.
    fence::fenced(info.unwrap_or("text"), &text.replace('\0', "\u{FFFD}"))
}

/// A name within a line: it cannot end the line, nor its code span.
fn inline(name: &str) -> String {
    let tame = |c: char| match c {
        '`' => '\'',
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => ' ',
        c => c,
    };
    format!("`{}`", name.chars().map(tame).collect::<String>())
}
