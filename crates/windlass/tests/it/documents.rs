//! The documents name what the library has: every built-in agent, and every rule.

use testkit::{
    house::{assert_tidy, documents::unnamed},
    source,
};
use windlass::agent::BUILT_IN;
use windlass_core::rules;

#[test]
fn the_documents_name_every_agent() {
    assert!(BUILT_IN.iter().any(|agent| agent.install.is_some()), "there are no agents");
    let readme = source::text("README.md").to_lowercase();
    let words: Vec<&str> = readme.split(|c: char| !c.is_alphanumeric()).collect();
    let text = source::text("docs/agents.md") + &source::text("ARCHITECTURE.md");
    for agent in BUILT_IN {
        let name = agent.name;
        let is_named = ["`", "**"].iter().any(|mark| text.contains(&format!("{mark}{name}{mark}")));
        assert!(is_named, "neither docs/agents.md nor ARCHITECTURE.md names {name}");
        assert!(agent.install.is_none() || words.contains(&name), "README.md lacks {name}");
    }
}

#[test]
fn the_documents_name_every_rule() {
    let names: Vec<&str> = rules::ALL.iter().map(|(name, _)| *name).collect();
    assert!(!names.is_empty(), "there are no rules");
    let page = "docs/rules.md";
    assert_tidy(&unnamed(page, &source::text(page), names));
    // These list rules by their files: the three budgets are one.
    let files =
        source::files("crates/windlass-core/src/rules", "rs").into_iter().filter_map(|path| {
            let name = path.strip_prefix("crates/windlass-core/src/rules/")?.strip_suffix(".rs")?;
            let is_rule = !name.contains('/') && !matches!(name, "mod" | "tests");
            is_rule.then(|| name.replace('_', "-"))
        });
    let files: Vec<String> = files.collect();
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let names = files.iter().map(String::as_str);
        assert_tidy(&unnamed(page, &source::text(page), names));
    }
}

#[test]
fn the_page_on_agents_has_every_agent() {
    let page = source::text("docs/agents.md");
    for built_in in BUILT_IN {
        let Some(install) = built_in.install else { continue };
        assert!(page.contains(&format!("`{install}`")), "how {} is installed", built_in.name);
        assert!(page.contains(&format!("- **{}** ", built_in.name)), "quirks of {}", built_in.name);
        let call = built_in.call.split(" -").next().unwrap_or_default();
        assert!(page.contains(&format!("`{call} ")), "how {} is called", built_in.name);
    }
}
