//! What a confined helper may reach, and how it gives up the rest.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

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
const MOST_MEMORY: u64 = 4 << 30;

/// No file that a helper writes is larger.
const MOST_WRITTEN: u64 = 16 << 30;

/// What a confined helper may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// What can be read, and run.
    pub read: Vec<PathBuf>,
    /// What can be written too.
    pub write: Vec<PathBuf>,
    /// Where directories may come and go, and nothing else.
    pub directories: Vec<PathBuf>,
}

impl Rights {
    /// Gives up everything else, for this process and all that it starts. Must be called while the
    /// process has one thread. Where the kernel has no Landlock, only the limits hold.
    pub(super) fn confine(&self) -> Result<(), RulesetError> {
        for (what, most) in
            [(Resource::Data, MOST_MEMORY), (Resource::Fsize, MOST_WRITTEN), (Resource::Core, 0)]
        {
            // A lower limit of the user's own stays.
            let _ = setrlimit(what, Rlimit { current: Some(most), maximum: Some(most) });
        }
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
            .add_rules(path_beneath_rules(&self.write, writing()))?
            .add_rules(path_beneath_rules(&self.directories, coming_and_going))?
            .add_rules(path_beneath_rules(["/dev/null"], device))?
            .restrict_self()
            .map(drop)
    }
}

/// Everything that files of a work tree need: no devices, no sockets, and nothing there is run.
fn writing() -> BitFlags<AccessFs> {
    let never = AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
    AccessFs::from_all(TRIED) & !never
}
