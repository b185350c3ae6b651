//! Inside a loop only commands that read work on the home that this loop lives in, whatever the
//! agent does to its environment.

use std::fs;

use testkit::Env;

use crate::{sandboxes::has_bwrap, shell, user_config, world};

/// The commands that only look, and what they are called with here.
const READING: &[&[&str]] = &[
    &["watch", "--help"],
    &["status"],
    &["list"],
    &["show"],
    &["log"],
    &["findings"],
    &["why"],
    &["report"],
    &["replay"],
    &["diff"],
    &["agents"],
    &["config"],
    &["doctor"],
    &["completions", "bash"],
    &["man"],
    &["exit-codes"],
    &["help"],
];

/// Those that need more than their name.
const NEEDY: &[&[&str]] = &[
    &["rm", "a-loop"],
    &["rollback", "a-loop", "0"],
    &["iterate", "-p", "x", "-c", "true"],
    &["tasks", "--tasks", "TASKS.md", "-c", "true"],
    &["develop", "-p", "x", "-c", "true"],
    &["cancel", "a-loop"],
];

/// Every command of windlass, as its help lists them.
fn commands(env: &Env) -> Vec<String> {
    let help = env.windlass(["--help"]).success().stdout;
    let (_, list) = help.split_once("Usage:").expect("help says how to use windlass");
    let (list, _) = list.split_once("Global options:").expect("the commands stand before them");
    let names = list.lines().filter(|line| line.starts_with("  "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The calls that are to be refused: every command that is not known to read.
fn steering(env: &Env) -> Vec<Vec<String>> {
    let owned = |call: &[&str]| call.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let reads = |name: &str| READING.iter().any(|call| call[0] == name);
    let names = commands(env);
    assert!(names.len() > 25, "{names:?}");
    let mut calls: Vec<Vec<String>> = names
        .iter()
        .filter(|name| !reads(name))
        .map(|name| {
            NEEDY.iter().find(|call| call[0] == name).map_or(vec![name.clone()], |c| owned(c))
        })
        .collect();
    calls.push(owned(&["doctor", "--repair"]));
    calls.push(owned(&["gc", "--older-than", "0s"]));
    calls
}

/// An agent that makes each call, and notes its exit code with it.
fn caller(env: &Env, calls: &[Vec<String>], before: &str) -> String {
    let windlass = env.program().display();
    // Agents are not told the home; this one knows it.
    let mut body = format!("export WINDLASS_HOME={}\n", env.windlass_home().display());
    for call in calls {
        let words = shell_words::join(call);
        body += &format!(
            "{before} {windlass} {words} > said 2>&1 < /dev/null; echo \"$? {words}\" >> codes\n"
        );
        body += "cat said >> all\n";
    }
    body + "rm -f said; echo '<promise>COMPLETE</promise>'"
}

#[test]
fn every_command_that_does_not_only_read_is_refused_inside_a_loop() {
    let env = world();
    // With its variable and without it: the guardian is an ancestor all the same; and from a process
    // that has left its parents.
    for before in ["", "env -u WINDLASS_LOOP -u WINDLASS_SESSION", "env -u WINDLASS_LOOP setsid -w"]
    {
        let calls = steering(&env);
        shell(&env, &caller(&env, &calls, before), &[]).run().success();
        let codes = env.read("codes");
        for line in codes.lines() {
            assert!(line.starts_with("4 "), "{before}: {line}\n{}", env.read("all"));
        }
        assert_eq!(codes.lines().count(), calls.len());
        let refusals = env.read("all").matches("is refused inside a loop").count();
        assert_eq!(refusals, calls.len(), "{}", env.read("all"));
        fs::remove_file(env.work().join("codes")).unwrap();
        fs::remove_file(env.work().join("all")).unwrap();
    }
}

#[test]
fn every_command_that_only_reads_works_inside_a_loop() {
    let env = world();
    let calls: Vec<Vec<String>> =
        READING.iter().map(|call| call.iter().map(|word| (*word).to_owned()).collect()).collect();
    shell(&env, &caller(&env, &calls, ""), &[]).run().success();
    for line in env.read("codes").lines() {
        assert!(line.starts_with("0 "), "{line}\n{}", env.read("all"));
    }
}

#[test]
fn another_home_is_free_and_the_same_one_by_another_path_is_not() {
    let env = world();
    let windlass = env.program().display();
    let elsewhere = env.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let (there, home) = (elsewhere.display(), env.windlass_home());
    let home = home.display();
    let agent = env.agent_sh("echo '<promise>COMPLETE</promise>'");
    let agent = agent.display();
    let body = format!(
        "mkdir {there}/work; cd {there}/work
         WINDLASS_HOME={there}/home {windlass} iterate -p x -c {agent} -q; echo \"free $?\" >> {there}/codes
         WINDLASS_HOME={there}/home {windlass} gc --older-than 0s; echo \"free $?\" >> {there}/codes
         ln -s {home} {there}/link
         for path in {there}/link {home}/. {home}/../state; do
             WINDLASS_HOME=$path {windlass} gc --older-than 0s; echo \"same $?\" >> {there}/codes
         done
         echo '<promise>COMPLETE</promise>'"
    );
    shell(&env, &body, &[]).run().success();
    let codes = fs::read_to_string(elsewhere.join("codes")).unwrap();
    assert_eq!(codes, "free 0\nfree 0\nsame 4\nsame 4\nsame 4\n");
}

#[test]
fn in_a_sandbox_where_no_guardian_is_seen_every_home_counts() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let windlass = env.program();
    let folder = windlass.parent().expect("it is in a directory").display().to_string();
    let body = format!(
        "for home in $HOME/state $PWD/state; do WINDLASS_HOME=$home {} gc; echo $? >> codes; done
         echo '<promise>COMPLETE</promise>'",
        windlass.display()
    );
    shell(&env, &body, &["--sandbox", "bwrap", "--sandbox-read", &folder]).run().success();
    assert_eq!(env.read("codes"), "4\n4\n");
}

#[test]
fn hooks_and_checks_of_the_loop_are_inside_too() {
    let env = world();
    let windlass = env.program().display();
    let home = env.windlass_home().display().to_string();
    let gc = |name: &str| {
        format!("WINDLASS_HOME={home} {windlass} gc --older-than 0s; echo {name} $? >> codes")
    };
    let hook = env.install("my-hook", &gc("hook"));
    user_config(&env, &format!("[on]\niteration_end = ['{}']\n", hook.display()));
    let check = gc("check");
    shell(&env, "echo '<promise>COMPLETE</promise>'", &["--check", &check]).run().success();
    let codes = env.read("codes");
    assert!(codes.contains("check 4\n") && codes.contains("hook 4\n"), "{codes}");
}
