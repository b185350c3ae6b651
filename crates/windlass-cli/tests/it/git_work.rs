//! What a loop does with git: nothing by itself, and with `--auto-commit`, `--create-branch` and
//! `--worktree` what they say; and the way back.

use std::{fs, os::unix::fs::PermissionsExt};

use testkit::Env;

use crate::{COMPLETE, scripted, shell, world};

/// Everything of git that a loop must leave alone.
fn state(env: &Env) -> String {
    let ask = |args: &[&str]| format!("$ {}\n{}", args.join(" "), env.git(args));
    [
        &["status", "--porcelain=v2", "--branch", "--ignored", "--untracked-files=all"][..],
        &["stash", "list"],
        &["branch", "--all", "--verbose"],
        &["for-each-ref"],
        &["ls-files", "--stage", "--debug"],
        &["config", "--local", "--list"],
        &["reflog"],
        &["worktree", "list"],
        &["diff", "--cached"],
    ]
    .map(ask)
    .concat()
}

/// A repository with something of everything: dirty, staged, untracked, ignored, stashed.
fn lived_in() -> Env {
    let env = world();
    env.write(".gitignore", "*.log\n");
    env.write("dirty.txt", "committed\n");
    env.write("kept.txt", "committed\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=more"]);
    env.write("kept.txt", "stashed\n");
    env.git(["stash", "--quiet"]);
    env.git(["branch", "other"]);
    env.write("staged.txt", "staged\n");
    env.git(["add", "staged.txt"]);
    env.write("staged.txt", "and changed again\n");
    env.write("dirty.txt", "the user's\n");
    env.write("mine.txt", "untracked\n");
    env.write("build.log", "ignored\n");
    env
}

#[test]
fn after_a_loop_git_is_as_it_was() {
    let env = lived_in();
    let before = state(&env);
    let script = format!("say looking\nnext\nsay {COMPLETE}");
    scripted(&env, &script, &["--check", "true"]).run().success();
    env.windlass(["diff"]).success();
    assert_eq!(state(&env), before);
    assert_eq!(env.read("staged.txt"), "and changed again\n");
}

