//! What is typed in vain, in every loop kind.

use windlass::kind::{develop, heal, iterate, pr, tasks};

use super::*;
use crate::{
    args,
    config::{Layers, Resolved, document::Document, layer::Layer, layer::Origin, resolve},
};

/// What is said of a call, where a user's file has this text.
fn said(config: &str, call: &str) -> String {
    let document = Document::of("/c.toml", config);
    let user = document.layer(&Origin::User("/c.toml".into())).unwrap_or_else(|failure| {
        panic!("{}", failure.error);
    });
    let layers = Layers::of(vec![Layer::defaults(), user]);
    let words = shell_words::split(call).unwrap();
    let (kind, all) = (words[0].clone(), args::command());
    let command = all.find_subcommand(&kind).expect("it is a loop kind");
    let matches = match command.clone().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => return error.to_string().lines().next().unwrap_or_default().to_owned(),
    };
    fn told<T>(resolved: Result<Resolved<T>, Failure>) -> String {
        match resolved {
            Ok(resolved) if resolved.warnings.is_empty() => "fine".to_owned(),
            Ok(resolved) => format!("warning: {}", resolved.warnings.join("; ")),
            Err(failure) => failure.error.to_string(),
        }
    }
    let prompt = [("prompt", toml::Value::String("x".to_owned()))];
    let file = [("tasks", toml::Value::String("T.md".to_owned()))];
    match kind.as_str() {
        "iterate" => told(resolve::<iterate::Options>(&layers, command, &matches, prompt)),
        "tasks" => told(resolve::<tasks::Options>(&layers, command, &matches, file)),
        "develop" => told(resolve::<develop::Options>(&layers, command, &matches, [])),
        "heal" => told(resolve::<heal::Options>(&layers, command, &matches, [])),
        "pr" => told(resolve::<pr::Options>(&layers, command, &matches, [])),
        other => panic!("{other} is no loop kind"),
    }
}

