//! Checks, and which files their commands say to be the check.

use super::*;

/// Checks, and the files that they depend on; programs have a star.
const CHECKS: &[(&str, &[&str])] = &[
    // Scripts that are the check.
    ("sh check.sh", &["check.sh"]),
    ("sh ./run.sh", &["run.sh"]),
    ("bash -eux run.sh arg", &["run.sh"]),
    ("bash -o pipefail run.sh", &["run.sh"]),
    ("/bin/sh run.sh", &["run.sh"]),
    (". ./run.sh", &["run.sh"]),
    ("./test.sh", &["test.sh", "*test.sh"]),
    ("./run", &["*run"]),
    ("ci/run.sh --all", &["*ci/run.sh"]),
    ("./gradlew test", &["*gradlew"]),
    ("make -f x.mk", &["x.mk"]),
    ("make -fx.mk all", &["x.mk"]),
    ("make --file=x.mk", &["x.mk"]),
    ("just --justfile ci.just t", &["ci.just"]),
    ("env A=1 timeout -k 5 60 nice -n 5 sh run.sh", &["run.sh"]),
    ("A=1 sh run.sh", &["run.sh"]),
    ("sh -c 'sh run.sh && ./other'", &["run.sh", "*other"]),
    ("bash -lc \"./run --fast\"", &["*run"]),
    ("cd ci && sh run.sh", &["ci/run.sh"]),
    ("(cd ci; ./run)", &["*ci/run"]),
    ("cat a | sh run.sh", &["run.sh"]),
    ("! sh run.sh", &["run.sh"]),
    ("if sh run.sh; then true; fi", &["run.sh"]),
    // Tests.
    ("pytest tests/test_a.py", &["tests/test_a.py"]),
    ("pytest tests/test_a.py::test_one -q", &["tests/test_a.py"]),
    ("python3 -m unittest test_calc.py", &["test_calc.py"]),
    ("python3 check.py", &["check.py"]),
    ("python3 verify_output.py", &["verify_output.py"]),
    ("node --test calc.test.js", &["calc.test.js"]),
    ("npx jest src/calc.spec.ts", &["src/calc.spec.ts"]),
    ("go test ./calc_test.go", &["calc_test.go"]),
    ("ruby spec/calc_spec.rb", &["spec/calc_spec.rb"]),
    ("javac src/CalcTest.java", &["src/CalcTest.java"]),
    ("bats all.bats", &["all.bats"]),
    ("./test.sh | tee log", &["test.sh"]),
    ("diff out tests/expected.txt", &["tests/expected.txt"]),
    ("python3 main.py < tests/input", &["tests/input"]),
    ("./run_tests.py", &["run_tests.py"]),
    // Source files, and whatever else is merely named.
    ("python3 main.py", &[]),
    ("python3 -m py_compile calc.py", &[]),
    ("grep -q Usage README.md", &[]),
    ("grep -q done test_plan.md", &[]),
    ("node index.js", &[]),
    ("./main.py", &[]),
    ("ruby -c lib/calc.rb", &[]),
    ("gcc -o calc calc.c && ./calc", &[]),
    ("sh greet.sh | grep -q hello", &[]),
    ("test \"$(sh greet.sh)\" = hello", &[]),
    ("test -f out.txt", &[]),
    ("rustc --edition 2024 src/main.rs", &[]),
    ("cargo test", &[]),
    ("make test", &[]),
    ("npm test > log.sh", &[]),
    ("python3 spell_check.py", &[]),
    ("python3 latest.py contest.py", &[]),
    ("cat openapi.spec.yaml", &[]),
    ("python3 main.py # sh run.sh", &[]),
    // Out of the tree.
    ("sh ../x.sh; sh /etc/x.sh; /usr/bin/x; sh a/../../x.sh", &[]),
    ("cd .. && sh tests/x.sh", &[]),
    ("cd /srv && sh x.sh", &[]),
    ("sh", &[]),
    ("", &[]),
];

