//! Checks have a git directory in which no agent has been.

use super::in_each_sandbox;
use crate::{COMPLETE, shell};

#[test]
fn a_check_that_asks_git_is_not_answered_by_the_agent() {
    in_each_sandbox(|env, sandbox| {
        env.write("keep.txt", "as it was\n");
        env.git(["add", "-A"]);
        env.git(["commit", "-q", "-m", "files"]);
        env.git(["branch", "base"]);
        let agent = format!(
            "echo weaker > keep.txt; git commit -qam weaker; git branch -f base\n\
             git update-index --assume-unchanged keep.txt\n\
             git config alias.diff '!true'; echo '{COMPLETE}'"
        );
        let check = "git diff --exit-code base -- keep.txt";
        let args = ["--sandbox", sandbox, "--max-iterations", "1", "--check", check];
        let ran = shell(env, &agent, &args).run().code(1);
        assert!(ran.stderr.contains("weaker") || ran.stdout.contains("rejected"), "{}", ran.stderr);
    });
}

#[test]
fn what_a_check_does_with_git_is_forgotten_and_the_agents_directory_is_as_it_was() {
    in_each_sandbox(|env, sandbox| {
        let agent = format!(
            "git config my.setting kept; git config my.setting >> seen\n\
             git tag -l >> seen; echo x >> x; git add x; git commit -qm x; echo '{COMPLETE}'"
        );
        let check =
            "git tag from-the-check && git commit -q --allow-empty -m no && test $(wc -l < x) = 2";
        let args = ["--sandbox", sandbox, "--max-iterations", "3", "--check", check];
        shell(env, &agent, &args).run().success();
        let tags = env.git(["tag", "-l"]);
        assert_eq!(tags, "");
        assert_eq!(env.read("seen").trim_end().lines().collect::<Vec<_>>(), ["kept", "kept"]);
        let log = env.git(["log", "--format=%s"]);
        assert_eq!(log.lines().take(2).collect::<Vec<_>>(), ["x", "x"]);
        assert!(!log.lines().any(|line| line == "no"), "{log}");
    });
}
