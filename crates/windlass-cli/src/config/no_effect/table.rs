//! The table: which flags have no effect when, and why.

use super::{Asked, Follows};

/// Flags that have no effect in the same case, for the same reason.
pub(super) struct Row {
    /// By their keys.
    pub(super) flags: &'static [&'static str],
    /// In which loop kinds; empty for all.
    pub(super) kinds: &'static [&'static str],
    /// When they have no effect.
    pub(super) idle: fn(&Asked) -> bool,
    /// What is said after "has no effect".
    pub(super) why: &'static str,
    pub(super) follows: Follows,
}

const fn refused(
    flags: &'static [&'static str],
    kinds: &'static [&'static str],
    idle: fn(&Asked) -> bool,
    why: &'static str,
) -> Row {
    Row { flags, kinds, idle, why, follows: Follows::Refused }
}

const fn warned(
    flags: &'static [&'static str],
    kinds: &'static [&'static str],
    idle: fn(&Asked) -> bool,
    why: &'static str,
) -> Row {
    Row { flags, kinds, idle, why, follows: Follows::Warned }
}

const EVERY: &[&str] = &[];
const REVIEWED: &[&str] = &["heal", "pr"];

/// What only acts from one iteration to the next.
const OVER_ITERATIONS: &[&str] = &[
    "stagnation_threshold",
    "churn_threshold",
    "oscillation_threshold",
    "same_error_threshold",
    "output_decline_threshold",
    "max_test_loops",
    "safety_completion_threshold",
    "loop_delay",
];

/// What is about the sessions of an agent.
const OF_SESSIONS: &[&str] = &[
    "agent",
    "model",
    "append_system_prompt",
    "skip_permissions",
    "command",
    "prompt_mode",
    "decoder",
    "script",
    "hooks_file",
    "agent_args",
    "max_iterations",
    "failure_threshold",
    "permission_threshold",
    "stagnation_threshold",
    "churn_threshold",
    "oscillation_threshold",
    "same_error_threshold",
    "output_decline_threshold",
    "max_test_loops",
    "safety_completion_threshold",
    "max_cost",
    "max_tokens",
    "timeout",
    "idle_timeout",
    "calls_per_hour",
    "loop_delay",
    "on_limit",
    "max_wait",
    "fallback_agent",
];

/// What is about checks, wherever they come from.
const OF_CHECKS: &[&str] =
    &["check_timeout", "no_baseline", "baseline_timeout", "known_failures", "flaky_runs", "test"];

/// What is about what an agent changes.
const OF_CHANGES: &[&str] = &[
    "no_baseline",
    "baseline_timeout",
    "known_failures",
    "flaky_runs",
    "test_policy",
    "guard",
    "unguard",
];

/// All that proves a claim.
const OF_PROOF: &[&str] = &[
    "checks",
    "no_check",
    "check_timeout",
    "no_baseline",
    "baseline_timeout",
    "known_failures",
    "flaky_runs",
    "test_policy",
    "guard",
    "unguard",
    "protect",
];

