//! The layers over each other, and the three places that must agree: `default.toml`, the option
//! structs, and the flags.

use std::collections::BTreeSet;

use clap::Args as _;
use windlass::kind::{
    develop, heal,
    iterate::{self, Options},
    pr, tasks,
};
use windlass_store::store::Store;

use super::*;
use crate::{
    args,
    host::{
        environment::Environment,
        printer::{Colour, Printer},
    },
    notify,
};

/// Flags of loops that say something about one call only, and so are no settings.
const NO_SETTINGS: [&str; 15] = [
    "dirty",
    "allow_empty",
    "script",
    "review_only",
    "start_at",
    "all",
    "paths",
    "number",
    "local",
    "task_list",
    "title",
    "approve",
    "request_changes",
    "commit",
    "push",
];

/// Settings that are too long for a flag.
const NO_FLAGS: [&str; 2] = ["completion_phrases", "worktree_setup"];

fn command() -> Command {
    args::command().find_subcommand("iterate").expect("it is a loop kind").clone()
}

fn file(text: &str, origin: Origin) -> Layer {
    let document = Document::of("/c.toml", text);
    document.layer(&origin).unwrap_or_else(|failure| panic!("{}", failure.error))
}

fn layers(user: &str, repo: &str) -> Layers {
    let user = file(user, Origin::User("/user.toml".into()));
    let repo = file(repo, Origin::Repo("/repo.toml".into()));
    Layers::of(vec![Layer::defaults(), user, repo])
}

fn resolve_all(layers: &Layers, argv: &[&str]) -> Resolved<Options> {
    let argv = ["iterate"].iter().chain(argv);
    let matches = command().try_get_matches_from(argv).unwrap_or_else(|error| panic!("{error}"));
    let more = [("prompt", Value::String("x".to_owned()))];
    let resolved = resolve(layers, &command(), &matches, more);
    resolved.unwrap_or_else(|failure| panic!("{}", failure.error))
}

#[test]
fn default_toml_says_what_the_option_structs_have_by_default() {
    fn of<T: DeserializeOwned>(kind: &str) -> T {
        let entries = Layers::of(vec![Layer::defaults()]).entries(Some(kind)).into_iter();
        let mut table: Table = entries.map(|(key, setting)| (key, setting.value)).collect();
        let missing = [("prompt", "iterate"), ("tasks", "tasks")];
        for (key, _) in missing.into_iter().filter(|(_, of)| *of == kind) {
            table.insert(key.to_owned(), Value::String(String::new()));
        }
        T::deserialize(Value::Table(table)).unwrap_or_else(|error| panic!("{kind}: {error}"))
    }
    assert_eq!(of::<iterate::Options>("iterate"), iterate::Options::default());
    assert_eq!(of::<tasks::Options>("tasks"), tasks::Options::default());
    assert_eq!(of::<develop::Options>("develop"), develop::Options::default());
    assert_eq!(of::<heal::Options>("heal"), heal::Options::default());
    assert_eq!(of::<pr::Options>("pr"), pr::Options::default());
}

#[test]
fn every_setting_is_a_flag_and_every_flag_is_a_setting() {
    let kinds = [
        iterate::Options::augment_args(Command::new("iterate")),
        tasks::Options::augment_args(Command::new("tasks")),
        develop::Options::augment_args(Command::new("develop")),
        heal::Options::augment_args(Command::new("heal")),
        pr::Options::augment_args(Command::new("pr")),
        // Of every kind, but not of the loop itself: of whoever waits for it.
        notify::Flags::augment_args(Command::new("notify")),
    ];
    let flags = kinds.iter().flat_map(Command::get_arguments);
    let flags: Vec<_> = flags.filter(|arg| !NO_SETTINGS.contains(&arg.get_id().as_str())).collect();
    let names: BTreeSet<_> = flags.iter().map(|arg| arg.get_id().as_str()).collect();
    let settings = KNOWN.keys().filter(|key| !NO_FLAGS.contains(key));
    assert_eq!(names, settings.collect::<BTreeSet<_>>());
    // What stands after `--` has no name of its own.
    for arg in flags.into_iter().filter(|arg| !arg.is_last_set()) {
        let long = arg.get_long().expect("a setting has a long flag").replace('-', "_");
        let key = arg.get_id().as_str();
        assert!(key == long || key == format!("{long}s"), "{key} is set by --{long}");
    }
}

#[test]
fn each_layer_wins_over_the_one_below() {
    let layers = layers(
        "max_iterations = 1\npromise = 'USER'\ngrace = '1s'",
        "max_iterations = 2\npromise = 'REPO'",
    );
    let resolved = resolve_all(&layers, &["--max-iterations", "3"]);
    assert_eq!(resolved.options.common.rules.max_iterations, 3);
    let origin = |key: &str| resolved.entries[key].origin.to_string();
    assert_eq!(origin("max_iterations"), "flag: --max-iterations");
    assert_eq!(origin("promise"), "repo: /repo.toml");
    assert_eq!(origin("grace"), "user: /user.toml");
    assert_eq!(origin("timeout"), "default");
}

#[test]
fn prompts_reach_the_options_as_texts() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Asked {
        #[serde(flatten)]
        prompts: PromptOptions,
        max_iterations: u32,
    }
    let file = |text: &str| PromptFile { path: "/p.md".into(), text: text.to_owned() };
    let layer = |name: PromptName, text: &str| Layer {
        prompts: [(name, (file(text), Origin::User("/user.toml".into())))].into(),
        ..Layer::default()
    };
    let layers = Layers::of(vec![
        Layer::defaults(),
        layer(PromptName::Develop, "First: {{ task }}"),
        layer(PromptName::Develop, "Now: {{ task }}"),
    ]);
    let matches = command().try_get_matches_from(["iterate"]).unwrap();
    let asked: Asked = resolve(&layers, &command(), &matches, []).unwrap().options;
    let prompts = [(PromptName::Develop, "Now: {{ task }}".to_owned())].into();
    assert_eq!(asked, Asked { prompts: PromptOptions { prompts }, max_iterations: 20 });
}

