//! Lints: every exception is one from a lint that is on, and says why; doors are open where listed.

use testkit::{
    house::{assert_tidy, cargo, lints},
    source::Source,
};

use crate::HOUSE;

/// Files outside of tests that may call what `clippy.toml` forbids.
const DOORS: &[&str] = &[
    "crates/testkit/src/bin/guardian.rs",
    "crates/testkit/src/bin/model.rs",
    "crates/testkit/src/bin/zoo/main.rs",
    "crates/testkit/src/lib.rs",
    "crates/windlass-cli/build.rs",
    "crates/windlass-cli/src/environment.rs",
    "crates/windlass/src/agent/script/player.rs",
    "crates/windlass/src/engine/setup.rs",
    "crates/windlass/src/home.rs",
    "crates/windlass/src/process/mod.rs",
    "crates/windlass/src/sandbox/container/enter.rs",
    "crates/windlass/src/store/mod.rs",
];

/// Crates without unsafe code.
const SAFE: &[&str] = &["crates/windlass", "crates/windlass-cli"];

/// Lints that hold a promise of CONTRIBUTING.md: they must stay on.
const PROMISED: &[&str] = &[
    "clippy::allow_attributes",
    "clippy::dbg_macro",
    "clippy::exit",
    "clippy::print_stderr",
    "clippy::print_stdout",
    "clippy::unwrap_used",
];

#[test]
fn every_exception_is_from_a_lint_that_is_on() {
    let enabled = lints::enabled(&HOUSE.manifest);
    let complaints: Vec<String> =
        HOUSE.files().flat_map(|file| lints::exceptions(file, &enabled)).collect();
    assert_tidy(&complaints);
}

#[test]
fn promised_lints_are_on_in_every_crate() {
    assert_tidy(&cargo::without_lints(&HOUSE.manifests));
    let enabled = lints::enabled(&HOUSE.manifest);
    let off = PROMISED.iter().filter(|lint| !enabled.contains(**lint));
    assert_tidy(&off.map(|lint| format!("{lint} is off")).collect::<Vec<_>>());
}

#[test]
fn doors_are_open_only_where_listed() {
    let code = HOUSE.packages.iter().flat_map(|package| {
        let files = package.files.iter().enumerate();
        files.filter(|(at, _)| !package.is_test(*at)).map(|(_, file)| file)
    });
    let code: Vec<&Source> = code.collect();
    assert_tidy(&lints::doors(&code, "clippy::disallowed_methods", DOORS));
}

#[test]
fn unsafe_code_is_forbidden() {
    let roots = SAFE.iter().map(|folder| {
        let package = HOUSE.package(folder);
        let target = package.main_target().expect("it has a root");
        &package.files[target.members[0].file]
    });
    assert_tidy(&lints::without_forbid(&roots.collect::<Vec<_>>(), "unsafe_code"));
}
