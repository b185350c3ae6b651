//! Files and tests: headers, sizes, names; nothing is forgotten.

use crate::PACKAGES;
use testkit::{
    house::{assert_tidy, files, snapshots, snapshots::Snapshot, test_names},
    source,
};

#[test]
fn every_file_is_tidy() {
    let mut complaints = Vec::new();
    for package in &*PACKAGES {
        complaints.extend(package.files.iter().flat_map(files::untidy));
    }
    assert_tidy(&complaints);
}

#[test]
fn every_file_is_part_of_a_target() {
    for package in &*PACKAGES {
        assert!(package.main_target().is_some(), "{} has no lib.rs or main.rs", package.folder);
        assert_tidy(&package.complaints);
    }
}

#[test]
fn every_folder_of_crates_is_a_member() {
    let folders = std::fs::read_dir(source::workspace().join("crates")).unwrap();
    for folder in folders.map(|it| it.unwrap().path()).filter(|it| it.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let path = format!("crates/{name}");
        assert!(PACKAGES.iter().any(|it| it.folder == path), "{path} is no member");
    }
}

#[test]
fn every_snapshot_belongs_to_a_test() {
    let paths = source::files("crates", "snap");
    assert!(!paths.is_empty(), "the snapshots were not found");
    let snapshots: Vec<Snapshot> =
        paths.into_iter().map(|path| Snapshot { text: source::text(&path), path }).collect();
    assert_tidy(&snapshots::orphaned(&snapshots, &crate::files().collect::<Vec<_>>()));
}

#[test]
fn filters_and_scripts_name_tests_that_exist() {
    let tests = test_names::all(&PACKAGES);
    let config = testkit::house::cargo::toml(".config/nextest.toml");
    let profiles = config["profile"].as_table().expect("there are profiles");
    let overrides = profiles.values().filter_map(|it| it.get("overrides")?.as_array()).flatten();
    let filters: Vec<String> =
        overrides.filter_map(|it| it.get("filter")?.as_str().map(ToOwned::to_owned)).collect();
    assert!(!filters.is_empty(), "the filters were not found");
    let mut complaints = test_names::unmatched(&filters, &tests);
    for entry in std::fs::read_dir(source::workspace().join("scripts")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name != "lib" {
            let script = format!("scripts/{name}");
            complaints.extend(test_names::unknown(&script, &source::text(&script), &tests));
        }
    }
    assert_tidy(&complaints);
}
