//! `develop` from outside: what it is asked with (task, plan, agents), what is refused, and how it
//! is called off.

use std::fs;

use testkit::{Env, Signal, wait_until};

use crate::{
    develop::develop,
    oracle::{LIMIT, aside, assert_sound, standing, wait_for_lines, wait_until_quiet},
    prompts_of, user_config, world,
};

const APPROVED: &str = "as developer\nwrite a.txt x\nas reviewer\nsay APPROVED\n";

#[test]
fn developer_and_reviewer_are_given_the_plan() {
    let env = world();
    env.write("docs/PLAN.md", "# Plan\n1. First the tests.\n");
    develop(&env, APPROVED, &["--plan", "docs/PLAN.md"]).run().success();
    for prompt in prompts_of(&env) {
        assert!(prompt.contains("# Plan\n1. First the tests.\n"), "{prompt}");
    }
}

#[test]
fn the_task_may_stand_in_a_file() {
    let env = world();
    env.write("TASK.md", "\n# Greet\n\nall of *them*\n");
    let script = env.script(APPROVED);
    let call = ["develop", "--task-file", "TASK.md", "--agent", "scripted", "--script"];
    env.command(call).arg(script).run().success();
    let prompts = prompts_of(&env);
    assert!(prompts[0].starts_with("# Greet\n\nall of *them*\n"), "{}", prompts[0]);
    assert!(prompts[1].contains("# Greet\n\nall of *them*\n"), "{}", prompts[1]);
}

/// Two agents of the config that keep how they were called, and where nothing else is installed.
fn two_agents(env: &Env) {
    let developer = env.agent_sh("echo \"$1\" > developer; echo $RANK >> developer");
    let reviewer = env.agent_sh("echo \"$1\" > \"$OUT\"; echo APPROVED");
    let out = aside(env, "reviewer");
    user_config(
        env,
        &format!(
            "[agents.dev]\ncommand = [{developer:?}, '{{model}}']\nmodel = 'small'\n\
             env = {{ RANK = 'first' }}\n\
             [agents.rev]\ncommand = [{reviewer:?}, '{{model}}']\nmodel = 'large'\n\
             env = {{ OUT = {out:?} }}\n"
        ),
    );
}

#[test]
fn each_role_has_its_own_agent_and_model() {
    let env = world();
    two_agents(&env);
    let call = ["develop", "-p", "x", "--json", "--developer", "dev:tiny", "--reviewer", "rev"];
    env.windlass(call).success();
    assert_eq!(env.read("developer"), "tiny\nfirst\n");
    assert_eq!(fs::read_to_string(aside(&env, "reviewer")).unwrap(), "large\n");
    let agents = env.sql("SELECT role, agent FROM sessions ORDER BY id");
    assert_eq!(agents, "developer|dev:tiny\nreviewer|rev\n");
}

#[test]
fn one_role_left_out_needs_an_agent_of_the_loop() {
    let env = world();
    two_agents(&env);
    let ran = env.windlass(["develop", "-p", "x", "--developer", "dev"]).code(4);
    assert!(ran.stderr.contains("claude"), "{ran}");
    let ran = env.windlass(["develop", "-p", "x", "--developer", "dev", "--reviewer", "nobody"]);
    assert!(ran.code(2).stderr.contains("there is no agent `nobody`"));
    let call = ["develop", "-p", "x", "--agent", "dev", "--reviewer", "rev:small", "-q"];
    assert_eq!(env.windlass(call).success().stdout, "approved\n");
    assert_eq!(fs::read_to_string(aside(&env, "reviewer")).unwrap(), "small\n");
}

#[test]
fn bad_input_is_told_before_anything_starts() {
    let env = world();
    env.write("TASKS.md", "- [ ] a\n");
    env.write("empty.md", " \n");
    let mut told = String::new();
    for args in [
        &[][..],
        &["-p", " "],
        &["--task-file", "empty.md"],
        &["--task-file", "nope.md"],
        &["-p", "x", "--tasks", "TASKS.md"],
        &["-p", "x", "--task-file", "TASKS.md"],
        &["--tasks", "nope.md"],
        &["--tasks", "empty.md"],
        &["-p", "x", "--plan", "nope.md"],
        &["-p", "x", "--promise", "DONE"],
    ] {
        let call = ["develop", "--agent", "scripted", "--script"];
        let call = env.command(call).arg(env.script(APPROVED));
        let ran = args.iter().fold(call, |call, arg| call.arg(arg)).run().code(2);
        told.push_str(ran.stderr.lines().next().unwrap_or_default());
        told.push('\n');
    }
    insta::assert_snapshot!(told.replace(env.root().to_str().unwrap(), "ROOT"), @"
    error: there is no task
    error: the prompt is empty
    error: the prompt file `ROOT/work/empty.md` is empty
    error: there is no prompt file `ROOT/work/nope.md`
    error: the argument '--task <TASK>' cannot be used with '--tasks <FILE>'
    error: the argument '--task <TASK>' cannot be used with '--task-file <FILE>'
    error: the task file `nope.md` cannot be used: it is not there
    error: the task file `empty.md` cannot be used: it is empty
    error: the plan `nope.md` cannot be used: it is not there
    error: unexpected argument '--promise' found
    ");
    assert!(!env.windlass_home().exists(), "nothing was started");
}

#[test]
fn a_loop_can_be_called_off_in_either_session_and_goes_on_there() {
    for (role, by_signal) in [("developer", true), ("reviewer", false)] {
        let env = world();
        let (up, go) = (aside(&env, "up"), aside(&env, "go"));
        let waits = format!(
            "[ -e {go} ] || {{ echo up >> {up}; sleep 300; }}",
            go = go.display(),
            up = up.display()
        );
        let wait = |this: &str| if this == role { waits.clone() } else { "true".to_owned() };
        let developer = env.agent_sh(&format!("echo x > a.txt; {}", wait("developer")));
        let reviewer = env.agent_sh(&format!("{}; echo APPROVED", wait("reviewer")));
        let config = format!(
            "grace = '1s'\n[agents.dev]\ncommand = [{developer:?}]\n\
             [agents.rev]\ncommand = [{reviewer:?}]\n"
        );
        user_config(&env, &config);
        let call = ["develop", "-p", "x", "--developer", "dev", "--reviewer", "rev"];
        let running = env.command(call).spawn();
        wait_for_lines(&up, 1);
        match by_signal {
            true => running.signal(Signal::TERM),
            false => drop(env.windlass(["cancel"]).success()),
        }
        let ran = running.wait().code(143);
        assert!(ran.stdout.contains("cancelled by"), "{ran}");
        wait_until_quiet(&env);
        assert_eq!(standing(&env), "cancelled");

        fs::write(go, "").unwrap();
        let result = env.windlass(["resume", "--json"]).success().json();
        assert_eq!(
            (&result["ending"]["type"], &result["iterations"]),
            (&"approved".into(), &1.into())
        );
        let expected = match role {
            "developer" => "developer|cancelled\ndeveloper|finished\nreviewer|finished\n",
            _ => "developer|finished\nreviewer|cancelled\nreviewer|finished\n",
        };
        assert_eq!(env.sql("SELECT role, status FROM sessions ORDER BY id"), expected);
        assert_sound(&env);
        wait_until("it is quiet", LIMIT, || env.processes().is_empty());
    }
}
