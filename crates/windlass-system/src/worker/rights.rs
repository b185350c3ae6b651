//! What a confined helper may reach, and how it gives up the rest.

use std::{
    io,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::{
    fs::{FileType, Mode, OFlags, fstat, open, readlink},
    process::{Resource, Rlimit, setrlimit},
};
use serde::{Deserialize, Serialize};

use crate::filter::{self, Sockets};

/// The rights that were tried with windlass. A kernel that knows fewer holds back what it knows.
const TRIED: ABI = ABI::V6;

/// What programs such as git are made of, and look up.
const SYSTEM: [&str; 15] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    "/dev/urandom",
];

/// So much memory each process may take for itself. It keeps a helper from taking the machine's.
const MOST_MEMORY: u64 = 2 << 30;

/// No file that a helper writes is larger.
const MOST_WRITTEN: u64 = 16 << 30;

/// What a confined helper may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// What can be read, and run.
    pub read: Vec<PathBuf>,
    /// What can be written too, by the real path: one that leads through a link is left out.
    pub write: Vec<PathBuf>,
    /// Where directories may come and go, and nothing else.
    pub directories: Vec<PathBuf>,
}

impl Rights {
    /// Gives up everything else, for this process and all that it starts. Must be called while the
    /// process has one thread. Where the kernel has no Landlock, the limits hold, and that there is no
    /// network.
    pub(super) fn confine(&self) -> io::Result<()> {
        for (what, most) in
            [(Resource::Data, MOST_MEMORY), (Resource::Fsize, MOST_WRITTEN), (Resource::Core, 0)]
        {
            // A lower limit of the user's own stays.
            let _ = setrlimit(what, Rlimit { current: Some(most), maximum: Some(most) });
        }
        self.restrict().map_err(io::Error::other)?;
        // Landlock knows TCP only.
        filter::apply(Sockets::Local)
    }

    fn restrict(&self) -> Result<(), RulesetError> {
        let system = SYSTEM.iter().map(Path::new);
        let read = system.chain(self.read.iter().map(PathBuf::as_path));
        let coming_and_going: BitFlags<AccessFs> =
            AccessFs::ReadDir | AccessFs::MakeDir | AccessFs::RemoveDir;
        let device = AccessFs::ReadFile | AccessFs::WriteFile;
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(TRIED))?
            .handle_access(AccessNet::from_all(TRIED))?
            .scope(Scope::from_all(TRIED))?
            .create()?
            .add_rules(path_beneath_rules(read, AccessFs::from_read(TRIED)))?
            .add_rules(exactly(&self.write, writing()))?
            .add_rules(exactly(&self.directories, coming_and_going))?
            .add_rules(path_beneath_rules(["/dev/null"], device))?
            .restrict_self()
            .map(drop)
    }
}

/// Rules for the places that are really where these paths say. One that became a link since it was
/// decided on leads elsewhere, and is none.
fn exactly(
    paths: &[PathBuf],
    access: BitFlags<AccessFs>,
) -> impl Iterator<Item = Result<PathBeneath<OwnedFd>, RulesetError>> {
    let opened = paths.iter().filter_map(|path| {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let opened = open(path, flags, Mode::empty()).ok()?;
        let real = readlink(format!("/proc/self/fd/{}", opened.as_raw_fd()), Vec::new()).ok()?;
        (real.as_bytes() == path.as_os_str().as_bytes()).then_some(opened)
    });
    opened.map(move |opened| {
        let is_file =
            fstat(&opened).is_ok_and(|stat| !FileType::from_raw_mode(stat.st_mode).is_dir());
        let access = if is_file { access & AccessFs::from_file(TRIED) } else { access };
        Ok(PathBeneath::new(opened, access))
    })
}

/// Everything that files of a work tree need: no devices, no sockets, and nothing there is run.
fn writing() -> BitFlags<AccessFs> {
    let never = AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
    AccessFs::from_all(TRIED) & !never
}
