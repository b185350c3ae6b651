//! `windlass config`: the layers, and what is wrong with them.

use std::{
    fs,
    os::unix::fs::symlink,
    time::{Duration, Instant},
};

use crate::{user_config, world};

#[test]
fn without_any_file_the_defaults_apply() {
    let env = world();
    insta::assert_snapshot!(env.windlass(["config", "--origin"]).success().stdout, @r#"
    agent_args = []  # default
    auto_commit = false  # default
    baseline_timeout = "5m"  # default
    branch_template = "loop/{timestamp}"  # default
    check_timeout = "30m"  # default
    checks = []  # default
    churn_threshold = 5  # default
    commit_template = "loop: iteration {iteration}"  # default
    completion_phrases = ["all tasks complete", "nothing left to do", "project complete", "implementation complete", "no remaining tasks", "all done"]  # default
    completion_threshold = 2  # default
    context = "auto"  # default
    create_branch = false  # default
    develop.churn_threshold = 0  # default
    develop.max_iterations = 5  # default
    develop.max_test_loops = 0  # default
    develop.oscillation_threshold = 0  # default
    develop.output_decline_threshold = "0%"  # default
    develop.safety_completion_threshold = 0  # default
    develop.same_error_threshold = 0  # default
    develop.stagnation_threshold = 0  # default
    done_when = "claim"  # default
    env = []  # default
    failure_threshold = 5  # default
    flaky_runs = 2  # default
    grace = "5s"  # default
    guard = []  # default
    heal.churn_threshold = 0  # default
    heal.max_iterations = 5  # default
    heal.max_test_loops = 0  # default
    heal.oscillation_threshold = 0  # default
    heal.output_decline_threshold = "0%"  # default
    heal.safety_completion_threshold = 0  # default
    heal.same_error_threshold = 0  # default
    heal.stagnation_threshold = 0  # default
    heal_attempts = 2  # default
    idle_timeout = "15m"  # default
    jobs = 5  # default
    known_failures = "reject"  # default
    loop = false  # default
    loop_delay = "0s"  # default
    max_iterations = 20  # default
    max_test_loops = 3  # default
    max_wait = "6h"  # default
    network_allow = []  # default
    no_baseline = true  # env: WINDLASS_NO_BASELINE
    no_check = false  # default
    no_protect_checks = false  # default
    notify = []  # default
    notify_on = ["end", "trip", "limit"]  # default
    on_limit = "wait"  # default
    oscillation_threshold = 2  # default
    output_decline_threshold = "70%"  # default
    overage = "stop"  # default
    pass_env = []  # default
    permission_threshold = 2  # default
    pr.churn_threshold = 0  # default
    pr.max_iterations = 5  # default
    pr.max_test_loops = 0  # default
    pr.oscillation_threshold = 0  # default
    pr.output_decline_threshold = "0%"  # default
    pr.safety_completion_threshold = 0  # default
    pr.same_error_threshold = 0  # default
    pr.stagnation_threshold = 0  # default
    promise = "COMPLETE"  # default
    promise_match = "tag"  # default
    protect = []  # default
    protocol = "promise"  # default
    refs = false  # default
    safety_completion_threshold = 5  # default
    same_error_threshold = 5  # default
    sandbox_read = []  # default
    sandbox_write = []  # default
    skip_permissions = false  # default
    stagnation_threshold = 3  # default
    stall = "count"  # default
    strict_completion = false  # default
    test_policy = "guard"  # default
    timeout = "60m"  # default
    unguard = []  # default
    "#);
}

#[test]
fn every_value_says_where_it_comes_from() {
    let env = world();
    user_config(&env, "grace = '9s'\npromise = 'USER'\n[agents.fast]\ncommand = ['fast', '-p']\n");
    env.write("windlass.toml", "promise = 'REPO'\nchecks = ['make test']\n[iterate]\ngrace = 2\n");
    env.windlass(["trust"]).success();
    let ran = env.command(["config", "--origin"]).env("WINDLASS_CHECKS", "make").run().success();
    let changed: Vec<_> = ran
        .masked_stdout()
        .lines()
        .filter(|line| !line.ends_with("# default"))
        .map(str::to_owned)
        .collect();
    insta::assert_snapshot!(changed.join("\n"), @r#"
    agents.fast.command = ["fast", "-p"]  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    agents.fast.decoder = "text"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    agents.fast.prompt = "arg"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    checks = ["make"]  # env: WINDLASS_CHECKS
    grace = "[time]"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    iterate.grace = 2  # repo: /tmp/windlass-XXXXXX/work/windlass.toml
    no_baseline = true  # env: WINDLASS_NO_BASELINE
    promise = "REPO"  # repo: /tmp/windlass-XXXXXX/work/windlass.toml
    "#);
    let json = env.windlass(["config", "promise", "--origin", "--json"]).success().json();
    assert_eq!(json["value"], "REPO");
}

#[test]
fn one_setting_can_be_asked_for() {
    let env = world();
    user_config(&env, "[iterate]\ntimeout = '5m'\n[agents.fast]\ncommand = ['fast']\n");
    let ask = |key: &str| env.windlass(["config", key]).success().stdout;
    assert_eq!(ask("timeout"), "60m\n");
    assert_eq!(ask("iterate.timeout"), "5m\n");
    assert_eq!(ask("iterate.promise"), "COMPLETE\n");
    assert_eq!(ask("max_iterations"), "20\n");
    assert!(ask("iterate").contains("iterate.timeout = \"5m\"\n"));
    insta::assert_snapshot!(ask("agents"), @r#"
    agents.fast.command = ["fast"]
    agents.fast.decoder = "text"
    agents.fast.prompt = "arg"
    "#);
    assert_eq!(env.windlass(["config", "timeout", "--json"]).success().stdout, "\"60m\"\n");
    insta::assert_snapshot!(env.windlass(["config", "worktree"]).snapshot(), @"
    exit: 0
    --- stdout
    --- stderr
    warning: `worktree` is not set, and has no default
    ");
    insta::assert_snapshot!(env.windlass(["config", "time_out"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no setting `time_out`

    hint: did you mean `timeout`?
    hint: `windlass config --default` shows all settings
    ");
}

#[test]
fn the_defaults_can_be_asked_for_with_their_meaning() {
    let env = world();
    user_config(&env, "timeout = '1m'");
    let text = env.windlass(["config", "--default"]).success().stdout;
    assert!(
        text.contains(
            "# Stop after this many iterations; 0 means no limit.\nmax_iterations = 20\n"
        )
    );
    assert_eq!(env.windlass(["config", "--default", "timeout"]).success().stdout, "60m\n");
}

#[test]
fn a_mistake_in_the_users_file_names_the_file_and_the_line() {
    let env = world();
    user_config(&env, "# mine\nmax_iteration = 5\n");
    insta::assert_snapshot!(env.windlass(["config"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 2: there is no setting `max_iteration`
      |
    2 | max_iteration = 5
      | ^^^^^^^^^^^^^

    hint: did you mean `max_iterations`?
    hint: `windlass config --default` shows all settings
    ");
}

#[test]
fn a_variable_that_is_no_setting_is_a_warning() {
    let env = world();
    let call = env.command(["config", "max_iterations"]).env("WINDLASS_MAX_ITERATION", "5");
    insta::assert_snapshot!(call.run().snapshot(), @"
    exit: 0
    --- stdout
    20
    --- stderr
    warning: WINDLASS_MAX_ITERATION is no setting of windlass and is ignored; did you mean WINDLASS_MAX_ITERATIONS?
    ");
    let call = env.command(["config", "max_iterations"]).env("WINDLASS_MAX_ITERATIONS", "many");
    insta::assert_snapshot!(call.run().snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: WINDLASS_MAX_ITERATIONS: `max_iterations` takes an integer, not `many`
    ");
}

#[test]
fn a_file_that_is_not_trusted_is_mentioned_and_ignored() {
    let env = world();
    env.write("windlass.toml", "this is not even TOML");
    let ran = env.windlass(["config", "promise"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    COMPLETE
    --- stderr
    warning: `/tmp/windlass-XXXXXX/work/windlass.toml` is not trusted and is ignored
    hint: read the file, then type `windlass trust /tmp/windlass-XXXXXX/work/windlass.toml`
    ");
    assert!(!env.windlass_home().exists(), "a question made a home");
}

#[test]
fn whatever_stands_in_place_of_a_config_file_is_told_at_once() {
    let start = Instant::now();
    let told = |make: fn(&std::path::Path)| {
        let env = world();
        make(&env.work().join("windlass.toml"));
        env.windlass(["config"]).code(2).masked_stderr()
    };
    let all = [
        told(|path| fs::create_dir(path).unwrap()),
        told(|path| {
            let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
            rustix::fs::mkfifoat(rustix::fs::CWD, path, mode).unwrap();
        }),
        told(|path| symlink("/etc/hostname", path).unwrap()),
        told(|path| fs::write(path, [0, 159, 146, 150]).unwrap()),
        told(|path| fs::File::create(path).unwrap().set_len(10 << 30).unwrap()),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    error: `/tmp/windlass-XXXXXX/work/windlass.toml` cannot be read
      caused by: it is a directory, and not a file

    error: `/tmp/windlass-XXXXXX/work/windlass.toml` cannot be read
      caused by: it is a pipe, and not a file

    error: `/tmp/windlass-XXXXXX/work/windlass.toml` cannot be read
      caused by: it is a symbolic link, and windlass reads only a plain file there

    error: `/tmp/windlass-XXXXXX/work/windlass.toml` cannot be read
      caused by: it is not text

    error: `/tmp/windlass-XXXXXX/work/windlass.toml` cannot be read
      caused by: it has more than 1 MiB, which is the most that is read
    ");
    assert!(start.elapsed() < Duration::from_secs(10));
}
