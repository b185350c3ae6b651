//! Originals in the place of an agent's files, and the way back, also after a kill at any call.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use windlass_repo::tree::{
    Intended, Intent, Original, PutBack, Swap, Wanted, intents, own_directory, put_in,
};

use crate::tree::program;

/// The variable by which a child is told where to act.
const PLACE: &str = "WINDLASS_TEST_ORIGINALS";

/// The calls by which files change; of `openat` only those that make a file.
const CALLS: &str = "rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,symlinkat,\
    utimensat,chmod,fchmod,fchmodat,write,openat";

/// A work tree, with windlass's home next to it.
struct World {
    folder: PathBuf,
    _held: Option<tempfile::TempDir>,
}

impl World {
    fn new() -> Self {
        let held = tempfile::tempdir().expect("the test is set up");
        let world = Self {
            folder: held.path().canonicalize().expect("the test is set up"),
            _held: Some(held),
        };
        fs::create_dir_all(world.top()).expect("the test is set up");
        fs::create_dir_all(own_directory(&world.home(), &world.top())).expect("the test is set up");
        world
    }

    fn top(&self) -> PathBuf {
        self.folder.join("top")
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().expect("the test is set up"))
            .expect("the test is set up");
        fs::write(self.at(path), text).expect("the test is set up");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).expect("the test is set up")
    }

    fn put_in(&self, wanted: Vec<Wanted>) -> Result<(Intent, Swap), String> {
        put_in(&self.home(), (&self.top(), &self.top()), None, wanted)
    }

    fn put_back(&self, (intent, swap): (Intent, Swap)) -> PutBack {
        let back = swap.undo(&self.top()).expect("the test is set up");
        intent.forget(&self.home());
        assert_eq!(self.left(), Vec::<String>::new(), "nothing of windlass's stays");
        back
    }

    /// What of windlass's is left in its own directory and at the top.
    fn left(&self) -> Vec<String> {
        let own = own_directory(&self.home(), &self.top());
        let all = [own, self.top()].map(|folder| fs::read_dir(folder).expect("the test is set up"));
        let names = all.into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.contains("aside") || name.contains("windlass-new")).collect()
    }

    /// Everything below the top: kind, mode, owner, file, content.
    fn state(&self) -> BTreeMap<PathBuf, String> {
        let all = walkdir(&self.top());
        let state = |path: PathBuf| {
            let known = fs::symlink_metadata(&path).expect("the test is set up");
            let held = match (known.is_file(), known.is_symlink()) {
                (true, _) => String::from_utf8_lossy(&fs::read(&path).expect("the test is set up"))
                    .into_owned(),
                (_, true) => {
                    fs::read_link(&path).expect("the test is set up").display().to_string()
                }
                _ => String::new(),
            };
            let inode = if known.is_dir() { 0 } else { known.ino() };
            let told = format!("{:o} {} {inode} {held}", known.mode(), known.uid());
            (path.strip_prefix(self.top()).expect("the test is set up").to_owned(), told)
        };
        all.into_iter().map(state).collect()
    }
}

fn walkdir(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the test is set up").flatten() {
        found.push(entry.path());
        if entry.file_type().expect("the test is set up").is_dir() {
            found.extend(walkdir(&entry.path()));
        }
    }
    found
}

fn original(path: &str, text: &str) -> Wanted {
    let bytes = text.as_bytes().to_vec();
    let original = Original::File { bytes, mode: None, executable: false };
    Wanted {
        path: path.into(),
        original: Some(original),
        only_second: false,
        is_written_by_checks: false,
    }
}

fn nothing(path: &str) -> Wanted {
    Wanted { path: path.into(), original: None, only_second: false, is_written_by_checks: false }
}

fn modified(path: &Path) -> (i64, i64) {
    let known = fs::symlink_metadata(path).expect("the test is set up");
    (known.mtime(), known.mtime_nsec())
}

