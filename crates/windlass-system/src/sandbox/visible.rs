//! What of the machine a sandbox shows: the programs of the system, and the toolchains that `PATH`
//! names. Everything that is not named here stays out.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use super::leads::leads_through;

/// Where the programs of the system are.
pub(super) const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/snap"];

/// What programs look up in `/etc`: no passwords, no keys, no tokens.
pub(super) const SETTINGS: [&str; 43] = [
    "alternatives",
    "bash.bashrc",
    "bashrc",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "debian_version",
    "default/locale",
    "fonts",
    "gai.conf",
    "gitconfig",
    "group",
    "host.conf",
    "hosts",
    "inputrc",
    "java",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "locale.alias",
    "locale.conf",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "perl",
    "pki",
    "profile",
    "profile.d",
    "protocols",
    "python3",
    "resolv.conf",
    "services",
    "shells",
    "ssl",
    "static",
    "timezone",
];

/// Parts of these that are for the system alone.
pub(super) const SECRETS: [&str; 2] = ["ssl/private", "pki/tls/private"];

/// Variables that name the directory of a toolchain.
const TOOLCHAINS: [&str; 9] = [
    "RUSTUP_HOME",
    "NVM_DIR",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "GOROOT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PNPM_HOME",
];

/// Directories of a home that hold more than programs: of these only what is named is shown.
const MIXED: [&str; 6] = [".cargo", ".config", ".local", ".cache", ".ssh", ".gnupg"];

/// Places of toolchain managers in a home's `.local/share`.
const MANAGERS: [&str; 6] = ["fnm", "mise", "pipx", "pnpm", "rtx", "uv"];

/// How many interpreters deep a program is followed.
const DEEPEST: u32 = 3;

/// Finds what is to be shown, without what holds more than it should.
pub(super) struct Finder<'a> {
    /// The user's home.
    pub(super) home: &'a Path,
    /// Directories that must not be shown whole: what holds one of them is left out.
    pub(super) kept_out: &'a [&'a Path],
    /// Where the agent works. It is shown anyway, and what leads through it is not followed: an
    /// agent could have put a link there, for the next loop to show it what that leads to.
    pub(super) work: &'a Path,
    pub(super) env: &'a BTreeMap<OsString, OsString>,
}

impl Finder<'_> {
    /// The toolchains of the user, each where it stands.
    pub(super) fn toolchains(&self) -> Vec<PathBuf> {
        let path = self.env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let entries: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut found: Vec<PathBuf> = entries.iter().flat_map(|entry| self.entry(entry)).collect();
        for name in TOOLCHAINS {
            found.extend(self.env.get(OsStr::new(name)).map(PathBuf::from));
        }
        found.extend(self.cargo(&entries));
        found.retain(|path| self.is_the_users(path) && self.may_be_shown(path));
        found
    }

    /// A program, with what it is made of and what runs it.
    pub(super) fn program(&self, program: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.follow(program, DEEPEST, &mut found);
        found.retain(|path| self.may_be_shown(path));
        found
    }

    /// Whether no agent has a say in where it leads.
    pub(super) fn is_the_users(&self, path: &Path) -> bool {
        !leads_through(path, self.work)
    }

    /// Whether it is there, and holds nothing that must stay out.
    pub(super) fn may_be_shown(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return false };
        path.is_absolute() && !self.kept_out.iter().any(|kept_out| kept_out.starts_with(&real))
    }

    /// What a directory of `PATH` stands for: with its libraries, where they are beside it.
    fn entry(&self, entry: &Path) -> Vec<PathBuf> {
        let Ok(real) = entry.canonicalize() else { return Vec::new() };
        if !entry.is_absolute() || is_of_system(&real) || !self.is_the_users(entry) {
            return Vec::new();
        }
        let mut found = vec![entry.to_owned(), real.clone()];
        match real.strip_prefix(self.home) {
            Ok(inner) => {
                let first = inner.iter().next().unwrap_or_default();
                let is_hidden = first.as_encoded_bytes().starts_with(b".");
                if is_hidden && !MIXED.iter().any(|mixed| first == *mixed) {
                    found.push(self.home.join(first));
                } else if first == ".local" {
                    let share = self.home.join(".local/share");
                    found.extend(MANAGERS.iter().map(|name| share.join(name)));
                }
            }
            Err(_) => found.extend(beside(&real)),
        }
        found
    }

    /// Cargo's home has the user's tokens in it too.
    fn cargo(&self, entries: &[PathBuf]) -> Vec<PathBuf> {
        let named = self.env.get(OsStr::new("CARGO_HOME")).map(PathBuf::from);
        let is_cargo = |home: &&Path| named.as_deref() == Some(home) || home.ends_with(".cargo");
        let homes = entries.iter().filter(|entry| entry.ends_with("bin"));
        let homes = homes.filter_map(|entry| entry.parent()).filter(is_cargo);
        let found = homes.flat_map(|home| {
            let parts =
                ["registry", "git/db", "git/checkouts", "config.toml"].map(|part| home.join(part));
            let toolchains = home.parent().map(|above| above.join(".rustup"));
            parts.into_iter().chain(toolchains)
        });
        found.collect()
    }

    fn follow(&self, program: &Path, deep: u32, found: &mut Vec<PathBuf>) {
        let Ok(real) = program.canonicalize() else { return };
        if deep == 0 || !self.is_the_users(program) {
            return;
        }
        for path in [program, &real] {
            if !is_of_system(path) {
                found.push(path.to_owned());
            }
        }
        if !is_of_system(&real) {
            found.extend(package(&real));
        }
        if let Some(interpreter) = interpreter(&real) {
            self.follow(&interpreter, deep - 1, found);
        }
    }
}

