//! Go: `go test`.

use super::{Language, NONE};

pub(super) static TABLE: Language = Language {
    name: "Go",
    tests: &["**/*_test.go"],
    runners: &["**/go.work"],
    added: &[("*/**/go.mod", "`./...` leaves a directory out that is a separate module")],
    ..NONE
};
