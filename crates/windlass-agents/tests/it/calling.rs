//! How every agent that is built in is called: where the prompt stands, and what keeps it from
//! asking a person.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use windlass_agents::{Agent, Ask, BUILT_IN, SkipPermissions, Wishes};
use windlass_core::options::Claiming;

const PROMPT: &str = "Nobody else is to read this.";

fn with_ask<T>(wishes: &Wishes, then: impl FnOnce(&Ask<'_>) -> T) -> T {
    then(&Ask {
        role: "agent",
        iteration: 1,
        prompt: PROMPT,
        directory: Path::new("/w"),
        env: &BTreeMap::from([(OsString::from("HOME"), OsString::from("/h"))]),
        claiming: &Claiming::default(),
        wishes,
        is_root: true,
        prompt_file: Path::new("/p/prompt"),
        hooks_file: None,
    })
}

fn each(mut then: impl FnMut(&'static str, &dyn Agent)) {
    for built_in in BUILT_IN {
        if let Some(agent) = built_in.agent() {
            then(built_in.name, agent.as_ref());
        }
    }
}

#[test]
fn no_prompt_stands_in_the_arguments_or_the_environment() {
    let mut by_file = Vec::new();
    each(|name, agent| {
        let wishes = Wishes { append_system_prompt: Some("Be kind.".into()), ..Wishes::default() };
        let (spec, file) = with_ask(&wishes, |ask| {
            let file = agent.reads_prompt_file().then(|| agent.prompt_file_text(ask).into_owned());
            (agent.command(ask), file)
        });
        let seen_by_others = spec.args.iter().chain(spec.env.iter().map(|(_, value)| value));
        for text in seen_by_others {
            assert!(!text.to_string_lossy().contains("Nobody"), "{name}: {text:?}");
        }
        let read = match file {
            Some(file) => {
                by_file.push(name);
                assert!(spec.stdin.is_empty(), "{name}");
                assert!(spec.args.contains(&"/p/prompt".into()), "{name}");
                file
            }
            None => String::from_utf8(spec.stdin).unwrap(),
        };
        assert!(read.ends_with(PROMPT), "{name}: {read}");
    });
    assert_eq!(by_file, ["aider"], "it does not read its standard input");
}

#[test]
fn each_gets_what_keeps_it_unattended() {
    let mut lines = Vec::new();
    each(|name, agent| {
        let wishes = Wishes { skip_permissions: SkipPermissions::Always, ..Wishes::default() };
        let spec = with_ask(&wishes, |ask| agent.command(ask));
        let own = spec.env.iter().filter(|(name, _)| name != "HOME");
        let own = own.map(|(name, value)| format!("{}={} ", name.display(), value.display()));
        let args = spec.args.iter().map(|arg| format!(" {}", arg.display()));
        lines.push(own.collect::<String>() + name + &args.collect::<String>());
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    DISABLE_AUTOUPDATER=1 IS_SANDBOX=1 claude -p --output-format stream-json --verbose --dangerously-skip-permissions
    codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -
    OPENCODE_DISABLE_AUTOUPDATE=true opencode run --format json --title windlass --auto
    GEMINI_CLI_NO_RELAUNCH=true gemini -o stream-json --yolo --skip-trust
    aider --no-pretty --no-fancy-input --no-check-update --no-show-release-notes --no-show-model-warnings --no-analytics --no-gitignore --no-detect-urls --no-auto-commits --no-dirty-commits --chat-history-file=/dev/null --input-history-file=/dev/null --yes-always --message-file /p/prompt
    ");
}

#[test]
fn the_users_own_settings_for_an_agent_are_left_alone() {
    let env = ["DISABLE_AUTOUPDATER", "IS_SANDBOX", "OPENCODE_DISABLE_AUTOUPDATE"]
        .map(|name| (OsString::from(name), OsString::from("mine")));
    each(|name, agent| {
        let wishes = Wishes { skip_permissions: SkipPermissions::Always, ..Wishes::default() };
        let spec =
            with_ask(&wishes, |ask| agent.command(&Ask { env: &env.clone().into(), ..*ask }));
        for (variable, value) in &env {
            let own: Vec<_> = spec.env.iter().filter(|(known, _)| known == variable).collect();
            assert!(own.len() == 1 && own[0].1 == *value, "{name}: {own:?}");
        }
    });
}
