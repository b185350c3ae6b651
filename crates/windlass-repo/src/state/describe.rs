//! What each difference could do, in plain words; differences that do nothing are left out.

use std::collections::HashSet;

use windlass_core::event::{LeftBehind, LeftKind};

use super::{
    config,
    fact::{About, Differs, State},
    words,
};
use crate::tree::REVIEW_FILE;

/// So many files with the same mark are named one by one.
const MOST_MARKED: usize = 5;

/// What the differences between two states could do, what is worst first.
pub(super) fn describe(origin: &State, now: &State, own_head: Option<&str>) -> Vec<LeftBehind> {
    let branch = own_head.and_then(|head| origin.get(head, About::Head, ""));
    let branch = branch.and_then(|head| head.strip_prefix("ref: ")).unwrap_or_default();
    let differences = origin.differences(now);
    if differences.is_empty() {
        return Vec::new();
    }
    // Other loops move their own branches meanwhile.
    let loops: HashSet<&str> = [origin, now].into_iter().flat_map(loop_branches).collect();
    let is_gone = |one: &&Differs<'_>| one.about == About::Git && one.now.is_none();
    if let Some(gone) = differences.iter().find(is_gone) {
        return git(gone).into_iter().collect();
    }
    let mut found = Vec::new();
    let marked = |about: &Differs<'_>| about.about == About::Flag && about.now.is_some();
    let flags: Vec<&Differs<'_>> = differences.iter().filter(|one| marked(one)).collect();
    if flags.len() > MOST_MARKED {
        found.push(many_marked(&flags));
    } else {
        found.extend(flags.iter().filter_map(|one| one_marked(one)));
    }
    for one in &differences {
        let is_own = own_head == Some(one.path);
        let told = match one.about {
            About::Link => link(one),
            About::Strange => strange(one),
            About::Git => git(one),
            About::Setting | About::RunningSetting => setting(one),
            About::Hook => hook(one),
            About::Line => line(one),
            About::CommonDir => common_dir(one),
            About::Operation => operation(one),
            About::Worktree => worktree(one),
            About::Head => head(one, is_own),
            About::Ref if one.name == branch || loops.contains(one.name) => None,
            About::Ref => a_ref(one),
            About::Shadow => shadow(one),
            About::Stash => stash(one),
            About::Flag | About::LoopBranch => None,
            About::Nested => nested(one),
            About::Jj => jj(one),
            About::Windlass => windlass(one),
        };
        found.extend(told);
    }
    found.sort_by(|one, other| (one.what, &one.path).cmp(&(other.what, &other.path)));
    found.dedup();
    found
}

fn loop_branches(state: &State) -> impl Iterator<Item = &str> {
    let facts = state.0.values().flat_map(|leaf| leaf.keys());
    facts.filter(|(about, _)| *about == About::LoopBranch).map(|(_, name)| name.as_str())
}

fn tell(what: LeftKind, path: impl Into<String>, could: impl Into<String>) -> Option<LeftBehind> {
    Some(LeftBehind { what, path: words::cut(&path.into()), could: could.into() })
}

fn one_marked(one: &Differs<'_>) -> Option<LeftBehind> {
    let mark = one.now?;
    // A split index does not repeat the names of files whose marks it changes.
    let name = match one.name {
        "" => "a file".to_owned(),
        name => format!("`{}`", words::cut(name)),
    };
    let could = format!("{name} is marked {mark}: `git status` does not show its changes");
    tell(LeftKind::Index, one.path, could)
}

