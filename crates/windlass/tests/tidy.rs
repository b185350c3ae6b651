//! Holds the walls of the engine: who may use what, and the rules of the house.

use testkit::{
    house::{self, assert_tidy, complain},
    source::{self, Source},
};

/// Modules that only reckon: same input, same output, no clock.
const PURE: [&str; 10] = [
    "agent", "claim", "findings", "forge", "prose", "rules", "sanitise", "secrets", "verdict",
    "view",
];

/// The one file below a pure module that acts: the scripted agent's other half, which runs in a
/// process of its own.
const PLAYER: &str = "agent/script/player";

/// The engine's code, without its tests.
fn engine() -> Vec<Source> {
    let mut files = source::rust_files("crates/windlass/src");
    files.retain(|file| !file.is_test());
    assert!(files.len() > 10, "the engine's files were not found");
    files
}

/// The engine's code outside some modules.
fn outside(modules: &[&str]) -> Vec<Source> {
    let mut files = engine();
    files.retain(|file| !modules.iter().any(|module| file.is_in(module)));
    files
}

#[test]
fn every_file_is_tidy() {
    let mut files = source::rust_files("crates/windlass");
    files.extend(source::rust_files("crates/testkit"));
    assert_tidy(&house::without_header(&files));
    assert_tidy(&house::too_long(&files));
    assert_tidy(&house::left_undone(&files));
    assert_tidy(&house::empty_names(&files));
}

#[test]
fn no_test_is_forgotten() {
    for folder in ["crates/windlass", "crates/testkit"] {
        assert_tidy(&house::forgotten_tests(folder));
        assert_tidy(&house::orphaned_snapshots(folder));
    }
}

#[test]
fn only_process_starts_processes() {
    assert_tidy(&complain(&outside(&["process"]), "starts processes", |file| {
        ["std::process::Command", "process::Command", "std::os::unix::process", "tokio::process"]
            .iter()
            .any(|path| file.names(path))
    }));
}

#[test]
fn only_store_speaks_sql() {
    assert_tidy(&complain(&outside(&["store"]), "speaks SQL", |file| file.names("rusqlite")));
}

#[test]
fn only_journal_makes_events() {
    // The store gives back what the journal made.
    assert_tidy(&complain(&outside(&["journal", "store"]), "makes an event", |file| {
        makes_events(&file.code)
    }));
}

#[test]
fn only_git_and_tree_call_git() {
    assert_tidy(&complain(&outside(&["git", "tree"]), "calls git", |file| {
        let lines = file.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.take(file.lines()).any(|line| line.replace("join(\"git\")", "").contains("\"git\""))
    }));
}

#[test]
fn only_jj_calls_jujutsu() {
    assert_tidy(&complain(&outside(&["jj"]), "calls Jujutsu", |file| {
        file.text.lines().take(file.lines()).any(|line| line.contains("\"jj\""))
    }));
}

#[test]
fn what_only_reckons_does_no_io_and_has_no_clock() {
    let mut files = engine();
    files.retain(|file| PURE.iter().any(|module| file.is_in(module)) && !file.is_in(PLAYER));
    for path in [
        "std::fs",
        "std::net",
        "std::process",
        "std::env",
        "std::thread",
        "std::io::stdin",
        "std::time::SystemTime",
        "std::time::Instant",
        "SystemTime",
        "Instant",
        "windlass::clock::now",
        "tokio",
        "rustix",
        "fastrand",
    ] {
        assert_tidy(&complain(&files, &format!("names {path}"), |file| file.names(path)));
    }
    for call in
        [".exists()", ".is_file()", ".is_dir()", ".canonicalize()", ".metadata()", ".read_dir()"]
    {
        assert_tidy(&complain(&files, &format!("calls {call}"), |file| file.code.contains(call)));
    }
}

#[test]
fn the_engine_neither_prints_nor_reads_its_surroundings() {
    assert_tidy(&complain(&engine(), "prints", |file| {
        ["println!", "print!(", "eprint"].iter().any(|print| file.code.contains(print))
    }));
    assert_tidy(&complain(&engine(), "uses anyhow", |file| file.names("anyhow")));
}

#[test]
fn the_architecture_names_every_module() {
    let architecture = source::text("ARCHITECTURE.md");
    let lib = source::text("crates/windlass/src/lib.rs");
    let modules = lib.lines().filter_map(|line| {
        line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "))?.strip_suffix(';')
    });
    let unnamed = modules.filter(|name| !architecture.contains(&format!("`{name}`")));
    assert_tidy(&unnamed.map(|name| format!("ARCHITECTURE.md lacks `{name}`")).collect::<Vec<_>>());
}

