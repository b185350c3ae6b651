//! Go: `go test`.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "Go",
    tests: &[
        "**/*_test.go",
        "**/{testutil,testutils,testhelper,testhelpers,testsupport,testing_utils}/**/*.go",
    ],
    runners: &["**/go.work", "**/magefile.go", "**/magefiles/**"],
    shared: &[Shared {
        files: &["**/go.mod"],
        kind: Kind::GoMod,
        keys: &["replace"],
        when_added: WhenAdded::Stripped,
    }],
    added: &[("*/**/go.mod", "`./...` leaves a directory out that is a separate module")],
    ..NONE
};
