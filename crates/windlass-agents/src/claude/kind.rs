//! Tells what a line of Claude Code's JSON stream is before it is read, for most need no reading.

use std::borrow::Cow;

use serde::Deserialize;

/// What kind of line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Init,
    Retry,
    Hook,
    Task,
    Limit,
    Assistant,
    User,
    Result,
    /// Known, and nothing that windlass shows.
    Passed,
    Unknown,
}

/// How lines begin as Claude Code writes them, the most frequent first.
const BEGINNINGS: &[(&[u8], Kind)] = &[
    (br#"{"type":"stream_event","#, Kind::Passed),
    (br#"{"type":"user","#, Kind::User),
    (br#"{"type":"assistant","#, Kind::Assistant),
    (br#"{"type":"system","subtype":"init","#, Kind::Init),
    (br#"{"type":"system","subtype":"api_retry","#, Kind::Retry),
    (br#"{"type":"system","subtype":"hook_response","#, Kind::Hook),
    (br#"{"type":"system","subtype":"task_started","#, Kind::Task),
    (br#"{"type":"system","subtype":"task_updated","#, Kind::Task),
    (br#"{"type":"system","subtype":"task_notification","#, Kind::Task),
    (br#"{"type":"system","subtype":""#, Kind::Passed),
    (br#"{"type":"rate_limit_event","#, Kind::Limit),
    (br#"{"type":"result","#, Kind::Result),
];

impl Kind {
    /// Tells the kind by the line's beginning where that is enough, else by its head.
    pub(super) fn of(line: &[u8]) -> Self {
        let known = BEGINNINGS.iter().find(|(beginning, _)| line.starts_with(beginning));
        match known {
            // Half a line is not known, even if its beginning is.
            Some((_, Self::Passed)) if !line.trim_ascii_end().ends_with(b"}") => Self::Unknown,
            Some((_, kind)) => *kind,
            None => Self::by_head(line),
        }
    }

    fn by_head(line: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Head<'a> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'a, str>,
            #[serde(borrow, default)]
            subtype: Option<Cow<'a, str>>,
        }
        if !line.trim_ascii_start().starts_with(b"{") {
            return Self::Unknown;
        }
        let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else { return Self::Unknown };
        match (head.kind.as_ref(), head.subtype.as_deref()) {
            ("system", Some("init")) => Self::Init,
            ("system", Some("api_retry")) => Self::Retry,
            ("system", Some("hook_response")) => Self::Hook,
            ("system", Some("task_started" | "task_updated" | "task_notification")) => Self::Task,
            ("system" | "stream_event", _) => Self::Passed,
            ("rate_limit_event", _) => Self::Limit,
            ("assistant", _) => Self::Assistant,
            ("user", _) => Self::User,
            ("result", _) => Self::Result,
            _ => Self::Unknown,
        }
    }
}