#[test]
fn the_documents_name_every_rule_and_agent() {
    let mut documents = source::text("README.md") + &source::text("ARCHITECTURE.md");
    for path in source::files("docs", "md") {
        documents += &source::text(&path);
    }
    let mut names = Vec::new();
    for file in engine() {
        match file.path.split_once("/src/").and_then(|(_, inner)| inner.split_once('/')) {
            Some(("rules", name)) if name != "mod.rs" && !name.contains('/') => {
                names.push(name.trim_end_matches(".rs").replace('_', "-"));
            }
            Some(("agent", _)) => names.extend(built_in(&file.text)),
            _ => {}
        }
    }
    let unnamed = names.iter().filter(|name| !documents.contains(&format!("`{name}`")));
    assert_tidy(&unnamed.map(|name| format!("no document names `{name}`")).collect::<Vec<_>>());
}

/// The names in the list `BUILT_IN` of a text: `("command", "…"),` is one.
fn built_in(text: &str) -> Vec<String> {
    let list = text.split("const BUILT_IN").nth(1).and_then(|rest| rest.split("];").next());
    let lines = list.unwrap_or_default().lines();
    let names = lines.filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next());
    names.map(ToOwned::to_owned).collect()
}

#[test]
fn every_file_is_part_of_the_engine() {
    assert_tidy(&house::undeclared(&engine()));
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = source::text("docs/dependencies.md");
    let manifest = source::text("Cargo.toml");
    let list = manifest.split("[workspace.dependencies]").nth(1).unwrap_or_default();
    let list = list.split("\n[").next().unwrap_or_default();
    let names = list.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    let names: Vec<_> = names.filter(|name| *name != "windlass").collect();
    assert!(names.len() > 10, "the dependencies were not found");
    let without = names.iter().filter(|name| !reasons.contains(&format!("| `{name}` |")));
    assert_tidy(&without.map(|n| format!("docs/dependencies.md lacks `{n}`")).collect::<Vec<_>>());
}

/// Whether code builds an `Event`, as opposed to taking one apart in a pattern.
fn makes_events(code: &str) -> bool {
    code.match_indices("Event {").any(|(at, found)| {
        let before = code[..at].trim_end();
        let is_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            || ["return", "=>", "in"].iter().any(|word| before.ends_with(word));
        let inner = &code[at + found.len()..];
        let Some(close) = closing_brace(inner) else { return false };
        let after = inner[close + 1..].trim_start();
        let is_pattern = inner[..close].trim_end().ends_with("..")
            || ["=", ":", "|", "if "].iter().any(|next| after.starts_with(next));
        // `-> Event {` opens a function.
        is_name && !before.ends_with("->") && !is_pattern
    })
}

/// Where the brace closes that stands open before `text`.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, c)| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

#[test]
fn a_made_event_is_told_from_one_that_is_taken_apart() {
    for made in [
        "let e = Event { seq, at, kind };",
        "emit(Event { seq: 1, kind: K { a } })",
        "return Event { seq };",
        "events.push(crate::event::Event { seq });",
    ] {
        assert!(makes_events(made), "{made}");
    }
    for not in [
        "pub struct Event { pub seq: u64 }",
        "impl fmt::Display for Event { fn fmt() {} }",
        "let Event { seq, .. } = event;",
        "let Event { seq, kind } = event;",
        "match e { Event { kind: K::A, seq } => 1 }",
        "fn f(event: &Event) -> Event { event.clone() }",
        "let x = OtherEvent { seq };",
    ] {
        assert!(!makes_events(not), "{not}");
    }
}

#[test]
fn the_page_on_agents_has_every_agent() {
    let page = source::text("docs/agents.md");
    for built_in in windlass::agent::BUILT_IN {
        let Some(install) = built_in.install else { continue };
        assert!(page.contains(&format!("`{install}`")), "how {} is installed", built_in.name);
        assert!(page.contains(&format!("- **{}** ", built_in.name)), "quirks of {}", built_in.name);
        let call = built_in.call.split(" -").next().unwrap_or_default();
        assert!(page.contains(&format!("`{call} ")), "how {} is called", built_in.name);
    }
}
