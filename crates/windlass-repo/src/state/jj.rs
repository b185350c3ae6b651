//! What a Jujutsu repository says that could have `jj` run something.

use super::{
    fact::About,
    look::{Dir, Look},
};

/// Settings are not larger.
const TEXT: u64 = 1 << 20;

/// Files with settings, below `.jj`.
const FILES: &[&str] = &["repo/config.toml", "repo/config", "config.toml", "workspace-config.toml"];

/// Files that name another place.
const NAMES: &[&str] = &["repo", "repo/config-id", "repo/store/git_target", "workspace-config-id"];

/// Parts of names of settings that have `jj` run a program.
const RUNNING: &[&str] = &[
    "pager",
    "editor",
    "tool",
    "program",
    "command",
    "alias",
    "fsmonitor",
    "watchman",
    "executable",
    "formatter",
    "signing",
];

/// Adds what `.jj` in a directory says.
pub(super) fn look_at(look: &mut Look<'_>, top: &Dir) {
    let Some(mark) = top.mark(b".jj") else { return };
    let kind = mark.strange().unwrap_or("directory").to_owned();
    look.fact(top.shown(b".jj"), About::Jj, "", kind);
    let Some(dir) = top.dir(b".jj") else { return };
    for file in FILES {
        look.file(&dir, file.as_bytes(), TEXT, |text, leaf| {
            for (key, value) in settings(&String::from_utf8_lossy(text)) {
                leaf.insert((About::Jj, key), value);
            }
        });
    }
    for file in NAMES {
        look.file(&dir, file.as_bytes(), TEXT, |text, leaf| {
            let text = String::from_utf8_lossy(text.trim_ascii()).into_owned();
            leaf.insert((About::CommonDir, text), String::new());
        });
    }
}

/// The settings of a file in TOML that name programs, with their values as they stand.
fn settings(text: &str) -> Vec<(String, String)> {
    let (mut table, mut found, mut open) = (String::new(), Vec::new(), 0_i32);
    for line in text.lines().map(str::trim) {
        let is_inner = open > 0;
        if !line.starts_with('#') {
            let count = |signs: [char; 2]| line.matches(signs).count();
            let (opened, closed) = (count(['[', '{']), count([']', '}']));
            open += i32::try_from(opened).unwrap_or(0) - i32::try_from(closed).unwrap_or(0);
        }
        match line.strip_prefix('[') {
            Some(rest) if !is_inner => {
                let name = rest.trim_start_matches('[').split(']').next().unwrap_or_default();
                name.trim().clone_into(&mut table);
            }
            _ if is_inner => {
                // The value of the setting before goes on.
                if let Some((_, value)) = found.last_mut() {
                    let value: &mut String = value;
                    value.push(' ');
                    value.push_str(line);
                }
            }
            _ => {
                let Some((key, value)) = line.split_once('=') else { continue };
                let key = key.trim().replace('"', "");
                let key = if table.is_empty() { key } else { format!("{table}.{key}") };
                found.push((key, value.trim().to_owned()));
            }
        }
    }
    let runs = |(key, _): &(String, String)| RUNNING.iter().any(|part| key.contains(part));
    found.into_iter().filter(runs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_name_programs_are_found() {
        let text = "[ui]\npager = \"sh -c evil\"\ncolor = \"never\"\n[merge-tools.x]\nprogram = 'y'\n\
            [aliases]\nst = [\n  \"util\",\n  \"exec\",\n]\n";
        let found = settings(text);
        let keys: Vec<&str> = found.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["ui.pager", "merge-tools.x.program", "aliases.st"]);
        assert_eq!(found[2].1, "[ \"util\", \"exec\", ]");
    }
}
