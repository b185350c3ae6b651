//! `oscillation`, `same-error` and `churn`: work that only repeats itself.

use super::{ended, result_of};
use crate::world;

#[test]
fn a_tree_that_goes_back_and_forth_is_stopped_at_the_second_return() {
    let env = world();
    let flip =
        "write a.txt one\nnext\nwrite a.txt two\nnext\nwrite a.txt one\nnext\nwrite a.txt two";
    let result = result_of(&env, flip, &[]);
    insta::assert_snapshot!(ended(&result), @"rule oscillation after 4 (exit 3): the files returned to an earlier state 2 times, now to how iteration 2 had left it");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 4 iterations by the rule oscillation: the files returned to an earlier state 2 times, now to how iteration 2 had left it

      ITERATION  CLAIM  FILES      TREE
      1          none   1 changed  f9ad152
      2          none   1 changed  8fc7447
      3          none   1 changed  f9ad152
      4          none   1 changed  8fc7447

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
      windlass log mine --iteration 4
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    let env = world();
    let result = result_of(&env, flip, &["--oscillation-threshold", "0", "--max-iterations", "4"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 4 (exit 1):");
}

#[test]
fn the_same_error_is_known_again_whatever_its_numbers_are() {
    let env = world();
    let script: Vec<String> = (1..=6)
        .map(|n| format!("append a.txt x\nsay error: no port {n}0{n} at /tmp/x{n}/y"))
        .collect();
    let result = result_of(&env, &script.join("\nnext\n"), &[]);
    insta::assert_snapshot!(ended(&result), @"rule same-error after 5 (exit 3): the same error 5 times in a row: error: no port 505 at /tmp/x5/y");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 5 iterations by the rule same-error: the same error 5 times in a row: error: no port 505 at /tmp/x5/y

      ITERATION  CLAIM  FILES      ERROR
      1          none   1 changed  error: no port 101 at /tmp/x1/y
      2          none   1 changed  error: no port 202 at /tmp/x2/y
      3          none   1 changed  error: no port 303 at /tmp/x3/y
      4          none   1 changed  error: no port 404 at /tmp/x4/y
      5          none   1 changed  error: no port 505 at /tmp/x5/y

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
      windlass log mine --iteration 5
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
}

#[test]
fn two_errors_that_take_turns_are_not_the_same() {
    let env = world();
    let script: Vec<String> = (1..=8)
        .map(|n| {
            format!("append a.txt x\nsay error: {}", if n % 2 == 0 { "no key" } else { "no disk" })
        })
        .collect();
    let result = result_of(&env, &script.join("\nnext\n"), &["--max-iterations", "8"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 8 (exit 1):");
}

#[test]
fn changes_of_nothing_but_numbers_are_stopped_and_one_of_words_starts_the_count_again() {
    let env = world();
    let numbers = |range: std::ops::RangeInclusive<u32>| -> Vec<String> {
        range.map(|n| format!("write a.txt built 2026-11-{n} run {n}")).collect()
    };
    let result = result_of(&env, &numbers(10..=20).join("\nnext\n"), &[]);
    insta::assert_snapshot!(ended(&result), @"rule churn after 6 (exit 3): nothing but numbers, dates and ids changed in 5 iterations in a row");
    let env = world();
    let mut script = numbers(10..=14);
    script.push("write a.txt tested 2026-11-15 run 15".to_owned());
    script.extend(numbers(16..=19));
    let result = result_of(&env, &script.join("\nnext\n"), &["--max-iterations", "10"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 10 (exit 1):");
}
