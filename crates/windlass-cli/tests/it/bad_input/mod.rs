//! Bad input: told in a sentence with its exit code, and nothing is changed.

mod agents;
mod flags;
mod loops;
mod names;
mod prompts;

use testkit::{Env, Ran};

/// Calls windlass, and holds that nothing came of it: no loop, no file, no branch, no process.
fn refused(env: &Env, args: &[&str]) -> String {
    let files = |env: &Env| {
        let list = env.other("find", [".", "-not", "-path", "./.git/*"]).run().success();
        list.stdout + env.other("git", ["for-each-ref"]).run().stdout.as_str()
    };
    let before = files(env);
    let ran: Ran = env.windlass(args.iter().copied());
    assert_eq!(files(env), before, "something changed:\n{ran}");
    if env.windlass_home().join("windlass.db").exists() {
        assert_eq!(env.sql("SELECT count(*) FROM loops WHERE name <> 'taken'"), "0\n", "{ran}");
    }
    ran.snapshot()
}