/// Checks of a program that is to be written, of which a stub is there, and the files that they depend on.
const OF_PROGRAMS: &[(&str, &[&str])] = &[
    // What prints into a pipe, a word or a file is looked at.
    ("python3 main.py | grep -q hello", &[]),
    ("sh app.sh | grep -q hello", &[]),
    ("./greet | grep -q hello", &[]),
    ("timeout 5 bash greet.sh | grep -q hello", &[]),
    ("chmod +x greet && ./greet | grep -q hello", &[]),
    ("test \"$(sh hello.sh)\" = hello", &[]),
    ("[ `./hello` = hello ]", &[]),
    ("out=$(./run.sh) && [ \"$out\" = ok ]", &[]),
    ("diff <(./greet) expected.txt", &[]),
    ("diff <(sh greet.sh 2>&1) tests/expected.txt", &["tests/expected.txt"]),
    ("sh gen.sh > out.txt && grep -qx 4 out.txt", &[]),
    ("perl prog.pl < in.txt | diff - expected.txt", &[]),
    (
        "perl prog.pl < tests/in.txt | diff - tests/expected.txt",
        &["tests/expected.txt", "tests/in.txt"],
    ),
    ("sh calc.sh 2 3 | grep -qx 5", &[]),
    ("echo '2 3' | sh calc.sh | grep -qx 5", &[]),
    ("sh -c './app --fast | grep -q ok'", &[]),
    ("set -e; test \"$(./add 1 2)\" -eq 3; test \"$(./add 2 2)\" -eq 4", &[]),
    ("for i in 1 2; do sh fizz.sh $i | grep -q $i; done", &[]),
    // Other commands of the check look at what it leaves behind.
    ("sh gen.sh && diff out.txt expected.txt", &[]),
    ("./run.sh && test -f out.txt", &[]),
    ("./run.sh out.csv && cat out.csv | grep -q total", &[]),
    ("sh app.sh bad; [ $? -eq 2 ]", &[]),
    ("sh calc.sh 1 && ! sh calc.sh x", &[]),
    ("sh calc.sh 2 3 | grep -qx 5 && sh calc.sh", &[]),
    // It is built first, or tells of itself, or is only read.
    ("sh build.sh && ./app", &[]),
    ("make && ./app", &[]),
    ("cargo build && ./target/debug/app", &[]),
    ("./run.sh --self-test", &[]),
    ("./app --version", &[]),
    ("bash -n greet.sh", &[]),
    ("node index.js", &[]),
    // A script that alone decides is the check, whatever it may be.
    ("bash greet.sh", &["greet.sh"]),
    ("sh check.sh", &["check.sh"]),
    ("./test.sh", &["test.sh", "*test.sh"]),
    ("bash build.sh", &["build.sh"]),
    ("chmod +x run.sh && ./run.sh", &["*run.sh"]),
    ("make && ./run.sh", &["*run.sh"]),
    ("make lint && ./all", &["*all"]),
    ("sh run.sh a.txt && echo ok", &["run.sh"]),
    ("sh setup.sh && pytest -q", &["setup.sh"]),
    ("./a.sh && ./b.sh", &["*a.sh", "*b.sh"]),
    // So is one whose name, or what it is told to do, says that it checks.
    ("sh build.sh && ./run-tests", &["*run-tests"]),
    ("./check.sh && diff out.txt expected.txt", &["check.sh", "*check.sh"]),
    ("bash ci/all.sh; test -f out.txt", &["ci/all.sh"]),
    ("./gradlew lint && ./gradlew test", &["*gradlew"]),
    ("./dev.sh test && test -f report.xml", &["*dev.sh"]),
    ("test \"$(sh tests/run.sh)\" = ok", &["tests/run.sh"]),
    ("[ \"$(./verify.sh)\" = ok ]", &["verify.sh"]),
    // Prose and sources are not what it leaves behind.
    ("sh run.sh && grep -q Usage README.md", &["run.sh"]),
    ("sh run.sh && ! grep -rq unwrap src", &["run.sh"]),
    ("sh run.sh && cat README.md | grep -q Usage", &["run.sh"]),
    ("test -f out.txt && sh run.sh", &["run.sh"]),
];

#[test]
fn a_program_that_is_to_be_written_is_not_its_check() {
    wrong_of(OF_PROGRAMS);
}

#[test]
fn only_scripts_that_are_the_check_and_tests_are_not_the_agents_to_change() {
    wrong_of(CHECKS);
}

#[track_caller]
fn wrong_of(checks: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (check, expected) in checks {
        let found = check_files(&[(*check).to_owned()]);
        let programs = found.programs.iter().map(|program| format!("*{program}"));
        let found: Vec<String> = found.files.iter().cloned().chain(programs).collect();
        if found != *expected {
            wrong.push(format!("`{check}`: {expected:?}, and not {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
