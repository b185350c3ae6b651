//! What decides where several things fit, and what added files mean.

mod modules;
mod page;

use super::{keys::Kind, *};

fn list(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

#[test]
fn the_first_that_fits_decides() {
    let guard = Guard::new(Request {
        guard: list(&["data/**", "tests/fixtures/kept.json", "src/frozen.rs"]),
        unguard: list(&["tests/new/**", "conftest.py", "data/out.txt"]),
        checks: list(&[
            "sh ci/run.sh",
            "diff out tests/fixtures/expected.txt",
            "cd sub && make lint",
        ]),
        scripts: list(&["check"]),
        never: list(&["tests/TASKS.md", ".windlass/"]),
        path_directories: list(&["tools/bin"]),
        ..Request::default()
    })
    .unwrap();
    let make = |goals: &[&str]| Class::Shared { kind: Kind::Make, keys: list(goals) };
    for (path, expected) in [
        ("tests/TASKS.md", Class::Free),
        (".windlass/tests/a", Class::Free),
        (".windlassx/tests/test_a.py", Class::Test),
        ("tests/new/a.rs", Class::Free),
        ("conftest.py", Class::Free),
        ("sub/conftest.py", Class::RunnerConfig),
        ("data/a.txt", Class::Test),
        ("data/out.txt", Class::Free),
        ("data/pytest.ini", Class::RunnerConfig),
        ("src/frozen.rs", Class::Test),
        ("tests/fixtures/kept.json", Class::Test),
        ("tests/fixtures/expected.txt", Class::Test),
        ("tests/fixtures/other.txt", Class::Watched),
        ("ci/run.sh", Class::RunnerConfig),
        ("check", Class::RunnerConfig),
        ("tools/bin/x", Class::Program),
        ("tools/bin/deep/x", Class::Free),
        ("sub/Makefile", make(&["lint"])),
        ("Makefile", make(&["", "test", "tests", "check"])),
        ("rules.mk", make(&["*"])),
        ("tests/Makefile", Class::Test),
        ("src/a.rs", Class::Free),
    ] {
        assert_eq!(guard.class(path), expected, "{path}");
    }
}

#[test]
fn nothing_is_guarded_where_all_is_free() {
    let request = Request { policy: Policy::Free, guard: list(&["**"]), ..Request::default() };
    let guard = Guard::new(request).unwrap();
    assert_eq!(guard.class("tests/a.rs"), Class::Free);
    assert_eq!(guard.added(&list(&["conftest.py"]), &[].into(), |_| true), []);
    assert!(Guard::new(Request { guard: list(&["a["]), ..Request::default() }).is_err());
}

#[test]
fn goals_are_those_of_the_checks() {
    let checks = list(&["make -C a x y", "(cd a/../b; make)", "cd c/d && just t", "make -C .. up"]);
    let guard = Guard::new(Request { checks, ..Request::default() }).unwrap();
    let goals = |path: &str| match guard.class(path) {
        Class::Shared { keys, .. } => keys,
        class => panic!("{path} is {class:?}"),
    };
    assert_eq!(goals("a/Makefile"), ["x", "y"]);
    assert_eq!(goals("b/GNUmakefile"), [""]);
    assert_eq!(goals("justfile"), ["t"]);
    assert_eq!(goals("c/.justfile"), ["t"]);
    assert_eq!(goals("x/justfile"), ["", "test", "tests", "check"]);
    assert_eq!(goals("Makefile"), ["", "test", "tests", "check"]);
}

#[test]
fn added_files_are_told_by_what_they_do_to_the_tests() {
    let before = list(&[
        "Makefile",
        "justfile",
        "src/a.py",
        "go.mod",
        "calc/calc.go",
        "calc/calc_test.go",
        "tests/test_a.py",
        ".venv/bin/python",
        ".venv/lib/python3.13/site-packages/six.py",
        "old/package.json",
    ]);
    let new = list(&[
        "GNUmakefile",
        "sub/Makefile",
        ".justfile",
        "conftest.py",
        "pytest.py",
        "lib/pytest_plugin.py",
        "tests/__init__.py",
        "tests/package.json",
        "tests/test_b.py",
        "tests/new/package.json",
        "tests/fixtures/b.json",
        "calc/go.mod",
        "newmodule/go.mod",
        ".venv/bin/pytest",
        ".venv/bin/mytool",
        ".venv/lib/python3.13/site-packages/evil.pth",
        ".venv/lib/python3.13/site-packages/_pytest/unittest.py",
        "sub/.venv/pyvenv.cfg",
        "sub/.venv/bin/mytool",
        "sub/.venv/bin/pytest",
        "sub/.venv/lib/python3.13/site-packages/_editable.pth",
        "node_modules/.bin/jest",
        "node_modules/a/test/a.test.js",
        "node_modules/a/package.json",
        "src/a.egg-info/entry_points.txt",
        "tests/unittest/test_c.py",
        "tests/unittest/__init__.py",
        "pyproject.toml",
        "package.json",
        "old/package.json",
        "src/b.py",
    ]);
    let guard = Guard::new(Request::default()).unwrap();
    let added = guard.added(&new, &before.into_iter().collect(), |path| path.ends_with("/pytest"));
    let shown: Vec<String> = added
        .iter()
        .map(|added| match &added.role {
            Role::Runner { why } => format!("{}: runner, {why}", added.path),
            Role::Keys { kind, .. } => format!("{}: keys of {kind:?}", added.path),
            role => format!("{}: {role:?}", added.path),
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    GNUmakefile: runner, it is read instead of Makefile
    sub/Makefile: Written
    .justfile: runner, it is read instead of justfile
    conftest.py: runner, it decides which tests run
    pytest.py: runner, Python would load it instead of the test runner
    tests/__init__.py: runner, it decides which tests run
    tests/package.json: runner, it makes a package of a directory of tests
    tests/test_b.py: JoinedTest
    tests/new/package.json: Test
    calc/go.mod: runner, `./...` leaves a directory out that is a separate module
    newmodule/go.mod: keys of GoMod
    .venv/bin/pytest: runner, it hides another pytest
    .venv/bin/mytool: Written
    .venv/lib/python3.13/site-packages/evil.pth: runner, it decides which tests run
    sub/.venv/bin/pytest: runner, it hides another pytest
    src/a.egg-info/entry_points.txt: runner, pytest loads the plugins that it names
    tests/unittest/test_c.py: JoinedTest
    tests/unittest/__init__.py: runner, Python would load it instead of the test runner
    pyproject.toml: keys of Toml
    package.json: Written
    ");
}