#[test]
fn what_the_agent_changes_is_all_that_changes() {
    let env = lived_in();
    shell(&env, "echo x > new.txt; echo y >> kept.txt; echo z > z.log", &["--max-iterations", "1"])
        .run()
        .code(1);
    insta::assert_snapshot!(env.git(["status", "--porcelain", "--ignored"]), @"
     M dirty.txt
     M kept.txt
    AM staged.txt
    ?? mine.txt
    ?? new.txt
    !! build.log
    !! z.log
    ");
    assert_eq!(env.git(["log", "--oneline"]).lines().count(), 2);
}

#[test]
fn auto_commit_commits_each_iteration_and_never_what_was_dirty_before() {
    let env = lived_in();
    let script = format!(
        "write a.txt 1\nwrite dirty.txt agent\nwrite mine.txt agent\nnext\nsay nothing\nnext\n\
         write b/c.txt 2\ndelete kept.txt\nwrite x.log no\nsay {COMPLETE}"
    );
    let index = env.git(["diff", "--cached"]);
    scripted(&env, &script, &["--auto-commit", "--check", "true"]).run().success();
    let log = env.git(["log", "--format=%s%n%an <%ae>", "--name-status", "-2"]);
    insta::assert_snapshot!(log, @"
    loop: iteration 3
    Tester <tester@example.com>

    A	b/c.txt
    D	kept.txt
    loop: iteration 1
    Tester <tester@example.com>

    A	a.txt
    ");
    assert_eq!(env.git(["diff", "--cached"]), index, "what the user had staged is staged");
    insta::assert_snapshot!(env.git(["status", "--porcelain", "--ignored"]), @"
     M dirty.txt
    AM staged.txt
    ?? mine.txt
    !! build.log
    !! x.log
    ");
}

#[test]
fn a_commit_has_the_message_that_was_asked_for() {
    let env = world();
    let template = "{name}: turn {iteration} of {id}\n\nBody {nothing}";
    let args = ["--auto-commit", "--commit-template", template, "--name", "mine"];
    shell(&env, &format!("echo x > a; echo '{COMPLETE}'"), &args).run().success();
    let id = env.sql("SELECT id FROM loops");
    let message = format!("mine: turn 1 of {}\n\nBody {{nothing}}\n\n", id.trim());
    assert_eq!(env.git(["log", "-1", "--format=%B"]), message);
}

#[test]
fn auto_commit_takes_what_the_checks_tidied_too() {
    let env = world();
    let args = ["--auto-commit", "--check", "echo tidy > a.txt"];
    shell(&env, &format!("echo x > a.txt; echo '{COMPLETE}'"), &args).run().success();
    assert_eq!(env.git(["show", "HEAD:a.txt"]), "tidy\n");
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

#[test]
fn neither_hooks_nor_filters_of_the_repository_run() {
    let env = world();
    let canary = env.root().join("canary");
    let trap = env.install("trap", &format!("echo \"$0 $*\" >> {}; cat", canary.display()));
    for hook in ["pre-commit", "commit-msg", "post-commit", "post-checkout", "post-index-change"] {
        fs::copy(&trap, env.work().join(".git/hooks").join(hook)).unwrap();
    }
    let body = format!(
        "echo '* filter=trap diff=trap' > .gitattributes; \
         git config filter.trap.clean {trap}; git config filter.trap.smudge {trap}; \
         git config filter.trap.required true; git config core.fsmonitor {trap}; \
         git config diff.trap.textconv {trap}; git config diff.external {trap}; \
         git config core.hooksPath .git/hooks; rm -f {canary}; \
         echo $1 >> work.txt; echo '{COMPLETE}'",
        trap = trap.display(),
        canary = canary.display()
    );
    let args = ["--auto-commit", "--create-branch", "--check", "true"];
    shell(&env, &body, &args).run().success();
    env.windlass(["diff"]).success();
    let name = env.sql("SELECT name FROM loops");
    env.windlass(["rollback", name.trim(), "0"]).success();
    let ran = fs::read_to_string(&canary).unwrap_or_default();
    assert_eq!(ran, "", "the repository's programs ran");
}

#[test]
fn create_branch_makes_one_and_stays_on_it() {
    let env = world();
    let args = ["--create-branch", "--auto-commit", "--max-iterations", "1"];
    shell(&env, "echo x > a", &args).run().code(1);
    let branch = env.git(["branch", "--show-current"]);
    let (loop_, stamp) = branch.trim().split_once('/').expect("loop/{timestamp}");
    assert_eq!(loop_, "loop");
    assert!(stamp.len() >= 14 && stamp.starts_with("20"), "{stamp}");
    assert_eq!(env.git(["log", "--format=%s", "main"]), "start\n");
    assert_eq!(env.git(["log", "--format=%s"]), "loop: iteration 1\nstart\n");
    let args = ["--create-branch", "--branch-template", "try/{name}", "--name", "mine"];
    shell(&env, "true", &args).arg("--max-iterations").arg("1").run().code(1);
    assert_eq!(env.git(["branch", "--show-current"]), "try/mine\n");
}

#[test]
fn a_worktree_keeps_the_loop_out_of_the_users_tree() {
    let env = lived_in();
    env.git(["branch", "base", "HEAD~1"]);
    let body = format!("echo x > new.txt; pwd > where; echo '{COMPLETE}'");
    let before = env.git(["status", "--porcelain", "--ignored"]);
    let args = ["--worktree", "topic:base", "--auto-commit", "--json", "--name", "mine"];
    let result = shell(&env, &body, &args).run().success().json();
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), before);
    assert_eq!(env.git(["branch", "--show-current"]), "main\n");
    let tree = result["worktree"].as_str().expect("a worktree").to_owned();
    assert_eq!(fs::read_to_string(format!("{tree}/where")).unwrap(), format!("{tree}\n"));
    assert!(!fs::exists(format!("{tree}/kept.txt")).unwrap(), "it began at the base");
    let log = env.git(["log", "--format=%s", "--name-only", "topic", "-1"]);
    assert_eq!(log, "loop: iteration 1\n\nnew.txt\nwhere\n");
    let status = env.git(["-C", &tree, "status", "--porcelain", "--branch"]);
    assert_eq!(status, "## topic\n");
    assert!(env.git(["worktree", "list"]).contains(&tree));
    let note = env.windlass(["log"]).success().stdout;
    assert!(note.contains(&format!("note: works in {tree}, on the branch `topic`\n")), "{note}");
    insta::assert_snapshot!(env.windlass(["rm", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    removed mine
    --- stderr
    hint: its worktree stays: git worktree remove /tmp/windlass-XXXXXX/state/worktrees/mine
    ");
    assert!(fs::exists(&tree).unwrap(), "the work stays");
}

#[test]
fn a_worktree_without_a_base_begins_at_head() {
    let env = world();
    let args = ["--worktree", "topic", "--json"];
    let result = shell(&env, &format!("cat README.md; echo '{COMPLETE}'"), &args).run();
    let result = result.success().json();
    assert!(result["final_text"].as_str().unwrap().starts_with("# A project"), "{result}");
    assert_eq!(env.git(["rev-parse", "topic"]), env.git(["rev-parse", "main"]));
}

#[test]
fn diff_shows_the_loop_or_one_of_its_iterations() {
    let env = world();
    let script = "write a.txt one\\n\nnext\nwrite a.txt two\\n\nwrite b.txt b\\n";
    scripted(&env, script, &["--max-iterations", "2", "--name", "mine"]).run().code(1);
    insta::assert_snapshot!(env.windlass(["diff", "mine", "2"]).snapshot(), @"
    exit: 0
    --- stdout
    diff --git a/a.txt b/a.txt
    index [git...................................]..[git...................................] 100644
    --- a/a.txt
    +++ b/a.txt
    @@ -1 +1 @@
    -one
    +two
    diff --git a/b.txt b/b.txt
    new file mode 100644
    index [git...................................]..[git...................................]
    --- /dev/null
    +++ b/b.txt
    @@ -0,0 +1 @@
    +b
    --- stderr
    ");
    let whole = env.windlass(["diff", "mine"]).success().stdout;
    assert!(whole.contains("+two") && !whole.contains("one"), "{whole}");
    insta::assert_snapshot!(env.windlass(["diff", "mine", "3"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there are only snapshots of iterations 0 to 2 (loop mine)
    ");
}

#[test]
fn rollback_puts_the_tree_back_and_what_was_dirty_before_too() {
    let env = lived_in();
    let script = "write a.txt one\\n\ndelete kept.txt\nappend dirty.txt x\nnext\n\
                  write a.txt two\\n\nwrite b/c/d.txt d\nwrite build.log agent";
    scripted(&env, script, &["--max-iterations", "2", "--name", "mine"]).run().code(1);
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "1"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as iteration 1 left it: 1 file written, 1 file removed
      written: a.txt
      removed: b/c/d.txt
    --- stderr
    hint: `windlass rollback mine 2` brings back what the loop left
    ");
    assert_eq!(env.read("a.txt"), "one\n");
    assert!(!env.work().join("kept.txt").exists() && !env.work().join("b").exists());
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop: 2 files written, 1 file removed
      written: dirty.txt
      written: kept.txt
      removed: a.txt
    --- stderr
    hint: `windlass rollback mine 2` brings back what the loop left
    ");
    assert_eq!(env.read("kept.txt"), "committed\n");
    assert!(!env.work().join("a.txt").exists());
    assert_eq!(env.read("dirty.txt"), "the user's\n", "as it was before the loop, uncommitted");
    assert_eq!(env.read("build.log"), "agent", "ignored files are not ours");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "2"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as iteration 2 left it: 3 files written, 1 file removed
      written: a.txt
      written: b/c/d.txt
      written: dirty.txt
      removed: kept.txt
    --- stderr
    ");
    assert_eq!(env.read("a.txt"), "two\n");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "7"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there are only snapshots of iterations 0 to 2 (loop mine)
    ");
}

#[test]
fn outside_git_it_is_told_once_that_progress_cannot_be_measured() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let ran = shell(&env, "echo x >> a", &["--max-iterations", "3", "--name", "mine"]).run();
    let note = "not in a git repository: windlass cannot measure progress";
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(all.matches(note).count(), 1, "{ran}");
    insta::assert_snapshot!(env.windlass(["diff", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: no snapshots: the loop did not run in a git repository (loop mine)
    ");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: no snapshots: the loop did not run in a git repository (loop mine)
    ");
    let shown = env.windlass(["show", "--json"]).success().json();
    assert_eq!(shown["iterations"][2]["tree"], serde_json::Value::Null);
}

#[test]
fn a_repository_without_a_commit_is_one_too() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    env.git(["init", "--quiet", "--initial-branch=main"]);
    let body = format!("echo x > a; echo '{COMPLETE}'");
    shell(&env, &body, &["--auto-commit", "--name", "mine", "--check", "true"]).run().success();
    assert_eq!(env.git(["log", "--format=%s"]), "loop: iteration 1\n");
    assert!(env.windlass(["diff", "mine"]).success().stdout.contains("+x"));
}

#[test]
fn the_start_tells_the_branch_what_stays_behind_and_what_commits_pass_over() {
    let env = lived_in();
    let hook = env.work().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    env.git(["config", "commit.gpgsign", "true"]);
    let body = format!("echo x > new.txt; echo '{COMPLETE}'");
    let notes = |args: &[&str]| {
        let ran = shell(&env, &body, args).run().success().snapshot();
        let lines = ran.lines().filter(|line| line.starts_with("note:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let args = ["--create-branch", "--branch-template", "try/it", "--auto-commit"];
    insta::assert_snapshot!(notes(&args), @"
    note: works on the branch `try/it`
    note: commits of windlass run no hooks (`pre-commit`) and are not signed (`commit.gpgsign`)
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    ");
    insta::assert_snapshot!(notes(&["--worktree", "topic", "--name", "mine"]), @"
    note: works in /tmp/windlass-XXXXXX/state/worktrees/mine, on the branch `topic`
    note: 3 uncommitted changes stay in /tmp/windlass-XXXXXX/work, and the loop does not have them: `dirty.txt`, `mine.txt`, `staged.txt`
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    ");
}

#[test]
fn files_that_stay_out_of_a_commit_are_one_line() {
    let env = world();
    for n in 0..61 {
        env.write(format!("f{n:02}.txt"), "the user's\n");
    }
    let body =
        format!("for f in f*.txt; do echo x > $f; done; echo y > new.txt; echo '{COMPLETE}'");
    let ran = shell(&env, &body, &["--auto-commit"]).run().success();
    let lines: Vec<_> = ran.stdout.lines().filter(|line| line.contains("left out")).collect();
    insta::assert_snapshot!(lines.join("\n"), @"left out of the commit: 61 files, each because it was changed before the loop began: f00.txt, f01.txt, f02.txt and 58 more");
}
