//! Whom to tell, and of what: flags and settings.

use std::{ops::Deref, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Channel, KINDS};

/// The flags. What they mean is read from the settings, over which they lie.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Flags {
    /// Notify via: `desktop`, `command:CMD`, `webhook:URL`, `ntfy:URL` or `slack:URL`
    #[arg(long, value_name = "WAY")]
    notify: Vec<String>,

    /// Events to notify about: `end`, `trip` or `limit`
    #[arg(long, value_name = "EVENT")]
    notify_on: Vec<String>,
}

/// Whom to tell, and of what.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Options {
    /// The ways to tell people.
    pub(crate) notify: Vec<Way>,
    /// Of what.
    pub(crate) notify_on: Vec<When>,
}

/// Of what people are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum When {
    /// The loop is over.
    End,
    /// A rule tripped, and the circuit is open.
    Trip,
    /// A provider's limit is waited for.
    Limit,
}

/// A way to tell people, as it is typed: `desktop`, `command:my-program --loud`, `ntfy:URL`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Way(Arc<dyn Channel>);

impl TryFrom<String> for Way {
    type Error = String;

    fn try_from(typed: String) -> Result<Self, String> {
        let (kind, rest) = typed.split_once(':').unwrap_or((&typed, ""));
        let Some((_, open)) = KINDS.iter().find(|(name, _)| *name == kind.trim()) else {
            // What stands behind the colon may be secret.
            let known: Vec<_> = KINDS.iter().map(|(name, _)| format!("`{name}`")).collect();
            return Err(format!(
                "there is no way `{kind}` to notify anybody: it is one of {}",
                known.join(", ")
            ));
        };
        open(rest.trim()).map(Self)
    }
}

impl Deref for Way {
    type Target = dyn Channel;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read_as_they_are_typed() {
        let of = |typed: &str| match Way::try_from(typed.to_owned()) {
            Ok(way) => way.name(),
            Err(why) => format!("refused: {why}"),
        };
        let typed = [
            "desktop",
            "desktop:loud",
            "command:notify-me 'two words' --now",
            "command:",
            "command:'open",
            "webhook:https://example.org/hooks/s3cr3t",
            "webhook:ftp://example.org",
            "webhook:https://hooks.slack.com/services/T/B/x",
            "webhook:https://ntfy.sh/topic",
            "ntfy:http://127.0.0.1:1/topic",
            "slack:example.org",
            "pager:https://example.org/s3cr3t",
        ];
        insta::assert_snapshot!(typed.map(of).join("\n"), @r"
        the desktop
        refused: `desktop` takes nothing behind it
        the command `notify-me`
        refused: write `command:PROGRAM ARGUMENTS`
        refused: the command is not understood: missing closing quote
        the webhook at example.org
        refused: write an address that begins with `https://` or `http://`
        Slack at hooks.slack.com
        ntfy at ntfy.sh
        ntfy at 127.0.0.1
        refused: write an address that begins with `https://` or `http://`
        refused: there is no way `pager` to notify anybody: it is one of `desktop`, `command`, `webhook`, `ntfy`, `slack`
        ");
    }
}
