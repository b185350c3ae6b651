//! `windlass merge` of what does not fit: everything stays as it was, or an agent brings it together
//! and the checks decide.

use std::{collections::BTreeMap, fs, path::Path};

use testkit::Env;

use crate::{
    merging::{assert_tidy, calm, commit, committed},
    prompts_of, world,
};

/// A world in which the loop `mine` and the user have changed the same line.
fn unfit() -> Env {
    let env = world();
    commit(&env, "a.txt", "one\ntwo\nthree\n");
    committed(&env, "mine", "sed -i s/two/loop/ a.txt", &["--check", "grep -q three *.txt"]);
    commit(&env, "a.txt", "one\nuser\nthree\n");
    env
}

/// Every file below a directory, with what it holds.
fn all(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).expect("it is there").flatten() {
        let (path, kind) = (entry.path(), entry.file_type().expect("it is there"));
        if kind.is_dir() {
            files.extend(all(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).unwrap_or_default());
        }
    }
    files
}

#[test]
fn a_conflict_is_named_and_leaves_everything_byte_by_byte() {
    let env = unfit();
    let tree = env.windlass_home().join("worktrees/mine");
    for way in ["--merge", "--rebase"] {
        let before = (all(&env.work()), all(&tree));
        let ran = env.windlass(["merge", "mine", way]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(ran.snapshot(), @"
            exit: 1
            --- stdout
            --- stderr
            error: `topic-mine` does not fit `main`: `a.txt` is in conflict; nothing was changed

            hint: `windlass merge mine --resolve` lets an agent settle it
            hint: or settle it yourself on the loop's branch, and merge again
            ");
        }
        assert_eq!((all(&env.work()), all(&tree)), before);
        assert_eq!(env.sql("SELECT count(*) FROM loops"), "1\n", "no loop comes of it");
    }
    assert_tidy(&env);
}

#[test]
fn an_agent_settles_a_conflict_and_the_checks_decide() {
    let env = unfit();
    let agent = env.agent_sh(
        "grep -q '^<<<<<<<' a.txt || exit 3; printf 'one\\nuser and loop\\nthree\\n' > a.txt",
    );
    let agent = agent.display().to_string();
    let ran = env.windlass(["merge", "mine", "--resolve", "-c", &agent, "--name", "home"]);
    insta::assert_snapshot!(calm(&env, &ran), @"
    exit: 0
    --- stdout
    Loop home: merge in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 5 ━━━
    agent: finished in [time]
    claim: by exit
    check `grep -q three *.txt`: passed ([time])
    claim accepted: 1 check passed on tree 10d6eac
    iteration 1: [time], 1 file changed
    commit: [commit]
    `main` is at [commit] now, and so are the files in /tmp/windlass-XXXXXX/work
    ✓ done after 1 iteration, proven by 1 check
      1 session, 1 check, 1 file modified, [time]
      proof: 1 check passed; no baseline
    --- stderr
    note: `topic-mine` does not fit `main`: an agent is asked about `a.txt`
    next: windlass show home
    hint: `main` has it; the branch `topic-mine` stays
    ");
    assert_eq!(env.read("a.txt"), "one\nuser and loop\nthree\n");
    let parents = env.git(["log", "-1", "--format=%P", "main"]);
    assert_eq!(parents.split_whitespace().count(), 2);
    let merged = env.git(["log", "--format=%s", "main"]);
    assert!(merged.contains("loop: iteration 1") && merged.contains("user: a.txt"), "{merged}");
    assert_tidy(&env);
    let prompts = prompts_of(&env);
    let prompt = &prompts[0];
    assert!(prompt.contains("`topic-mine` is being merged into `main`"), "{prompt}");
    assert!(prompt.contains("\na.txt\n") && prompt.contains("CONFLICT"), "{prompt}");
}

#[test]
fn marks_that_are_left_and_checks_that_fail_are_told_to_the_agent() {
    let env = unfit();
    let script = "say I looked.\nnext\nwrite a.txt one\\nboth\\n\nnext\n\
                  write a.txt one\\nboth\\nthree\\n\n";
    let script = env.script(script).display().to_string();
    let call = ["merge", "mine", "--resolve", "--agent", "scripted", "--script", &script];
    let ran = env.windlass(call).success();
    assert!(ran.stdout.contains("`a.txt` still has marks of a conflict"), "{ran}");
    assert!(ran.stdout.contains("check `grep -q three *.txt`: failed"), "{ran}");
    assert_eq!(env.read("a.txt"), "one\nboth\nthree\n");
    let prompts = prompts_of(&env);
    assert_eq!(prompts.len(), 3);
    assert!(prompts[1].contains("still has marks of a conflict"), "{}", prompts[1]);
    assert!(prompts[2].contains("grep -q three *.txt"), "{}", prompts[2]);
    assert_tidy(&env);
}

#[test]
fn an_agent_that_does_not_get_there_moves_nothing_and_can_go_on() {
    let env = unfit();
    let head = env.git(["rev-parse", "main"]);
    let script = env.script("say I cannot.").display().to_string();
    let call = ["merge", "mine", "--resolve", "--agent", "scripted", "--script", &script];
    let more = ["--name", "home", "--max-iterations", "1"];
    env.command(call.iter().chain(&more)).run().code(1);
    assert_eq!(env.git(["rev-parse", "main"]), head);
    assert_eq!(env.git(["status", "--porcelain"]), "");
    let gc = env.windlass(["gc"]).success();
    assert!(gc.stdout.contains("kept the worktree of home: an agent was bringing"), "{gc}");
    fs::write(&script, "next\nwrite a.txt three").unwrap();
    env.windlass(["resume", "home", "--max-iterations", "2"]).success();
    assert_eq!(env.read("a.txt"), "three");
    assert_tidy(&env);
}

#[test]
fn what_fits_and_fails_is_mended_by_an_agent_too() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &["--check", "test $(ls *.txt | wc -l) -le 1"]);
    commit(&env, "b.txt", "user\n");
    let agent = env.agent_sh("cat b.txt >> a.txt; rm b.txt").display().to_string();
    env.windlass(["merge", "mine", "--resolve", "-c", &agent]).success();
    assert_eq!(env.read("a.txt"), "x\nuser\n");
    assert!(!env.work().join("b.txt").exists());
    let log = env.git(["log", "--first-parent", "--format=%s", "main"]);
    insta::assert_snapshot!(log, @"
    Mend what bringing `topic-mine` to `main` broke
    Merge branch 'topic-mine' into main
    user: b.txt
    start
    ");
    assert_tidy(&env);
}

#[test]
fn a_file_that_one_side_removed_is_a_conflict_that_an_agent_may_leave_as_git_left_it() {
    let env = world();
    commit(&env, "a.txt", "one\n");
    committed(&env, "mine", "rm a.txt", &[]);
    commit(&env, "a.txt", "two\n");
    let ran = env.windlass(["merge", "mine"]).code(1);
    assert!(ran.stderr.contains("`a.txt` is in conflict"), "{ran}");
    let agent = env.agent_sh("rm -f a.txt").display().to_string();
    env.windlass(["merge", "mine", "--resolve", "-c", &agent]).success();
    assert!(!env.work().join("a.txt").exists());
    assert_tidy(&env);
}

#[test]
fn a_file_that_does_not_fit_may_be_changed_though_a_check_names_it() {
    let env = world();
    commit(&env, "a.sh", "exit 0 # one\n");
    committed(&env, "mine", "echo 'exit 0 # loop' > a.sh", &[]);
    commit(&env, "a.sh", "exit 0 # user\n");
    let agent = env.agent_sh("echo 'exit 0 # both' > a.sh").display().to_string();
    let call = ["merge", "mine", "--resolve", "-c", &agent, "--check", "sh a.sh"];
    env.windlass(call).success();
    assert_eq!(env.read("a.sh"), "exit 0 # both\n");
}
