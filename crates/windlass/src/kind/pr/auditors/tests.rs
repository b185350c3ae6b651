//! Who audits, and what.

use windlass_core::prompts::PromptOptions;

use super::*;

fn options(toml_like: serde_json::Value) -> AuditorOptions {
    serde_json::from_value(json!({ "auditors": toml_like })).unwrap()
}

fn found(tables: serde_json::Value) -> Result<Vec<Auditor>, AuditorError> {
    auditors(&options(tables), &Prompts::new(&PromptOptions::default()).unwrap())
}

fn names(tables: serde_json::Value) -> Vec<String> {
    found(tables).unwrap().into_iter().map(|auditor| auditor.name).collect()
}

fn refused(tables: serde_json::Value) -> String {
    let error = found(tables).unwrap_err();
    let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
    format!("{error}{}", source.unwrap_or_default())
}

#[test]
fn five_are_on_and_two_are_there_to_be_switched_on() {
    let on = ["correctness", "security", "architecture", "api-stability", "project-rules"];
    assert_eq!(names(json!({})), on);
    let more = json!({"tests": {"enabled": true}, "security": {"enabled": false}});
    let expected = ["correctness", "architecture", "api-stability", "project-rules", "tests"];
    assert_eq!(names(more), expected);
}

#[test]
fn the_users_own_come_after_those_that_are_built_in_by_name() {
    let own = json!({"zeal": {"brief": "z"}, "accents": {"brief": "a"}, "off": {"brief": "o", "enabled": false}});
    assert_eq!(names(own)[4..], ["project-rules", "accents", "zeal"]);
}

#[test]
fn a_built_in_one_is_changed_only_in_what_is_given() {
    let prompts = PromptOptions {
        prompts: [(PromptName::AuditorSecurity, "{# mine #}Look {{ 1 + 1 }} times.".into())].into(),
    };
    let prompts = Prompts::new(&prompts).unwrap();
    let tables = json!({
        "security": {"agent": "codex:large", "paths": ["src/**"]},
        "correctness": {"brief": "Is {{ it }} {# right #}?\n"},
    });
    let found = auditors(&options(tables), &prompts).unwrap();
    assert_eq!(found[0].brief, "Is {{ it }} {# right #}?", "an auditor's own text is no template");
    assert_eq!(found[0].agent, None);
    assert_eq!(found[1].brief, "Look 2 times.");
    assert_eq!(found[1].agent.as_deref(), Some("codex:large"));
    assert_eq!(found[1].paths, ["src/**"]);
    assert!(found[2].brief.starts_with("Does"), "{}", found[2].brief);
}

#[test]
fn what_cannot_be_an_auditor_is_refused() {
    let off = PromptName::AUDITORS.map(|(name, _, _)| (name, json!({"enabled": false})));
    let off: serde_json::Map<_, _> =
        off.into_iter().map(|(name, table)| (name.into(), table)).collect();
    let cases = [
        json!(off),
        json!({"docs": {"enabled": false}}),
        json!({"docs": {"brief": " \n"}}),
        json!({"a/b": {"brief": "x"}}),
        json!({"docs": {"brief": "x", "agent": " "}}),
        json!({"docs": {"brief": "x", "paths": ["a[b"]}}),
    ];
    let lines: Vec<_> = cases.into_iter().map(refused).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    all auditors are switched off
    the auditor `docs` has no prompt that says what it looks for
    the auditor `docs` has no prompt that says what it looks for
    `a/b` cannot be an auditor's name: letters, digits, `-`, `_` and `.` can
    the agent of the auditor `docs` has no name
    what the auditor `docs` looks at cannot be understood: `a[b` is not a glob
    ");
}

#[test]
fn an_auditor_whose_files_did_not_change_is_left_out_with_a_note() {
    let tables = json!({
        "security": {"paths": ["src/**", "*.lock"]},
        "docs": {"brief": "d", "paths": ["docs", "README.md"]},
        "sql": {"brief": "s", "paths": ["**/*.sql"]},
    });
    let all = found(tables).unwrap();
    let files = ["src/a/b.rs", "Cargo.lock", "sub/c.lock", "docs/x/y.md"];
    let looks_at = |name: &str| {
        let auditor = all.iter().find(|auditor| auditor.name == name).unwrap();
        auditor.looks_at(files)
    };
    assert_eq!(looks_at("correctness"), files);
    assert_eq!(looks_at("security"), ["src/a/b.rs", "Cargo.lock"]);
    assert_eq!(looks_at("docs"), ["docs/x/y.md"]);
    let Concerned { auditors, notes } = concerned(&all, &files);
    assert_eq!(auditors.len(), all.len() - 1);
    assert_eq!(notes, ["the auditor `sql` is left out: nothing has changed in `**/*.sql`"]);
    assert_eq!(concerned(&all, &[]).auditors.len(), 4);
}

#[test]
fn they_are_frozen_with_the_loop_and_take_no_room_where_there_are_none() {
    assert_eq!(serde_json::to_string(&AuditorOptions::default()).unwrap(), "{}");
    let tables = json!({"auditors": {"docs": {"brief": "d", "paths": []}}});
    let options: AuditorOptions = serde_json::from_value(tables.clone()).unwrap();
    assert_eq!(serde_json::to_value(&options).unwrap(), tables);
}

#[test]
fn a_later_layer_changes_only_what_it_gives() {
    let table = |value| serde_json::from_value::<AuditorTable>(value).unwrap();
    let mut below = table(json!({"brief": "b", "agent": "codex", "enabled": true}));
    table(json!({"enabled": false, "paths": ["src/**"]})).lay_over(&mut below);
    let expected = json!({"brief": "b", "agent": "codex", "paths": ["src/**"], "enabled": false});
    assert_eq!(serde_json::to_value(&below).unwrap(), expected);
}
