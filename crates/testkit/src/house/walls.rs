//! Walls: what only some files may do. A wall is a row of a table; the signs by which it is broken
//! are looked for in tokens, with every path followed to what it means.

use std::collections::BTreeSet;

use super::{
    names::{FullPath, Names},
    package::Package,
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

/// A file and what each path means that it names. Unit tests may do anything, and are left out.
pub struct Seen<'a> {
    source: &'a Source,
    mentions: Vec<(&'a Mention, BTreeSet<FullPath>)>,
}

/// All files of some packages, with every path followed.
pub fn see<'a>(packages: &'a [Package], names: &Names) -> Vec<Seen<'a>> {
    let each = packages.iter().flat_map(Package::code).map(|(source, member)| {
        let mentions = source.facts.mentions.iter().filter(|it| !it.in_test);
        let mentions = mentions.map(|it| {
            let mut meanings = names.meanings(member, it);
            if matches!(it.how, How::Glob { .. }) {
                // What a module of ours has is known, and followed where it is used.
                meanings.retain(|meaning| !names.is_module(meaning));
            }
            (it, meanings)
        });
        Seen { source, mentions: mentions.collect() }
    });
    each.collect()
}

/// Everything that breaks a wall, and what of its row is out of date.
pub fn broken(wall: &Wall, seen: &[Seen<'_>]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut used = vec![false; wall.may.len()];
    let mut held = vec![false; wall.within.len()];
    for file in seen {
        let source = file.source;
        let mut is_held = false;
        for (place, held) in wall.within.iter().zip(&mut held) {
            let is_here = source.is_in(place);
            *held |= is_here;
            is_held |= is_here;
        }
        if !is_held {
            continue;
        }
        let found = file.signs(wall.signs);
        let mut is_free = false;
        for (place, used) in wall.may.iter().zip(&mut used) {
            let is_here = source.is_in(place);
            is_free |= is_here;
            *used |= is_here && !found.is_empty();
        }
        if !is_free {
            let at = |(line, sign)| format!("{}:{line} {}: {sign}", source.path, wall.what);
            complaints.extend(found.into_iter().map(at));
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

/// Doors of a config of clippy that it does not find (`allow-invalid`) and no wall holds everywhere.
pub fn unheld(config: &toml::Table, walls: &[Wall], everywhere: &[&str]) -> Vec<String> {
    let doors = config["disallowed-methods"].as_array().expect("there are doors");
    assert!(!doors.is_empty(), "the doors were not found");
    let is_held = |path: &str| {
        let whole = walls.iter().filter(|wall| wall.within == everywhere);
        let mut signs = whole.flat_map(|wall| wall.signs);
        let below = |sign: &str| path.strip_prefix(sign).is_some_and(|rest| rest.starts_with("::"));
        signs.any(|sign| matches!(sign, Sign::Path(sign) if *sign == path || below(sign)))
    };
    let unseen = doors.iter().filter(|door| door.get("allow-invalid").is_some());
    let paths = unseen.map(|door| door["path"].as_str().unwrap_or_default());
    paths.filter(|path| !is_held(path)).map(|path| format!("no wall holds {path}")).collect()
}

impl Seen<'_> {
    /// What in the file is a sign, with its line.
    fn signs(&self, signs: &[Sign]) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (mention, meanings) in &self.mentions {
            if signs.iter().any(|sign| meanings.iter().any(|it| sign.is_meant(mention, it))) {
                found.push((mention.line, mention.path.join("::")));
            }
        }
        let mut words = |words: &[Word], is_sign: fn(&Sign, &str) -> bool| {
            for word in words.iter().filter(|word| !word.in_test) {
                if signs.iter().any(|sign| is_sign(sign, &word.text)) {
                    found.push((word.line, word.text.clone()));
                }
            }
        };
        let facts = &self.source.facts;
        words(&facts.calls, |sign, text| matches!(sign, Sign::Method(name) if *name == text));
        words(&facts.strings, |sign, text| matches!(sign, Sign::Text(it) if *it == text));
        found.sort();
        found.dedup();
        found
    }
}

impl Sign {
    /// Whether a mention that means `meaning` is this sign.
    fn is_meant(&self, mention: &Mention, meaning: &[String]) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Path(path) => {
                let is_start = path.split("::").zip(meaning).all(|(sign, it)| sign == it);
                let length = path.split("::").count();
                // What a glob brings in from elsewhere is not known, so it counts as all of it.
                let is_glob = matches!(mention.how, How::Glob { .. });
                is_start && (meaning.len() >= length || is_glob)
            }
            Self::Macro(name) => match (&mention.how, meaning) {
                (How::Macro, [only]) => only == name,
                (How::Macro | How::Import { .. }, [root, .., last]) => {
                    last == name && matches!(root.as_str(), "std" | "core")
                }
                _ => false,
            },
            Self::Method(name) => match meaning {
                [.., of, last] => last == name && of.starts_with(char::is_uppercase),
                _ => false,
            },
            Self::Built(path) => mention.how == How::Built && meaning.join("::") == *path,
        }
    }
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
        broken(&WALL, &see(&[package], &names))
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
    fn a_door_that_nobody_holds_is_complained_of() {
        let door =
            |path| format!("disallowed-methods = [{{ path = \"{path}\", allow-invalid = true }}]");
        let check = |path, within: &[&str]| unheld(&door(path).parse().unwrap(), &[WALL], within);
        assert_eq!(check("std::process::Command::new", WALL.within), [""; 0]);
        assert_eq!(check("std::process::Command::new", &["crates/y/src"]).len(), 1);
        assert_eq!(check("std::process::Commander", WALL.within).len(), 1);
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
        assert_eq!(broken(&wall, &see(&[package], &names)), expected);
    }
}
