//! The home that each session has in a container: empty but for what is the agent's own, and gone
//! after the session, so that nothing is planted there for the next one or for a check.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use super::{super::policy::Policy, plan::INSIDE};

/// The variable that marks the processes of a session inside.
pub(super) const MARK: &str = "WINDLASS_MARK";

/// The commands that set a home up, for `sh`. They make the directories that `HOME` and `TMPDIR`
/// name, and put there what the agent looks for.
pub(super) fn set_up(policy: &Policy) -> String {
    let mut lines = vec!["mkdir -p \"$HOME\" \"$TMPDIR\"".to_owned()];
    let own = &policy.own;
    let shown = own.kept.iter().chain(&own.shown).map(|path| ("ln -s", path));
    let copied = own.copied.iter().map(|path| ("cp", path));
    for (how, path) in shown.chain(copied) {
        let Ok(inner) = path.strip_prefix(&policy.home) else { continue };
        let Some(parent) = inner.parent().filter(|_| path.exists()) else { continue };
        let quoted = |path: &Path| shell_words::quote(&path.to_string_lossy()).into_owned();
        lines.push(format!(
            "mkdir -p \"$HOME\"/{parent} && {how} {from} \"$HOME\"/{to}",
            parent = quoted(parent),
            from = quoted(path),
            to = quoted(inner),
        ));
    }
    if let Some(config) = &policy.git_config {
        lines.push(format!("printf %s {} >\"$HOME\"/.gitconfig", shell_words::quote(config)));
    }
    lines.join("\n")
}

/// Leads a session's variables to its own home, and marks them.
pub(super) fn move_in(env: &mut Vec<(OsString, OsString)>, policy: &Policy, mark: &str) {
    let own = Path::new(INSIDE).join(mark);
    let home = own.join("home");
    let is_shown = |path: &Path| {
        policy.writable.iter().chain(&policy.readable).any(|shown| path.starts_with(shown))
    };
    for (_, value) in env.iter_mut() {
        let path = PathBuf::from(value.clone());
        if let Ok(inner) = path.strip_prefix(&policy.home)
            && !is_shown(&path)
        {
            *value = home.join(inner).into();
        }
    }
    let added = [
        ("HOME", home.as_os_str()),
        ("TMPDIR", own.join("tmp").as_os_str()),
        (MARK, OsStr::new(mark)),
    ]
    .map(|(name, value)| (OsString::from(name), value.to_owned()));
    env.retain(|(known, _)| added.iter().all(|(name, _)| known != name));
    env.extend(added);
}
