//! The policy as arguments of bubblewrap: a root that holds what is named and nothing else, with
//! processes, users and, unless all of it is allowed, a network of its own.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use windlass_core::options::NetworkMode;

use super::{
    inside::{Confinement, Copy, Orders, Way},
    mounts::Mount,
    policy::Policy,
    proxy::SOCKET,
    settings::Settings,
};

/// The program.
pub(super) const PROGRAM: &str = "bwrap";

/// Where windlass's own things stand inside.
const OWN: &str = "/run/windlass";

/// A namespace for everything, for root too; dying with the guardian; and no rights over any of it.
/// The terminal is out of reach already: the guardian has none. Windlass itself is the first process
/// inside, so that nothing outlives the agent, and no reaper of another program stands between.
pub(super) const ALWAYS: [&str; 6] =
    ["--unshare-all", "--unshare-user", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"];

/// What a root has that is no file. Settings of the kernel belong to root, whatever namespace it is
/// in, so nothing of `/proc` can be written.
pub(super) const KERNEL: [&str; 6] = ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"];

/// What every session of a loop has in common. To look all of it up again for each would cost more
/// than some of the mounts do.
pub(super) struct Root<'a> {
    pub(super) policy: &'a Policy,
    /// The program of windlass.
    pub(super) windlass: &'a Path,
    pub(super) settings: &'a Settings,
    /// The directory with the proxy's socket.
    pub(super) proxy: Option<&'a Path>,
}

impl Root<'_> {
    /// The arguments that are the same each time.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut out = Arguments(ALWAYS.iter().map(OsString::from).collect());
        if self.policy.network == NetworkMode::Full {
            out.push(["--share-net"]);
        }
        self.system(&mut out);
        // What is gone by the time of a session is left out, as it is outside.
        for (path, mount) in self.policy.mounts() {
            match mount {
                Mount::Read(source) => out.bind("--ro-bind-try", &source, &path),
                Mount::Write(source) => out.bind("--bind-try", &source, &path),
                Mount::Empty => out.push([OsString::from("--tmpfs"), path.into()]),
            }
        }
        out.bind("--ro-bind", self.windlass, &Wrapping::windlass_inside());
        if let Some(proxy) = self.proxy {
            out.bind("--ro-bind", proxy, &Path::new(OWN).join("proxy"));
        }
        out.0
    }

    /// What every sandbox has: programs, settings, and places of its own.
    fn system(&self, out: &mut Arguments) {
        for path in Policy::system() {
            match fs::read_link(path) {
                Ok(target) => out.push([OsString::from("--symlink"), target.into(), path.into()]),
                Err(_) => out.bind("--ro-bind", path, path),
            }
        }
        out.bind("--ro-bind", self.settings.place(), Path::new("/etc"));
        for path in self.settings.shown() {
            out.bind("--ro-bind-try", path, path);
        }
        for path in self.settings.hidden() {
            out.push([OsString::from("--tmpfs"), path.into()]);
        }
        out.push(KERNEL);
        out.push(["--tmpfs", "/tmp", "--dir", "/run"]);
        out.push(["--dir", "/var", "--symlink", "../tmp", "/var/tmp"]);
        out.push([OsString::from("--tmpfs"), self.policy.home.clone().into()]);
    }
}

/// What a wrapped program runs in.
pub(super) struct Wrapping<'a> {
    /// The arguments for what all sessions have in common.
    pub(super) root: &'a [OsString],
    pub(super) policy: &'a Policy,
    /// Whether Landlock holds back too what should be out of reach already.
    pub(super) has_second_layer: bool,
    pub(super) has_proxy: bool,
    /// The files of windlass's own that the agent reads.
    pub(super) files: &'a [&'a Path],
    pub(super) directory: &'a Path,
}

impl Wrapping<'_> {
    /// The arguments up to the program inside.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let mut out = Arguments(self.root.to_vec());
        for (at, path) in self.copied() {
            out.bind("--ro-bind", path, &seed(at));
        }
        for path in self.files {
            out.bind("--ro-bind", path, path);
        }
        out.push(["--remount-ro", "/"]);
        out.push([OsString::from("--chdir"), self.directory.into()]);
        out.push(["--"]);
        out.0
    }

    /// What the first process inside is to do before it starts the program.
    pub(super) fn orders(&self) -> Orders {
        let policy = self.policy;
        let copies = self.copied().map(|(at, path)| Copy { from: seed(at), to: path.clone() });
        let written = policy.git_config.iter();
        let written = written.map(|text| (policy.home.join(".gitconfig"), text.clone()));
        let mut write: Vec<PathBuf> = ["/tmp", "/dev"].map(PathBuf::from).into();
        write.push(policy.home.clone());
        write.extend(policy.writable.iter().chain(&policy.own.kept).cloned());
        write.extend(policy.writable_git());
        Orders {
            way: Way::First,
            variables: Vec::new(),
            mounts: Vec::new(),
            copies: copies.collect(),
            written: written.collect(),
            socket: self.has_proxy.then(|| Path::new(OWN).join("proxy").join(SOCKET)),
            forwarded: match policy.network {
                NetworkMode::Model => policy.hosts.of_this_machine().cloned().collect(),
                NetworkMode::Full | NetworkMode::None => Vec::new(),
            },
            confinement: self.has_second_layer.then(|| Confinement {
                read: vec!["/".into()],
                write,
                no_network: false,
                best_effort: true,
            }),
        }
    }

    /// The program that is run first inside.
    pub(super) fn windlass_inside() -> PathBuf {
        Path::new(OWN).join("windlass")
    }

    /// What is copied of the user's files, each with its number.
    fn copied(&self) -> impl Iterator<Item = (usize, &PathBuf)> {
        self.policy.own.copied.iter().enumerate().filter(|(_, path)| path.is_file())
    }
}

/// Where the original of a copy stands inside.
fn seed(at: usize) -> PathBuf {
    Path::new(OWN).join("copied").join(at.to_string())
}

/// Arguments that grow.
struct Arguments(Vec<OsString>);

impl Arguments {
    fn push(&mut self, more: impl IntoIterator<Item = impl Into<OsString>>) {
        self.0.extend(more.into_iter().map(Into::into));
    }

    fn bind(&mut self, how: &str, source: &Path, to: &Path) {
        self.push([OsString::from(how), source.into(), to.into()]);
    }
}
