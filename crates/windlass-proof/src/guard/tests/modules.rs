//! Modules and setups: what is found before others, what runs together, and what configuration names.

use std::collections::BTreeSet;

use super::{super::*, list};

/// What the agent added, with what is set aside for the originals marked.
fn added(before: &[&str], new: &[&str]) -> Vec<String> {
    let guard = Guard::new(Request::default()).expect("there are no globs");
    let before: BTreeSet<String> = list(before).into_iter().collect();
    let added = guard.added(&list(new), &before, |_| false).into_iter();
    added
        .map(|it| match it.role {
            Role::Runner { .. } | Role::JoinedTest => format!("-{}", it.path),
            _ => it.path,
        })
        .collect()
}

#[test]
fn new_tests_that_run_with_those_that_were_there_are_set_aside() {
    let before = ["go.mod", "calc.go", "calc_test.go", "other/other.go"];
    let new = ["main_test.go", "other/other_test.go", "more/more_test.go"];
    assert_eq!(added(&before, &new), ["-main_test.go", "other/other_test.go", "more/more_test.go"]);
    let mocha = ["package.json", "node_modules/mocha/package.json", "test/a.js"];
    assert_eq!(added(&mocha, &["test/b.js", "test/b.txt"]), ["-test/b.js", "test/b.txt"]);
    assert_eq!(added(&["bun.lock", "a.test.ts"], &["x/b.test.ts"]), ["-x/b.test.ts"]);
    assert_eq!(added(&["a.py", "tests/test_a.py"], &["tests/test_b.py"]), ["-tests/test_b.py"]);
    assert_eq!(added(&["run.sh", "tests/a.sh"], &["tests/b.sh"]), ["tests/b.sh"]);
    let vitest = ["package.json", "node_modules/vitest/package.json", "a.test.ts"];
    assert_eq!(added(&vitest, &["b.test.ts"]), ["b.test.ts"]);
}

#[test]
fn packages_that_hide_others_are_set_aside() {
    let before = [
        "node_modules/.bin/mocha",
        "node_modules/chai/index.js",
        "node_modules/@jest/core/index.js",
        "test/a.js",
    ];
    let new = [
        "test/node_modules/chai/index.js",
        "test/node_modules/@jest/core/index.js",
        "test/node_modules/mocha/index.js",
        "test/node_modules/left-pad/index.js",
        "test/node_modules/.bin/mocha",
        "node_modules/chai/evil.js",
        "node_modules/left-pad/index.js",
    ];
    let expected = [
        "-test/node_modules/chai/index.js",
        "-test/node_modules/@jest/core/index.js",
        "-test/node_modules/.bin/mocha",
        "-node_modules/chai/evil.js",
    ];
    assert_eq!(added(&before, &new), expected);
    // Who installs what a project needs does not change its tests.
    assert_eq!(added(&["package.json"], &["node_modules/chai/index.js"]), [""; 0]);
    let vendored = ["vendor/modules.txt", "vendor/a.com/b/b.go"];
    let expected = ["-vendor/modules.txt", "-vendor/a.com/b/b.go"];
    assert_eq!(added(&["go.mod"], &vendored), expected);
    assert_eq!(added(&["go.mod", "vendor/modules.txt"], &["vendor/a.com/b/b.go"]), [""; 0]);
    assert_eq!(added(&["composer.json"], &["vendor/a/b.php"]), [""; 0]);
}

/// The files that a file names, of some that are there.
fn named(path: &str, text: &str) -> Vec<String> {
    let checks = list(&["npm run all", "make test"]);
    let guard = Guard::new(Request { checks, ..Request::default() }).expect("there are no globs");
    let there = [
        "config/init.ts",
        "config/unit.mts",
        "a/setup.js",
        "ci/all.sh",
        "scripts/run.mjs",
        "zz.js",
        "src/main.js",
        "src/calc.vt.ts",
        "src/calc.ts",
        "deploy.sh",
        ".env",
    ];
    guard.named_by(path, text, &BTreeSet::from(there)).into_iter().collect()
}

#[test]
fn tests_with_names_of_their_own_are_found_by_the_config() {
    let vitest = |include: &str| {
        let text = format!("export default {{ test: {{ include: ['{include}'] }} }};");
        named("vitest.config.ts", &text)
    };
    assert_eq!(vitest("src/**/*.vt.ts"), ["src/calc.vt.ts"]);
    assert_eq!(vitest("**/*.{vt,xx}.ts"), ["src/calc.vt.ts"]);
    assert_eq!(vitest("src/**/*.ts"), [""; 0]);
    assert_eq!(vitest("src/**"), [""; 0]);
    let jest = "module.exports = { testMatch: ['<rootDir>/src/**/*.vt.ts'], collectCoverageFrom: ['src/*.ts'] };";
    assert_eq!(named("jest.config.js", jest), ["src/calc.vt.ts"]);
    let script = "{\"scripts\": {\"test\": \"mocha 'src/*.vt.ts'\", \"build\": \"tsc src/*.ts\"}}";
    assert_eq!(named("package.json", script), ["src/calc.vt.ts"]);
    let coverage = "export default { coverage: { include: ['src/**/*.vt.ts'] } };";
    assert_eq!(named("vitest.config.ts", coverage), [""; 0]);
}

#[test]
fn setups_and_scripts_are_found_by_what_names_them() {
    let scripts =
        |test: &str| format!("{{\"scripts\": {{\"test\": \"{test}\", \"x\": \"sh deploy.sh\"}}}}");
    let script = |test: &str| named("package.json", &scripts(test));
    assert_eq!(script("vitest run --config config/unit.mts"), ["config/unit.mts"]);
    assert_eq!(script("mocha -r ./zz --require=a/setup.js"), ["a/setup.js", "zz.js"]);
    assert_eq!(script("node --import ./zz.js scripts/run.mjs"), ["scripts/run.mjs", "zz.js"]);
    assert_eq!(script("node --env-file=.env --test"), [".env"]);
    assert_eq!(script("npm run x && node src/main.js"), ["deploy.sh"]);
    assert_eq!(script("node src/main.js"), [""; 0]);
    assert_eq!(named("package.json", "{\"scripts\": {\"all\": \"sh ci/all.sh\"}}"), ["ci/all.sh"]);
    let jest = "{\"jest\": {\"setupFilesAfterEnv\": [\"<rootDir>/a/setup\"]}}";
    assert_eq!(named("package.json", jest), ["a/setup.js"]);
    let vitest = "export default { test: { setupFiles: ['./config/init', \"zz.js\"], dir: 'src/main.js' } };";
    assert_eq!(named("vitest.config.ts", vitest), ["config/init.ts", "zz.js"]);
    assert_eq!(
        named("a/jest.config.js", "module.exports = { globalSetup: './setup' }"),
        ["a/setup.js"]
    );
    assert_eq!(named(".mocharc.yml", "require:\n  - './zz.js'\nspec: src\n"), ["zz.js"]);
    assert_eq!(named(".mocharc.json", "{\"require\": \"./zz.js\"}"), ["zz.js"]);
    let makefile =
        "test: lib\n\t@sh ci/all.sh\n\nlib:\n\tnode scripts/run.mjs\n\ndeploy:\n\tsh deploy.sh\n";
    assert_eq!(named("Makefile", makefile), ["ci/all.sh", "scripts/run.mjs"]);
    assert_eq!(named("ci/x.sh", "set -e\nexec sh all.sh\n"), ["ci/all.sh"]);
    // Among other commands it may be the program that is tested.
    assert_eq!(named("ci/x.sh", "sh all.sh\ndiff out expected\n"), [""; 0]);
}
