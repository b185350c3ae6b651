//! Doctests of Python: what follows a prompt, with what it is to print.

use super::unit::{Kind, Unit};

pub(super) fn doctests(text: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    // How far the prompt of the example is indented that is being read.
    let mut open: Option<usize> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let said = line.trim_start();
        let indent = line.len() - said.len();
        if is_prompt(said, ">>>") {
            let (said, ends) = before_quotes(said);
            let name = Some(said.to_owned());
            let text = format!("{said}\n");
            found.push(Unit { kind: Kind::Doctest, name, text, chain: 0, line: number });
            open = (!ends).then_some(indent);
            continue;
        }
        let Some(outer) = open else { continue };
        let (said, ends) = before_quotes(line.get(outer.min(indent)..).unwrap_or_default());
        if let Some(unit) = found.last_mut().filter(|_| !said.trim().is_empty()) {
            unit.text += said;
            unit.text.push('\n');
        } else {
            open = None;
        }
        if ends {
            open = None;
        }
    }
    found
}

fn is_prompt(said: &str, prompt: &str) -> bool {
    said.strip_prefix(prompt).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// A line up to the end of the text that it is in, and whether that ends here.
fn before_quotes(line: &str) -> (&str, bool) {
    let end = line.find("\"\"\"").or_else(|| line.find("'''"));
    match end {
        Some(end) => (line[..end].trim_end(), true),
        None => (line.trim_end(), false),
    }
}
