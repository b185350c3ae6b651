//! What sessions leave behind: over restarts of the helper, beside other loops, and how long it takes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use windlass_repo::{
    state::{Place, Watch, untold},
    tree::{Repository, own_directory},
};

struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self::with(&[])
    }

    /// A repository that is made with these arguments.
    fn with(init: &[&str]) -> Self {
        let world = Self { folder: tempfile::tempdir().expect("a world can be made") };
        fs::create_dir(world.top()).expect("a world can be made");
        world.git(&[&["init", "-q", "-b", "main"], init].concat());
        world.git(&["commit", "-q", "--allow-empty", "-m", "one"]);
        fs::create_dir_all(own_directory(&world.home(), &world.top()))
            .expect("a world can be made");
        world
    }

    fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a world can be made").join("top")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a world can be made").join("home")
    }

    fn git(&self, args: &[&str]) {
        let ran = Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x"])
            .args(args)
            .current_dir(self.top())
            .output()
            .expect("a world can be made");
        assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    fn watch(&self) -> Watch {
        let (root, home) = (self.top(), self.home());
        let repository = Repository::discover(&root).expect("a world can be made");
        let place = Place { root: root.clone(), directory: root.clone(), repository, home };
        Watch::new(place, &own_directory(&self.home(), &root))
    }
}

fn paths(watch: &mut Watch) -> Vec<String> {
    watch.compare("a", &[]).entries.into_iter().map(|entry| entry.path).collect()
}

#[test]
fn another_helper_goes_on_where_the_last_one_was() {
    let world = World::new();
    world.watch().begin("a", &[]);
    world.git(&["config", "core.pager", "x"]);
    let mut other = world.watch();
    assert_eq!(paths(&mut other), [".git/config"]);
    assert!(untold(&world.home(), &world.top().join("sub"), "a").is_some());
    assert!(untold(&world.home(), &world.top(), "b").is_none());
    other.close("a");
    assert!(untold(&world.home(), &world.top(), "a").is_none());
    let resumed = world.watch().resume("a", &[]);
    assert!(resumed.goes_on && resumed.entries.len() == 1, "{resumed:?}");
    let fresh = world.watch().resume("b", &[]);
    assert!(!fresh.goes_on && fresh.entries.is_empty(), "{fresh:?}");
}

#[test]
fn what_was_kept_by_a_newer_windlass_or_is_broken_is_passed_over() {
    let world = World::new();
    world.watch().begin("a", &[]);
    let file = own_directory(&world.home(), &world.top()).join("state-before");
    fs::write(&file, "{\"version\": 9}").unwrap();
    let mut watch = world.watch();
    assert_eq!(watch.resume("a", &[]), Default::default());
    watch.begin("a", &[]);
    assert_eq!(paths(&mut watch), [""; 0]);
}

#[test]
fn marks_are_found_in_every_version_of_the_index_and_with_either_hash() {
    for init in [&[][..], &["--object-format=sha256"]] {
        for version in ["2", "3", "4"] {
            let world = World::with(init);
            fs::create_dir(world.top().join("directory")).unwrap();
            for n in 0..40 {
                let name = format!("directory/{}-{n}", "x".repeat(n));
                fs::write(world.top().join(name), "x").unwrap();
            }
            world.git(&["add", "."]);
            world.git(&["update-index", "--index-version", version]);
            let mut watch = world.watch();
            watch.begin("a", &[]);
            world.git(&["update-index", "--assume-unchanged", "directory/x-1"]);
            world.git(&["update-index", "--skip-worktree", "directory/xxx-3"]);
            let found = watch.compare("a", &[]).entries;
            let told: Vec<&str> = found.iter().map(|entry| entry.could.as_str()).collect();
            assert_eq!(told.len(), 2, "{init:?} {version}: {told:?}");
            assert!(told[0].starts_with("`directory/x-1` is marked assume-unchanged"), "{told:?}");
            assert!(told[1].starts_with("`directory/xxx-3` is marked skip-worktree"), "{told:?}");
        }
    }
}

#[test]
fn marks_in_a_split_index_are_told_though_it_does_not_name_the_files() {
    let world = World::new();
    fs::write(world.top().join("a"), "x").unwrap();
    world.git(&["add", "."]);
    world.git(&["update-index", "--split-index"]);
    let mut watch = world.watch();
    watch.begin("a", &[]);
    world.git(&["update-index", "--assume-unchanged", "a"]);
    let found = watch.compare("a", &[]).entries;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].could.contains("is marked assume-unchanged"), "{found:?}");
}

#[test]
fn branches_of_other_loops_move_without_a_word() {
    let world = World::new();
    let at = world.home().join("worktrees/other");
    world.git(&["worktree", "add", "-q", at.to_str().unwrap(), "-b", "other"]);
    world.git(&["branch", "mine"]);
    let mut watch = world.watch();
    watch.begin("a", &[]);
    let id = Path::new("refs/heads");
    world.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    for branch in ["other", "mine"] {
        world.git(&["update-ref", id.join(branch).to_str().unwrap(), "HEAD"]);
    }
    assert_eq!(paths(&mut watch), ["refs/heads/mine"]);
}

#[test]
fn a_look_at_what_did_not_change_is_cheap() {
    let world = World::new();
    for directory in 0..100 {
        let directory = world.top().join(format!("d{directory}"));
        fs::create_dir(&directory).unwrap();
        (0..100).for_each(|n| fs::write(directory.join(format!("{n}.txt")), "x").unwrap());
    }
    world.git(&["add", "."]);
    world.git(&["commit", "-q", "-m", "many"]);
    // What has just changed is read again each time, for its stat data may not tell.
    std::thread::sleep(Duration::from_millis(2100));
    let mut watch = world.watch();
    watch.begin("a", &[]);
    let mut took: Vec<Duration> = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        watch.begin("a", &[]);
        assert_eq!(paths(&mut watch), [""; 0]);
        took.push(began.elapsed());
    }
    let least = took.iter().min().unwrap();
    println!("a session: {least:?}");
    assert!(*least < Duration::from_millis(10), "{took:?}");
}
