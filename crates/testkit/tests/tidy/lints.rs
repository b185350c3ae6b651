//! Lints: every exception is one from a lint that is on, and says why; doors are open where listed.

use testkit::{
    house::{assert_tidy, cargo, lints},
    source::Source,
};

use crate::{MANIFESTS, PACKAGES, WORKSPACE, package};

/// Files outside of tests that may call what `clippy.toml` forbids.
const DOORS: &[&str] = &[
    "crates/testkit/src/bin/model.rs",
    "crates/testkit/src/bin/zoo/main.rs",
    "crates/testkit/src/lib.rs",
    "crates/windlass-cli/src/host/environment.rs",
    "crates/windlass-store/src/store/mod.rs",
    "crates/windlass-system/src/bin/guardian.rs",
    "crates/windlass-system/src/home.rs",
    "crates/windlass-system/src/process/mod.rs",
    "crates/windlass-system/src/sandbox/container/enter.rs",
    "crates/windlass/src/engine/setup.rs",
    "crates/windlass/src/init/script_player.rs",
];

/// Crates without unsafe code.
const SAFE: &[&str] = &[
    "crates/windlass",
    "crates/windlass-agents",
    "crates/windlass-cli",
    "crates/windlass-core",
    "crates/windlass-proof",
    "crates/windlass-repo",
    "crates/windlass-store",
    "crates/windlass-system",
];

/// Files in which an event or a step that is added leads by the compiler: no `_ =>` that takes it.
const LED_BY_THE_COMPILER: &[&str] =
    &["crates/windlass/src/run/past.rs", "crates/windlass-core/src/view.rs"];

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
    let enabled = lints::enabled(&WORKSPACE);
    let complaints: Vec<String> =
        crate::files().flat_map(|file| lints::exceptions(file, &enabled)).collect();
    assert_tidy(&complaints);
}

#[test]
fn promised_lints_are_on_in_every_crate() {
    assert_tidy(&cargo::without_lints(&MANIFESTS));
    let enabled = lints::enabled(&WORKSPACE);
    let off = PROMISED.iter().filter(|lint| !enabled.contains(**lint));
    assert_tidy(&off.map(|lint| format!("{lint} is off")).collect::<Vec<_>>());
}

#[test]
fn doors_are_open_only_where_listed() {
    let code = PACKAGES.iter().flat_map(|package| {
        let files = package.files.iter().enumerate();
        files.filter(|(at, _)| !package.is_test(*at)).map(|(_, file)| file)
    });
    let code: Vec<&Source> = code.collect();
    assert_tidy(&lints::doors(&code, "clippy::disallowed_methods", DOORS));
}

#[test]
fn a_forgotten_event_is_seen_by_the_compiler() {
    let files: Vec<&Source> = crate::files().collect();
    let lint = "clippy::wildcard_enum_match_arm";
    assert_tidy(&lints::without_warning(&files, lint, LED_BY_THE_COMPILER));
}

#[test]
fn unsafe_code_is_forbidden() {
    let roots = SAFE.iter().map(|folder| {
        let package = package(folder);
        let target = package.main_target().expect("it has a root");
        &package.files[target.members[0].file]
    });
    assert_tidy(&lints::without_forbid(&roots.collect::<Vec<_>>(), "unsafe_code"));
}
