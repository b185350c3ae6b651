//! The tables, compiled once.

use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::table::{INSTALLED, INSTALLED_RUNNERS, LANGUAGES, Language, Shared};

/// The patterns of all languages.
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::new);

pub(super) struct Patterns {
    pub tests: GlobSet,
    pub runners: GlobSet,
    pub programs: GlobSet,
    pub watched: GlobSet,
    pub builds: GlobSet,
    pub installed: GlobSet,
    pub installed_runners: GlobSet,
    pub shared: Vec<(GlobSet, &'static Shared)>,
    /// What counts only if it is added, and why.
    pub added: Vec<(GlobSet, &'static str)>,
}

impl Patterns {
    fn new() -> Self {
        let all = |of: fn(&Language) -> &'static [&'static str]| {
            compiled(LANGUAGES.iter().flat_map(|language| of(language)))
        };
        let shared = LANGUAGES.iter().flat_map(|language| language.shared);
        let added = LANGUAGES.iter().flat_map(|language| language.added);
        Self {
            tests: all(|it| it.tests),
            runners: all(|it| it.runners),
            programs: all(|it| it.programs),
            watched: all(|it| it.watched),
            builds: all(|it| it.builds),
            installed: compiled(&INSTALLED),
            installed_runners: compiled(&INSTALLED_RUNNERS),
            shared: shared.map(|it| (compiled(it.files), it)).collect(),
            added: added.map(|(glob, why)| (compiled([glob]), *why)).collect(),
        }
    }
}

fn compiled<'a>(patterns: impl IntoIterator<Item = &'a &'static str>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).empty_alternates(true).build();
        set.add(glob.expect("a test compiles all tables"));
    }
    set.build().expect("a test compiles all tables")
}
