//! How paths and errors of the system go to a confined helper and come back: a path need not be
//! UTF-8, and an error keeps its number.

/// A path.
pub mod path {
    use std::{
        ffi::OsString,
        os::unix::ffi::{OsStrExt, OsStringExt},
        path::{Path, PathBuf},
    };

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Text where it is text, bytes otherwise.
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub(super) enum Raw {
        Text(String),
        Bytes(Vec<u8>),
    }

    impl Raw {
        pub(super) fn of(path: &Path) -> Self {
            match path.to_str() {
                Some(text) => Self::Text(text.to_owned()),
                None => Self::Bytes(path.as_os_str().as_bytes().to_vec()),
            }
        }

        pub(super) fn path(self) -> PathBuf {
            match self {
                Self::Text(text) => text.into(),
                Self::Bytes(bytes) => OsString::from_vec(bytes).into(),
            }
        }
    }

    /// Writes a path.
    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        Raw::of(path).serialize(to)
    }

    /// Reads a path.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Raw::deserialize(from).map(Raw::path)
    }
}

/// Paths.
pub mod paths {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::path::Raw;

    /// Writes paths.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        paths.iter().map(|path| Raw::of(path)).collect::<Vec<_>>().serialize(to)
    }

    /// Reads paths.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<Raw>::deserialize(from)?.into_iter().map(Raw::path).collect())
    }
}

/// A path, where there is one.
pub mod maybe_path {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::path::Raw;

    /// Writes it.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(Raw::of).serialize(to)
    }

    /// Reads it.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Raw>::deserialize(from)?.map(Raw::path))
    }
}

/// An error of the system.
pub mod io_error {
    use std::io;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Told {
        number: Option<i32>,
        text: String,
    }

    /// Writes an error.
    pub fn serialize<S: Serializer>(error: &io::Error, to: S) -> Result<S::Ok, S::Error> {
        Told { number: error.raw_os_error(), text: error.to_string() }.serialize(to)
    }

    /// Reads an error.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<io::Error, D::Error> {
        let Told { number, text } = Told::deserialize(from)?;
        Ok(number.map_or_else(|| io::Error::other(text), io::Error::from_raw_os_error))
    }
}