/// What an agent may do to its tests.
fn weaken(world: &World) {
    world.write("changed.py", "weak");
    fs::set_permissions(world.at("changed.py"), fs::Permissions::from_mode(0o640))
        .expect("the test is set up");
    world.write("read_only.py", "weak");
    fs::set_permissions(world.at("read_only.py"), fs::Permissions::from_mode(0o400))
        .expect("the test is set up");
    world.write("src/lib.py", "source");
    fs::hard_link(world.at("src/lib.py"), world.at("hard.py")).expect("the test is set up");
    world.write("directory.py/inner", "held");
    symlink("src/lib.py", world.at("link.py")).expect("the test is set up");
    symlink("src", world.at("tests")).expect("the test is set up");
    world.write("file_now", "was a directory");
    world.write("closed/weak.py", "weak");
    fs::set_permissions(world.at("closed"), fs::Permissions::from_mode(0o500))
        .expect("the test is set up");
    world.write("conftest.py", "planted");
    world.write("new_test.py", "new");
}

/// What there was before.
fn wanted() -> Vec<Wanted> {
    vec![
        original("changed.py", "strong"),
        original("read_only.py", "strong"),
        original("hard.py", "strong"),
        original("directory.py", "strong"),
        original("link.py", "strong"),
        original("tests/deep/a.py", "strong"),
        original("tests/b.py", "strong"),
        original("file_now/c.py", "strong"),
        original("deleted/d.py", "strong"),
        original("closed/weak.py", "strong"),
        original("closed/gone.py", "strong"),
        nothing("conftest.py"),
        Wanted {
            path: "linked.py".into(),
            original: Some(Original::Link(b"src/lib.py".to_vec())),
            ..nothing("linked.py")
        },
        Wanted { only_second: true, ..nothing("new_test.py") },
    ]
}

#[test]
fn originals_take_the_place_of_whatever_the_agent_made_of_them_and_it_comes_back() {
    let world = World::new();
    weaken(&world);
    let before = world.state();
    let (intent, swap) = world.put_in(wanted()).unwrap();
    for path in [
        "changed.py",
        "read_only.py",
        "hard.py",
        "directory.py",
        "link.py",
        "tests/deep/a.py",
        "tests/b.py",
        "file_now/c.py",
        "deleted/d.py",
        "closed/weak.py",
        "closed/gone.py",
    ] {
        assert!(fs::symlink_metadata(world.at(path)).unwrap().is_file(), "{path}");
        assert_eq!(world.read(path), "strong", "{path}");
    }
    assert_eq!(fs::read_link(world.at("linked.py")).unwrap(), Path::new("src/lib.py"));
    assert_eq!(world.read("src/lib.py"), "source", "nothing is written through a link");
    assert!(!world.at("conftest.py").exists());
    assert!(world.at("new_test.py").exists());
    assert!(swap.has_second());
    swap.set_aside(&world.top()).unwrap();
    assert!(!world.at("new_test.py").exists());
    assert_eq!(world.put_back((intent, swap)), PutBack::default());
    assert_eq!(world.state(), before);
    assert_eq!(intents(&world.home()), []);
}

#[test]
fn an_original_is_newer_than_all_that_was_built_and_the_agents_file_is_newer_still() {
    let world = World::new();
    world.write("test_a.py", "weak");
    world.write("build/future.o", "dated ahead");
    let future = fs::File::options().write(true).open(world.at("build/future.o")).unwrap();
    let ahead = std::time::UNIX_EPOCH + std::time::Duration::from_secs(4_000_000_000);
    future.set_modified(ahead).unwrap();
    let swapped = world.put_in(vec![original("test_a.py", "strong")]).unwrap();
    assert_eq!(modified(&world.at("test_a.py")), (4_000_000_001, 0));
    world.put_back(swapped);
    assert_eq!(modified(&world.at("test_a.py")), (4_000_000_002, 0));
}

#[test]
fn what_the_user_writes_meanwhile_is_left_alone_and_the_agents_version_is_kept_and_named() {
    let world = World::new();
    world.write("test_a.py", "weak");
    world.write("conftest.py", "planted");
    let wanted = vec![
        original("test_a.py", "strong"),
        original("deleted.py", "strong"),
        original("gone.py", "strong"),
        nothing("conftest.py"),
    ];
    let swapped = world.put_in(wanted).unwrap();
    world.write("test_a.py", "the user's");
    world.write("deleted.py", "the user's, too");
    world.write("conftest.py", "and this");
    fs::remove_file(world.at("gone.py")).unwrap();
    let back = world.put_back(swapped);
    assert_eq!(world.read("test_a.py"), "the user's");
    assert_eq!(world.read("deleted.py"), "the user's, too");
    assert_eq!(world.read("conftest.py"), "and this");
    assert_eq!(back.disturbed, ["conftest.py", "deleted.py", "test_a.py"]);
    let kept = back.left_alone.iter().find(|told| told.starts_with("`test_a.py`")).unwrap();
    let kept = kept.rsplit('`').nth(1).unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "weak");
}

