//! Which commands test and check a project, told from the files at its top. Nothing is run, and
//! nothing above the directory is looked at.

mod look;
mod make;
mod node;
mod python;

use std::path::Path;

use serde::{Deserialize, Serialize};

use self::look::Look;

/// A command that was found, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detected {
    /// The command, for `sh -c` in the directory.
    pub command: String,
    /// What was seen, such as "there is a Cargo.toml".
    pub because: String,
}

impl Detected {
    fn new(command: impl Into<String>, because: impl Into<String>) -> Self {
        Self { command: command.into(), because: because.into() }
    }
}

/// The command that runs the tests of the project in `directory`, if one can be told.
pub fn tests(directory: &Path) -> Option<Detected> {
    let look = Look(directory);
    let cargo =
        look.has("Cargo.toml").then(|| Detected::new("cargo test", "there is a Cargo.toml"));
    cargo
        .or_else(|| node::tests(look))
        .or_else(|| python::tests(look))
        .or_else(|| look.has("go.mod").then(|| Detected::new("go test ./...", "there is a go.mod")))
        .or_else(|| make::target(look, "test"))
}

/// The commands that lint and check the types of the project in `directory`, if any can be told.
pub fn checks(directory: &Path) -> Vec<Detected> {
    let look = Look(directory);
    let mut checks = Vec::new();
    checks.extend(cargo_check(look));
    checks.extend(node::checks(look));
    checks.extend(python::checks(look));
    if look.has("go.mod") {
        checks.push(Detected::new("go vet ./...", "there is a go.mod"));
    }
    if checks.is_empty() {
        checks.extend(make::target(look, "lint"));
    }
    checks
}

/// Clippy only where the project uses it: it may not be installed, and may complain of much that
/// nobody has asked it about.
fn cargo_check(look: Look<'_>) -> Option<Detected> {
    if !look.has("Cargo.toml") {
        return None;
    }
    let clippy = "cargo clippy --all-targets";
    if let Some(file) = ["clippy.toml", ".clippy.toml"].into_iter().find(|file| look.has(file)) {
        return Some(Detected::new(clippy, format!("there is a {file}")));
    }
    if look.has_section("Cargo.toml", |name| name.ends_with("lints.clippy")) {
        return Some(Detected::new(clippy, "Cargo.toml sets lints of clippy"));
    }
    Some(Detected::new("cargo check --all-targets", "there is a Cargo.toml"))
}

#[cfg(test)]
mod tests;