#[test]
fn in_one_file_the_loop_kinds_table_wins_and_between_files_the_later_file() {
    let limit =
        |user, repo| resolve_all(&layers(user, repo), &[]).options.common.rules.max_iterations;
    assert_eq!(limit("max_iterations = 1\n[iterate]\nmax_iterations = 2", ""), 2);
    assert_eq!(limit("[iterate]\nmax_iterations = 2", "max_iterations = 3"), 3);
    assert_eq!(limit("max_iterations = 3", "[iterate]\nmax_iterations = 2"), 2);
}

#[test]
fn a_flag_that_was_not_typed_does_not_hide_the_config() {
    let layers = layers("auto_commit = true\nchecks = ['a', 'b']\ntimeout = 5", "");
    let options = resolve_all(&layers, &[]).options;
    assert!(options.common.git.auto_commit);
    assert_eq!(options.common.proof.checks, ["a", "b"]);
    assert_eq!(options.common.pace.timeout.to_string(), "5s");
    let options = resolve_all(&layers, &["--check", "c", "--worktree", "w"]).options;
    assert_eq!(options.common.proof.checks, ["c"], "a list is replaced, not added to");
    assert_eq!(options.common.git.worktree.as_deref(), Some("w"));
}

#[test]
fn flags_that_are_no_settings_reach_the_options_too() {
    let options =
        resolve_all(&layers("", ""), &["--agent", "scripted", "--script", "true"]).options;
    assert_eq!(options.common.agent.script.as_deref(), Some("true".as_ref()));
    assert_eq!(options.prompt, "x", "what lies over everything is there");
}

#[test]
fn help_shows_the_defaults_and_headings_of_default_toml() {
    let help = command().render_long_help().to_string();
    assert!(help.contains("\nWhen to give up:\n"), "{help}");
    assert!(help.contains("[default: 20]"), "{help}");
    assert!(help.contains("[default: 30m]"), "{help}");
}

#[test]
fn a_later_agent_table_replaces_the_whole_of_an_earlier_one() {
    let layers = layers(
        "[agents.a]\ncommand = ['user']\nenv = { SECRET = 'x' }",
        "[agents.a]\ncommand = ['repo']",
    );
    let agents = layers.agents();
    let (table, origin) = &agents["a"];
    assert_eq!((table.command[0].as_str(), table.env.len()), ("repo", 0));
    assert_eq!(origin.to_string(), "repo: /repo.toml");
    let options = resolve_all(&layers, &["--agent", "a"]).options;
    assert_eq!(options.common.agent.agents["a"].command, ["repo"], "a loop knows the agents");
}

#[test]
fn a_loop_does_not_start_beside_a_file_that_is_not_trusted() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().canonicalize().unwrap();
    let file = directory.join(FILE_NAME);
    std::fs::write(&file, "max_iterations = 7").unwrap();
    let environment = Environment::of([]);
    let printer = Printer::new(Colour::Never, &environment);
    let programs = std::sync::Arc::default();
    let app = App { home: directory.join("home"), directory, printer, environment, programs };

    let layers = app.layers().unwrap();
    assert_eq!(layers.entries(None)["max_iterations"].origin, Origin::Default);
    let failure = layers.require_trust().expect_err("it is not trusted");
    assert_eq!(failure.kind.exit_code(), 4);
    let told = failure.render(str::to_owned).replace(&*file.to_string_lossy(), "FILE");
    insta::assert_snapshot!(told, @"
    error: `FILE` is not trusted, or has changed since it was, so nothing is started

    hint: read the file, then type `windlass trust FILE`
    ");

    let hash = &layers.repo.as_ref().expect("it is there").hash;
    Store::open(&app.home).unwrap().trust(&file, hash).unwrap();
    let layers = app.layers().unwrap();
    layers.require_trust().expect("it is trusted");
    assert_eq!(layers.entries(None)["max_iterations"].origin, Origin::Repo(file.clone()));

    std::fs::write(&file, "max_iterations = 8").unwrap();
    app.layers().unwrap().require_trust().expect_err("it has changed");
}

#[test]
fn flags_that_choose_another_agent_set_aside_what_was_meant_for_the_configs_own() {
    let config = layers(
        "agent = 'claude'\nmodel = 'opus'\nskip_permissions = true\nagent_args = ['--x']",
        "[agents.mine]\ncommand = ['mine', '{model}']\n",
    );
    let of = |argv: &[&str]| {
        let agent = resolve_all(&config, argv).options.common.agent;
        let (name, model) = (agent.agent.unwrap_or_default(), agent.model.unwrap_or_default());
        format!(
            "{name} {model} {} {}",
            agent.skip_permissions.is_always(),
            agent.agent_args.join(" ")
        )
    };
    assert_eq!(of(&[]), "claude opus true --x");
    assert_eq!(of(&["--agent", "claude:sonnet"]), "claude:sonnet opus true --x");
    assert_eq!(of(&["--agent", "codex"]), "codex  true ");
    assert_eq!(of(&["--agent", "codex", "--model", "m", "--", "-y"]), "codex m true -y");
    assert_eq!(of(&["--agent", "mine", "--model", "m"]), "mine m false ");
    assert_eq!(of(&["-c", "prog"]), "  false ");
    assert_eq!(of(&["-c", "prog", "--skip-permissions"]), "  true ", "and that is refused");
}
