//! Walls: what only some files may do. A wall is a row of a table; the signs by which it is broken
//! are looked for in tokens, with every path followed to what it means.

use super::{
    names::Names,
    package::{Member, Package},
};
use crate::source::{
    Source,
    facts::{How, Mention, Word},
};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// What is done, as in "FILE starts processes".
    pub what: &'static str,
    /// By what it is told.
    pub signs: &'static [Sign],
    /// Where it is forbidden: files or folders.
    pub within: &'static [&'static str],
    /// Who may nevertheless. Each must still do it.
    pub may: &'static [&'static str],
}

/// Something that code says.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    /// A path or anything below it: `std::fs`.
    Path(&'static str),
    /// A call of this macro, by its last name.
    Macro(&'static str),
    /// A call of this method: `path.exists()`, `Path::exists(path)`.
    Method(&'static str),
    /// A string that is just this.
    Text(&'static str),
    /// A value of this type is built field by field.
    Built(&'static str),
}

/// Everything that breaks a wall, and what of its row is out of date. Unit tests may do anything.
pub fn broken(wall: &Wall, packages: &[Package], names: &Names) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut used = vec![false; wall.may.len()];
    let mut held = vec![false; wall.within.len()];
    for (source, member) in packages.iter().flat_map(Package::code) {
        let mut is_held = false;
        for (place, held) in wall.within.iter().zip(&mut held) {
            let is_here = source.is_in(place);
            *held |= is_here;
            is_held |= is_here;
        }
        if !is_held {
            continue;
        }
        let found = signs(wall, source, member, names);
        let mut is_free = false;
        for (place, used) in wall.may.iter().zip(&mut used) {
            let is_here = source.is_in(place);
            is_free |= is_here;
            *used |= is_here && !found.is_empty();
        }
        if !is_free {
            complaints.extend(
                found
                    .into_iter()
                    .map(|(line, sign)| format!("{}:{line} {}: {sign}", source.path, wall.what)),
            );
        }
    }
    let missing = wall.within.iter().zip(held).filter(|(_, held)| !held);
    complaints
        .extend(missing.map(|(place, _)| format!("wall \"{}\": there is no {place}", wall.what)));
    let unused = wall.may.iter().zip(used).filter(|(_, used)| !used);
    complaints.extend(unused.map(|(place, _)| {
        format!("wall \"{}\": {place} may, but does not: take it off the list", wall.what)
    }));
    complaints
}

/// What in a file is a sign, with its line.
fn signs(wall: &Wall, source: &Source, member: &Member, names: &Names) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for mention in source.facts.mentions.iter().filter(|it| !it.in_test) {
        if wall.signs.iter().any(|sign| sign.is_mentioned(member, mention, names)) {
            found.push((mention.line, mention.path.join("::")));
        }
    }
    let mut words = |words: &[Word], is_sign: fn(&Sign, &str) -> bool| {
        for word in words.iter().filter(|word| !word.in_test) {
            if wall.signs.iter().any(|sign| is_sign(sign, &word.text)) {
                found.push((word.line, word.text.clone()));
            }
        }
    };
    words(&source.facts.calls, |sign, text| matches!(sign, Sign::Method(name) if *name == text));
    words(&source.facts.strings, |sign, text| matches!(sign, Sign::Text(it) if *it == text));
    found.sort();
    found.dedup();
    found
}

impl Sign {
    fn is_mentioned(&self, member: &Member, mention: &Mention, names: &Names) -> bool {
        let mut meanings = names.meanings(member, mention).into_iter();
        match self {
            Self::Text(_) => false,
            Self::Path(path) => meanings.any(|meaning| {
                let is_ours = names.is_module(&meaning);
                let meaning = meaning.join("::");
                starts_with(&meaning, path)
                    // What a glob brings in is not known, so it counts as all of it.
                    || matches!(mention.how, How::Glob { .. })
                        && !is_ours
                        && starts_with(path, &meaning)
            }),
            Self::Macro(name) => {
                let is_import = matches!(mention.how, How::Import { .. });
                (mention.how == How::Macro || is_import)
                    && meanings.any(|meaning| match meaning.as_slice() {
                        [only] => only == name && !is_import,
                        [root, .., last] => last == name && matches!(root.as_str(), "std" | "core"),
                        [] => false,
                    })
            }
            Self::Method(name) => meanings.any(|meaning| match meaning.as_slice() {
                [.., of, last] => last == name && of.starts_with(char::is_uppercase),
                _ => false,
            }),
            Self::Built(path) => {
                mention.how == How::Built && meanings.any(|meaning| meaning.join("::") == *path)
            }
        }
    }
}

fn starts_with(path: &str, start: &str) -> bool {
    path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::{super::package::tests::package, *};

    const WALL: Wall = Wall {
        what: "acts",
        signs: &[
            Sign::Path("std::process::Command"),
            Sign::Macro("println"),
            Sign::Method("exists"),
            Sign::Text("git"),
            Sign::Built("x::event::Event"),
        ],
        within: &["crates/x/src"],
        may: &["crates/x/src/free"],
    };

    fn complaints(text: &str) -> Vec<String> {
        let package = package(&[
            ("src/lib.rs", "mod a; mod free; mod event;"),
            ("src/a.rs", text),
            ("src/event.rs", "pub struct Event { pub seq: u64 }"),
            ("src/free.rs", "pub use std::process::Command;"),
        ]);
        let names = Names::new(std::slice::from_ref(&package));
        broken(&WALL, &[package], &names)
    }

    #[test]
    fn each_way_to_break_a_wall_is_seen() {
        for text in [
            "use std::process::Command;",
            "use std::process::{Command as C};",
            "use std::process; fn f() { process::Command::new(1) }",
            "use std::process::*;",
            "use crate::free::Command;",
            "fn f() { vec![std::process::Command::new(1)] }",
            "fn f() { println! { \"a\" } }",
            "fn f() { std::println!() }",
            "use std::println as say;",
            "fn f() { path.exists() }",
            "use std::path::Path; fn f() { a.filter(Path::exists) }",
            "fn f() { run(\"git\") }",
            "use crate::event::Event; fn f() { Event { seq } }",
            "use crate::event as e; fn f() { g(&e::Event { seq }) }",
        ] {
            assert_eq!(complaints(text).len(), 1, "{text}: {:?}", complaints(text));
        }
    }

    #[test]
    fn what_breaks_no_wall_passes() {
        for text in [
            "use std::process::ExitCode; fn f() { process::exit() }",
            "#[cfg(test)] mod tests { use std::process::Command; }",
            "fn f() { writeln!(out, \"println! .exists() git\") } // \"git\"",
            "fn f() { exists.clone() } fn exists() {}",
            "use crate::event::Event; fn f() { let Event { seq } = e; }",
            "struct Event { seq: u8 } fn f() { Event { seq: 1 } }",
        ] {
            assert_eq!(complaints(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_row_that_is_out_of_date_is_complained_of() {
        let package = package(&[("src/lib.rs", "mod free;"), ("src/free.rs", "")]);
        let names = Names::new(std::slice::from_ref(&package));
        let wall = Wall { within: &["crates/x/src", "crates/x/src/gone"], ..WALL };
        let expected = [
            "wall \"acts\": there is no crates/x/src/gone",
            "wall \"acts\": crates/x/src/free may, but does not: take it off the list",
        ];
        assert_eq!(broken(&wall, &[package], &names), expected);
    }
}
