//! What holds in every tree, whatever it is written in.

use super::{Language, NONE};

pub(super) static TABLE: Language = Language {
    name: "every tree",
    tests: &[
        "tests/**",
        "test/**",
        "spec/**",
        // A package of a monorepo is a tree in the tree.
        "{packages,apps,libs,modules,crates,services,components,plugins}/*/{tests,test,spec}/**",
        "**/__tests__/**",
    ],
    watched: &[
        "**/fixtures/**",
        "**/__fixtures__/**",
        "**/testdata/**",
        "**/snapshots/**",
        "**/__snapshots__/**",
        "**/*.snap",
        "**/*.snap.new",
        "**/*.ambr",
    ],
    ..NONE
};