/// All of them. The first row that fits is told.
pub(super) static TABLE: &[Row] = &[
    // Agents.
    refused(
        &["prompt_mode"],
        EVERY,
        |asked| asked.knows_its_agents() && !asked.own_agent_is("command"),
        "unless the agent is a command: `--command CMD`",
    ),
    refused(
        &["script"],
        EVERY,
        |asked| asked.knows_its_agents() && !asked.calls("scripted"),
        "unless an agent of the loop is `scripted`",
    ),
    refused(
        &["model"],
        EVERY,
        Asked::own_agent_has_model,
        "with an agent that is named with its model: write one or the other",
    ),
    refused(
        &["model", "agent_args"],
        EVERY,
        |asked| !asked.calls_own_agent(),
        "where other agents play all parts: write `NAME:MODEL` for those",
    ),
    warned(
        &["agent", "command"],
        EVERY,
        |asked| !asked.calls_own_agent(),
        "where other agents play all parts",
    ),
    warned(
        &["fixer"],
        &["heal"],
        |asked| asked.is_on("review_only"),
        "with `--review-only`: nothing is fixed",
    ),
    warned(&["fixer"], &["pr"], |asked| !asked.is_on("loop"), "without `--loop`: nothing is fixed"),
    warned(
        &["reviewer"],
        &["heal"],
        |asked| asked.is("start_at", "test"),
        "with `--start-at test`: nothing is reviewed",
    ),
    // Sandboxes.
    refused(
        &["image", "memory", "cpus", "pids_limit"],
        EVERY,
        |asked| !asked.is_confined(|name| matches!(name, "docker" | "podman")),
        "without a container: `--sandbox docker` or `--sandbox podman`",
    ),
    refused(
        &["network_allow"],
        EVERY,
        |asked| !asked.is("network", "model"),
        "without `--network model`, which needs a sandbox",
    ),
    refused(
        &["sandbox_read", "sandbox_write", "refs"],
        EVERY,
        |asked| !asked.is_confined(|name| name != "none"),
        "without a sandbox, such as `--sandbox auto`",
    ),
    // Claim and proof.
    refused(
        OF_PROOF,
        &["pr"],
        |asked| !asked.is_on("loop"),
        "without `--loop`: nothing is fixed, so nothing is checked",
    ),
    refused(
        OF_CHANGES,
        &["heal"],
        |asked| asked.is_on("review_only"),
        "with `--review-only`: nothing is changed",
    ),
    refused(OF_CHECKS, EVERY, |asked| asked.is_on("no_check"), "with `--no-check`: no check runs"),
    refused(
        &["check_timeout"],
        &["merge"],
        |asked| !asked.has("checks") && !asked.has("found") && !asked.has("test"),
        "without `--check`",
    ),
    refused(
        &["guard", "unguard", "test_policy"],
        EVERY,
        |asked| asked.is_on("no_check") && !asked.is("test_policy", "lock"),
        "with `--no-check`: without a check only `--test-policy lock` guards",
    ),
    refused(
        &["guard", "unguard"],
        EVERY,
        |asked| asked.is("test_policy", "free"),
        "with `--test-policy free`: nothing is guarded",
    ),
    refused(
        &["baseline_timeout", "known_failures", "flaky_runs"],
        EVERY,
        |asked| asked.is_on("no_baseline"),
        "with `--no-baseline`: nothing is known of the tests before the loop",
    ),
    refused(
        &["promise", "promise_match"],
        EVERY,
        |asked| asked.is_on("strict_completion"),
        "with `--strict-completion`: only a status block claims",
    ),
    refused(
        &["promise_match"],
        EVERY,
        |asked| !asked.has("promise"),
        "with an empty `--promise`: a clean exit is the claim",
    ),
    refused(
        &["completion_threshold"],
        EVERY,
        |asked| !asked.is_on("strict_completion"),
        "without `--strict-completion`",
    ),
    // When to give up, and pace.
    refused(
        &["max_cost"],
        EVERY,
        |asked| asked.knows_its_agents() && !asked.reports_cost(),
        "with an agent that does not report what a session costs: use `--max-tokens` or \
         `--max-duration`",
    ),
    warned(
        &["max_iterations"],
        &["heal"],
        |asked| !asked.is_on("loop"),
        "without `--loop`: this is one pass",
    ),
    warned(
        &["max_iterations"],
        &["pr"],
        |asked| !asked.is_on("loop"),
        "without `--loop`: this is one audit",
    ),
    refused(
        OVER_ITERATIONS,
        REVIEWED,
        |asked| !asked.is_on("loop"),
        "without `--loop`: there is one iteration",
    ),
    // Limits.
    refused(
        &["max_wait"],
        EVERY,
        |asked| asked.is("on_limit", "stop"),
        "with `--on-limit stop`: nothing is waited for",
    ),
    refused(
        &["fallback_agent"],
        EVERY,
        |asked| !asked.is("on_limit", "fallback"),
        "without `--on-limit fallback`",
    ),
    // Git.
    refused(
        &["auto_commit"],
        &["heal"],
        |asked| asked.is_on("review_only"),
        "with `--review-only`: nothing is changed",
    ),
    refused(
        &["auto_commit"],
        &["pr"],
        |asked| !asked.is_on("loop"),
        "without `--loop`: nothing is changed",
    ),
    refused(
        &["commit_template"],
        EVERY,
        |asked| !asked.is_on("auto_commit"),
        "without `--auto-commit`",
    ),
    refused(
        &["branch_template"],
        EVERY,
        |asked| !asked.is_on("create_branch"),
        "without `--create-branch`",
    ),
    // Notifications.
    refused(&["notify_on"], EVERY, |asked| !asked.has("notify"), "without `--notify`"),
    // Reviews.
    refused(
        &["test", "heal_attempts"],
        &["heal"],
        |asked| asked.is_on("review_only"),
        "with `--review-only`: nothing is fixed, so nothing is tested",
    ),
    refused(
        &["base", "all", "paths"],
        &["heal"],
        |asked| asked.has("start_at") && !asked.is("start_at", "review"),
        "with `--start-at`: the review is taken as it is kept",
    ),
    refused(
        &["stall", "title", "commit", "push", "dirty"],
        &["pr"],
        |asked| !asked.is_on("loop"),
        "without `--loop`",
    ),
    refused(
        &["request_changes"],
        &["pr"],
        |asked| asked.is_on("loop"),
        "with `--loop`: a review is posted when nothing is left to change",
    ),
    refused(
        &["task_list"],
        &["pr"],
        |asked| !asked.is_on("loop") && !asked.is_on("local"),
        "without `--loop` or `--local`: what is found is posted",
    ),
    refused(
        &["repo"],
        &["pr"],
        |asked| asked.is_on("local") && !asked.has("number"),
        "with `--local` and no number: GitHub is not asked",
    ),
    // Merges.
    refused(
        OF_SESSIONS,
        &["merge"],
        |asked| !asked.is_on("resolve"),
        "without `--resolve`: no agent is asked",
    ),
];