#[test]
fn what_checks_write_where_a_directory_was_made_does_not_keep_the_agents_file_away() {
    let world = World::new();
    world.write("elsewhere/x", "x");
    symlink("elsewhere", world.at("tests")).unwrap();
    let before = world.state();
    let swapped = world.put_in(vec![original("tests/a.py", "strong")]).unwrap();
    world.write("tests/.cache/log", "written by a check");
    let back = world.put_back(swapped);
    assert_eq!(world.state(), before);
    assert_eq!(back.disturbed, Vec::<String>::new());
    assert!(back.left_alone[0].contains("written there while the checks ran"), "{back:?}");
}

#[test]
fn what_cannot_be_put_in_is_told_and_all_is_as_it_was() {
    let world = World::new();
    world.write("a.py", "weak");
    world.write("z", "a file");
    let before = world.state();
    // One original is below another: no tree has both.
    let wanted = vec![original("a.py", "strong"), original("b", "file"), original("b/c", "file")];
    let why = world.put_in(wanted).unwrap_err();
    assert!(why.contains("`b/c`"), "{why}");
    assert_eq!(world.state(), before);
    assert_eq!(intents(&world.home()), []);
    assert_eq!(world.left(), Vec::<String>::new());
}

#[test]
#[ignore = "the child of the test below"]
fn child() {
    let folder = PathBuf::from(std::env::var_os(PLACE).expect("a parent"));
    let world = World { folder, _held: None };
    let (intent, swap) = world.put_in(wanted()).unwrap();
    swap.set_aside(&world.top()).unwrap();
    swap.undo(&world.top()).unwrap();
    intent.forget(&world.home());
}

#[test]
fn a_kill_at_any_call_leaves_the_agents_files_as_they_were_after_the_next_command() {
    let Some(strace) = program("strace") else { return };
    let world = World::new();
    weaken(&world);
    let log = run(&strace, &world, &format!("trace={CALLS}"));
    if !log.contains("+++ exited with 0 +++") {
        // Tracing is not allowed here.
        return;
    }
    let points = points(&log);
    assert!(points.len() > 80, "it makes only {} calls:\n{log}", points.len());
    for (name, nth) in points {
        let world = World::new();
        weaken(&world);
        let before = world.state();
        let log = run(&strace, &world, &format!("inject={name}:signal=KILL:when={nth}"));
        assert!(log.contains("killed by SIGKILL"), "{name} {nth}:\n{log}");
        for intent in intents(&world.home()) {
            let Intended::Originals { swap, .. } = &intent.change else { panic!("{intent:?}") };
            swap.undo(&world.top()).unwrap();
            intent.forget(&world.home());
        }
        assert_eq!(world.state(), before, "after a kill at {name} {nth}");
        let left = world.left();
        assert!(left.is_empty(), "{left:?} is left after a kill at {name} {nth}");
    }
}

/// The calls that change something, each by its name and its number among those of that name.
fn points(log: &str) -> Vec<(String, usize)> {
    // Calls are counted by thread.
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut points = Vec::new();
    let mut has_begun = false;
    for line in log.lines() {
        let Some((thread, call)) = line.split_once(' ') else { continue };
        let Some((name, arguments)) = call.trim_start().split_once('(') else { continue };
        let count = counts.entry((thread, name)).or_default();
        *count += 1;
        has_begun |= arguments.contains("/home");
        let is_change = name != "openat" || arguments.contains("O_CREAT");
        let is_ours = name != "write" || !arguments.starts_with("1,");
        if has_begun && is_change && is_ours {
            points.push((name.to_owned(), *count));
        }
    }
    points
}

/// Runs the child, traced like that; gives what it called.
fn run(strace: &Path, world: &World, how: &str) -> String {
    let log = world.folder.join("log");
    let status = Command::new(strace)
        .args(["-f", "-o"])
        .arg(&log)
        .args(["-e", how])
        .arg(std::env::current_exe().expect("the test is set up"))
        .args(["--ignored", "--exact", "--test-threads=1", "originals::child"])
        .env(PLACE, &world.folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok());
    fs::read_to_string(log).unwrap_or_default()
}
