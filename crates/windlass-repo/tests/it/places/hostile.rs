//! Repositories that agents make to have something run, or to have windlass wait: nothing of them acts.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use super::{World, shown, tree::user_git};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("it runs").success());
}

fn sparse(path: &Path) {
    fs::File::create(path).expect("made").set_len(1 << 30).expect("sparse");
}

/// Everything that has git start a program, in the config of a repository, in one that it brings in and
/// in its hooks.
fn trap(at: &Path, canary: &Path) {
    let touch = format!("touch {}", canary.display());
    let settings = format!(
        "[core]\n\tfsmonitor = {touch}\n\thooksPath = hooks\n\tpager = {touch}\n\
         [filter \"trap\"]\n\tclean = {touch}\n\tsmudge = {touch}\n\trequired = true\n\
         [diff]\n\texternal = {touch}\n"
    );
    fs::write(at.join(".git/more"), &settings).expect("written");
    fs::write(at.join(".git/config"), format!("[include]\n\tpath = more\n{settings}"))
        .expect("written");
    fs::write(at.join(".gitattributes"), "* filter=trap\n").expect("written");
    fs::write(at.join("a.txt"), "a\n").expect("written");
}

#[tokio::test]
async fn nothing_of_a_nested_repository_runs_hangs_or_is_followed() {
    let mut world = World::new().await;
    let outside = world.place.dir.path().join("outside");
    let canary = world.place.dir.path().join("canary");
    fs::create_dir(&outside).expect("made");
    user_git(&outside, &["init", "-q"]);
    let made = |name: &str| {
        let at = world.place.at(name);
        user_git(&world.place.top(), &["init", "-q", name]);
        at
    };
    trap(&made("1-trap"), &canary);
    for name in ["HEAD", "index", "packed-refs"] {
        let at = made(&format!("2-pipe-{name}"));
        fs::remove_file(at.join(".git").join(name)).unwrap_or_default();
        pipe(&at.join(".git").join(name));
        let at = made(&format!("3-sparse-{name}"));
        sparse(&at.join(".git").join(name));
        let at = made(&format!("4-link-{name}"));
        fs::remove_file(at.join(".git").join(name)).unwrap_or_default();
        symlink(outside.join(".git/HEAD"), at.join(".git").join(name)).expect("linked");
    }
    let odd = |name: &str| {
        let at = world.place.at(name);
        fs::create_dir(&at).expect("made");
        at.join(".git")
    };
    symlink(outside.join(".git"), odd("5-link")).expect("linked");
    pipe(&odd("6-pipe"));
    sparse(&odd("7-sparse"));
    for (name, target) in
        [("8-outside", &*outside), ("8-up", Path::new("../..")), ("8-self", Path::new("."))]
    {
        fs::write(odd(name), format!("gitdir: {}\n", target.display())).expect("written");
    }
    fs::create_dir(odd("9-empty")).expect("made");
    let files = made("9-files");
    pipe(&files.join("pipe"));
    sparse(&files.join("sparse"));
    symlink("/", files.join("root")).expect("linked");
    fs::create_dir_all(files.join("d/".repeat(300))).expect("made");

    let began = Instant::now();
    let marks = world.marks().await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(!canary.exists(), "something ran");
    let told: Vec<String> = marks.iter().map(shown).collect();
    assert_eq!(told.first().map(String::as_str), Some("Head"));
    assert!((6..=9).contains(&told.len()), "{told:?}");
    assert_eq!(world.places.look(&world.tree).await, marks);

    fs::write(outside.join("a.txt"), "a\n").expect("written");
    user_git(&outside, &["add", "-A"]);
    user_git(&outside, &["commit", "-qm", "elsewhere"]);
    assert_eq!(world.places.look(&world.tree).await, marks, "nothing there is looked at");
    world.last = marks;
    for name in ["1-trap", "5-link", "6-pipe", "7-sparse", "9-empty", "9-files"] {
        world.place.write(format!("{name}/work.txt"), "work\n");
        assert_eq!(world.changed().await.len(), 1, "{name}");
    }
    assert!(!canary.exists(), "something ran");
}

#[tokio::test]
async fn what_is_broken_is_left_out_and_the_rest_is_told() {
    let mut world = World::new().await;
    world.git(&["branch", "good"]);
    world.place.write(".git/refs/heads/gone", "1234567890123456789012345678901234567890\n");
    world.place.write(".git/refs/heads/odd", "no id\n");
    pipe(&world.place.at(".git/refs/heads/pipe"));
    symlink("../../HEAD", world.place.at(".git/refs/heads/link")).expect("linked");
    world.place.write(".git/logs/refs/stash", "no\nlog --batch\n");
    for name in ["odd", "up"] {
        fs::create_dir_all(world.place.at(format!(".git/worktrees/{name}"))).expect("made");
    }
    world.place.write(".git/worktrees/odd/HEAD", "ref: refs/heads/../../config\n");
    world.place.write(".git/worktrees/up/gitdir", "../../../.git\n");
    let told: Vec<String> = world.marks().await.iter().map(shown).collect();
    assert_eq!(told, ["Head", "Branch gone", "Branch good", "Worktree"]);
}
