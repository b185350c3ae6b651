//! What a kill leaves half done is neither done nor told twice, and no file of it stays.

use std::fs;

use testkit::{Env, has, pass_by};

use crate::{
    oracle::{
        CLAIM, aside, assert_sound, number, standing, wait_for_lines, wait_until_quiet,
        within_reach,
    },
    world,
};

#[test]
fn a_claim_and_its_rejection_are_told_once_over_a_resume() {
    let env = world();
    let (held, hold) = (within_reach(&env, "held"), aside(&env, "hold"));
    // The commit comes after the claim was judged, and everything before it is stored then.
    env.install(
        "git",
        &format!(
            "case \"$*\" in *commit-tree*) [ -e {hold} ] && {{ echo held >> {held}; sleep 300; }};; esac
             PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"",
            hold = hold.display(),
            held = held.display()
        ),
    );
    fs::write(&hold, "").unwrap();
    let script = env.script(&format!("append log 1\\n\nsay {CLAIM}\n")).display().to_string();
    let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
    let more = ["--check", "false", "--auto-commit", "--max-iterations", "1"];
    let running = env.command(start.iter().chain(&more)).spawn();
    wait_for_lines(&held, 1);
    drop(running.kill9());
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");
    fs::remove_file(hold).unwrap();
    drop(env.windlass(["resume"]).code(1));
    for fact in ["claimed", "claim_rejected", "iteration_started", "iteration_finished"] {
        let query = format!("SELECT count(*) FROM events WHERE type = '{fact}'");
        assert_eq!(number(&env, &query), 1, "{fact}");
    }
    assert_sound(&env);
}

/// Drafts of the store that are there.
fn drafts(env: &Env) -> Vec<String> {
    let entries = fs::read_dir(env.windlass_home()).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("windlass.new-")).collect()
}

#[test]
fn a_kill_while_the_first_store_is_made_leaves_nothing_for_good() {
    if !has("strace") {
        return;
    }
    for fault in ["fsync:signal=KILL:when=1", "pwrite64:signal=KILL:when=3"] {
        let env = world();
        let script = env.script(&format!("say {CLAIM}\n")).display().to_string();
        let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
        let inject = format!("inject={fault}");
        let ran = env.command(start).under(["strace", "-o", "/dev/null", "-e", &inject]).run();
        if ran.stderr.contains("Operation not permitted") {
            return pass_by("strace may not trace here");
        }
        assert_eq!(ran.signal, Some(9), "{ran}");
        assert_eq!(drafts(&env).len(), 1, "{fault}: it was killed at another moment");
        drop(env.windlass(start).success());
        assert_eq!(drafts(&env), [""; 0], "{fault}");
        assert_sound(&env);
    }
}
