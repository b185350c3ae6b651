//! What acts outside of every sandbox: windlass's own config, and what the user's shells, sessions and
//! tools read when they start. An agent that can write there runs commands outside.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use super::{SandboxError, leads::leads_through, seals::Seals};

/// In the user's home.
const AT_HOME: [&str; 27] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cshrc",
    ".gitconfig",
    ".gnupg",
    ".kshrc",
    ".local/share/dbus-1",
    ".local/share/fish",
    ".local/share/systemd",
    ".login",
    ".mkshrc",
    ".pam_environment",
    ".profile",
    ".ssh",
    ".tcshrc",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Directories in that of the user's settings.
const AT_CONFIG: [&str; 8] = [
    "autostart/",
    "environment.d/",
    "fish/",
    "git/",
    "plasma-workspace/",
    "systemd/",
    "windlass/",
    "zsh/",
];

/// Variables that name a file that shells read.
const NAMED: [&str; 2] = ["BASH_ENV", "ENV"];

/// What zsh reads where `ZDOTDIR` says.
const OF_ZSH: [&str; 5] = [".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc"];

/// Sockets by which one rules a machine.
pub(super) const SOCKETS: [&str; 4] = [
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
];

/// Those of the services of the user's session, in its directory.
const OF_SESSION: [&str; 5] =
    ["bus", "docker.sock", "gnupg/S.gpg-agent", "podman/podman.sock", "systemd/private"];

/// So many files of a guarded directory are looked at, and so deep, for links: dotfiles are often kept
/// in a repository.
const MOST: usize = 512;
const DEEPEST: u32 = 3;

/// What acts outside of every sandbox.
pub(super) struct Guarded {
    /// Where windlass's config is.
    config: Vec<PathBuf>,
    paths: Vec<PathBuf>,
    sockets: Vec<PathBuf>,
}

impl Guarded {
    /// All of it, by the user's home and environment.
    pub(super) fn of(home: &Path, host: &BTreeMap<OsString, OsString>) -> Self {
        let named = |name: &str| host.get(OsStr::new(name)).map(PathBuf::from);
        let named = |name: &str| named(name).filter(|path| path.is_absolute());
        let homes = [Some(home.join(".config")), named("XDG_CONFIG_HOME")];
        let homes: Vec<PathBuf> = homes.into_iter().flatten().collect();
        let config = homes.iter().map(|home| home.join("windlass")).collect();
        let mut paths: Vec<PathBuf> = AT_HOME.iter().map(|name| home.join(name)).collect();
        paths.extend(homes.iter().flat_map(|home| AT_CONFIG.map(|name| home.join(name))));
        paths.extend(NAMED.iter().filter_map(|name| named(name)).filter(|path| path.is_file()));
        paths.extend(named("ZDOTDIR").iter().flat_map(|home| OF_ZSH.map(|name| home.join(name))));
        paths.sort();
        paths.dedup();
        let runtime = named("XDG_RUNTIME_DIR");
        let of_session = runtime.iter().flat_map(|place| OF_SESSION.map(|name| place.join(name)));
        let agent = named("SSH_AUTH_SOCK");
        let sockets = SOCKETS.iter().map(PathBuf::from).chain(of_session).chain(agent).collect();
        Self { config, paths, sockets }
    }

    /// Refuses a directory with a socket in it by which an agent would act outside. One who names the
    /// socket itself knows what it is.
    pub(super) fn refuse_sockets(&self, place: &Path) -> Result<(), SandboxError> {
        let held = self.sockets.iter().find(|socket| {
            let real = socket.canonicalize();
            real.is_ok_and(|real| is_below(&real, place))
        });
        match held {
            Some(socket) => {
                Err(SandboxError::Exposed { path: place.to_owned(), acts: socket.to_owned() })
            }
            None => Ok(()),
        }
    }

