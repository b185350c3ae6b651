//! What changed, in a jj repository: with a program in place of `jj` that plays recorded answers of
//! the real one. The real one is tried by `scripts/compat`.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use windlass_core::text::patch::{DiffReport, DiffedBy, LIMIT};
use windlass_repo::{
    differ::Differ,
    jj::{self, Jj},
};

use windlass_system::process::StartError;

use crate::tree::{Place, PlainRunner};

/// Answers of jj 0.45.1, as it gave them.
const COMMIT: &str = include_str!("jj/log.out");
const DIFF: &[u8] = include_bytes!("jj/diff.out");
const NAMES: &str = include_str!("jj/names.out");
const UNKNOWN: &str = include_str!("jj/unknown.err");
const REFUSED: &str = include_str!("jj/refused.err");

/// A program that answers what it is told to, and takes down how it was called.
const PLAYER: &str = r#"#!/bin/sh
printf '%s\n' "$*" >>"$HOME/calls"
env | cut -d = -f 1 | sort >"$HOME/names-of-env"
cat "$HOME/said" >&2
case "$*" in
log*) cat "$HOME/log" ;;
*--name-only*) cat "$HOME/names" ;;
*) cat "$HOME/diff" ;;
esac
"#;

/// A home with a `jj` on its path, or without.
struct Stage {
    place: Place,
    player: Option<&'static str>,
}

impl Stage {
    /// A pure jj repository.
    fn new(player: Option<&'static str>) -> Self {
        let stage = Self { place: Place::new(), player };
        fs::remove_dir_all(stage.place.at(".git")).expect("removed");
        stage.set(player)
    }

    /// One that git has too.
    fn colocated(player: Option<&'static str>) -> Self {
        Self { place: Place::new(), player }.set(player)
    }

    fn set(self, player: Option<&'static str>) -> Self {
        fs::create_dir(self.place.at(".jj")).expect("made");
        fs::create_dir(self.home().join("bin"))
            .or_else(|_| fs::create_dir_all(self.home().join("bin")))
            .expect("made");
        for (name, answer) in
            [("log", COMMIT.as_bytes()), ("diff", DIFF), ("names", NAMES.as_bytes()), ("said", b"")]
        {
            self.answer(name, answer);
        }
        if let Some(player) = player {
            let path = self.home().join("bin/jj");
            fs::write(&path, player).expect("written");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
        }
        self
    }

    fn home(&self) -> PathBuf {
        self.place.dir.path().join("user")
    }

    fn answer(&self, name: &str, answer: &[u8]) {
        fs::write(self.home().join(name), answer).expect("written");
    }

    fn calls(&self) -> String {
        fs::read_to_string(self.home().join("calls")).unwrap_or_default()
    }

    fn jj(&self) -> Jj {
        // Without a `jj` there is none on the path, whatever this machine has.
        let system = if self.player.is_some() { ":/usr/bin:/bin" } else { "" };
        let path = format!("{}{system}", self.home().join("bin").display());
        let env =
            [("PATH", path.as_str()), ("HOME", &self.home().to_string_lossy()), ("SECRET", "x")]
                .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let top = jj::find(&self.place.at("src")).expect("a jj repository");
        let program = self.home().join("bin/jj");
        let missing = StartError::NotFound { program: "jj".to_owned() };
        let program = if program.is_file() { Ok(program) } else { Err(missing) };
        Jj::new(Arc::new(PlainRunner::default()), program, top, &BTreeMap::from(env))
    }

    fn differ(&self) -> Differ<'static> {
        Differ { tree: None, jj: Some(self.jj()) }
    }
}

#[test]
fn a_jj_repository_is_found_from_within_but_not_past_one_of_git_s_own() {
    let stage = Stage::new(None);
    let top = stage.place.top();
    assert_eq!(jj::find(&top), Some(top.clone()));
    assert_eq!(jj::find(&top.join("src")), Some(top.clone()));
    assert_eq!(jj::find(Path::new("/")), None);
    fs::create_dir_all(top.join("src/inner/.git")).expect("made");
    assert_eq!(jj::find(&top.join("src/inner")), None);
    fs::create_dir(top.join("src/inner/.jj")).expect("made");
    assert_eq!(jj::find(&top.join("src/inner")), Some(top.join("src/inner")));
}

