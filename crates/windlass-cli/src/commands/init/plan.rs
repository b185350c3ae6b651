//! What init writes into which file. Every key that is there stays, and so does every comment.

use std::path::PathBuf;

use toml_edit::{Array, DocumentMut, Item, value};

use super::{
    found::Found,
    permissions::{self, Permissions},
    place::{ConfigFile, Place, Trust},
    questions::Answers,
};
use crate::{config::checked, host::failure::Failure};

/// What is to be written.
#[derive(Debug)]
pub(super) struct Plan {
    /// The project's file; `None` where it may not be touched.
    pub(super) project: Option<Change>,
    /// The user's own; `None` where no agent is known.
    pub(super) user: Option<Change>,
    /// What people should know, a line each.
    pub(super) notes: Vec<String>,
}

/// One file as it is to be.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) path: PathBuf,
    /// Whether the file may be a link to another place, as people have them among their dotfiles.
    pub(super) may_be_link: bool,
    /// The text that it has; `None` where there is no file.
    pub(super) before: Option<String>,
    /// The text that it gets.
    pub(super) after: String,
    /// The keys that are new, as lines.
    pub(super) added: Vec<String>,
}

/// A key with what it means.
type Key = (&'static str, Item, &'static str);

/// How a new file begins.
const PROJECT: &str =
    "# windlass in this project. `windlass config --default` shows every setting.\n";
const USER: &str = "# Your windlass. `windlass config --default` shows every setting.\n";

impl Plan {
    /// What follows from what was found and answered.
    pub(super) fn new(place: &Place, found: &Found, answers: &Answers) -> Result<Self, Failure> {
        let may_write = place.trust != Trust::Untrusted || answers.trusts;
        let project = may_write.then(|| change(&place.project, PROJECT, project_keys(answers)));
        let Some(agent) = answers.agent.as_deref() else {
            return Ok(Self { project, user: None, notes: Vec::new() });
        };
        let Permissions { keys, notes } = permissions::decide(&place.user, found, answers, agent);
        let mut user: Vec<Key> = Vec::new();
        // A command is the agent already.
        if place.user.get("command").is_none() {
            user.push(("agent", value(agent), "The agent that loops run."));
        }
        user.extend(keys.into_iter().map(|(key, item)| (key, item, about_permissions(key))));
        user.extend(budget_keys(answers)?);
        if answers.notifies {
            let desktop = Array::from_iter(["desktop"]);
            user.push(("notify", value(desktop), "Who is notified when a loop ends."));
        }
        let user = Some(change(&place.user, USER, user));
        Ok(Self { project, user, notes })
    }
}

fn about_permissions(key: &str) -> &'static str {
    match key {
        "sandbox" => "Agent and checks reach the work tree, and little else of yours.",
        _ => "Whether the agent may use its tools without asking.",
    }
}

fn project_keys(answers: &Answers) -> Vec<Key> {
    let list = |items: &[String]| value(Array::from_iter(items.iter().map(String::as_str)));
    let mut keys: Vec<Key> = Vec::new();
    if !answers.checks.is_empty() {
        let what = "What must pass before work counts as done.";
        keys.push(("checks", list(&answers.checks), what));
    }
    if !answers.guard.is_empty() {
        keys.push(("guard", list(&answers.guard), "Guarded besides the tests."));
    }
    if let Some(setup) = &answers.worktree_setup {
        keys.push(("worktree_setup", value(setup), "Prepares a new worktree."));
    }
    if answers.commits {
        keys.push(("auto_commit", value(true), "Commit what each iteration changed."));
        keys.push(("create_branch", value(true), "Each loop on a new branch."));
    }
    keys
}

fn budget_keys(answers: &Answers) -> Result<Vec<Key>, Failure> {
    let duration = Some(answers.max_duration.clone());
    let budgets = [
        ("max_duration", &duration, "How long a loop may run."),
        (
            "max_cost",
            &answers.max_cost,
            "What a loop may cost, in dollars, as the agent reports it.",
        ),
        (
            "max_tokens",
            &answers.max_tokens,
            "How many tokens a loop may use, as the agent reports them.",
        ),
    ];
    let mut keys = Vec::new();
    for (key, text, what) in budgets {
        let Some(text) = text else { continue };
        let item = match checked(key, text).map_err(Failure::usage)? {
            toml::Value::Integer(number) => value(number),
            toml::Value::Float(number) => value(number),
            _ => value(text),
        };
        keys.push((key, item, what));
    }
    Ok(keys)
}

/// The file with these keys, those left out that it has by any name.
fn change(file: &ConfigFile, head: &str, keys: Vec<Key>) -> Change {
    let mut document = file.to_change();
    let is_new = file.text.is_none();
    let mut added = Vec::new();
    for (key, item, what) in keys {
        if file.get(key).is_some() {
            continue;
        }
        let shown = item.to_string();
        added.push(format!("{key} = {}", shown.trim()));
        insert(&mut document, key, item, what);
    }
    let text = document.to_string();
    let after = if is_new { format!("{head}{text}") } else { text };
    let (path, may_be_link) = (file.path.clone(), file.may_be_link);
    Change { path, may_be_link, before: file.text.clone(), after, added }
}

fn insert(document: &mut DocumentMut, key: &str, item: Item, what: &str) {
    document.insert(key, item);
    if let Some(mut key) = document.key_mut(key) {
        key.leaf_decor_mut().set_prefix(format!("\n# {what}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: Option<&str>, keys: Vec<Key>) -> Change {
        let file = ConfigFile::of("/c.toml", text);
        change(&file, PROJECT, keys)
    }

    fn checks() -> Key {
        ("checks", value(Array::from_iter(["make test"])), "What must pass.")
    }

    #[test]
    fn a_new_file_explains_itself() {
        insta::assert_snapshot!(changed(None, vec![checks(), ("max_duration", value("8h"), "Time.")]).after, @r#"
        # windlass in this project. `windlass config --default` shows every setting.

        # What must pass.
        checks = ["make test"]

        # Time.
        max_duration = "8h"
        "#);
    }

    #[test]
    fn comments_tables_and_keys_by_any_name_stay_as_they_are() {
        let text = "# mine\ncheck = ['true']  # quick\n\n[iterate]\nmax_iterations = 3\n# end\n";
        let change = changed(Some(text), vec![checks(), ("guard", value("x"), "More.")]);
        assert_eq!(change.added, ["guard = \"x\""]);
        insta::assert_snapshot!(change.after, @r#"
        # mine
        check = ['true']  # quick

        # More.
        guard = "x"

        [iterate]
        max_iterations = 3
        # end
        "#);
        let same = changed(Some(text), vec![checks()]);
        assert_eq!(same.after, text, "nothing new: not a byte is changed");
    }
}
