//! Rust: `cargo test`, nextest.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "Rust",
    tests: &[
        "**/tests/**/*.rs",
        "**/src/**/tests.rs",
        "**/src/**/*_test.rs",
        "**/src/**/*_tests.rs",
    ],
    runners: &[
        "**/.config/nextest.toml",
        "**/.cargo/config.toml",
        "**/.cargo/config",
        "**/rust-toolchain.toml",
        "**/rust-toolchain",
    ],
    shared: &[Shared {
        files: &["**/Cargo.toml"],
        kind: Kind::Toml,
        keys: &[
            "test",
            "profile.test",
            // Tests belong to a package, and to a workspace that has it.
            "package.name",
            "package.autotests",
            "package.autobins",
            "lib.test",
            "lib.doctest",
            "lib.harness",
            "bin[].test",
            "bin[].doctest",
            "bin[].harness",
            "example[].test",
            "workspace.members",
            "workspace.default-members",
            "workspace.exclude",
            "workspace.metadata.nextest*",
        ],
        when_added: WhenAdded::Written,
    }],
    ..NONE
};
