//! Holds the walls of the program: what only the engine may do, and the rules of the house.

use testkit::{
    house::{self, assert_tidy, complain},
    source::{self, Source},
};

/// The program's code, without its tests.
fn program() -> Vec<Source> {
    let mut files = source::rust_files("crates/windlass-cli/src");
    files.retain(|file| !file.is_test());
    assert!(!files.is_empty(), "the program's files were not found");
    files
}

#[test]
fn every_file_is_tidy() {
    let files = source::rust_files("crates/windlass-cli");
    assert_tidy(&house::without_header(&files));
    assert_tidy(&house::too_long(&files));
    assert_tidy(&house::left_undone(&files));
    assert_tidy(&house::empty_names(&files));
}

#[test]
fn no_test_is_forgotten() {
    assert_tidy(&house::forgotten_tests("crates/windlass-cli"));
    assert_tidy(&house::orphaned_snapshots("crates/windlass-cli"));
}

#[test]
fn the_program_leaves_sql_and_processes_to_the_engine() {
    assert_tidy(&complain(&program(), "speaks SQL", |file| file.names("rusqlite")));
    assert_tidy(&complain(&program(), "starts processes", |file| {
        ["std::process::Command", "process::Command", "std::os::unix::process", "tokio::process"]
            .iter()
            .any(|path| file.names(path))
    }));
}

#[test]
fn only_the_printer_owns_the_streams() {
    let mut files = program();
    files.retain(|file| !file.is_in("printer"));
    assert_tidy(&complain(&files, "prints past the printer", |file| {
        ["println!", "print!(", "eprint"].iter().any(|print| file.code.contains(print))
    }));
}

#[test]
fn only_environment_reads_variables() {
    let mut files = program();
    files.retain(|file| !file.is_in("environment"));
    assert_tidy(&complain(&files, "reads variables", |file| {
        ["std::env::var", "std::env::var_os", "std::env::vars", "std::env::vars_os", "env::var"]
            .iter()
            .any(|path| file.names(path))
    }));
}

#[test]
fn every_file_is_part_of_the_program() {
    assert_tidy(&house::undeclared(&program()));
}

#[test]
fn the_reference_names_every_command() {
    let reference = source::text("docs/cli.md");
    if reference.is_empty() {
        return;
    }
    // What has flags of its own is a command; the other files there serve them.
    let mut commands = source::rust_files("crates/windlass-cli/src/commands");
    commands.retain(|file| file.code.contains("struct Args"));
    let names = commands.iter().filter_map(|file| {
        let inner = file.path.split_once("/commands/")?.1.trim_end_matches("/mod.rs");
        Some(inner.trim_end_matches(".rs").replace('_', "-"))
    });
    let unnamed = names.filter(|name| !reference.contains(&format!("windlass {name}")));
    assert_tidy(&unnamed.map(|name| format!("docs/cli.md lacks `{name}`")).collect::<Vec<_>>());
}
