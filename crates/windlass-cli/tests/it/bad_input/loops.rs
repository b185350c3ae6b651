//! Loops and iterations that do not exist.

use super::refused;
use crate::{shell, world};

#[test]
fn loops_that_are_not_there() {
    let env = world();
    insta::assert_snapshot!(refused(&env, &["status"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: no loop was started in `/tmp/windlass-XXXXXX/work`

    hint: there are no loops yet; start one with: windlass init && windlass iterate -p 'Make the tests pass.'
    ");
    insta::assert_snapshot!(refused(&env, &["list"]), @"
    exit: 0
    --- stdout
    No loops yet. Start one with:
      windlass init && windlass iterate -p 'Make the tests pass.'
    --- stderr
    ");
    insta::assert_snapshot!(refused(&env, &["show", "nothing"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no loop `nothing`

    hint: there are no loops yet; start one with: windlass init && windlass iterate -p 'Make the tests pass.'
    ");
    shell(&env, "true", &["--name", "taken", "--max-iterations", "1"]).run().code(1);
    for command in ["status", "show", "log", "why", "diff", "resume", "cancel", "reset", "rm"] {
        let ran = env.windlass([command, "takn"]).code(2);
        insta::allow_duplicates! { insta::assert_snapshot!(ran.snapshot(), @"
        exit: 2
        --- stdout
        --- stderr
        error: there is no loop `takn`

        hint: did you mean `taken`?
        hint: `windlass list` shows all loops
        "); }
    }
    insta::assert_snapshot!(refused(&env, &["rollback", "takn", "0"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no loop `takn`

    hint: did you mean `taken`?
    hint: `windlass list` shows all loops
    ");
    insta::assert_snapshot!(refused(&env, &["rollback", "taken", "x"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: invalid value 'x' for '[N]': invalid digit found in string

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused(&env, &["log", "--iteration", "9"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop taken has begun 1 iteration
    ");
    env.write("elsewhere/x", "");
    insta::assert_snapshot!(refused(&env, &["-C", "elsewhere", "why"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: no loop was started in `/tmp/windlass-XXXXXX/work/elsewhere`

    hint: `windlass list` shows all loops
    ");
}
