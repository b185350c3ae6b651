//! What of the machine a sandbox shows: the programs of the system, and the toolchains that `PATH`
//! names. Everything that is not named here stays out.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{leads::leads_through, managers};

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
pub(super) const SECRETS: [&str; 5] =
    ["ssl/private", "pki/CA/private", "pki/consumer", "pki/entitlement", "pki/tls/private"];

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

/// So many programs of a directory are looked at.
const MOST: usize = 512;

/// How many interpreters deep a program is followed.
const DEEPEST: u32 = 3;

/// Finds what is to be shown, without what holds more than it should.
pub(super) struct Finder<'a> {
    /// The user's home.
    pub(super) home: &'a Path,
    /// Directories that must not be shown whole: what holds one of them is left out.
    pub(super) kept_out: &'a [&'a Path],
    /// What agents write: where they work, and what the user lets them. It is shown anyway, and
    /// what leads through it is not followed: an agent could have put a link there, for the next
    /// loop to show it what that leads to.
    pub(super) agents: &'a [PathBuf],
    pub(super) env: &'a BTreeMap<OsString, OsString>,
}

impl Finder<'_> {
    /// The toolchains of the user, each where it stands.
    pub(super) fn toolchains(&self) -> Vec<PathBuf> {
        let path = self.env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let entries: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut found: Vec<PathBuf> = entries.iter().flat_map(|entry| self.entry(entry)).collect();
        for name in TOOLCHAINS {
            let named = self.env.get(OsStr::new(name)).map(PathBuf::from);
            let needed = |path: PathBuf| managers::of_manager(&path).unwrap_or_else(|| vec![path]);
            found.extend(named.into_iter().flat_map(needed));
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
        !self.agents.iter().any(|place| leads_through(path, place))
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
        let Ok(inner) = real.strip_prefix(self.home) else {
            return self.with_libraries(entry, &real);
        };
        let is_hidden = inner.iter().next().is_some_and(managers::is_hidden);
        match inner.components().count() {
            // Of a directory with a dot, which holds who knows what, the programs alone.
            1 if is_hidden => self.programs(&real),
            _ if inner.starts_with(".local") => {
                [self.with_libraries(entry, &real), managers::shared_in(self.home)].concat()
            }
            _ if is_hidden => [self.with_libraries(entry, &real), self.programs(&real)].concat(),
            _ => vec![entry.to_owned(), real],
        }
    }

    fn with_libraries(&self, entry: &Path, real: &Path) -> Vec<PathBuf> {
        let mut found = vec![entry.to_owned(), real.to_owned()];
        found.extend(managers::needed_siblings(real, self.home));
        found
    }

    /// The programs of a directory, each with what its links and its first line lead to.
    fn programs(&self, directory: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let Ok(entries) = fs::read_dir(directory) else { return found };
        for path in entries.flatten().take(MOST).map(|entry| entry.path()) {
            let is_program = |file: fs::Metadata| file.is_file() && file.mode() & 0o111 != 0;
            if fs::metadata(&path).is_ok_and(is_program) {
                self.follow(&path, DEEPEST, &mut found);
            }
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
            let toolchains = toolchains.and_then(|path| managers::of_manager(&path));
            parts.into_iter().chain(toolchains.unwrap_or_default())
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
            found.extend(self.package(&real));
        }
        if let Some(interpreter) = interpreter(&real) {
            self.follow(&interpreter, deep - 1, found);
        }
    }

    /// What a program came with: its packages, or the siblings of its `bin`.
    fn package(&self, program: &Path) -> Vec<PathBuf> {
        let mut above = program.ancestors();
        let is_packages = |path: &&Path| path.file_name() == Some(OsStr::new("node_modules"));
        match above.by_ref().filter(is_packages).last() {
            Some(packages) => vec![packages.to_owned()],
            None => program
                .parent()
                .map_or_else(Vec::new, |programs| managers::needed_siblings(programs, self.home)),
        }
    }
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
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_toolchain_is_shown_and_what_stands_beside_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let paths = [
            ".nvm/versions/node/v22/bin/node",
            ".nvm/.npmrc",
            ".docker/bin/docker",
            ".docker/config.json",
            ".docker/lib/x",
            ".odd/tool",
            ".odd/token",
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
        for program in [".docker/bin/docker", ".odd/tool"] {
            fs::set_permissions(home.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let inner = [
            ".nvm/versions/node/v22/bin",
            ".docker/bin",
            ".odd",
            ".local/bin",
            ".cargo/bin",
            "bin",
            ".",
        ];
        let path = std::env::join_paths(inner.iter().map(|path| home.join(path))).unwrap();
        let env = BTreeMap::from([("PATH".into(), path)]);
        let kept_out = [home.as_path()];
        let finder = Finder { home: &home, kept_out: &kept_out, agents: &[], env: &env };
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
                ".docker/bin",
                ".docker/bin/docker",
                ".docker/lib",
                ".local/bin",
                ".local/share/uv/tools",
                ".nvm/versions",
                ".nvm/versions/node/v22/bin",
                ".odd/tool",
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
        let finder = Finder { home: Path::new("/nowhere"), kept_out: &[], agents: &[], env: &env };
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
        let cache = root.join("cache");
        let agents = [cache, work.clone()];
        let finder = Finder { home: &home, kept_out: &[&home], agents: &agents, env: &env };
        assert_eq!(finder.toolchains(), [] as [PathBuf; 0]);
        assert_eq!(finder.program(&script), [] as [PathBuf; 0]);
        let elsewhere = Finder { agents: &agents[..1], ..finder };
        assert!(elsewhere.toolchains().contains(&work.join("java")), "the test tests something");
        assert!(elsewhere.program(&script).contains(&key));
    }
}
