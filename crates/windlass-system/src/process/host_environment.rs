//! Variables by which a program loads code or settings, and that must not lead to where an agent
//! can write when windlass itself starts it.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

/// Lists of files and directories, in which every part must be a whole path.
const LISTS: &[&str] = &[
    "BASH_ENV",
    "CLASSPATH",
    "CONDA_PREFIX",
    "DOCKER_CONFIG",
    "ENV",
    "GCONV_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GH_CONFIG_DIR",
    "GIO_EXTRA_MODULES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_TEMPLATE_DIR",
    "GTK_PATH",
    "JJ_CONFIG",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LOCPATH",
    "LUA_CPATH",
    "LUA_PATH",
    "NODE_PATH",
    "NPM_CONFIG_PREFIX",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "PERL5LIB",
    "PERLLIB",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "QT_PLUGIN_PATH",
    "RUBYLIB",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "VIRTUAL_ENV",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "ZDOTDIR",
];

/// Commands, in which a name alone is looked for on the `PATH`.
const COMMANDS: &[&str] = &[
    "BROWSER",
    "EDITOR",
    "GH_BROWSER",
    "GH_EDITOR",
    "GH_PAGER",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "PAGER",
    "SSH_ASKPASS",
    "VISUAL",
];

/// Options of interpreters and settings of git, in which anything can load anything.
const NEVER: &[&str] = &[
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GTK_MODULES",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS",
    "PERL5OPT",
    "RUBYOPT",
    "_JAVA_OPTIONS",
];

/// Whether a program that windlass starts may be given a variable. `is_an_agents` tells whether a
/// whole path leads to where an agent can write.
pub(super) fn may_be_given(
    name: &OsStr,
    value: &OsStr,
    is_an_agents: &dyn Fn(&Path) -> bool,
) -> bool {
    let Some(name) = name.to_str() else { return true };
    let is_whole = |part: &[u8]| {
        let path = Path::new(OsStr::from_bytes(part));
        path.is_absolute() && !is_an_agents(path)
    };
    if NEVER.contains(&name) {
        false
    } else if LISTS.contains(&name) {
        value.is_empty() || value.as_bytes().split(|byte| *byte == b':').all(is_whole)
    } else if COMMANDS.contains(&name) {
        let quotes = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\'' | b'"' | b'=');
        let words = value.as_bytes().split(quotes).filter(|word| word.contains(&b'/'));
        // `~` is the shell's way to write the home.
        words.into_iter().all(|word| word.starts_with(b"~") || is_whole(word))
    } else {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_an_agent_is_not_given() {
        let is_an_agents = |path: &Path| path.starts_with("/tree");
        let given = |name: &str, value: &str| {
            may_be_given(OsStr::new(name), OsStr::new(value), &is_an_agents)
        };
        for (name, value) in [
            ("LD_LIBRARY_PATH", "/opt/lib:/usr/lib"),
            ("GIT_SSH_COMMAND", "ssh -i ~/.ssh/key -o Path=/etc/x"),
            ("EDITOR", "true"),
            ("MINE", "/tree/reports"),
            ("PYTHONPATH", ""),
        ] {
            assert!(given(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("LD_LIBRARY_PATH", "/opt/lib:/tree/lib"),
            ("LD_LIBRARY_PATH", "/opt/lib:"),
            ("PYTHONPATH", "."),
            ("GIT_SSH_COMMAND", "ssh -F '/tree/config'"),
            ("GIT_SSH_COMMAND", "./ssh"),
            ("GIT_ASKPASS", "/tree/ask"),
            ("NODE_OPTIONS", "--require hook"),
        ] {
            assert!(!given(name, value), "{name}={value}");
        }
    }
}