fn all_said(config: &str, calls: &[&str]) -> String {
    let lines = calls.iter().map(|call| format!("{call}\n    {}", said(config, call)));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_flag_that_has_no_effect_says_why() {
    let calls = [
        "iterate --image x",
        "iterate --memory 2g --sandbox bwrap",
        "iterate --cpus 2",
        "tasks --pids-limit 9",
        "iterate --network-allow example.org --sandbox bwrap",
        "iterate --sandbox-read /opt",
        "iterate --sandbox-write /opt --sandbox none",
        "iterate --refs",
        "iterate --commit-template x",
        "iterate --branch-template x --auto-commit",
        "iterate --fallback-agent codex",
        "iterate --max-wait 1h --on-limit stop",
        "iterate --prompt-mode stdin --agent claude",
        "iterate --script s -c true",
        "iterate --agent claude:haiku --model opus",
        "develop --agent gemini --developer claude --reviewer codex --model opus",
        "iterate --no-check --check-timeout 1m",
        "iterate --no-check --no-baseline",
        "iterate --no-check --known-failures allow",
        "tasks --no-check --flaky-runs 3",
        "iterate --no-check --guard 'data/**'",
        "iterate --no-check --test-policy free",
        "iterate --test-policy free --unguard 'tests/**'",
        "iterate --no-baseline --baseline-timeout 1m",
        "develop --no-baseline --known-failures allow",
        "heal --no-check --test make",
        "heal --review-only --test-policy lock",
        "pr --no-check",
        "iterate --promise X --strict-completion",
        "iterate --promise '' --promise-match text",
        "iterate --completion-threshold 3",
        "iterate --max-cost 5 --agent codex",
        "iterate --max-cost 5 -c true",
        "develop --max-cost 5 --developer codex --reviewer gemini",
        "iterate --notify-on end",
        "heal --review-only --test make",
        "heal --review-only --heal-attempts 3",
        "heal --review-only --auto-commit",
        "heal --start-at fix --base main",
        "heal --start-at test src",
        "heal --stagnation-threshold 2",
        "heal --loop-delay 1s",
        "pr --check make",
        "pr --stall same",
        "pr --push",
        "pr --title x",
        "pr --output x.md",
        "pr --auto-commit",
        "pr --request-changes --loop",
        "pr --local --repo a/b",
    ];
    insta::assert_snapshot!(all_said("", &calls));
}

#[test]
fn what_acts_restates_a_default_or_is_written_in_a_file_is_fine() {
    let calls = [
        "iterate --image x --memory 2g --cpus 1 --pids-limit 9 --sandbox docker",
        "iterate --network-allow example.org --network model --sandbox bwrap",
        "iterate --commit-template 'loop: iteration {iteration}' --branch-template loop/{timestamp}",
        "iterate --max-wait 6h --on-limit stop",
        "iterate --no-auto-commit --no-refs --no-strict-completion",
        "iterate --completion-threshold 2 --promise COMPLETE --strict-completion",
        "iterate --prompt-mode stdin -c true",
        "iterate --agent claude --model opus",
        "iterate --max-cost 5 --agent claude",
        "iterate --max-cost 5 -c true --decoder claude",
        "develop --max-cost 5 --developer codex --reviewer claude",
        "develop --developer scripted --reviewer codex --script s",
        "develop --developer claude --reviewer codex --agent claude --model opus",
        "iterate --on-limit fallback --fallback-agent scripted --script s -c true",
        "heal --stagnation-threshold 0 --review-only --check make",
        "iterate --check-timeout 1m --baseline-timeout 1m --known-failures allow --flaky-runs 3",
        "iterate --check true --no-baseline --guard 'data/**' --unguard 'tests/**'",
        "iterate --no-check --test-policy lock --guard 'data/**' --protect x",
        "iterate --baseline --no-check --test-policy guard --known-failures reject",
        "tasks --done-when checks --check true",
        "heal --loop --stagnation-threshold 2 --loop-delay 1s",
        "pr --local --output windlass-findings.md",
        "pr --loop --push --commit --title x --output x.md --check make",
    ];
    for call in calls {
        assert_eq!(said("", call), "fine", "{call}");
    }
    let config = "image = 'x'\nmemory = '2g'\ncommit_template = 'x'\nmax_wait = '1h'\n\
                  on_limit = 'stop'\nfallback_agent = 'codex'\n[heal]\nstagnation_threshold = 2\n";
    for call in ["iterate", "heal", "pr --local"] {
        assert_eq!(said(config, call), "fine", "{call}");
    }
    let config = "auto_commit = true\nstrict_completion = true\n[agents.x]\ncommand = ['x']\n\
                  sandbox = 'docker'\n[heal]\nloop = true\n";
    let calls = [
        "iterate --commit-template x --completion-threshold 3",
        "iterate --agent x --image y",
        "iterate --no-strict-completion --promise X",
        "heal --loop-delay 1s",
        "heal --no-loop",
    ];
    for call in calls {
        assert_eq!(said(config, call), "fine", "{call}");
    }
    insta::assert_snapshot!(all_said(
        config,
        &[
            "iterate --no-auto-commit --commit-template x",
            "iterate --promise X",
            "heal --review-only --loop-delay 1s"
        ]
    ));
}

#[test]
fn who_plays_a_part_and_how_often_is_only_warned_of() {
    let calls = [
        "heal --max-iterations 3",
        "pr --max-loops 3",
        "heal --review-only --fixer codex",
        "pr --fixer codex",
        "heal --start-at test --reviewer codex",
        "develop --agent gemini --developer claude --reviewer codex",
    ];
    insta::assert_snapshot!(all_said("", &calls));
}

#[test]
fn every_row_is_about_flags_that_there_are() {
    let all = args::command();
    for row in TABLE {
        let kinds = if row.kinds.is_empty() { &["iterate", "heal", "pr"] } else { row.kinds };
        for flag in row.flags {
            let has = |kind: &&str| -> bool {
                let command = all.find_subcommand(kind).expect("it is a command");
                command.get_arguments().any(|arg| arg.get_id() == *flag)
            };
            assert!(kinds.iter().any(has), "{flag}: {}", row.why);
        }
    }
}
