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
    let (tests, checks) = (tests(directory, directory), checks(directory, directory));
    let tests = tests.iter().map(|found| line("test", found));
    let lines = tests.chain(checks.iter().map(|found| line("check", found)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The command that is taken first.
fn first(directory: &Path) -> Option<String> {
    tests(directory, directory).into_iter().next().map(|found| found.command)
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
    test: cargo test --no-fail-fast (there is a Cargo.toml)
    check: cargo check --all-targets (there is a Cargo.toml)
    ");
    insta::assert_snapshot!(of(&[("Cargo.toml", "[workspace.lints.clippy]\nall = 'warn'\n")]), @"
    test: cargo test --no-fail-fast (there is a Cargo.toml)
    check: cargo clippy --all-targets (Cargo.toml sets lints of clippy)
    ");
    insta::assert_snapshot!(of(&[("Cargo.toml", ""), ("clippy.toml", "")]), @"
    test: cargo test --no-fail-fast (there is a Cargo.toml)
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
        assert_eq!(first(directory.path()).unwrap(), expected, "{lock}");
    }
    let named = r#"{"packageManager": "pnpm@9.1.0+sha", "scripts": {"test": "x"}}"#;
    let directory = project(&[("package.json", named), ("yarn.lock", "")]);
    assert_eq!(first(directory.path()).unwrap(), "pnpm test");
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
        assert_eq!(first(project(&files).path()).unwrap(), "pytest", "{files:?}");
    }
    for files in [[("pyproject.toml", "[tool.pytests]\n")], [("tests/helper.py", "")]] {
        assert_eq!(first(project(&files).path()), None, "{files:?}");
    }
    for (lock, expected) in [("uv.lock", "uv run pytest"), ("poetry.lock", "poetry run pytest")] {
        let directory = project(&[("pytest.ini", ""), (lock, "")]);
        assert_eq!(first(directory.path()).unwrap(), expected);
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
    test: make test (the Makefile has a target `test`)
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
    assert_eq!(first(directory.path()).unwrap(), "cargo test --no-fail-fast");
    assert_eq!(checks(directory.path(), directory.path()).len(), 3);
}

#[test]
fn every_candidate_is_given_and_those_of_the_nearest_directory_come_first() {
    let directory = project(&[
        ("Cargo.toml", ""),
        ("justfile", "test:\n"),
        ("api/README.md", ""),
        ("api/web/package.json", TESTED),
        ("api/web/Makefile", "check:\n"),
        ("api/web/src/deep/x", ""),
    ]);
    let root = directory.path();
    let found = |from: &str| {
        let found = tests(root, &root.join(from)).into_iter();
        let line = |found: Detected| {
            format!("{} in `{}` from {}", found.command, found.directory, found.file)
        };
        found.map(line).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(found("api/web/src/deep"), @"
    npm test in `api/web` from api/web/package.json
    make check in `api/web` from api/web/Makefile
    cargo test --no-fail-fast in `` from Cargo.toml
    just test in `` from justfile
    ");
    insta::assert_snapshot!(found("api"), @"
    cargo test --no-fail-fast in `` from Cargo.toml
    just test in `` from justfile
    ");
    let above = tests(&root.join("api/web"), &root.join("api/web/src"));
    assert_eq!(above.len(), 2, "nothing above the root is looked at: {above:?}");
    let elsewhere = tests(&root.join("api/web"), root);
    assert_eq!(elsewhere[0].directory, "", "a directory that is not below is its own root");
    let checks = checks(root, &root.join("api/web/src"));
    assert_eq!(checks.len(), 1, "the nearest directory that has any: {checks:?}");
    assert_eq!(
        (checks[0].directory.as_str(), checks[0].command.as_str()),
        ("api/web", "npm run lint")
    );
}

#[test]
fn unittest_is_known_by_the_tests_that_are_written_with_it() {
    let test = "import unittest\n\nclass T(unittest.TestCase):\n    pass\n";
    insta::assert_snapshot!(of(&[("tests/test_a.py", test)]), @"
    test: pytest (there are Python tests in tests/)
    test: python3 -m unittest discover -s tests (tests/test_a.py uses unittest)
    ");
    insta::assert_snapshot!(of(&[("tests/__init__.py", ""), ("tests/test_a.py", test)]), @"
    test: pytest (there are Python tests in tests/)
    test: python3 -m unittest discover -s tests -t . (tests/test_a.py uses unittest)
    ");
    insta::assert_snapshot!(of(&[("test_a.py", test), ("uv.lock", "name = \"six\"")]), @"test: uv run python -m unittest discover (test_a.py uses unittest)");
    insta::assert_snapshot!(of(&[("test_a.py", test), ("uv.lock", "name = \"pytest\"")]), @"
    test: uv run pytest (there are Python tests)
    test: uv run python -m unittest discover (test_a.py uses unittest)
    ");
    let mocked = "from unittest import mock\n\ndef test_a():\n    pass\n";
    insta::assert_snapshot!(of(&[("test_a.py", mocked), (".venv/bin/pytest", "")]), @"
    test: .venv/bin/pytest (there are Python tests)
    test: pytest (there are Python tests)
    ");
}

#[test]
fn other_languages_are_known_by_their_build_files() {
    insta::assert_snapshot!(of(&[("pom.xml", ""), ("mvnw", "")]), @"
    test: ./mvnw --batch-mode -fae test (there is a pom.xml)
    test: mvn --batch-mode -fae test (there is a pom.xml)
    ");
    insta::assert_snapshot!(of(&[("build.gradle.kts", "")]), @"test: gradle test --continue (there is a build.gradle.kts)");
    insta::assert_snapshot!(of(&[(".rspec", ""), ("Gemfile", "gem 'rspec'\n")]), @"test: bundle exec rspec (there is a .rspec)");
    insta::assert_snapshot!(of(&[("spec/spec_helper.rb", "")]), @"test: rspec (there is a spec/spec_helper.rb)");
    insta::assert_snapshot!(of(&[("phpunit.xml.dist", ""), ("vendor/bin/phpunit", "")]), @"
    test: vendor/bin/phpunit (there is a phpunit.xml.dist)
    test: phpunit (there is a phpunit.xml.dist)
    ");
    let cmake = ("CMakeLists.txt", "include(CTest)\nadd_test(NAME a COMMAND a)\n");
    assert_eq!(of(&[cmake]), "", "how it is built is not known");
    insta::assert_snapshot!(of(&[cmake, ("build/CTestTestfile.cmake", "")]), @"test: cmake --build build && ctest --test-dir build --output-on-failure (CMakeLists.txt has tests, and build/ is configured)");
}

#[test]
fn a_recipe_of_a_justfile_counts_if_it_takes_no_arguments() {
    insta::assert_snapshot!(of(&[("justfile", "@test *args: build\n  x\n\nlint:\n")]), @"
    test: just test (the justfile has a recipe `test`)
    check: just lint (the justfile has a recipe `lint`)
    ");
    for text in ["test := '1'\n", "test name:\n", "tests:\n", "# test:\n", "  test:\n"] {
        assert_eq!(of(&[("justfile", text)]), "", "{text}");
    }
    insta::assert_snapshot!(of(&[("Makefile", "check: x\ntest:\n"), ("Justfile", "test x='1':\n")]), @"
    test: make test (the Makefile has a target `test`)
    test: just test (the Justfile has a recipe `test`)
    test: make check (the Makefile has a target `check`)
    ");
}

#[test]
fn a_script_that_watches_never_ends_and_is_none() {
    for script in ["vitest --watch", "jest --watchAll", "jest --watch=true"] {
        let package = format!(r#"{{"scripts": {{"test": "{script}"}}}}"#);
        assert_eq!(of(&[("package.json", &package)]), "", "{script}");
    }
    let package = r#"{"scripts": {"test": "jest --watch=false"}}"#;
    assert_eq!(first(project(&[("package.json", package)]).path()).unwrap(), "npm test");
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
    assert_eq!(first(directory.path()).unwrap(), "make test");
}
