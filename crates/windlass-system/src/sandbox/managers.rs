//! What programs need of a directory whose name begins with a dot. Tools keep programs there together
//! with tokens, histories and settings: that a `bin` is in `PATH` says nothing about the rest.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Toolchain managers, by their directories in a home, with what of these is programs and libraries.
const KNOWN: &[(&str, &[&str])] = &[
    (".asdf", &["asdf.sh", "bin", "installs", "lib", "libexec", "plugins", "shims"]),
    (".bun", &["bin", "install"]),
    (".deno", &["bin"]),
    (".dotnet", &["dotnet", "host", "packs", "sdk", "sdk-manifests", "shared", "tools"]),
    (".fnm", &["aliases", "node-versions"]),
    (".ghcup", &["bin", "cabal", "ghc", "hls", "lib", "share"]),
    (".goenv", &["bin", "libexec", "plugins", "shims", "version", "versions"]),
    (".jenv", &["bin", "libexec", "plugins", "shims", "version", "versions"]),
    (".juliaup", &["bin", "juliaup.json"]),
    (".local/share/fnm", &["aliases", "node-versions"]),
    (".local/share/mise", &["bin", "installs", "plugins", "shims"]),
    (".local/share/pipx", &["py", "shared", "venvs"]),
    (".local/share/pnpm", &["global", "nodejs", "store"]),
    (".local/share/rtx", &["bin", "installs", "plugins", "shims"]),
    (".local/share/uv", &["python", "tools"]),
    (".nodenv", &["bin", "libexec", "plugins", "shims", "version", "versions"]),
    (".nvm", &["alias", "bash_completion", "nvm-exec", "nvm.sh", "versions"]),
    (".nix-profile", &["bin", "etc", "lib", "libexec", "share"]),
    (".proto", &["bin", "plugins", "shims", "tools"]),
    (".pyenv", &["bin", "libexec", "plugins", "pyenv.d", "shims", "version", "versions"]),
    (".rbenv", &["bin", "libexec", "plugins", "rbenv.d", "shims", "version", "versions"]),
    (".rustup", &["settings.toml", "toolchains", "update-hashes"]),
    (".rvm", &["bin", "environments", "gems", "lib", "rubies", "scripts", "wrappers"]),
    (".sdkman", &["bin", "candidates", "etc", "ext", "libexec", "src", "var"]),
    (".swiftly", &["bin", "config.json", "toolchains"]),
    (".volta", &["bin", "hooks.json", "layout.v3", "layout.v4", "tools"]),
];

/// Directories of a home that hold what belongs to many programs.
const MIXED: [&str; 6] = [".cargo", ".config", ".local", ".cache", ".ssh", ".gnupg"];

/// What programs in a `bin` find next to it.
const LIBRARIES: [&str; 5] = ["lib", "lib64", "libexec", "include", "pyvenv.cfg"];

/// What of a known manager's directory its programs need; `None` for any other directory.
pub(super) fn of_manager(directory: &Path) -> Option<Vec<PathBuf>> {
    let known = KNOWN.iter().find(|(name, _)| directory.ends_with(name));
    known.map(|(_, parts)| parts.iter().map(|part| directory.join(part)).collect())
}

/// The managers that keep their things in a home's `.local/share`, each with what is needed.
pub(super) fn shared_in(home: &Path) -> Vec<PathBuf> {
    let shared = KNOWN.iter().filter(|(name, _)| name.starts_with(".local/"));
    shared
        .flat_map(|(name, parts)| parts.iter().map(move |part| home.join(name).join(part)))
        .collect()
}

/// What programs in a directory need of its siblings.
pub(super) fn needed_siblings(programs: &Path, home: &Path) -> Vec<PathBuf> {
    let inner: Vec<&OsStr> =
        programs.strip_prefix(home).map(|inner| inner.iter().collect()).unwrap_or_default();
    let in_hidden = inner.first().is_some_and(|first| is_hidden(first));
    if in_hidden {
        // `.local/share/NAME` is of one manager, as `.NAME` is.
        let managers = [1, 3].map(|parts| inner.iter().take(parts).collect::<PathBuf>());
        let known = managers.iter().find_map(|manager| of_manager(&home.join(manager)));
        if let Some(parts) = known {
            return parts;
        }
    }
    let is_bin = ["bin", "sbin", "shims"].iter().any(|bin| programs.ends_with(bin));
    let above = programs.parent().filter(|above| is_bin && above.parent().is_some());
    let Some((above, name)) = above.and_then(|above| Some((above, above.file_name()?))) else {
        return Vec::new();
    };
    match of_manager(above) {
        _ if MIXED.iter().any(|mixed| name == *mixed) => Vec::new(),
        Some(parts) => parts,
        None if in_hidden || is_hidden(name) => {
            LIBRARIES.iter().map(|part| above.join(part)).collect()
        }
        None => vec![above.to_owned()],
    }
}

/// Whether a name begins with a dot.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
