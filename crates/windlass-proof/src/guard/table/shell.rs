//! The shell, make and just, and other runners of tasks.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "shell, make, just",
    tests: &[
        "**/*.bats",
        "**/{test,tests}.{sh,bash,zsh,fish}",
        "**/test[_-]*.{sh,bash,zsh,fish}",
        "**/*[_-]{test,tests}.{sh,bash,zsh,fish}",
        "**/run[_-]test{,s}{,.sh,.bash,.py}",
        "**/runtest{,s}{,.sh,.bash,.py}",
        "t/**/*.t",
    ],
    runners: &[
        "**/.shellspec*",
        "**/{Taskfile,taskfile}.{yml,yaml}",
        "**/{Taskfile,taskfile}.dist.{yml,yaml}",
        "**/.envrc",
        "**/.env.test*",
        "**/{.mise,mise}.toml",
        "**/.tool-versions",
        "**/.proverc",
    ],
    shared: &[
        Shared {
            files: &["**/.env", "**/.env.{local,development,ci}"],
            kind: Kind::Env,
            keys: &[
                "PATH",
                "SHELL",
                "ENV",
                "BASH_ENV",
                "LD_*",
                "NODE_*",
                "VITEST*",
                "JEST*",
                "PYTEST*",
                "PYTHON*",
                "GOFLAGS",
                "RUST*",
                "CARGO*",
                "RUBYOPT",
                "MAKEFLAGS",
                "JAVA_TOOL_OPTIONS",
            ],
            when_added: WhenAdded::Stripped,
        },
        Shared {
            files: &[
                "**/{GNUmakefile,makefile,Makefile}",
                "**/*.{mk,mak,make}",
                "**/Makefile.{inc,common,local,include}",
            ],
            kind: Kind::Make,
            keys: &[],
            when_added: WhenAdded::Written,
        },
        Shared {
            files: &["**/{justfile,Justfile,JUSTFILE,.justfile,.Justfile}", "**/*.just"],
            kind: Kind::Just,
            keys: &[],
            when_added: WhenAdded::Written,
        },
    ],
    ..NONE
};
