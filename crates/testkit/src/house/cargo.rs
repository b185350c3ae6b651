//! Rules on manifests: lints are taken over, every dependency has its reason, and our crates use
//! each other in one direction.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::source;

/// A manifest or another TOML file of the workspace. Fails if it cannot be read.
#[track_caller]
pub fn toml(path: &str) -> Table {
    match source::text(path).parse() {
        Ok(table) => table,
        Err(error) => panic!("{path}: {error}"),
    }
}

/// The folders of the workspace's members. Fails if there are none.
#[track_caller]
pub fn members(manifest: &Table) -> Vec<String> {
    let members = manifest["workspace"]["members"].as_array().expect("members are a list");
    let members: Vec<String> =
        members.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    assert!(!members.is_empty(), "the workspace has no members");
    members
}

/// The names in a table of a manifest.
fn keys(table: Option<&Value>) -> BTreeSet<String> {
    table.and_then(Value::as_table).into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// The members that do not take over the workspace's lints.
pub fn without_lints(manifests: &[(String, Table)]) -> Vec<String> {
    let takes = |manifest: &Table| {
        let own = manifest.get("lints").and_then(Value::as_table);
        own.is_some_and(|own| own.len() == 1 && own.get("workspace") == Some(&Value::Boolean(true)))
    };
    let without = manifests.iter().filter(|(_, manifest)| !takes(manifest));
    without.map(|(path, _)| format!("{path} lacks `[lints] workspace = true`")).collect()
}

/// Dependencies without a row in the document on them, rows without a dependency, and dependencies
/// that no member uses. `ours` are left out.
pub fn unreasoned(
    workspace: &Table,
    manifests: &[(String, Table)],
    reasons: &str,
    ours: &[String],
) -> Vec<String> {
    let mut names = keys(workspace["workspace"].get("dependencies"));
    names.retain(|name| !ours.contains(name));
    assert!(!names.is_empty(), "the dependencies were not found");
    let rows: BTreeSet<&str> = reasons
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` |").map(|(name, _)| name))
        .collect();
    let mut complaints = Vec::new();
    for name in &names {
        if !rows.contains(name.as_str()) {
            complaints.push(format!("docs/dependencies.md lacks `{name}`"));
        }
        if !manifests.iter().any(|(_, manifest)| dependencies(manifest, true).contains(name)) {
            complaints.push(format!("no member uses the dependency `{name}`"));
        }
    }
    let stale = rows.iter().filter(|row| !names.contains(**row));
    complaints.extend(stale.map(|row| format!("docs/dependencies.md has `{row}`, which is none")));
    for (path, manifest) in manifests {
        let foreign = dependencies(manifest, true).into_iter().filter(|name| !names.contains(name));
        let foreign = foreign.filter(|name| !ours.contains(name));
        complaints.extend(
            foreign.map(|name| format!("{path}: `{name}` is not in [workspace.dependencies]")),
        );
    }
    complaints
}

/// What a manifest depends on, for every target; with what its tests and its build use if asked.
fn dependencies(manifest: &Table, all: bool) -> BTreeSet<String> {
    let kinds: &[&str] = if all {
        &["dependencies", "dev-dependencies", "build-dependencies"]
    } else {
        &["dependencies", "build-dependencies"]
    };
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let mut tables: Vec<&Table> = targets.filter_map(|(_, table)| table.as_table()).collect();
    tables.push(manifest);
    let each = tables.iter().flat_map(|table| kinds.iter().map(|kind| table.get(*kind)));
    each.flat_map(keys).collect()
}

/// Members that use one of ours which the table does not let them; and members without a row.
/// Tests may use more.
pub fn wrong_way(
    manifests: &[(String, Table)],
    ours: &[String],
    may: &[(&str, &[&str])],
) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, manifest) in manifests {
        let name = manifest["package"]["name"].as_str().unwrap_or_default();
        let Some((_, may)) = may.iter().find(|(row, _)| *row == name) else {
            complaints.push(format!("{path}: the table of who may use whom lacks `{name}`"));
            continue;
        };
        let used = dependencies(manifest, false).into_iter().filter(|used| ours.contains(used));
        let wrong = used.filter(|used| !may.contains(&used.as_str()));
        complaints.extend(wrong.map(|used| format!("{path}: `{name}` may not use `{used}`")));
    }
    complaints
}

/// Exceptions from "one version of each crate" that the lock file does not need any more.
pub fn needless_skips(deny: &Table, lock: &Table) -> Vec<String> {
    let locked: Vec<(&str, &str)> = lock["package"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|package| Some((package["name"].as_str()?, package["version"].as_str()?)))
        .collect();
    assert!(!locked.is_empty(), "the lock file has no packages");
    let skips = deny["bans"].get("skip").and_then(Value::as_array).into_iter().flatten();
    let skips = skips.filter_map(|skip| skip.get("crate").and_then(Value::as_str));
    skips
        .filter(|skip| {
            let (name, version) = skip.split_once(':').unwrap_or((skip, ""));
            let versions: Vec<&str> =
                locked.iter().filter(|it| it.0 == name).map(|it| it.1).collect();
            let is_there = versions.iter().any(|it| {
                it.strip_prefix(version)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            });
            versions.len() < 2 || !is_there
        })
        .map(|skip| format!("deny.toml skips `{skip}`, of which there are no two versions"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    fn manifest(text: &str) -> Vec<(String, Table)> {
        vec![("crates/x/Cargo.toml".to_owned(), table(text))]
    }

    fn ours() -> Vec<String> {
        vec!["core".to_owned(), "x".to_owned()]
    }

    #[test]
    fn a_member_without_our_lints_is_complained_of() {
        assert_eq!(without_lints(&manifest("")).len(), 1);
        assert_eq!(without_lints(&manifest("[lints]\nworkspace = false")).len(), 1);
        assert_eq!(without_lints(&manifest("[lints.clippy]\nexit = \"allow\"")).len(), 1);
        assert_eq!(without_lints(&manifest("[lints]\nworkspace = true")), [""; 0]);
    }

    #[test]
    fn a_dependency_without_its_reason_is_complained_of() {
        let workspace = table("[workspace.dependencies]\na = \"1\"\ncore = { path = \"c\" }");
        let uses = |text| manifest(&format!("[dependencies]\n{text}"));
        let check =
            |uses: &[(String, Table)], reasons| unreasoned(&workspace, uses, reasons, &ours());
        let row = "| `a` | engine | why |";
        assert_eq!(check(&uses("a = {}\ncore = {}"), row), [""; 0]);
        assert_eq!(check(&uses("a = {}"), ""), ["docs/dependencies.md lacks `a`"]);
        assert_eq!(check(&uses(""), row), ["no member uses the dependency `a`"]);
        let stale = format!("{row}\n| `b` | engine | why |");
        assert_eq!(check(&uses("a = {}"), &stale), ["docs/dependencies.md has `b`, which is none"]);
        let own = "crates/x/Cargo.toml: `b` is not in [workspace.dependencies]";
        assert_eq!(check(&uses("a = {}\nb = \"1\""), row), [own]);
    }

    #[test]
    fn a_crate_that_uses_one_above_it_is_complained_of() {
        let uses = manifest(
            "[package]\nname = \"x\"\n[target.'cfg(unix)'.dependencies]\ncore = {}\n\
             [dev-dependencies]\nx = {}",
        );
        assert_eq!(wrong_way(&uses, &ours(), &[("x", &["core"])]), [""; 0]);
        let complaint = "crates/x/Cargo.toml: `x` may not use `core`";
        assert_eq!(wrong_way(&uses, &ours(), &[("x", &[])]), [complaint]);
        assert_eq!(wrong_way(&uses, &ours(), &[]).len(), 1);
    }

    #[test]
    fn a_skip_that_nothing_needs_is_complained_of() {
        let deny =
            table("[bans]\nskip = [{ crate = \"a:1\" }, { crate = \"b:2\" }, { crate = \"c:1\" }]");
        let package =
            |name, version| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
        let lock = package("a", "1.2.0")
            + &package("a", "2.0.0")
            + &package("b", "2.0.0")
            + &package("c", "12.0.0")
            + &package("c", "13.0.0");
        assert_eq!(needless_skips(&deny, &table(&lock)).len(), 2);
    }
}
