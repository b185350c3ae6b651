//! The machine around a loop, looked at when one starts: battery, free disk, whether logging out
//! ends it, the version of a program; and what keeps the machine awake meanwhile.

mod battery;
mod disk;
mod logind;
mod sleep;
mod version;

pub use self::{
    battery::{POWER_SUPPLY, is_on_battery},
    disk::free_bytes,
    logind::kills_at_logout,
    sleep::SleepInhibitor,
    version::version_of,
};
