//! `go.mod`: guarded are replacements of modules that the original names. A module that the agent added may
//! be replaced by what it likes: no test that was there knows it.

use std::collections::{BTreeMap, BTreeSet};

use super::Difference;

pub(super) fn differences(original: &str, current: &str) -> Vec<Difference> {
    let known = modules(original);
    let (before, now) = (replaced(original, &known), replaced(current, &known));
    let all: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let between = |module: &&String| {
        Difference::between(format!("replace {module}"), before.get(*module), now.get(*module))
    };
    all.iter().filter_map(between).collect()
}

pub(super) fn restore(original: &str, current: &str) -> String {
    let known = modules(original);
    let mut restored: String = lines(current)
        .filter(|line| line.replacement().is_none_or(|(module, _)| !known.contains(module)))
        .map(|line| line.text)
        .collect();
    if !restored.ends_with('\n') {
        restored.push('\n');
    }
    for (module, by) in replaced(original, &known) {
        for by in by {
            restored.push_str(&format!("replace {module} {by}\n"));
        }
    }
    restored
}

/// Whatever the file names that could be a module.
fn modules(text: &str) -> BTreeSet<String> {
    let words = lines(text).flat_map(|line| line.words);
    words.filter(|word| word.contains(['.', '/'])).collect()
}

/// What each of these modules is replaced by, with the version that this holds for.
fn replaced(text: &str, known: &BTreeSet<String>) -> BTreeMap<String, Vec<String>> {
    let mut replaced: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines(text) {
        if let Some((module, by)) = line.replacement().filter(|(module, _)| known.contains(*module))
        {
            replaced.entry(module.to_owned()).or_default().push(by.join(" "));
        }
    }
    replaced
}

struct Line<'a> {
    text: &'a str,
    /// The directive of the block that it stands in, or none.
    block: String,
    words: Vec<String>,
}

impl Line<'_> {
    /// The module that a line replaces, and what follows its name.
    fn replacement(&self) -> Option<(&str, &[String])> {
        let words = match (self.block.as_str(), self.words.split_first()) {
            ("replace", _) => &self.words,
            (_, Some((first, rest))) if first == "replace" => rest,
            _ => return None,
        };
        let (module, by) = words.split_first()?;
        by.iter().any(|word| word == "=>").then_some((module, by))
    }
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut block = String::new();
    text.split_inclusive('\n').map(move |text| {
        let bare = text.split("//").next().unwrap_or_default();
        let bare = bare.replace('(', " ( ").replace(')', " ) ").replace("=>", " => ");
        let words = bare.split_whitespace().map(|word| word.trim_matches(['"', '`']).to_owned());
        let words: Vec<String> = words.collect();
        let line = Line { text, block: block.clone(), words };
        match line.words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [directive, "("] => block = (*directive).to_owned(),
            [")"] => block.clear(),
            _ => (),
        }
        line
    })
}
