//! Rules on files: a header, not too long, a name that says something, nothing left for later.

use std::path::Path;

use crate::source::Source;

/// The most lines that a file may have, unit tests not counted.
pub const LONGEST_FILE: usize = 400;

/// Names that say nothing of what a module is for.
const EMPTY_NAMES: [&str; 10] =
    ["util", "utils", "helper", "helpers", "common", "manager", "handler", "misc", "base", "impl"];

/// All of them.
pub fn untidy(file: &Source) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut complain = |what: String| complaints.push(format!("{} {what}", file.path));
    if !file.text.starts_with("//! ") {
        complain("has no `//!` header that says what it is for".to_owned());
    }
    if file.lines() > LONGEST_FILE {
        complain(format!("has {} lines, over {LONGEST_FILE}", file.lines()));
    }
    let path = Path::new(&file.path).with_extension("");
    if path.iter().any(|part| EMPTY_NAMES.iter().any(|name| part == *name)) {
        complain("has a name that says nothing of what it is for".to_owned());
    }
    // Written in two pieces, so that this file does not complain of itself.
    for word in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X ")] {
        if file.text.contains(word) {
            complain(format!("says {word}"));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_of_a_file_is_complained_of() {
        let text = "use a;\nfn a() {} // TO".to_owned() + "DO later\n";
        assert_eq!(untidy(&Source::new("crates/x/src/utils.rs", &text)).len(), 3);
        let long = "//! A.\n".to_owned() + &"fn a() {}\n".repeat(LONGEST_FILE);
        assert_eq!(untidy(&Source::new("crates/x/src/a.rs", &long)).len(), 1);
    }

    #[test]
    fn a_tidy_file_passes() {
        assert_eq!(untidy(&Source::new("crates/x/src/a.rs", "//! A.\n")), [""; 0]);
    }
}
