//! When an agent may use its tools without asking: never, always, or only in a sandbox of windlass.
//! Written as `false`, `true` or `"sandboxed"`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What stands for [`SkipPermissions::Sandboxed`] in configs and stores.
const SANDBOXED: &str = "sandboxed";

/// When an agent may use its tools without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkipPermissions {
    /// It asks, or follows its own settings.
    #[default]
    Never,
    /// In every session.
    Always,
    /// In sessions that run in a sandbox of windlass. An agent's own sandbox does not count.
    Sandboxed,
}

impl SkipPermissions {
    /// What it comes to in a session, which is confined by windlass or not.
    #[must_use]
    pub fn decided(self, is_confined: bool) -> Self {
        match self {
            Self::Sandboxed => Self::from(is_confined),
            decided => decided,
        }
    }

    /// Whether permissions are skipped. Before [`decided`](Self::decided), `Sandboxed` skips nothing.
    pub fn is_always(self) -> bool {
        self == Self::Always
    }

    /// Whether it is `Never`.
    pub fn is_never(self) -> bool {
        self == Self::Never
    }
}

impl From<bool> for SkipPermissions {
    fn from(skips: bool) -> Self {
        if skips { Self::Always } else { Self::Never }
    }
}

impl Serialize for SkipPermissions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Never => serializer.serialize_bool(false),
            Self::Always => serializer.serialize_bool(true),
            Self::Sandboxed => serializer.serialize_str(SANDBOXED),
        }
    }
}

impl<'de> Deserialize<'de> for SkipPermissions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

impl de::Visitor<'_> for Visitor {
    type Value = SkipPermissions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`false`, `true` or `\"{SANDBOXED}\"`")
    }

    fn visit_bool<E: de::Error>(self, skips: bool) -> Result<SkipPermissions, E> {
        Ok(skips.into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<SkipPermissions, E> {
        match text {
            SANDBOXED => Ok(SkipPermissions::Sandboxed),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_is_stored_is_read_again_and_so_is_what_earlier_versions_stored() {
        for (value, is) in [
            (json!(false), SkipPermissions::Never),
            (json!(true), SkipPermissions::Always),
            (json!("sandboxed"), SkipPermissions::Sandboxed),
        ] {
            assert_eq!(serde_json::from_value::<SkipPermissions>(value.clone()).unwrap(), is);
            assert_eq!(serde_json::to_value(is).unwrap(), value);
        }
        let wrong = |value: Value| serde_json::from_value::<SkipPermissions>(value).unwrap_err();
        assert_eq!(
            wrong(json!("always")).to_string(),
            "invalid value: string \"always\", expected `false`, `true` or `\"sandboxed\"`"
        );
        assert!(wrong(json!(1)).to_string().contains("expected `false`, `true` or"));
    }

    #[test]
    fn only_sandboxed_depends_on_the_session() {
        use SkipPermissions::{Always, Never, Sandboxed};
        for is_confined in [false, true] {
            assert_eq!(Always.decided(is_confined), Always);
            assert_eq!(Never.decided(is_confined), Never);
            assert_eq!(Sandboxed.decided(is_confined).is_always(), is_confined);
        }
        assert!(!Sandboxed.is_always(), "undecided it skips nothing");
    }
}