/// The directory that a program came with: its packages, or what stands beside its `bin`.
fn package(program: &Path) -> Option<PathBuf> {
    let mut above = program.ancestors();
    if let Some(packages) =
        above.filter(|path| path.file_name() == Some(OsStr::new("node_modules"))).last()
    {
        return Some(packages.to_owned());
    }
    beside(above.nth(1)?)
}

/// What stands beside a `bin`.
fn beside(directory: &Path) -> Option<PathBuf> {
    let is_bin = matches!(directory.file_name()?.to_str()?, "bin" | "sbin" | "shims");
    let above = directory.parent().filter(|above| is_bin && above.parent().is_some())?;
    let is_mixed = above.file_name().is_some_and(|name| MIXED.iter().any(|mixed| name == *mixed));
    (!is_mixed).then(|| above.to_owned())
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The program that a script's first line asks for.
fn interpreter(program: &Path) -> Option<PathBuf> {
    let mut line = Vec::new();
    BufReader::new(File::open(program).ok()?.take(512)).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8(line.strip_prefix(b"#!")?.to_vec()).ok()?;
    line.split_whitespace().next().map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_toolchain_is_shown_and_what_stands_beside_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let paths = [
            ".nvm/versions/node/v22/bin/node",
            ".local/bin/tool",
            ".local/share/uv/tools/x",
            ".local/share/secret/y",
            ".cargo/bin/cargo",
            ".cargo/credentials.toml",
            ".cargo/registry/index",
            "bin/mine",
            "projects/other/file",
        ];
        for path in paths {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let inner = [".nvm/versions/node/v22/bin", ".local/bin", ".cargo/bin", "bin", "."];
        let path = std::env::join_paths(inner.iter().map(|path| home.join(path))).unwrap();
        let env = BTreeMap::from([("PATH".into(), path)]);
        let kept_out = [home.as_path()];
        let work = Path::new("/work");
        let finder = Finder { home: &home, kept_out: &kept_out, work, env: &env };
        let mut shown: Vec<_> = finder
            .toolchains()
            .iter()
            .map(|path| path.strip_prefix(&home).unwrap().to_string_lossy().into_owned())
            .collect();
        shown.sort();
        shown.dedup();
        assert_eq!(
            shown,
            [
                ".cargo/bin",
                ".cargo/registry",
                ".local/bin",
                ".local/share/uv",
                ".nvm",
                ".nvm/versions/node/v22/bin",
                "bin",
            ]
        );
    }

    #[test]
    fn a_program_is_shown_with_its_packages_and_its_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/lib/node_modules/agent/node_modules/x")).unwrap();
        fs::create_dir_all(root.join("venv/bin")).unwrap();
        let script = root.join("a/lib/node_modules/agent/cli.js");
        let python = root.join("venv/bin/python");
        fs::write(&script, format!("#!{} -u\n", python.display())).unwrap();
        fs::write(&python, "").unwrap();
        let link = root.join("agent");
        std::os::unix::fs::symlink(&script, &link).unwrap();
        let env = BTreeMap::new();
        let (home, work) = (Path::new("/nowhere"), Path::new("/work"));
        let finder = Finder { home, kept_out: &[], work, env: &env };
        let packages = root.join("a/lib/node_modules");
        assert_eq!(
            finder.program(&link),
            [link, script, packages, python.clone(), python, root.join("venv")]
        );
    }

    #[test]
    fn what_an_agent_can_put_where_the_user_looks_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (home, work) = (root.join("home"), root.join("work"));
        fs::create_dir_all(home.join(".ssh")).unwrap();
        fs::create_dir_all(work.join("venv")).unwrap();
        let key = home.join(".ssh/key");
        fs::write(&key, "secret").unwrap();
        std::os::unix::fs::symlink(home.join(".ssh"), work.join("venv/bin")).unwrap();
        std::os::unix::fs::symlink(home.join(".ssh"), work.join("java")).unwrap();
        let script = work.join("agent.sh");
        fs::write(&script, format!("#!{}\n", key.display())).unwrap();
        let env = BTreeMap::from([
            ("PATH".into(), work.join("venv/bin").into_os_string()),
            ("JAVA_HOME".into(), work.join("java").into_os_string()),
        ]);
        let finder = Finder { home: &home, kept_out: &[&home], work: &work, env: &env };
        assert_eq!(finder.toolchains(), [] as [PathBuf; 0]);
        assert_eq!(finder.program(&script), [] as [PathBuf; 0]);
        let elsewhere = Finder { work: Path::new("/elsewhere"), ..finder };
        assert!(elsewhere.toolchains().contains(&home.join(".ssh")), "the test tests something");
        assert!(elsewhere.program(&script).contains(&key));
    }
}
