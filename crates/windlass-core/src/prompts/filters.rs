//! What templates can do with texts that are not ours.

use minijinja::{Environment, Error, ErrorKind, Value};

use crate::text::fence;

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
fn fenced(text: &Value, info: Option<&str>) -> Result<String, Error> {
    Ok(fence::fenced(info.unwrap_or("text"), &words(text)?))
}

/// A name within a line: it cannot end the line, nor its code span.
fn inline(name: &Value) -> Result<String, Error> {
    let tame = |c: char| match c {
        '`' => '\'',
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => ' ',
        c => c,
    };
    Ok(format!("`{}`", words(name)?.chars().map(tame).collect::<String>()))
}

/// A value as text. What is null is empty; what is not known at all is a mistake in the template.
fn words(value: &Value) -> Result<String, Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    let text = if value.is_none() { String::new() } else { value.to_string() };
    // No argument or variable of a process can hold this one.
    Ok(text.replace('\0', "\u{FFFD}"))
}
