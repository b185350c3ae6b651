//! The environment that windlass was started with, read once. Every variable that windlass looks
//! at stands in the one list here, from which the documentation is written.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fmt,
};

/// What all variables of windlass begin with.
pub(crate) const PREFIX: &str = "WINDLASS_";

/// A variable that windlass reads. Settings have variables too: their names follow from
/// `default.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    WindlassHome,
    WindlassDetached,
    WindlassInhibitSleep,
    WindlassPowerSupply,
    WindlassLoop,
    WindlassSession,
    XdgStateHome,
    XdgConfigHome,
    Home,
    Path,
    NoColor,
    GithubToken,
    GhToken,
    GithubApiUrl,
    DbusSessionBusAddress,
    XdgRuntimeDir,
    SshConnection,
    Tmux,
    Sty,
    Zellij,
    User,
}

impl Variable {
    /// All of them, in the order of the documentation.
    pub(crate) const ALL: [Self; 21] = [
        Self::WindlassHome,
        Self::XdgStateHome,
        Self::XdgConfigHome,
        Self::Home,
        Self::Path,
        Self::NoColor,
        Self::GithubToken,
        Self::GhToken,
        Self::GithubApiUrl,
        Self::DbusSessionBusAddress,
        Self::XdgRuntimeDir,
        Self::WindlassInhibitSleep,
        Self::WindlassPowerSupply,
        Self::SshConnection,
        Self::Tmux,
        Self::Sty,
        Self::Zellij,
        Self::User,
        Self::WindlassDetached,
        Self::WindlassLoop,
        Self::WindlassSession,
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::WindlassHome => "WINDLASS_HOME",
            Self::WindlassDetached => "WINDLASS_DETACHED",
            Self::WindlassInhibitSleep => "WINDLASS_INHIBIT_SLEEP",
            Self::WindlassPowerSupply => "WINDLASS_POWER_SUPPLY",
            Self::WindlassLoop => "WINDLASS_LOOP",
            Self::WindlassSession => "WINDLASS_SESSION",
            Self::XdgStateHome => "XDG_STATE_HOME",
            Self::XdgConfigHome => "XDG_CONFIG_HOME",
            Self::Home => "HOME",
            Self::Path => "PATH",
            Self::NoColor => "NO_COLOR",
            Self::GithubToken => "GITHUB_TOKEN",
            Self::GhToken => "GH_TOKEN",
            Self::GithubApiUrl => "GITHUB_API_URL",
            Self::DbusSessionBusAddress => "DBUS_SESSION_BUS_ADDRESS",
            Self::XdgRuntimeDir => "XDG_RUNTIME_DIR",
            Self::SshConnection => "SSH_CONNECTION",
            Self::Tmux => "TMUX",
            Self::Sty => "STY",
            Self::Zellij => "ZELLIJ",
            Self::User => "USER",
        }
    }

    /// What it is for, in a sentence.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::WindlassHome => {
                "Directory of windlass's store [default: $XDG_STATE_HOME/windlass]."
            }
            Self::WindlassDetached => "Set by windlass for the process that `--detach` starts.",
            Self::WindlassInhibitSleep => {
                "`false` lets the machine sleep while a loop runs; else windlass holds `systemd-inhibit`."
            }
            Self::WindlassPowerSupply => {
                "Where batteries are looked for; `/sys/class/power_supply` if it is not set."
            }
            Self::WindlassLoop => "Set by windlass for agents and checks: their loop.",
            Self::WindlassSession => "Set by windlass for agents and checks: their session.",
            Self::XdgStateHome => "Directory for state [default: ~/.local/state].",
            Self::XdgConfigHome => "Directory of `windlass/config.toml` [default: ~/.config].",
            Self::Home => "Home directory; the defaults above are below it.",
            Self::Path => {
                "Where to find programs; git and the like only where agents cannot write."
            }
            Self::NoColor => "Disable colors, unless it is empty.",
            Self::GithubToken => "GitHub token; agents and checks do not get it.",
            Self::GhToken => "The same, if the one above is not set; then `gh auth token`.",
            Self::GithubApiUrl => "GitHub REST API [default: https://api.github.com].",
            Self::DbusSessionBusAddress => {
                "D-Bus for `--notify desktop` [default: `bus` in the one below]."
            }
            Self::XdgRuntimeDir => "Directory of the desktop's sockets.",
            Self::SshConnection => {
                "Set over SSH: a loop then says that closing the connection ends it."
            }
            Self::Tmux => "Set inside tmux, where a loop outlives the connection.",
            Self::Sty => "Set inside GNU screen; the same.",
            Self::Zellij => "Set inside Zellij; the same.",
            Self::User => "Who logs out: `--detach` warns where that would end the loop.",
        }
    }
}

/// The environment. An empty value is the same as none.
#[derive(Clone)]
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// The environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads it")]
    pub(crate) fn read() -> Self {
        Self(env::vars_os().collect())
    }

    /// What was typed after the name of the program.
    #[expect(clippy::disallowed_methods, reason = "for a process that is to do the same")]
    pub(crate) fn arguments() -> Vec<OsString> {
        env::args_os().skip(1).collect()
    }

    /// The value of a variable that windlass knows.
    pub(crate) fn get(&self, variable: Variable) -> Option<&OsStr> {
        let value = self.0.get(OsStr::new(variable.name()))?;
        (!value.is_empty()).then_some(value.as_os_str())
    }

    /// The variables that may be settings: those that begin with `WINDLASS_` and are not in the
    /// list above. The prefix is taken off.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        self.0.iter().filter_map(|(name, value)| {
            let name = name.to_str()?;
            let known = Variable::ALL.iter().any(|variable| variable.name() == name);
            (!known).then_some(())?;
            Some((name.strip_prefix(PREFIX)?, value.as_os_str()))
        })
    }

    /// All of it, for what agents inherit.
    pub(crate) fn all(&self) -> &BTreeMap<OsString, OsString> {
        &self.0
    }

    /// An environment of just these, for tests.
    #[cfg(test)]
    pub(crate) fn of<const N: usize>(vars: [(&str, &str); N]) -> Self {
        Self(vars.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// Names only: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_is_not_set() {
        let environment = Environment::of([("NO_COLOR", ""), ("HOME", "/home/ada")]);
        assert_eq!(environment.get(Variable::NoColor), None);
        assert_eq!(environment.get(Variable::Home), Some(OsStr::new("/home/ada")));
        assert_eq!(environment.all().len(), 2);
    }

    #[test]
    fn values_do_not_show_up_in_debug_output() {
        let environment = Environment::of([("TOKEN", "secret")]);
        assert_eq!(format!("{environment:?}"), r#"{"TOKEN"}"#);
    }

    #[test]
    fn the_variables_of_windlass_itself_are_no_settings() {
        let environment = Environment::of([("WINDLASS_LOOP", "x"), ("WINDLASS_PROMISE", "OK")]);
        let settings: Vec<_> = environment.settings().collect();
        assert_eq!(settings, [("PROMISE", OsStr::new("OK"))]);
    }
}