fn many_marked(flags: &[&Differs<'_>]) -> LeftBehind {
    let (first, count) = (flags[0], flags.len());
    let could = format!(
        "{count} files, such as `{}`, are marked {}: `git status` does not show their changes",
        words::cut(first.name),
        first.now.unwrap_or_default()
    );
    LeftBehind { what: LeftKind::Index, path: first.path.to_owned(), could }
}

fn link(one: &Differs<'_>) -> Option<LeftBehind> {
    let path = words::joined(one.path, one.name);
    let target = words::cut(one.now?);
    let could = if path.ends_with("/worktrees") {
        format!("is a link to `{target}`: your next `git gc` would delete what is in there")
    } else {
        format!("is a link to `{target}`: git reads and writes there")
    };
    tell(LeftKind::Link, path, could)
}

fn strange(one: &Differs<'_>) -> Option<LeftBehind> {
    let could = format!("is {}: git fails or hangs on it", one.now?);
    tell(LeftKind::Link, one.path, could)
}

fn git(one: &Differs<'_>) -> Option<LeftBehind> {
    let could = match (one.before, one.now) {
        (_, None) => "is gone, with branches, settings and stash".to_owned(),
        (None, Some(now)) => format!("is {now}, and was not there: git runs by its settings"),
        (Some(before), Some(now)) => {
            format!("is {now}, and was {before}: git runs by the settings there")
        }
    };
    tell(LeftKind::Repository, one.path, could)
}

fn setting(one: &Differs<'_>) -> Option<LeftBehind> {
    let before: Vec<&str> = one.before.into_iter().flat_map(str::lines).collect();
    let new = one.now?.lines().rfind(|value| !before.contains(value));
    let (_, could) = config::effect(one.name, &words::cut(new?))?;
    tell(LeftKind::Config, one.path, could)
}

fn hook(one: &Differs<'_>) -> Option<LeftBehind> {
    let when = words::hook(one.name);
    let link = one.now.filter(|now| now.starts_with("a link"));
    let link = link.map(|link| format!("is {}, and ", words::cut(link))).unwrap_or_default();
    let could = match (one.before, one.now) {
        (_, None) => format!("is gone: it does not run any more {when}"),
        (None, Some(_)) => format!("{link}runs {when}"),
        (Some(_), Some(_)) => format!("{link}is another than before, and runs {when}"),
    };
    tell(LeftKind::Hook, one.path, could)
}

fn line(one: &Differs<'_>) -> Option<LeftBehind> {
    one.now?;
    let rule = words::cut(one.name);
    let file = one.path.rsplit('/').next().unwrap_or_default();
    let (what, could) = match file {
        // windlass wrote that itself.
        "exclude" if one.name == REVIEW_FILE => return None,
        "exclude" => (LeftKind::Info, format!("`{rule}` hides files from `git status`")),
        "attributes" => (
            LeftKind::Info,
            format!("`{rule}` has git treat files in another way, or run a filter"),
        ),
        "sparse-checkout" => {
            (LeftKind::Info, format!("`{rule}` decides which files git leaves out"))
        }
        "grafts" => (LeftKind::Replace, format!("`{rule}` gives a commit other parents")),
        "shallow" => (LeftKind::Replace, format!("hides all that is before the commit `{rule}`")),
        "alternates" | "http-alternates" => {
            (LeftKind::Objects, format!("brings in the objects of `{rule}`"))
        }
        _ => {
            (LeftKind::Config, format!("`{rule}` leads fetches and pushes of this name elsewhere"))
        }
    };
    tell(what, one.path, could)
}

fn windlass(one: &Differs<'_>) -> Option<LeftBehind> {
    let could = match (one.before, one.now) {
        (_, None) => "is gone: its checks and settings do not apply to the next loop",
        (None, Some(_)) => "was added: read it, and loops start again after `windlass trust`",
        (Some(_), Some(_)) => {
            "was changed: read the changes, and loops start again after `windlass trust`"
        }
    };
    tell(LeftKind::Windlass, one.path, could)
}

fn common_dir(one: &Differs<'_>) -> Option<LeftBehind> {
    one.now?;
    // That is what git writes for a work tree.
    if one.name == "../.." {
        return None;
    }
    let could =
        format!("leads to `{}`: settings and hooks there count for yours", words::cut(one.name));
    tell(LeftKind::Repository, one.path, could)
}

fn operation(one: &Differs<'_>) -> Option<LeftBehind> {
    let name = one.name;
    let could = match one.now {
        None => format!("the {name} that was under way is gone"),
        Some("") => format!("a {name} is under way, which was not when the session began"),
        Some(commands) => {
            let (first, more) = (commands.lines().next()?, commands.lines().count() - 1);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let first = words::cut(first);
            format!("a {name} is under way that runs `{first}`{more} when it goes on")
        }
    };
    tell(LeftKind::Operation, one.path, could)
}

fn worktree(one: &Differs<'_>) -> Option<LeftBehind> {
    let at = words::cut(one.now.or(one.before)?);
    let could = match (one.before, one.now) {
        (None, _) => {
            format!("is a work tree at `{at}`: `git status` here does not show work there")
        }
        (_, None) => format!("git does not know the work tree at `{at}` any more"),
        _ => format!("leads to `{at}` now: `git gc` and `git worktree` act on it"),
    };
    tell(LeftKind::Worktree, one.path, could)
}

fn head(one: &Differs<'_>, is_own: bool) -> Option<LeftBehind> {
    let branch = |head: &str| head.strip_prefix("ref: refs/heads/").map(words::cut);
    let (before, now) = (branch(one.before?), branch(one.now?));
    let could = match (before, now) {
        // Off a branch, HEAD is what commits move.
        (None, None) if is_own => return None,
        (Some(before), Some(now)) => format!("the work tree is on `{now}`, and was on `{before}`"),
        (None, Some(now)) => format!("the work tree is on `{now}`, and was on no branch"),
        (before, None) => {
            let before = before.map(|before| format!(", and was on `{before}`"));
            let before = before.unwrap_or_default();
            format!("the work tree is on no branch{before}: commits there are easily lost")
        }
    };
    tell(LeftKind::Ref, one.path, could)
}

fn a_ref(one: &Differs<'_>) -> Option<LeftBehind> {
    if let Some(id) = one.name.strip_prefix("refs/replace/") {
        let now = words::short(one.now?);
        let could = format!("git shows `{now}` in the place of `{}`", words::short(id));
        return tell(LeftKind::Replace, one.name, could);
    }
    let what = if one.name.starts_with("refs/heads/") { "the branch" } else { "it" };
    let before = words::cut(one.before?);
    let could = match one.now {
        None => format!("{what} is gone; it was at `{before}`"),
        Some(now) => format!(
            "{what} moved to `{}` while a session ran; it was at `{before}`",
            words::short(now)
        ),
    };
    tell(LeftKind::Ref, one.name, could)
}

fn shadow(one: &Differs<'_>) -> Option<LeftBehind> {
    one.now?;
    let branch = words::cut(one.name.strip_prefix("refs/tags/")?);
    tell(
        LeftKind::Ref,
        one.name,
        format!("git takes this tag where you name the branch `{branch}`"),
    )
}

fn stash(one: &Differs<'_>) -> Option<LeftBehind> {
    let ids = |list: Option<&str>| -> Vec<String> {
        list.into_iter().flat_map(str::lines).map(str::to_owned).collect()
    };
    let (before, now) = (ids(one.before), ids(one.now));
    let gone: Vec<&String> = before.iter().filter(|id| !now.contains(id)).collect();
    let new: Vec<&String> = now.iter().filter(|id| !before.contains(id)).collect();
    let mut told = Vec::new();
    if let Some(first) = gone.first() {
        let count = words::stashes(gone.len());
        told.push(format!(
            "{count} gone; `git stash store {}` brings the newest back",
            words::cut(first)
        ));
    }
    if !new.is_empty() {
        let count = words::stashes(new.len());
        told.push(format!("{count} new: work that is in no file any more"));
    }
    if told.is_empty() { None } else { tell(LeftKind::Stash, "refs/stash", told.join("; ")) }
}

fn nested(one: &Differs<'_>) -> Option<LeftBehind> {
    let could = match one.now? {
        "" if one.path == "." => "is a repository now: git runs by its settings".to_owned(),
        "" => "is a separate repository: git uses its settings there, and yours does not \
               have its files"
            .to_owned(),
        "bare" => "is a bare repository: git runs by its settings in there".to_owned(),
        target => {
            format!("has `.git` lead to `{}`: git runs by the settings there", words::cut(target))
        }
    };
    tell(LeftKind::Nested, one.path, could)
}

fn jj(one: &Differs<'_>) -> Option<LeftBehind> {
    let now = words::cut(one.now?);
    let could = if one.name.is_empty() {
        "jj runs by its settings".to_owned()
    } else {
        format!("`{}` is `{now}`: jj may run it", words::cut(one.name))
    };
    tell(LeftKind::Jj, one.path, could)
}
