//! Whether the machine runs on battery.

use std::{fs, path::Path};

/// Where Linux tells about batteries.
pub const POWER_SUPPLY: &str = "/sys/class/power_supply";

/// Whether a battery in that directory is discharging.
pub fn is_on_battery(power_supply: &Path) -> bool {
    let Ok(supplies) = fs::read_dir(power_supply) else { return false };
    let is = |path: &Path, file: &str, word: &str| {
        fs::read_to_string(path.join(file)).is_ok_and(|text| text.trim() == word)
    };
    supplies.flatten().any(|supply| {
        let path = supply.path();
        // A mouse or a headset has a battery, too; its scope is `Device`.
        is(&path, "type", "Battery")
            && is(&path, "status", "Discharging")
            && !is(&path, "scope", "Device")
    })
}
