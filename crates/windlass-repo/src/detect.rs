//! Which commands test and check a project, told from the files in its directories. Nothing is run.
//! The directory is looked at first, then each one above it up to the root, and nothing above that.

mod jvm;
mod look;
mod make;
mod native;
mod node;
mod python;
mod scripting;

use std::path::Path;

use serde::{Deserialize, Serialize};

use self::look::Look;

/// A command that was found, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detected {
    /// The command, for `sh -c` in its directory.
    pub command: String,
    /// The directory that it runs in, below the root; empty for the root itself.
    pub directory: String,
    /// The file that it comes from, below the root.
    pub file: String,
    /// What was seen, such as "there is a Cargo.toml".
    pub because: String,
}

impl Detected {
    /// A command that a file of the directory stands for.
    fn new(command: impl Into<String>, file: &str, because: impl Into<String>) -> Self {
        let (command, because) = (command.into(), because.into());
        Self { command, directory: String::new(), file: file.to_owned(), because }
    }

    /// A command for which it is enough that the file is there.
    fn of_file(command: impl Into<String>, file: &str) -> Self {
        Self::new(command, file, format!("there is a {file}"))
    }

    /// The same, seen from the root.
    fn below(mut self, directory: &str) -> Self {
        if !directory.is_empty() {
            self.file = format!("{directory}/{}", self.file);
            directory.clone_into(&mut self.directory);
        }
        self
    }

    /// The word that the command begins with: the program that must be installed.
    pub fn program(&self) -> &str {
        self.command.split_whitespace().next().unwrap_or_default()
    }
}

/// The commands that run the tests of the project that `directory` belongs to, the best first: those
/// of the nearest directory, then those of the directories above, up to `root`.
pub fn tests(root: &Path, directory: &Path) -> Vec<Detected> {
    upward(root, directory).flat_map(|(place, name)| of_tests(Look(place), &name)).collect()
}

/// The commands that lint and check the types of the project: those of the nearest directory that has
/// any.
pub fn checks(root: &Path, directory: &Path) -> Vec<Detected> {
    let places = upward(root, directory);
    let mut found = places.map(|(place, name)| of_checks(Look(place), &name));
    found.find(|checks| !checks.is_empty()).unwrap_or_default()
}

/// The directory and those above it up to the root, each with its name below the root. A name that
/// is not UTF-8 could not be kept, so it is passed over.
fn upward<'a>(
    root: &'a Path,
    directory: &'a Path,
) -> impl Iterator<Item = (&'a Path, String)> + use<'a> {
    let root = if directory.starts_with(root) { root } else { directory };
    let places = directory.ancestors().take_while(move |place| place.starts_with(root));
    places.filter_map(move |place| {
        let name = place.strip_prefix(root).ok()?.to_str()?;
        Some((place, name.to_owned()))
    })
}

fn of_tests(look: Look<'_>, directory: &str) -> Vec<Detected> {
    let mut found = Vec::new();
    if look.has("Cargo.toml") {
        found.push(Detected::of_file("cargo test --no-fail-fast", "Cargo.toml"));
    }
    found.extend(node::tests(look));
    found.extend(python::tests(look));
    if look.has("go.mod") {
        found.push(Detected::of_file("go test ./...", "go.mod"));
    }
    found.extend(jvm::tests(look));
    found.extend(scripting::tests(look));
    found.extend(make::target(look, "test"));
    found.extend(make::recipe(look, "test"));
    found.extend(make::target(look, "check"));
    found.extend(native::tests(look));
    found.into_iter().map(|found| found.below(directory)).collect()
}

fn of_checks(look: Look<'_>, directory: &str) -> Vec<Detected> {
    let mut checks = Vec::new();
    checks.extend(cargo_check(look));
    checks.extend(node::checks(look));
    checks.extend(python::checks(look));
    if look.has("go.mod") {
        checks.push(Detected::of_file("go vet ./...", "go.mod"));
    }
    if checks.is_empty() {
        checks.extend(make::target(look, "lint").or_else(|| make::recipe(look, "lint")));
    }
    checks.into_iter().map(|found| found.below(directory)).collect()
}

/// Clippy only where the project uses it: it may not be installed, and may complain of much that
/// nobody has asked it about.
fn cargo_check(look: Look<'_>) -> Option<Detected> {
    if !look.has("Cargo.toml") {
        return None;
    }
    let clippy = "cargo clippy --all-targets";
    if let Some(file) = ["clippy.toml", ".clippy.toml"].into_iter().find(|file| look.has(file)) {
        return Some(Detected::of_file(clippy, file));
    }
    if look.has_section("Cargo.toml", |name| name.ends_with("lints.clippy")) {
        return Some(Detected::new(clippy, "Cargo.toml", "Cargo.toml sets lints of clippy"));
    }
    Some(Detected::of_file("cargo check --all-targets", "Cargo.toml"))
}

#[cfg(test)]
mod tests;