    /// Keeps it from being written in a place that an agent writes; refuses the place where that
    /// cannot be had. What a link of the user's leads to can be read-only, if the sandbox can
    /// do such a thing; what is not there yet cannot.
    pub(super) fn keep(
        &self,
        place: &Path,
        can_seal: bool,
        seals: &mut Seals,
    ) -> Result<(), SandboxError> {
        for path in &self.paths {
            let exposed =
                || SandboxError::Exposed { path: place.to_owned(), acts: path.to_owned() };
            let real = path.canonicalize();
            if real.as_ref().is_ok_and(|real| place.starts_with(real)) {
                return Err(exposed());
            }
            if leads_through(path, place) {
                match real {
                    Ok(real) if can_seal && is_below(&real, place) && !is_below(path, place) => {
                        seals.keep(&real, place);
                    }
                    _ => return Err(exposed()),
                }
            }
            for inner in links_in(path, DEEPEST, &mut { MOST }) {
                if !leads_through(&inner, place) {
                    continue;
                }
                match inner.canonicalize() {
                    Ok(real) if can_seal && is_below(&real, place) => seals.keep(&real, place),
                    _ => return Err(exposed()),
                }
            }
        }
        Ok(())
    }

    /// Hides windlass's config in a place that an agent reads; refuses the place where that cannot be
    /// had.
    pub(super) fn hide(
        &self,
        place: &Path,
        can_hide: bool,
        hidden: &mut Vec<PathBuf>,
    ) -> Result<(), SandboxError> {
        for path in &self.config {
            let Ok(real) = path.canonicalize() else { continue };
            if place.starts_with(&real) || real.starts_with(place) && !can_hide {
                let acts = path.to_owned();
                return Err(SandboxError::Exposed { path: place.to_owned(), acts });
            }
            if real.starts_with(place) {
                hidden.push(real);
            }
        }
        Ok(())
    }

    /// Whether a path leads into it.
    pub(super) fn holds(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return false };
        self.paths.iter().any(|guarded| real.starts_with(guarded))
    }
}

fn is_below(path: &Path, place: &Path) -> bool {
    path != place && path.starts_with(place)
}

/// The links in a directory and in those below it.
fn links_in(directory: &Path, deep: u32, left: &mut usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(directory) else { return found };
    for path in entries.flatten().map(|entry| entry.path()) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        if path.is_symlink() {
            found.push(path);
        } else if deep > 1 && path.is_dir() {
            found.extend(links_in(&path, deep - 1, left));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_place_that_holds_or_is_what_acts_outside_is_refused_and_what_links_lead_to_is_sealed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = |inner: &str| root.join(inner);
        for directory in ["home/.config/fish/conf.d", "home/.config/nvim", "dots/shell", "plain"] {
            fs::create_dir_all(path(directory)).unwrap();
        }
        fs::write(path("dots/shell/rc"), "").unwrap();
        fs::write(path("dots/a.fish"), "").unwrap();
        symlink("../dots/shell/rc", path("home/.bashrc")).unwrap();
        symlink(path("dots/a.fish"), path("home/.config/fish/conf.d/a.fish")).unwrap();
        let guarded = Guarded::of(&path("home"), &BTreeMap::new());
        let keep = |place: &str, can_seal: bool| {
            let mut seals = Seals::default();
            guarded.keep(&path(place), can_seal, &mut seals).map(|()| seals)
        };
        for place in ["plain", "home/.config/nvim"] {
            assert_eq!(keep(place, false).unwrap(), Seals::default(), "{place}");
        }
        for place in ["home/.config", "home/.config/fish", "home/.config/fish/conf.d", "home"] {
            for can_seal in [true, false] {
                assert!(keep(place, can_seal).is_err(), "{place}");
            }
        }
        assert!(keep("dots", false).is_err());
        let seals = keep("dots", true).unwrap();
        assert_eq!(seals.sealed, [path("dots/shell/rc"), path("dots/a.fish")]);
        assert_eq!(seals.pinned, [path("dots/shell")]);
        symlink("../dots/none", path("home/.zshrc")).unwrap();
        assert!(keep("dots", true).is_err(), "it can be made");
    }
}
