//! Variables that the program loader heeds, kept from what starts a sandbox and given to what runs in
//! it: a library of the work tree must not be loaded where nothing confines it yet.

use std::ffi::{OsStr, OsString};

/// What such a variable is called on its way.
const ON_ITS_WAY: &str = "WINDLASS_INSIDE_";

/// Renames them, so that the loader does not know them.
pub(crate) fn hold_back(env: &mut Vec<(OsString, OsString)>) {
    env.retain(|(name, _)| given_back(name).is_none());
    for (name, _) in env {
        let is_heeded = name.as_encoded_bytes().starts_with(b"LD_") || name == "GCONV_PATH";
        if is_heeded {
            let mut renamed = OsString::from(ON_ITS_WAY);
            renamed.push(&*name);
            *name = renamed;
        }
    }
}

/// The name of a variable that was held back.
pub(crate) fn given_back(name: &OsStr) -> Option<&str> {
    name.to_str()?.strip_prefix(ON_ITS_WAY)
}
