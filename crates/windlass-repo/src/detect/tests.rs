//! Projects as they are found in the wild, and what is made of them.

use std::{
    fs::{self, File},
    path::Path,
};

use super::*;

/// A directory with these files.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

/// What is made of these files, a line each.
fn of(files: &[(&str, &str)]) -> String {
    told(project(files).path())
}

fn told(directory: &Path) -> String {
    let line =
        |what: &str, found: &Detected| format!("{what}: {} ({})", found.command, found.because);
    let tests = tests(directory).map(|found| line("test", &found));
    let checks = checks(directory);
    let lines = tests.into_iter().chain(checks.iter().map(|found| line("check", found)));
    lines.collect::<Vec<_>>().join("\n")
}

const TESTED: &str = r#"{"scripts": {"test": "vitest", "lint": "eslint ."}}"#;

#[test]
fn where_nothing_is_known_nothing_is_told() {
    assert_eq!(of(&[]), "");
    assert_eq!(of(&[("README.md", "cargo test"), ("src/main.c", "")]), "");
    assert_eq!(told(Path::new("/nowhere/at/all")), "");
}

#[test]
fn a_cargo_project() {
    insta::assert_snapshot!(of(&[("Cargo.toml", "[package]\n")]), @"
    test: cargo test (there is a Cargo.toml)
    check: cargo check --all-targets (there is a Cargo.toml)
    ");
    insta::assert_snapshot!(of(&[("Cargo.toml", "[workspace.lints.clippy]\nall = 'warn'\n")]), @"
    test: cargo test (there is a Cargo.toml)
    check: cargo clippy --all-targets (Cargo.toml sets lints of clippy)
    ");
    insta::assert_snapshot!(of(&[("Cargo.toml", ""), ("clippy.toml", "")]), @"
    test: cargo test (there is a Cargo.toml)
    check: cargo clippy --all-targets (there is a clippy.toml)
    ");
}

#[test]
fn a_package_is_run_by_its_own_manager() {
    for (lock, expected) in [
        ("package-lock.json", "npm test"),
        ("pnpm-lock.yaml", "pnpm test"),
        ("yarn.lock", "yarn test"),
        ("bun.lock", "bun run test"),
        ("other", "npm test"),
    ] {
        let directory = project(&[("package.json", TESTED), (lock, "")]);
        assert_eq!(tests(directory.path()).unwrap().command, expected, "{lock}");
    }
    let named = r#"{"packageManager": "pnpm@9.1.0+sha", "scripts": {"test": "x"}}"#;
    let directory = project(&[("package.json", named), ("yarn.lock", "")]);
    assert_eq!(tests(directory.path()).unwrap().command, "pnpm test");
}

#[test]
fn scripts_and_the_compiler_check_a_package() {
    insta::assert_snapshot!(of(&[("package.json", TESTED)]), @"
    test: npm test (package.json has a script `test`)
    check: npm run lint (package.json has a script `lint`)
    ");
    let typed = r#"{"scripts": {"type-check": "vue-tsc"}, "devDependencies": {"typescript": "5"}}"#;
    insta::assert_snapshot!(of(&[("package.json", typed), ("tsconfig.json", "{}")]), @"check: npm run type-check (package.json has a script `type-check`)");
    let bare = r#"{"devDependencies": {"typescript": "5"}}"#;
    insta::assert_snapshot!(
        of(&[("package.json", bare), ("tsconfig.json", "{}"), ("pnpm-lock.yaml", "")]), @"check: pnpm exec tsc --noEmit (there is a tsconfig.json)");
    assert_eq!(of(&[("package.json", "{}"), ("tsconfig.json", "{}")]), "");
}

#[test]
fn a_script_that_does_nothing_is_none() {
    let init =
        r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "lint": " "}}"#;
    assert_eq!(of(&[("package.json", init)]), "");
    for odd in ["", "{", "[]", "null", r#"{"scripts": "test"}"#, r#"{"scripts": {"test": 1}}"#] {
        assert_eq!(of(&[("package.json", odd)]), "", "{odd}");
    }
    insta::assert_snapshot!(of(&[("package.json", init), ("Makefile", "test:\n\tnode t.js\n")]), @"test: make test (the Makefile has a target `test`)");
}

#[test]
fn pytest_is_known_by_its_settings_or_its_tests() {
    for files in [
        [("pytest.ini", "")],
        [("pyproject.toml", "[project]\n[tool.pytest.ini_options]\n")],
        [("setup.cfg", "[tool:pytest]\n")],
        [("tox.ini", "[pytest]\n")],
        [("tests/unit/test_a.py", "")],
        [("a_test.py", "")],
    ] {
        assert_eq!(tests(project(&files).path()).unwrap().command, "pytest", "{files:?}");
    }
    for files in [[("pyproject.toml", "[tool.pytests]\n")], [("tests/helper.py", "")]] {
        assert_eq!(tests(project(&files).path()), None, "{files:?}");
    }
    for (lock, expected) in [("uv.lock", "uv run pytest"), ("poetry.lock", "poetry run pytest")] {
        let directory = project(&[("pytest.ini", ""), (lock, "")]);
        assert_eq!(tests(directory.path()).unwrap().command, expected);
    }
}

#[test]
fn python_is_checked_with_what_is_set_up() {
    insta::assert_snapshot!(
        of(&[("pyproject.toml", "[tool.ruff.lint]\n[tool.mypy]\nstrict = true\n"), ("uv.lock", "")]),
        @"
    check: uv run ruff check . (pyproject.toml has a section for ruff)
    check: uv run mypy . (pyproject.toml has a section for mypy)
    ");
    insta::assert_snapshot!(
        of(&[("mypy.ini", "[mypy]\nfiles = src\n"), ("pyrightconfig.json", "{}")]), @"
    check: mypy (there is a mypy.ini)
    check: pyright (there is a pyrightconfig.json)
    ");
}

#[test]
fn go_and_make() {
    insta::assert_snapshot!(of(&[("go.mod", "module x\n"), ("Makefile", "test:\n")]), @"
    test: go test ./... (there is a go.mod)
    check: go vet ./... (there is a go.mod)
    ");
    insta::assert_snapshot!(of(&[("Makefile", ".PHONY: test\nall lint test: x\n\ttrue\n")]), @"
    test: make test (the Makefile has a target `test`)
    check: make lint (the Makefile has a target `lint`)
    ");
    assert_eq!(of(&[("Makefile", ".PHONY: test\ntest := 1\n# test:\n\ttest: x\ntests:\n")]), "");
}

#[test]
fn the_first_of_several_is_taken() {
    let directory = project(&[
        ("package.json", TESTED),
        ("Cargo.toml", ""),
        ("go.mod", ""),
        ("pytest.ini", ""),
    ]);
    assert_eq!(tests(directory.path()).unwrap().command, "cargo test");
    assert_eq!(checks(directory.path()).len(), 3);
}

#[test]
fn what_is_no_file_or_has_no_end_is_passed_over() {
    let directory = project(&[("Makefile", "test:\n")]);
    let at = |name: &str| directory.path().join(name);
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, at("package.json"), mode).unwrap();
    File::create(at("pyproject.toml")).unwrap().set_len(10 * 1024 * 1024 * 1024).unwrap();
    fs::create_dir(at("Cargo.toml")).unwrap();
    fs::write(at("setup.cfg"), [0xff, 0xfe]).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("tox.ini")).unwrap();
    assert_eq!(tests(directory.path()).unwrap().command, "make test");
}
