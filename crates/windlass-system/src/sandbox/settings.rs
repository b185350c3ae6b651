//! The system's settings that programs look up, put together once for a loop: small ones are copied
//! to one place, which takes a single mount where each of them would take its own. A sandbox is made
//! anew for each session, and mounts are most of what that costs.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::{
    live::Live,
    visible::{SECRETS, SETTINGS, SYSTEM},
};
use crate::home;

/// Where they stand.
const ETC: &str = "/etc";

/// What may change while a loop runs: it is copied for each session in which it is another.
const LIVE: [&str; 2] = ["hosts", "resolv.conf"];

/// What is larger is shown where it is.
const SMALL: u64 = 1024 * 1024;

/// A directory with more in it is shown where it is.
const FEW: usize = 64;

/// The settings of the system, for as long as this is held.
#[derive(Debug)]
pub(super) struct Settings {
    place: PathBuf,
    live: Vec<Live>,
    /// What is not copied.
    shown: Vec<PathBuf>,
    /// What is for the system alone, inside of what is not copied.
    hidden: Vec<PathBuf>,
}

impl Settings {
    /// Puts them together at a place of windlass's own, anew, but for what [`Settings::refresh`]
    /// brings.
    pub(super) fn gather(place: PathBuf) -> io::Result<Self> {
        Self::of(Path::new(ETC), place)
    }

    fn of(etc: &Path, place: PathBuf) -> io::Result<Self> {
        match fs::remove_dir_all(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        home::create_private(&place)?;
        let secrets = SECRETS.map(|name| etc.join(name));
        let live = LIVE.map(|name| Live::new(etc.join(name), place.join(name))).into();
        let mut settings = Self { place, live, shown: Vec::new(), hidden: Vec::new() };
        for name in SETTINGS {
            let (from, to) = (etc.join(name), settings.place.join(name));
            if LIVE.contains(&name) || !from.exists() {
                continue;
            }
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            if from.is_symlink() && leads_to_the_system(&from) {
                symlink(fs::read_link(&from)?, &to)?;
            } else {
                settings.add(from, &to, &secrets)?;
            }
        }
        let in_shown =
            |secret: &PathBuf| settings.shown.iter().any(|path| secret.starts_with(path));
        settings.hidden = secrets.into_iter().filter(|path| path.is_dir()).collect();
        settings.hidden.retain(in_shown);
        Ok(settings)
    }

    /// Copies what is small, and shows the rest of it where it is.
    fn add(&mut self, from: PathBuf, to: &Path, secrets: &[PathBuf]) -> io::Result<()> {
        let Some(entries) = few_entries(&from) else {
            let is_small = |file: fs::Metadata| file.is_file() && file.len() <= SMALL;
            let is_copied = fs::metadata(&from).is_ok_and(is_small) && fs::copy(&from, to).is_ok();
            return if is_copied { Ok(()) } else { self.show(from, to) };
        };
        fs::create_dir(to)?;
        for entry in entries.into_iter().filter(|entry| !secrets.contains(entry)) {
            let to = to.join(entry.file_name().unwrap_or_default());
            match fs::read_link(&entry) {
                Ok(target) => symlink(target, to)?,
                Err(_) => self.add(entry, &to, secrets)?,
            }
        }
        Ok(())
    }

    /// Makes a place where it is to be shown.
    fn show(&mut self, from: PathBuf, to: &Path) -> io::Result<()> {
        if from.is_dir() {
            fs::create_dir_all(to)?;
        } else {
            fs::write(to, "")?;
        }
        self.shown.push(from);
        Ok(())
    }

    /// Brings in what changed since the last session; gives what could not be.
    pub(super) fn refresh(&self) -> Vec<String> {
        let troubles = self.live.iter().filter_map(|live| live.refresh().err());
        troubles
            .map(|error| format!("the agent has old settings of the network: {error}"))
            .collect()
    }

    /// What takes the place of all settings.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// What is to be shown on top of that, each where it is.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Path> {
        self.shown.iter().map(PathBuf::as_path)
    }

    /// What is to be hidden of that.
    pub(super) fn hidden(&self) -> impl Iterator<Item = &Path> {
        self.hidden.iter().map(PathBuf::as_path)
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        // What stays is removed when the loop is.
        drop(fs::remove_dir_all(&self.place));
    }
}

/// What is in a directory, where that is one that can be read and is not large.
fn few_entries(directory: &Path) -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).ok()?.take(FEW + 1);
    let entries: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().ok()?;
    (entries.len() <= FEW).then_some(entries)
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
        write("ssl/openssl.cnf", "[req]\n");
        write("ssl/private/key.pem", "secret\n");
        for n in 0..=FEW {
            write(&format!("ssl/certs/{n}.pem"), "pem\n");
            write(&format!("pki/{n}"), "pem\n");
        }
        write("pki/tls/private/key.pem", "secret\n");
        write("fonts/conf.d/a.conf", "<a/>\n");
        symlink("../ssl/private/key.pem", etc.join("fonts/link")).unwrap();
        write("resolv.conf", "nameserver 127.0.0.1\n");
        write("elsewhere", "[user]\n");
        symlink("/usr/bin/env", etc.join("localtime")).unwrap();
        symlink("elsewhere", etc.join("gitconfig")).unwrap();
        symlink("/nowhere/at/all", etc.join("magic")).unwrap();
        let settings = Settings::of(&etc, directory.path().join("copy")).unwrap();
        assert!(settings.refresh().is_empty());
        let read = |path: &str| fs::read_to_string(settings.place().join(path)).unwrap();
        assert_eq!(
            ["passwd", "default/locale", "fonts/conf.d/a.conf", "gitconfig", "ssl/openssl.cnf"]
                .map(read),
            ["ada\n", "LANG=C\n", "<a/>\n", "[user]\n", "[req]\n"]
        );
        assert!(settings.place().join("localtime").is_symlink());
        assert_eq!(read("resolv.conf"), "nameserver 127.0.0.1\n");
        let inner = |path: &Path| path.strip_prefix(&etc).unwrap().to_str().unwrap().to_owned();
        let shown: Vec<_> = settings.shown().map(inner).collect();
        assert_eq!(shown, ["pki", "ssl/certs"]);
        let hidden: Vec<_> = settings.hidden().map(inner).collect();
        assert_eq!(hidden, ["pki/tls/private"]);
        for absent in ["shadow", "ssl/private", "fonts/link"] {
            assert!(!settings.place().join(absent).exists(), "{absent}");
        }
        for place in ["pki", "ssl/certs"] {
            assert!(fs::read_dir(settings.place().join(place)).unwrap().next().is_none());
        }
        write("resolv.conf", "nameserver 192.0.2.1\n");
        write("hosts", "127.0.0.1 localhost\n");
        assert!(settings.refresh().is_empty());
        assert_eq!(
            ["resolv.conf", "hosts"].map(read),
            ["nameserver 192.0.2.1\n", "127.0.0.1 localhost\n"]
        );
        let place = settings.place().to_owned();
        drop(settings);
        assert!(!place.exists());
    }
}
