//! What windlass reads in the suites of the gym: the same as in what real runners print.

use super::{
    language::Language::{self, Go, JavaScript, Python, Rust},
    suite::Suite,
};
use crate::{scripted, world};

/// What is counted with one part of three done, and with all.
fn counted(suite: &Suite, language: Language) -> String {
    let of = |parts: &[&str]| {
        let env = world();
        env.install(suite.program(), &suite.body());
        let adds: Vec<String> = parts.iter().map(|part| language.adds(part)).collect();
        let script = format!("{}\nsay <promise>COMPLETE</promise>", adds.join("\n"));
        let args = ["--json", "--max-iterations", "1", "--check", suite.command()];
        let result = scripted(&env, &script, &args).run().json();
        let tests = &result["proof"]["tests"];
        // Suites may run their tests in any order.
        let mut failing: Vec<&str> = tests["failing"]
            .as_array()
            .map_or(Vec::new(), |names| names.iter().filter_map(|name| name.as_str()).collect());
        failing.sort_unstable();
        format!("{} passed, {} failed {failing:?}", tests["passed"], tests["failed"])
    };
    format!("{}\n{}\n", of(&["alpha"]), of(&["alpha", "beta", "gamma"]))
}

#[test]
fn suites_are_read_as_real_runners_are() {
    let of = |language| Suite::of(language, &["alpha", "beta", "gamma"]);
    let named = [Python, Rust, Go, JavaScript].map(|language| counted(&of(language), language));
    insta::assert_snapshot!(named.concat(), @r#"
    1 passed, 2 failed ["tests/test_beta.py::test_beta", "tests/test_gamma.py::test_gamma"]
    3 passed, 0 failed []
    1 passed, 2 failed ["beta::works", "gamma::works"]
    3 passed, 0 failed []
    1 passed, 2 failed ["example.com/calc Test_beta", "example.com/calc Test_gamma"]
    3 passed, 0 failed []
    1 passed, 2 failed ["beta works", "gamma works"]
    3 passed, 0 failed []
    "#);
}

#[test]
fn suites_that_tell_numbers_tell_no_names() {
    let of = |language| Suite::of(language, &["alpha", "beta", "gamma"]).tells_numbers();
    let numbers = [Python, Rust, JavaScript].map(|language| counted(&of(language), language));
    insta::assert_snapshot!(numbers.concat(), @"
    1 passed, 2 failed []
    3 passed, 0 failed []
    1 passed, 2 failed []
    3 passed, 0 failed []
    1 passed, 2 failed []
    3 passed, 0 failed []
    ");
}

#[test]
fn noise_and_order_do_not_change_what_is_counted() {
    let of = |language| Suite::of(language, &["alpha", "beta", "gamma"]);
    let noisy = counted(&of(Rust).noisy(), Rust);
    let shuffled = counted(&of(Python).shuffled(), Python);
    insta::assert_snapshot!(format!("{noisy}{shuffled}"), @r#"
    1 passed, 2 failed ["beta::works", "gamma::works"]
    3 passed, 0 failed []
    1 passed, 2 failed ["tests/test_beta.py::test_beta", "tests/test_gamma.py::test_gamma"]
    3 passed, 0 failed []
    "#);
}
