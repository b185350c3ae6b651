//! How a shared file is written.

/// The format of a file that is partly guarded, and with it what a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Keys are dotted paths; a part may have a `*`, and `bin[].test` is a key of each `[[bin]]`,
    /// which are told apart by their `name`.
    Toml,
    /// Keys are members of the outermost object, or dotted paths to inner ones; `imports.*` are those
    /// that the original has there. Comments are passed over.
    Json,
    /// Keys are sections, which may have a `*`.
    Ini,
    /// Lines `KEY=value`; keys may have a `*`.
    Env,
    /// Replacements of modules that the original names: others are for what the agent added.
    GoMod,
    /// Keys are goals: `""` is the default one, `*` stands for all rules. Guarded are the rules that
    /// these lead to, and everything that is no plain rule.
    Make,
    /// As for make: recipes, and everything that is no recipe.
    Just,
}
