//! Manifests: which of our crates may use which, and why each dependency is there.

use testkit::{
    house::{assert_tidy, cargo},
    source,
};

use crate::{MANIFESTS, WORKSPACE, ours};

/// Who may use whom, tests not counted.
const MAY_USE: &[(&str, &[&str])] = &[
    ("windlass-core", &[]),
    ("windlass-agents", &["windlass-core"]),
    ("windlass-proof", &["windlass-core"]),
    ("windlass-system", &["windlass-core"]),
    ("windlass-repo", &["windlass-core", "windlass-system"]),
    ("windlass-store", &["windlass-core", "windlass-system"]),
    (
        "windlass",
        &[
            "windlass-agents",
            "windlass-core",
            "windlass-proof",
            "windlass-repo",
            "windlass-store",
            "windlass-system",
        ],
    ),
    ("windlass-cli", &["windlass", "windlass-core", "windlass-store"]),
    ("testkit", &[]),
];

#[test]
fn crates_use_each_other_in_one_direction() {
    assert_tidy(&cargo::wrong_way(&MANIFESTS, &ours(), MAY_USE));
    let gone = MAY_USE.iter().filter(|(name, _)| !ours().iter().any(|it| it == name));
    assert_tidy(&gone.map(|(name, _)| format!("there is no crate {name}")).collect::<Vec<_>>());
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = source::text("docs/dependencies.md");
    assert_tidy(&cargo::unreasoned(&WORKSPACE, &MANIFESTS, &reasons, &ours()));
}

#[test]
fn every_second_version_of_a_crate_is_needed() {
    let (deny, lock) = (cargo::toml("deny.toml"), cargo::toml("Cargo.lock"));
    assert_tidy(&cargo::needless_skips(&deny, &lock));
}
