//! The policy as rules of Landlock, which a process lays upon itself and upon all that it starts.
//!
//! The kernel then refuses files outside of the named ones, TCP, signals and abstract sockets to
//! processes that are not below it. It knows no hosts, no UDP, which the filter of system calls holds
//! back, and no file inside of a directory that is allowed: docs/sandboxes.md lists what stays open.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use windlass_core::options::NetworkMode;

use super::{
    inside::{Confinement, Orders, Way},
    policy::Policy,
    request::GitMount,
};

/// The rights that were tried with windlass. A kernel that knows fewer holds back what it knows.
const TRIED: ABI = ABI::V6;

/// Below this a file outside can be emptied, and nothing can be moved between directories.
pub(super) const NEEDED: u32 = 3;

/// From here on TCP can be held back.
pub(super) const NEEDED_FOR_TCP: u32 = 4;

/// The devices that there are, to read and to write. No others: not the disks, and not the memory that
/// programs share in `/dev/shm`. And no terminals, for those in `/dev/pts` are the user's own, to
/// read keys from and to write commands to; one of a session's own cannot be told from them.
const DEVICES: [&str; 6] =
    ["/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"];

/// What a program is told that runs under Landlock alone.
pub(super) fn orders(policy: &Policy, also: &[&Path], scratch: &Path) -> Orders {
    let system = Policy::system().map(Path::to_owned);
    let mut read: Vec<PathBuf> = system.chain(policy.settings()).collect();
    read.push("/proc".into());
    let readable = policy.readable.iter().chain(&policy.own.shown);
    read.extend(readable.filter(|path| path.exists()).cloned());
    read.extend(also.iter().map(|path| path.to_path_buf()));
    let mut write: Vec<PathBuf> = DEVICES.map(PathBuf::from).into();
    write.push(scratch.to_owned());
    write.extend(policy.writable.iter().chain(&policy.own.state).cloned());
    write.extend(policy.writable_git());
    read.extend(policy.git.iter().map(|mount| mount.at.clone()));
    let credentials = policy.credentials.iter().cloned();
    let credentials = credentials.map(|(at, from)| GitMount { at, from, writable: true });
    Orders {
        way: Way::Instead,
        variables: Vec::new(),
        mounts: policy.git.iter().cloned().chain(credentials).collect(),
        copies: Vec::new(),
        written: Vec::new(),
        socket: None,
        forwarded: Vec::new(),
        confinement: Some(Confinement {
            read,
            write,
            no_network: policy.network != NetworkMode::Full,
            best_effort: false,
        }),
    }
}

/// Lays the rules upon this thread, and all that it starts. There is no way back.
pub(super) fn confine(confinement: &Confinement) -> Result<(), RulesetError> {
    let level = match confinement.best_effort {
        true => CompatLevel::BestEffort,
        false => CompatLevel::HardRequirement,
    };
    // What must hold is asked for strictly, and what newer kernels add as far as they can.
    let mut rules = Ruleset::default()
        .set_compatibility(level)
        .handle_access(AccessFs::from_all(ABI::V3))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(TRIED))?
        .scope(Scope::from_all(TRIED))?;
    if confinement.no_network {
        rules = rules.set_compatibility(level).handle_access(AccessNet::from_all(ABI::V4))?;
    }
    rules
        .create()?
        .set_compatibility(CompatLevel::BestEffort)
        .add_rules(path_beneath_rules(&confinement.read, AccessFs::from_read(TRIED)))?
        .add_rules(path_beneath_rules(&confinement.write, all_but_devices()))?
        .restrict_self()
        .map(drop)
}

/// All that can be done to a file, but to make one that is a disk.
fn all_but_devices() -> BitFlags<AccessFs> {
    AccessFs::from_all(TRIED) & !(AccessFs::MakeBlock | AccessFs::MakeChar)
}

/// Which Landlock the kernel has; 0 for none. Found out by a thread that lays nothing upon itself
/// but that it handles no right at all, and that ends at once.
pub(super) fn version() -> u32 {
    let asked = std::thread::spawn(|| {
        let asked = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::MakeSock)
            .and_then(Ruleset::create)
            .and_then(|rules| rules.restrict_self());
        asked.map_or(LandlockStatus::NotImplemented, |status| status.landlock)
    });
    match asked.join() {
        Ok(LandlockStatus::Available { effective_abi, kernel_abi }) => {
            let known = effective_abi as i32;
            u32::try_from(kernel_abi.unwrap_or(known)).unwrap_or(0)
        }
        Ok(LandlockStatus::NotEnabled | LandlockStatus::NotImplemented) | Err(_) => 0,
    }
}
