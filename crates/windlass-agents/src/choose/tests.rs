//! Which agent is made of which name, and what is told when none can be.

use std::collections::BTreeMap;

use super::*;

const THIS: &str = "/bin/windlass";

fn with(agent: Option<&str>, command: Option<&str>) -> AgentOptions {
    AgentOptions {
        agent: agent.map(str::to_owned),
        command: command.map(str::to_owned),
        ..AgentOptions::default()
    }
}

fn own(options: &AgentOptions) -> Result<Hired, ChooseError> {
    let asked = options.asked()?.expect("one is asked for");
    choose(options, asked, Path::new(THIS))
}

#[track_caller]
fn error(options: AgentOptions, expected: &str) {
    assert_eq!(own(&options).map(drop).unwrap_err().to_string(), expected);
}

/// An agent of the config whose command is this.
fn table(command: &[&str], model: Option<&str>) -> BTreeMap<String, ConfiguredAgent> {
    let agent = ConfiguredAgent {
        command: command.iter().map(|&part| part.to_owned()).collect(),
        prompt: PromptMode::Stdin,
        decoder: DecoderName::Claude,
        model: model.map(str::to_owned),
        env: BTreeMap::new(),
        sandbox: None,
    };
    BTreeMap::from([("mine".to_owned(), agent)])
}

#[test]
fn a_command_is_split_like_a_shell_would() {
    let hired = own(&with(None, Some("prog 'a b' c"))).unwrap();
    assert_eq!(hired.agent.name(), "command");
    assert_eq!(hired.agent.program(), Some("prog".into()));
}

#[test]
fn the_model_is_what_stands_after_the_first_colon() {
    for (asked, name, model) in [
        ("claude", "claude", None),
        ("claude:opus", "claude", Some("opus")),
        ("opencode:a/b", "opencode", Some("a/b")),
        ("aider:ollama/llama3:8b", "aider", Some("ollama/llama3:8b")),
    ] {
        let hired = own(&with(Some(asked), None)).unwrap();
        assert_eq!((hired.agent.name(), hired.wishes.model.as_deref()), (name, model));
    }
}

#[test]
fn wishes_are_for_the_loops_own_agent_and_some_for_all() {
    let options = AgentOptions {
        model: Some("opus".to_owned()),
        skip_permissions: SkipPermissions::Always,
        agent_args: vec!["--x".to_owned()],
        agents: table(&["mine"], None),
        ..with(Some("claude"), None)
    };
    let hired = own(&options).unwrap();
    assert_eq!(hired.wishes.model.as_deref(), Some("opus"));
    assert_eq!(hired.wishes.extra_args, ["--x"]);
    let other = choose(&options, "codex", Path::new(THIS)).unwrap();
    assert_eq!(
        other.wishes,
        Wishes { skip_permissions: SkipPermissions::Always, ..Wishes::default() }
    );
    let other = choose(&options, "mine", Path::new(THIS)).unwrap();
    assert_eq!(other.wishes, Wishes::default(), "it has its own way to be let work");
}

#[test]
fn the_model_that_was_asked_for_beats_the_tables() {
    let options = |asked, model: Option<&str>| AgentOptions {
        agents: table(&["prog", "--model={model}"], Some("small")),
        model: model.map(str::to_owned),
        ..with(Some(asked), None)
    };
    let argv = |options: &AgentOptions| {
        let table = &options.agents["mine"];
        let wishes = own(options).unwrap().wishes;
        configured(table, "mine", &wishes).unwrap().argv[1].clone()
    };
    assert_eq!(argv(&options("mine", None)), "--model=small");
    assert_eq!(argv(&options("mine", Some("large"))), "--model=large");
    assert_eq!(argv(&options("mine:huge", Some("large"))), "--model=huge");
}

#[test]
fn what_cannot_be_chosen_is_told() {
    assert_eq!(with(None, None).asked(), Ok(None));
    error(with(Some("clod"), None), "there is no agent `clod`");
    error(with(Some("clod:x"), None), "there is no agent `clod`");
    error(with(Some("claude:"), None), "`claude:` names no model after the colon");
    error(with(Some("command"), None), "the agent `command` needs `--command`");
    error(with(Some("scripted"), None), "the agent `scripted` needs `--script`");
    error(with(None, Some("a 'b")), "the command `a 'b` has a quote that is not closed");
    error(with(None, Some(" ")), "the command of the agent `command` is empty");
    error(
        with(Some("scripted"), Some("x")),
        "`--command` and the agent `scripted` cannot be used together",
    );
    let file = AgentOptions { prompt_mode: Some(PromptMode::File), ..with(None, Some("x")) };
    error(
        file,
        "with the prompt mode `file` the command needs `{prompt_file}` where the path goes",
    );
}

#[test]
fn a_command_gets_the_words_for_the_system_prompt_before_the_prompt() {
    let words = Some("Be kind.".to_owned());
    let hired = own(&AgentOptions { append_system_prompt: words, ..with(None, Some("x")) });
    let hired = hired.unwrap();
    assert_eq!(hired.wishes.append_system_prompt, None);
    let without = own(&with(None, Some("x"))).unwrap().agent.prompt_limit().unwrap();
    assert_eq!(hired.agent.prompt_limit(), Some(without - "Be kind.\n\n".len()));
}

#[test]
fn a_wish_that_an_agent_cannot_fulfil_is_not_passed_over() {
    let model = |options| AgentOptions { model: Some("opus".to_owned()), ..options };
    error(model(with(None, Some("x"))), "the agent `command` takes no model");
    error(with(Some("command:opus"), Some("x")), "the agent `command` takes no model");
    error(
        AgentOptions { skip_permissions: SkipPermissions::Always, ..with(None, Some("x")) },
        "the agent `command` takes no `--skip-permissions`",
    );
    let sandboxed = SkipPermissions::Sandboxed;
    let command = AgentOptions { skip_permissions: sandboxed, ..with(None, Some("x")) };
    assert_eq!(own(&command).unwrap().wishes, Wishes::default(), "it has nobody to ask");
    let words = Some("Be kind.".to_owned());
    let decoder = Some(DecoderName::Codex);
    error(
        AgentOptions { decoder, ..with(Some("claude"), None) },
        "the agent `claude` takes no `--decoder`",
    );
    let mine = |command: &[&str]| AgentOptions {
        agents: table(command, None),
        ..with(Some("mine"), None)
    };
    error(model(mine(&["prog"])), "the agent `mine` takes no model");
    error(mine(&["prog", "{model}"]), "the agent `mine` needs `--model`");
    error(
        AgentOptions { append_system_prompt: words, ..mine(&["prog"]) },
        "the agent `mine` takes no `--append-system-prompt`",
    );
    error(AgentOptions { decoder, ..mine(&["prog"]) }, "the agent `mine` takes no `--decoder`");
    error(
        AgentOptions { skip_permissions: SkipPermissions::Always, ..mine(&["prog"]) },
        "the agent `mine` takes no `--skip-permissions`",
    );
}
