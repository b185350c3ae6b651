//! What is the user's and outside of the tree: all of it is looked at before and after, byte by
//! byte, and none of it may turn up where an agent or a reader of windlass's store would see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]
#![expect(clippy::disallowed_methods, reason = "git tells what its objects hold")]

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, symlink},
    },
    path::{Path, PathBuf},
    process::Command,
};

use testkit::{Env, Ran};

/// Stands in every file that no agent may read. Not the shape of any token: it must be kept out
/// because it is not read, and not because it is redacted.
pub(super) const CANARY: &str = "the canary sings at dawn";

/// The name of a file that no agent may know of.
pub(super) const NAME: &str = "letters-to-my-notary";

/// What is outside of the tree, as it was.
pub(super) struct Treasure {
    places: Vec<PathBuf>,
    before: BTreeMap<PathBuf, String>,
}

impl Treasure {
    /// Puts files into the home and next to it, and records what is there.
    pub(super) fn bury(env: &Env) -> Self {
        let (home, other) = (env.home(), env.root().join("other"));
        for folder in [".ssh", NAME, ".config", "letters"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        fs::create_dir_all(&other).unwrap();
        let secrets = [
            ".ssh/id_rsa",
            ".netrc",
            &format!("{NAME}/a.txt"),
            &format!("{NAME}/t.sh"),
            ".bashrc",
            "letters/exclude",
        ];
        for path in secrets {
            fs::write(home.join(path), format!("{CANARY}\n- [ ] {CANARY}\n")).unwrap();
        }
        fs::write(other.join("secret"), format!("{CANARY}\n")).unwrap();
        // A list of tasks like that of many a work tree; an agent can guess what is in it.
        fs::write(home.join("errands.md"), "- [ ] write a\n").unwrap();
        bury_repository(env);
        let places = vec![home, other];
        let before = places.iter().flat_map(|place| listing(place)).collect();
        Self { places, before }
    }

    /// Fails the test where anything outside of the tree is new, gone or another.
    #[track_caller]
    pub(super) fn assert_untouched(&self, what: &str) {
        let after: BTreeMap<PathBuf, String> =
            self.places.iter().flat_map(|place| listing(place)).collect();
        let all = self.before.keys().chain(after.keys());
        let mut differs: Vec<String> = all
            .filter(|path| self.before.get(*path) != after.get(*path))
            .map(|path| {
                let held = |listing: &BTreeMap<PathBuf, String>| {
                    let held = listing.get(path).map_or("nothing", String::as_str);
                    held.chars().take(300).collect::<String>()
                };
                format!("{}: was {}\n    is {}", path.display(), held(&self.before), held(&after))
            })
            .collect();
        differs.sort();
        differs.dedup();
        assert!(differs.is_empty(), "{what}: changed outside of the tree:\n{}", differs.join("\n"));
    }
}

/// Another repository of the user's, in the home.
fn bury_repository(env: &Env) {
    let private = env.home().join("private");
    fs::create_dir_all(&private).unwrap();
    fs::write(private.join(NAME), format!("{CANARY}\n")).unwrap();
    let calls: [&[&str]; 3] = [
        &["init", "-q", "-b", "main"],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "private"],
    ];
    for call in calls {
        drop(env.other("git", call).directory(&private).run().success());
    }
}

/// Fails the test where the canary, or a name that goes with it, was printed or kept.
#[track_caller]
pub(super) fn assert_unseen(env: &Env, ran: &[Ran], what: &str) {
    assert_absent(env, ran, &[CANARY, NAME], what);
}

/// Fails the test where the canary was printed or kept.
#[track_caller]
pub(super) fn assert_canary_unseen(env: &Env, ran: &[Ran], what: &str) {
    assert_absent(env, ran, &[CANARY], what);
}

#[track_caller]
fn assert_absent(env: &Env, ran: &[Ran], words: &[&str], what: &str) {
    let tells = |bytes: &[u8]| {
        let is_in = |word: &&str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        words.iter().any(is_in)
    };
    for ran in ran {
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!tells(printed.as_bytes()), "{what}: `{}` tells a secret:\n{ran}", ran.line);
    }
    let home = env.windlass_home();
    for path in files(&home) {
        let held = fs::read(&path).unwrap_or_default();
        assert!(!tells(&held), "{what}: {} holds a secret", path.display());
    }
    for directory in fs::read_dir(home.join("trees")).into_iter().flatten().flatten() {
        let path = directory.path();
        if path.is_dir() {
            assert!(!tells(&objects(&path)), "{what}: a snapshot in {} tells", path.display());
        }
    }
}

/// All objects that git holds in a directory itself, one after the other: without those that it
/// borrows, which this test could read where windlass cannot.
fn objects(directory: &Path) -> Vec<u8> {
    let own = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(directory.join("objects")).into_iter().flatten().flatten() {
        if entry.file_name() != "info" {
            symlink(entry.path(), own.path().join(entry.file_name())).unwrap();
        }
    }
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(directory).env("GIT_CONFIG_NOSYSTEM", "1");
    git.env("GIT_OBJECT_DIRECTORY", own.path());
    git.args(["cat-file", "--batch", "--batch-all-objects", "--buffer"]);
    git.output().map(|output| output.stdout).unwrap_or_default()
}

/// All regular files below a directory, but for what belongs to a work tree.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() && entry.file_name() != "worktrees" {
            found.extend(files(&path));
        } else if kind.is_file() {
            found.push(path);
        }
    }
    found
}

/// Each path below a directory, with what kind it is, who may use it, and what it holds.
fn listing(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let told = fs::metadata(directory).map(|found| format!("{:o}", found.mode()));
    found.insert(directory.to_owned(), told.unwrap_or_default());
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            found.extend(listing(&path));
        } else {
            found.insert(path.clone(), one(&path).unwrap_or_else(|error| error.to_string()));
        }
    }
    found
}

fn one(path: &Path) -> io::Result<String> {
    let stat = path.symlink_metadata()?;
    let held = if stat.is_symlink() {
        String::from_utf8_lossy(path.read_link()?.as_os_str().as_bytes()).into_owned()
    } else {
        String::from_utf8_lossy(&fs::read(path)?).into_owned()
    };
    Ok(format!("{:o} {held:?}", stat.mode()))
}
