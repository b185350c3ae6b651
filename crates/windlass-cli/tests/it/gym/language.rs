//! The languages of the projects of the gym: the right source of a part, and source that does not do.

use super::words::escaped;

/// A language, with the test runner that its projects have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Python and pytest.
    Python,
    /// Rust and `cargo test`.
    Rust,
    /// Go and `go test`.
    Go,
    /// JavaScript and jest.
    JavaScript,
}

use Language::{Go, JavaScript, Python, Rust};

impl Language {
    /// How source files end.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Python => "py",
            Rust => "rs",
            Go => "go",
            JavaScript => "js",
        }
    }

    /// Where a part of the work stands.
    pub(super) fn path(self, name: &str) -> String {
        format!("src/{name}.{}", self.extension())
    }

    /// A function of this name that does this with its text.
    fn function(self, name: &str, does: &str) -> String {
        match self {
            Python => format!("def {name}(text):\n    return text.{does}\n"),
            Rust => format!("pub fn {name}(text: &str) -> String {{\n    text.{does}\n}}\n"),
            Go => format!("func {name}(text string) string {{\n\treturn text.{does}\n}}\n"),
            JavaScript => format!("export function {name}(text) {{\n  return text.{does};\n}}\n"),
        }
    }

    /// The source of a part that is as it should be: it names itself in quotes.
    pub(super) fn right(self, name: &str) -> String {
        self.function(name, &format!("strip(\"{name}\")"))
    }

    /// The source of a part that is not, written in this way.
    pub(super) fn wrong(self, name: &str, way: &str) -> String {
        self.function(name, &format!("{way}()"))
    }

    /// The action that writes a part as it should be.
    pub(super) fn adds(self, name: &str) -> String {
        format!("write {} {}", self.path(name), escaped(&self.right(name)))
    }

    /// The action that writes a part in a way that does not do.
    pub(super) fn tries(self, name: &str, way: &str) -> String {
        format!("write {} {}", self.path(name), escaped(&self.wrong(name, way)))
    }
}