#[tokio::test]
async fn it_is_asked_what_changed_since_the_commit_at_the_start() {
    let stage = Stage::new(Some(PLAYER));
    let (revision, notes) = stage.differ().mark().await.expect("marked");
    assert_eq!((revision.as_deref(), notes), (Some(COMMIT.trim()), Vec::new()));
    let report = stage.differ().diff(None, revision.as_deref(), LIMIT).await.expect("a diff");
    assert_eq!(report.by, Some(DiffedBy::Jj));
    insta::assert_snapshot!(report.text, @r"
    diff --git a/gone.txt b/gone.txt
    deleted file mode 100644
    index 286c5f5776..0000000000
    --- a/gone.txt
    +++ /dev/null
    @@ -1,1 +0,0 @@
    -gone
    diff --git a/latin.txt b/latin.txt
    new file mode 100644
    index 0000000000..6f83395d97
    --- /dev/null
    +++ b/latin.txt
    @@ -0,0 +1,1 @@
    +caf�
    diff --git a/link b/link
    new file mode 120000
    index 0000000000..e0e63473c2
    --- /dev/null
    +++ b/link
    @@ -0,0 +1,1 @@
    +run.sh
    \ No newline at end of file
    diff --git a/old.txt b/nëw.txt
    rename from old.txt
    rename to nëw.txt
    diff --git a/run.sh b/run.sh
    old mode 100644
    new mode 100755
    diff --git a/src/a.txt b/src/a.txt
    index 814f4a4229..99b356dcd0 100644
    --- a/src/a.txt
    +++ b/src/a.txt
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    diff --git a/with space.txt b/with space.txt
    new file mode 100644
    index 0000000000..3e757656cf
    --- /dev/null
    +++ b/with space.txt
    @@ -0,0 +1,1 @@
    +new
    ");
    insta::assert_snapshot!(report.remarks(), @r"
    Binary files that changed:
    - p.png
    ");
    insta::assert_snapshot!(stage.calls().replace(COMMIT.trim(), "[commit]"), @r#"
    log --no-graph --revisions=@ --template=commit_id --no-pager --quiet --color=never --config=fsmonitor.backend="none" --config=signing.behavior="keep" --config=signing.backend="none" --config=ui.diff-formatter=":git" --config=ui.paginate="never" --config=diff.git.show-path-prefix=true
    diff --git --from=[commit] --to=@ --no-pager --quiet --color=never --config=fsmonitor.backend="none" --config=signing.behavior="keep" --config=signing.backend="none" --config=ui.diff-formatter=":git" --config=ui.paginate="never" --config=diff.git.show-path-prefix=true
    "#);
    let env = fs::read_to_string(stage.home().join("names-of-env")).expect("taken down");
    assert!(!env.contains("SECRET"), "{env}");
}

#[tokio::test]
async fn where_it_is_missing_git_is_asked_if_it_can_be_and_else_it_is_said_what_to_install() {
    let stage = Stage::new(None);
    insta::assert_snapshot!(stage.differ().mark().await.expect_err("nobody to ask"), @r"
    this is a jj repository, and `jj` is not on the PATH: install it (`cargo install --locked jj-cli`, or see https://docs.jj-vcs.dev), then go on
    ");
    let error = stage.differ().diff(None, None, LIMIT).await.expect_err("nobody to ask");
    assert!(error.to_string().contains("install it"), "{error}");

    let stage = Stage::colocated(None);
    let tree = stage.place.tree().await;
    let since = tree.snapshot().await.expect("taken").tree;
    let differ = Differ { tree: Some(&tree), jj: Some(stage.jj()) };
    let (revision, notes) = differ.mark().await.expect("marked");
    assert_eq!(revision, None);
    insta::assert_snapshot!(notes.join("\n"), @r"
    `jj` is not installed, or not on the PATH; what changed is taken from git
    ");
    stage.place.write("a.txt", "three\n");
    // Whether it was missing at the start, or is only now.
    for revision in [None, Some("0123")] {
        let report = differ.diff(Some(&since), revision, LIMIT).await.expect("a diff");
        assert_eq!(report.by, Some(DiffedBy::Git));
        assert!(report.text.contains("+three"), "{}", report.text);
        assert_eq!(report.notes.len(), usize::from(revision.is_some()), "{:?}", report.notes);
    }
}

#[tokio::test]
async fn a_call_that_fails_is_told_and_git_is_asked_if_it_can_be() {
    let player = "#!/bin/sh\ncat \"$HOME/said\" >&2\nexit 1\n";
    let stage = Stage::new(Some(player));
    stage.answer("said", UNKNOWN.as_bytes());
    let error = stage.differ().diff(None, Some("0123"), LIMIT).await.expect_err("it fails");
    insta::assert_snapshot!(error, @r"
    `jj diff --git --from=0123 --to=@` failed: Error: Revision `0123456789012345678901234567890123456789` doesn't exist
    ");

    let stage = Stage::colocated(Some(player));
    stage.answer("said", UNKNOWN.as_bytes());
    let tree = stage.place.tree().await;
    let since = tree.snapshot().await.expect("taken").tree;
    let differ = Differ { tree: Some(&tree), jj: Some(stage.jj()) };
    let report = differ.diff(Some(&since), Some("0123"), LIMIT).await.expect("a diff");
    assert_eq!(report.by, Some(DiffedBy::Git));
    insta::assert_snapshot!(report.notes.join("\n"), @r"
    `jj diff --git --from=0123 --to=@` failed: Error: Revision `0123456789012345678901234567890123456789` doesn't exist; what changed is taken from git
    ");
}

#[tokio::test]
async fn a_call_that_hangs_is_ended() {
    let stage = Stage::new(Some("#!/bin/sh\nexec sleep 60\n"));
    let jj = stage.jj().with_limit(Duration::from_millis(300));
    let error = jj.diff(None).await.expect_err("it hangs");
    insta::assert_snapshot!(error, @r"
    `jj diff --git` did not answer within 0.3 s and was ended
    ");
}

#[tokio::test]
async fn without_a_commit_to_start_from_the_work_tree_s_own_change_is_shown() {
    let stage = Stage::new(Some(PLAYER));
    stage.answer("log", b"(no commit here)\n");
    let (revision, notes) = stage.differ().mark().await.expect("marked");
    assert_eq!(revision, None);
    insta::assert_snapshot!(notes.join("\n"), @r"
    `jj log` did not say at which commit the work tree is; a reviewer sees what `jj diff` shows
    ");
    let report = stage.differ().diff(None, None, LIMIT).await.expect("a diff");
    assert_eq!(report, DiffReport::of(DiffedBy::Jj, DIFF, LIMIT));
    assert!(!stage.calls().contains("--from"), "{}", stage.calls());
}

#[tokio::test]
async fn the_files_that_changed_have_their_names() {
    let stage = Stage::new(Some(PLAYER));
    let names = stage.jj().changed(Some(COMMIT.trim())).await.expect("names");
    assert_eq!(names, NAMES.lines().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_file_that_is_too_large_to_be_recorded_is_named() {
    let stage = Stage::new(Some(PLAYER));
    stage.answer("said", REFUSED.as_bytes());
    let report = stage.differ().diff(None, Some(COMMIT.trim()), LIMIT).await.expect("a diff");
    assert_eq!(report.files, 9);
    insta::assert_snapshot!(report.remarks(), @r"
    Left out of this diff:
    - big.txt (it could not be compared)
    Binary files that changed:
    - p.png
    ");
}
