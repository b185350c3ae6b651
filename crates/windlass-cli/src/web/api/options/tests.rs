//! Options as arguments: honest ones and others.

use serde_json::json;

use super::*;

fn typed_in(kind: &str, options: &Value) -> Result<Vec<String>, String> {
    let home = tempfile::tempdir().unwrap();
    let typed = typed(kind, options.as_object().unwrap(), home.path());
    typed
        .map(|typed| typed.argv.iter().map(|arg| arg.to_str().unwrap().to_owned()).collect())
        .map_err(|problem| problem.message().to_owned())
}

#[test]
fn options_are_named_like_the_flags_in_either_spelling() {
    let options = json!({
        "max_iterations": 3, "max-cost": "1.5", "check": ["make", "make test"], "auto_commit": true,
        "create-branch": false, "agent": "scripted", "name": null,
    });
    let argv = typed_in("iterate", &options).unwrap();
    let expect = [
        "iterate",
        "--quiet",
        "--max-iterations=3",
        "--max-cost=1.5",
        "--check=make",
        "--check=make test",
        "--auto-commit",
        "--no-create-branch",
        "--agent=scripted",
    ];
    assert_eq!(argv, expect);
    let options = json!({"max_loops": 3, "checks": ["make"], "no_auto_commit": true});
    let argv = typed_in("iterate", &options).unwrap();
    assert_eq!(argv[2..], ["--max-loops=3", "--checks=make", "--no-auto-commit"]);
    let off = json!({"no_baseline": false, "no_skip_permissions": false, "baseline": true});
    let argv = typed_in("iterate", &off).unwrap();
    assert_eq!(argv[2..], ["--baseline", "--baseline"]);
    let context = json!({"context": "always", "no_context": false});
    assert_eq!(
        typed_in("iterate", &context).unwrap()[2..],
        ["--context=always", "--no-no-context"]
    );
    let proof = json!({"no_check": false, "no_baseline": true, "guard": ["a", "b"]});
    let argv = typed_in("iterate", &proof).unwrap();
    assert_eq!(argv[2..], ["--no-no-check", "--no-baseline", "--guard=a", "--guard=b"]);
}

#[test]
fn a_prompt_is_handed_over_in_a_file_of_the_users_own() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let options = json!({"prompt": "a secret plan"});
    let typed = typed("iterate", options.as_object().unwrap(), home.path()).unwrap();
    let path = typed.argv[2].to_str().unwrap().strip_prefix("--prompt-file=").unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a secret plan");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    drop(typed);
    assert!(!Path::new(&path).exists());
}

#[test]
fn a_value_stays_a_value() {
    for value in ["--worktree=x", "-C/", "--", "x\n--json", "$(touch x)", "'; touch x; '", ""] {
        let argv = typed_in("iterate", &json!({"name": value, "check": [value]})).unwrap();
        assert_eq!(argv[2..], [format!("--name={value}"), format!("--check={value}")]);
        // And clap reads it so.
        let mut whole = vec!["windlass".to_owned()];
        whole.extend(argv);
        let matches = args::command().try_get_matches_from(whole).unwrap();
        let (_, of_loop) = matches.subcommand().unwrap();
        assert_eq!(of_loop.get_one::<String>("name").unwrap(), value);
    }
}

#[test]
fn what_is_no_option_of_the_loop_is_refused() {
    for key in [
        "directory",
        "color",
        "json",
        "jsonl",
        "quiet",
        "format",
        "verbose",
        "help",
        "version",
        "C",
        "p",
        "-p",
        "--prompt",
        "prompt=x",
        "name=x --json",
        "",
        "max iterations",
        "MAX_ITERATIONS",
        "allow",
        "addr",
    ] {
        let refused = typed_in("iterate", &json!({key: "x"})).unwrap_err();
        assert!(refused.contains("has no option"), "{key}: {refused}");
    }
}

#[test]
fn values_of_the_wrong_sort_are_refused() {
    for (options, why) in [
        (json!({"auto_commit": "yes"}), "is a switch"),
        (json!({"auto_commit": 1}), "is a switch"),
        (json!({"max_iterations": [1, 2]}), "one value"),
        (json!({"max_iterations": {"a": 1}}), "must be a text"),
        (json!({"check": [["make"]]}), "must be a text"),
        (json!({"name": "a\u{0}b"}), "NUL"),
    ] {
        let refused = typed_in("iterate", &options).unwrap_err();
        assert!(refused.contains(why), "{options}: {refused}");
    }
    assert!(
        typed_in("heal", &json!({"paths": ["--all"]})).unwrap_err().contains("looks like a flag")
    );
    assert!(typed_in("pr", &json!({"number": "-1"})).unwrap_err().contains("looks like a flag"));
}

#[test]
fn values_without_a_flag_come_last() {
    let options = json!({"agent_args": ["--json", "-x"], "paths": ["src", "a b"], "loop": true});
    let argv = typed_in("heal", &options).unwrap();
    assert_eq!(argv, ["heal", "--quiet", "--loop", "src", "a b", "--", "--json", "-x"]);
    assert_eq!(typed_in("pr", &json!({"number": 7})).unwrap(), ["pr", "--quiet", "7"]);
}

#[test]
fn every_kind_of_loop_can_be_started() {
    let command = args::command();
    for kind in KINDS {
        assert!(command.find_subcommand(kind).is_some(), "{kind}");
        assert!(names(kind).contains(&"max-iterations".to_owned()), "{kind}");
    }
}

#[test]
fn what_people_change_when_they_go_on_can_be_sent_too() {
    let options = json!({
        "prompt": "other words", "check": ["make"], "command": "my-agent", "promise": "OK",
        "skip_permissions": false, "max_loops": 9, "sandbox": "none",
    });
    let argv = typed_in("resume", &options).unwrap();
    assert!(argv[2].starts_with("--prompt-file="), "{argv:?}");
    let rest = [
        "--check=make",
        "--command=my-agent",
        "--promise=OK",
        "--no-skip-permissions",
        "--max-loops=9",
        "--sandbox=none",
    ];
    assert_eq!(argv[3..], rest);
    let mut words = vec!["windlass".to_owned()];
    words.extend(argv);
    args::command().try_get_matches_from(words).unwrap();
}
