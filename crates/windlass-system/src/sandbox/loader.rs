//! Variables that make a program load code, which must not act on what makes a sandbox. They are often
//! set to a directory of the work tree, and what an agent put there would run outside.
//!
//! The process that makes a sandbox is started without them, and told to give them to the program.

use std::ffi::{OsStr, OsString};

/// Those that do not begin with `LD_`.
const NAMES: [&str; 8] = [
    "GCONV_PATH",
    "GETCONF_DIR",
    "GLIBC_TUNABLES",
    "HOSTALIASES",
    "LOCPATH",
    "MALLOC_TRACE",
    "NLSPATH",
    "RESOLV_HOST_CONF",
];

/// Takes them out of an environment; gives them. One that is no text is left out.
pub(super) fn take(env: &mut Vec<(OsString, OsString)>) -> Vec<(String, String)> {
    let taken = env.extract_if(.., |(name, _)| is_loaders(name));
    let texts = taken
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    texts.collect()
}

fn is_loaders(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"LD_") || NAMES.iter().any(|known| name == *known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_loads_code_is_taken() {
        let all = ["PATH", "LD_PRELOAD", "LANG", "GCONV_PATH", "LDFLAGS", "LD_LIBRARY_PATH"];
        let mut env = all.map(|name| (OsString::from(name), OsString::from("x"))).into();
        let taken: Vec<_> = take(&mut env).into_iter().map(|(name, _)| name).collect();
        assert_eq!(taken, ["LD_PRELOAD", "GCONV_PATH", "LD_LIBRARY_PATH"]);
        let left: Vec<_> = env.into_iter().map(|(name, _)| name).collect();
        assert_eq!(left, ["PATH", "LANG", "LDFLAGS"]);
    }
}
