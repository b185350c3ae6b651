//! The system's settings that programs look up, put together once for a loop: small ones are copied
//! to one place, which takes a single mount where each of them would take its own. A sandbox is made
//! anew for each session, and mounts are most of what that costs.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::visible::{SETTINGS, SYSTEM};
use crate::home;

/// Where they stand.
const ETC: &str = "/etc";

/// What may change while a loop runs: it is shown as it is, and not as it was.
const LIVE: [&str; 2] = ["hosts", "resolv.conf"];

/// What is larger is shown where it is.
const SMALL: u64 = 1024 * 1024;

/// A directory with more in it is shown where it is.
const FEW: usize = 64;

/// The settings of the system, for as long as this is held.
#[derive(Debug)]
pub(super) struct Settings {
    place: PathBuf,
    /// What is not copied.
    shown: Vec<PathBuf>,
}

impl Settings {
    /// Puts them together at a place of windlass's own, anew.
    pub(super) fn gather(place: PathBuf) -> io::Result<Self> {
        Self::of(Path::new(ETC), place)
    }

    fn of(etc: &Path, place: PathBuf) -> io::Result<Self> {
        match fs::remove_dir_all(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        home::create_private(&place)?;
        let mut settings = Self { place, shown: Vec::new() };
        for name in SETTINGS {
            let from = etc.join(name);
            if from.exists() {
                settings.add(name, from)?;
            }
        }
        Ok(settings)
    }

    fn add(&mut self, name: &str, from: PathBuf) -> io::Result<()> {
        let to = self.place.join(name);
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        if !LIVE.contains(&name) && copy(&from, &to).is_ok_and(|done| done) {
            return Ok(());
        }
        // Something must stand where it is to be shown.
        if from.is_dir() {
            fs::create_dir_all(&to)?;
        } else {
            fs::write(&to, "")?;
        }
        self.shown.push(from);
        Ok(())
    }

    /// What takes the place of all settings.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// What is to be shown on top of that, each where it is.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Path> {
        self.shown.iter().map(PathBuf::as_path)
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        // What stays is removed when the loop is.
        drop(fs::remove_dir_all(&self.place));
    }
}

/// Copies a file or a small directory of files; says whether it is one.
fn copy(from: &Path, to: &Path) -> io::Result<bool> {
    if from.is_symlink() && leads_to_the_system(from) {
        symlink(fs::read_link(from)?, to)?;
        return Ok(true);
    }
    let metadata = fs::metadata(from)?;
    if !metadata.is_dir() {
        if metadata.is_file() && metadata.len() <= SMALL {
            fs::copy(from, to)?;
            return Ok(true);
        }
        return Ok(false);
    }
    let entries: Vec<_> = fs::read_dir(from)?.take(FEW + 1).collect::<io::Result<_>>()?;
    if entries.len() > FEW || entries.iter().any(|entry| entry.path().is_dir()) {
        return Ok(false);
    }
    fs::create_dir(to)?;
    for entry in entries {
        if !copy(&entry.path(), &to.join(entry.file_name()))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a link leads to what is there inside too, as those to time zones do.
fn leads_to_the_system(link: &Path) -> bool {
    link.canonicalize().is_ok_and(|real| SYSTEM.iter().any(|system| real.starts_with(system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_settings_are_copied_and_the_others_have_a_place_to_be_shown_at() {
        let directory = tempfile::tempdir().unwrap();
        let etc = directory.path().join("etc");
        let write = |path: &str, text: &str| {
            let path = etc.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("passwd", "ada\n");
        write("shadow", "secret\n");
        write("default/locale", "LANG=C\n");
        write("profile.d/a.sh", "true\n");
        write("ssl/certs/one.pem", "pem\n");
        write("resolv.conf", "nameserver 127.0.0.1\n");
        write("elsewhere", "[user]\n");
        symlink("/usr/bin/env", etc.join("localtime")).unwrap();
        symlink("elsewhere", etc.join("gitconfig")).unwrap();
        symlink("/nowhere/at/all", etc.join("magic")).unwrap();
        let settings = Settings::of(&etc, directory.path().join("copy")).unwrap();
        let read = |path: &str| fs::read_to_string(settings.place().join(path)).unwrap();
        assert_eq!(
            ["passwd", "default/locale", "profile.d/a.sh", "gitconfig", "resolv.conf"].map(read),
            ["ada\n", "LANG=C\n", "true\n", "[user]\n", ""]
        );
        assert!(settings.place().join("localtime").is_symlink());
        let shown: Vec<_> = settings.shown().map(|path| path.strip_prefix(&etc).unwrap()).collect();
        assert_eq!(shown, [Path::new("resolv.conf"), Path::new("ssl")]);
        assert!(settings.place().join("ssl").is_dir());
        assert!(!settings.place().join("shadow").exists());
        let place = settings.place().to_owned();
        drop(settings);
        assert!(!place.exists());
    }
}
