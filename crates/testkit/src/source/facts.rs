//! What the tokens of one Rust file say: which paths it names, what it calls, builds and declares.

/// All of it, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub mentions: Vec<Mention>,
    /// Names of methods that are called: `path.exists()` gives `exists`.
    pub calls: Vec<Word>,
    /// Strings as they are written, without their quotes; those of doc comments are not
    /// here, nor parts of paths: `.join("git")`.
    pub strings: Vec<Word>,
    /// Names of types, functions, constants and macros that are defined here.
    pub items: Vec<Item>,
    pub modules: Vec<Declared>,
    pub levels: Vec<Level>,
    /// Functions marked as tests.
    pub tests: Vec<Item>,
    /// Lines that belong to unit tests.
    pub test_lines: usize,
    /// Whether the whole file is for tests alone: `#![cfg(test)]`.
    pub is_test: bool,
}

/// One path that is named.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The inline modules around it.
    pub scope: Vec<String>,
    /// Its segments; the first is empty if it begins with `::`.
    pub path: Vec<String>,
    pub how: How,
    pub line: usize,
    pub in_test: bool,
}

/// How a path is named.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// `use path as name`.
    Import { name: String, public: bool },
    /// `use path::*`.
    Glob { public: bool },
    /// In an expression, a type, a pattern, an attribute or the tokens of a macro.
    Plain,
    /// `path!(…)`.
    Macro,
    /// `Path { … }` as a value, not as a pattern.
    Built,
}

/// A word and where it is.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    pub line: usize,
    pub in_test: bool,
}

/// A name that is defined.
#[derive(Clone, Debug)]
pub struct Item {
    pub scope: Vec<String>,
    pub name: String,
    pub in_test: bool,
}

/// A `mod` line or an inline module.
#[derive(Clone, Debug)]
pub struct Declared {
    pub scope: Vec<String>,
    pub name: String,
    /// The file that `#[path = "…"]` gives.
    pub path: Option<String>,
    pub is_inline: bool,
    pub in_test: bool,
}

/// A lint that is set to a level: `#[expect(clippy::exit, reason = "…")]`.
#[derive(Clone, Debug)]
pub struct Level {
    /// `allow`, `expect`, `warn`, `deny` or `forbid`.
    pub level: String,
    pub lint: String,
    pub has_reason: bool,
    /// Whether it holds for the whole file: `#![…]`.
    pub is_inner: bool,
    pub line: usize,
}
