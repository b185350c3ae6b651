//! Traps for the user's own tools: what their next `git status`, `git gc` or `jj` would run.

use super::{after, leaves, lines, world};

#[test]
fn settings_that_run_a_program() {
    let env = world();
    let body = "git config core.fsmonitor 'touch /tmp/x'\ngit config alias.go '!rm -rf x'\n\
                git config filter.f.clean ./f\ngit config user.name me\ngit config alias.s status";
    leaves(
        &env,
        body,
        &[
            "config .git/config: `alias.go` runs `!rm -rf x` when you type this alias",
            "config .git/config: `core.fsmonitor` runs `touch /tmp/x` at your next `git status`",
            "config .git/config: `filter.f.clean` runs `./f` at your next `git status` or `git add`",
        ],
    );
}

#[test]
fn settings_of_another_file_that_count_too() {
    let env = world();
    let body = "git config extensions.worktreeConfig true\n\
                git config --worktree core.pager ./p\n\
                git config include.path ../more\ngit config -f more core.editor ./e";
    let left = lines(&after(&env, body).json());
    for told in [
        "config .git/config.worktree: `core.pager` runs `./p` at your next `git log` or `git diff`",
        "config .git/config: `include.path` brings in the settings of `../more`",
        "config more: `core.editor` runs `./e` at your next `git commit`",
        "config .git/config: `extensions.worktreeConfig` has git read `config.worktree` too",
    ] {
        assert!(left.iter().any(|line| line == told), "{told}\n{left:#?}");
    }
}

#[test]
fn a_file_that_the_users_settings_bring_in_is_read_too() {
    let env = world();
    env.git(["config", "include.path", "../.gitconfig"]);
    env.write(".gitconfig", "[core]\n\tabbrev = 8\n");
    let told = "config .gitconfig: `core.fsmonitor` runs `./x` at your next `git status`";
    leaves(&env, "git config -f .gitconfig core.fsmonitor ./x", &[told]);
}

#[test]
fn hooks_in_their_directory_and_where_the_settings_lead() {
    let env = world();
    env.git(["config", "core.hooksPath", "hooks"]);
    let hook = "printf '#!/bin/sh\\n'";
    let body = format!(
        "mkdir -p hooks .git/hooks; for at in hooks/pre-commit .git/hooks/pre-push; do\n\
         {hook} > $at; chmod +x $at; done; {hook} > .git/hooks/post-merge\n\
         ln -s /bin/true .git/hooks/post-checkout"
    );
    leaves(
        &env,
        &body,
        &[
            "hook .git/hooks/post-checkout: is a link to `/bin/true`, and runs after your next `git checkout`",
            "hook .git/hooks/pre-push: runs at your next `git push`",
            "hook hooks/pre-commit: runs at your next `git commit`",
        ],
    );
}

#[test]
fn a_hook_that_is_changed_or_gone() {
    let env = world();
    for name in ["pre-commit", "pre-push"] {
        let hook = env.write(format!(".git/hooks/{name}"), "#!/bin/sh\n");
        drop(env.other("chmod", [std::path::Path::new("+x"), &hook]).run().success());
    }
    leaves(
        &env,
        "echo evil >> .git/hooks/pre-commit; rm .git/hooks/pre-push",
        &[
            "hook .git/hooks/pre-commit: is another than before, and runs at your next `git commit`",
            "hook .git/hooks/pre-push: is gone: it does not run any more at your next `git push`",
        ],
    );
}

#[test]
fn a_link_on_which_git_gc_would_delete_the_home() {
    let env = world();
    let home = env.home();
    let ran = after(&env, "ln -s $HOME .git/worktrees");
    let told = format!(
        "link .git/worktrees: is a link to `{}`: your next `git gc` would delete what is in there",
        home.display()
    );
    assert_eq!(lines(&ran.json()), [told], "{ran}");
}

#[test]
fn links_of_the_git_directory_that_lead_out() {
    let env = world();
    let body = "rm -rf .git/logs; ln -s /tmp/logs .git/logs; mkdir -p .git/refs/heads\n\
                ln -s /tmp/other .git/refs/heads/other; ln -s /tmp/pack .git/objects/ab";
    let left = lines(&after(&env, body).json());
    for told in [
        "link .git/logs: is a link to `/tmp/logs`: git reads and writes there",
        "link .git/refs/heads/other: is a link to `/tmp/other`: git reads and writes there",
        "link .git/objects/ab: is a link to `/tmp/pack`: git reads and writes there",
    ] {
        assert!(left.iter().any(|line| line == told), "{told}\n{left:#?}");
    }
}

#[test]
fn a_common_directory_in_the_place_of_the_users() {
    let env = world();
    let left = lines(&after(&env, "echo /tmp/evil > .git/commondir").json());
    let told =
        "repository .git/commondir: leads to `/tmp/evil`: settings and hooks there count for yours";
    assert!(left.iter().any(|line| line == told), "{left:#?}");
}

#[test]
fn a_rebase_that_runs_a_command_when_it_goes_on() {
    let env = world();
    let body = "mkdir .git/rebase-merge; printf 'pick 1\\nexec touch x\\nx y\\n' \
                > .git/rebase-merge/git-rebase-todo";
    let told = "operation .git/rebase-merge/git-rebase-todo: a rebase is under way that runs `touch x` and 1 more \
                when it goes on";
    leaves(&env, body, &[told]);
}

#[test]
fn a_merge_that_was_not_under_way() {
    let env = world();
    let told =
        "operation .git/MERGE_HEAD: a merge is under way, which was not when the session began";
    leaves(&env, "git rev-parse HEAD > .git/MERGE_HEAD", &[told]);
}

#[test]
fn a_pager_of_jujutsu() {
    let env = world();
    env.write(".jj/repo/config.toml", "[user]\nname = \"me\"\n");
    env.write(".gitignore", ".jj\n");
    let body = "printf '[ui]\\npager = \"sh -c evil\"\\n' >> .jj/repo/config.toml";
    let told = "jj .jj/repo/config.toml: `ui.pager` is `\"sh -c evil\"`: jj may run it";
    leaves(&env, body, &[told]);
}
