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

#[cfg(test)]
mod tests {
    use std::fs;

    use windlass_core::{agent_files::AgentFiles, options::NetworkMode};

    use super::{
        super::super::{proxy::Hosts, seals::Seals},
        *,
    };

    fn policy(home: &Path) -> Policy {
        Policy {
            home: home.to_owned(),
            readable: Vec::new(),
            writable: vec![home.join("project")],
            seals: Seals::default(),
            git: Vec::new(),
            hidden: Vec::new(),
            own: AgentFiles {
                shown: vec![home.join(".agent/it's a key"), home.join(".agent/not there")],
                copied: vec![home.join(".agent.json")],
                ..AgentFiles::default()
            },
            credentials: Vec::new(),
            git_config: Some("[user]\n\tname = \"Ada\"\n".to_owned()),
            network: NetworkMode::None,
            hosts: Hosts::default(),
        }
    }

    #[test]
    fn a_home_has_links_to_what_is_shown_and_copies_of_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        fs::create_dir(home.join(".agent")).unwrap();
        fs::write(home.join(".agent/it's a key"), "").unwrap();
        fs::write(home.join(".agent.json"), "").unwrap();
        let lines = set_up(&policy(home)).replace(&*home.to_string_lossy(), "/HOME");
        insta::assert_snapshot!(lines, @r#"
        mkdir -p "$HOME" "$TMPDIR"
        mkdir -p "$HOME"/.agent && ln -s '/HOME/.agent/it'\''s a key' "$HOME"/'.agent/it'\''s a key'
        mkdir -p "$HOME"/'' && cp /HOME/.agent.json "$HOME"/.agent.json
        printf %s '[user]
        	name = "Ada"
        ' >"$HOME"/.gitconfig
        "#);
    }

    #[test]
    fn variables_that_lead_into_the_home_lead_into_that_of_the_session() {
        let mut env: Vec<(OsString, OsString)> = [
            ("HOME", "/home/ada"),
            ("XDG_CONFIG_HOME", "/home/ada/.config"),
            ("PROJECT", "/home/ada/project/src"),
            ("LANG", "C"),
            ("TMPDIR", "/var/tmp"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
        move_in(&mut env, &policy(Path::new("/home/ada")), "mark");
        let lines: Vec<_> = env
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        XDG_CONFIG_HOME=/run/windlass/mark/home/.config
        PROJECT=/home/ada/project/src
        LANG=C
        HOME=/run/windlass/mark/home
        TMPDIR=/run/windlass/mark/tmp
        WINDLASS_MARK=mark
        ");
    }
}
