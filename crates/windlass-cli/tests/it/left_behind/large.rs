//! Hostile contents: pipes, huge files, thousands of entries. The list is bounded, and nothing waits.

use std::time::{Duration, Instant};

use super::{after, lines, world};

#[test]
fn pipes_and_huge_files_are_named_and_not_read() {
    let env = world();
    let body = "mkdir -p .git/info .git/hooks; mkfifo .git/info/attributes .git/hooks/pre-commit .git/config.worktree\n\
                truncate -s 8T .git/info/exclude; truncate -s 8T .git/hooks/pre-push; chmod +x .git/hooks/pre-push";
    let began = Instant::now();
    let ran = after(&env, body);
    assert!(began.elapsed() < Duration::from_secs(20), "{ran}");
    let left = lines(&ran.json());
    for told in [
        "link .git/info/attributes: is a pipe: git fails or hangs on it",
        "link .git/config.worktree: is a pipe: git fails or hangs on it",
        "link .git/info/exclude: is 8388608 MiB large: git fails or hangs on it",
        "hook .git/hooks/pre-push: runs at your next `git push`",
    ] {
        assert!(left.iter().any(|line| line == told), "{told}\n{left:#?}\n{ran}");
    }
}

#[test]
fn of_thousands_the_worst_are_named_and_the_rest_is_counted() {
    let env = world();
    for n in 0..50 {
        env.write(format!("f{n}"), "x\n");
    }
    env.git(["add", "."]);
    env.git(["commit", "-q", "-m", "two"]);
    let body = "git ls-files -z | git update-index -z --skip-worktree --stdin\n\
                i=0; while [ $i -lt 3000 ]; do echo \"[alias] a$i = !x\"; echo \"dir$i\" >&3; i=$((i+1)); done \
                >> .git/config 3>> .git/info/exclude\n\
                ln -s /tmp/x .git/worktrees";
    let ran = after(&env, body);
    let left = lines(&ran.json());
    assert_eq!(left.len(), 101, "{ran}");
    assert!(left[0].starts_with("link .git/worktrees: "), "{}", left[0]);
    let rest = left.last().unwrap();
    assert!(rest.starts_with("more : and ") && rest.ends_with(" more"), "{rest}");
    assert!(ran.stderr.len() < 20_000, "{ran}");
}

#[test]
fn a_repository_that_is_gone_is_told_in_one_line() {
    let env = world();
    let left = lines(&after(&env, "rm -rf .git").json());
    let told = "repository .git: is gone, with branches, settings and stash";
    assert!(left.iter().any(|line| line == told), "{left:#?}");
    assert_eq!(left.len(), 1, "{left:#?}");
}
