//! The real Jujutsu: what changed since a loop began, in a repository that is jj's alone and in one
//! that git has too, and that no program of a config is started for it.

use std::{collections::BTreeMap, ffi::OsString, fs, path::Path, sync::Arc};

use testkit::Env;
use windlass::system::{Guardian, GuardianProgram};
use windlass_core::text::patch::{DiffReport, DiffedBy, LIMIT};
use windlass_repo::{
    differ::Differ,
    jj::{self, Jj},
};

use super::real::programs;
use crate::world;

/// A world with the real `jj` on its path.
struct Stage {
    env: Env,
    variables: BTreeMap<OsString, OsString>,
}

impl Stage {
    fn new(env: Env) -> Self {
        let mut variables: BTreeMap<OsString, OsString> =
            env.variables().into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let path = variables.get(&OsString::from("PATH")).cloned().unwrap_or_default();
        let path = format!("{}:{}", programs("jj").display(), path.to_string_lossy());
        variables.insert("PATH".into(), path.into());
        let config = "[user]\nname = \"A User\"\nemail = \"user@example.org\"\n";
        let file = env.home().join("jj.toml");
        fs::write(&file, config).expect("the home is ours");
        variables.insert("JJ_CONFIG".into(), file.into());
        Self { env, variables }
    }

    /// Runs `jj` as its user does.
    #[track_caller]
    fn jj(&self, args: &[&str]) -> String {
        let path = programs("jj").join("jj");
        let variables = self.variables.iter();
        let call = self.env.other(path, args.iter().copied());
        variables.fold(call, |call, (name, value)| call.env(name, value)).run().success().stdout
    }

    fn guardian(&self) -> Guardian {
        let program = GuardianProgram::At(self.env.program().to_owned());
        Guardian::start(&program, None, Vec::new()).expect("a guardian")
    }

    fn differ(&self, guardian: &Guardian, directory: &Path) -> Differ<'static> {
        let top = jj::find(directory).expect("a jj repository");
        let jj = Jj::new(
            Arc::new(guardian.clone()),
            Ok(programs("jj").join("jj")),
            top,
            &self.variables,
        );
        Differ { tree: None, jj: Some(jj) }
    }
}

/// Begins with a change of the user's, then is an agent that commits, moves on, and leaves files.
async fn reviewed(stage: &Stage) -> DiffReport {
    let work = stage.env.work();
    fs::create_dir(work.join("src")).expect("made");
    stage.env.write("src/a.txt", "one\ntwo\n");
    stage.env.write("gone.txt", "gone\n");
    stage.jj(&["commit", "--message=the start"]);
    stage.env.write("users.txt", "of the user\n");

    let guardian = stage.guardian();
    let differ = stage.differ(&guardian, &work.join("src"));
    let (revision, notes) = differ.mark().await.expect("marked");
    assert_eq!(notes, [""; 0]);

    stage.env.write("src/a.txt", "one\n2\n");
    stage.jj(&["commit", "--message=by the agent"]);
    stage.jj(&["describe", "--message=more of the agent"]);
    stage.env.write("with space.txt", "new\n");
    stage.env.write("p.png", b"\x89PNG\0\0");
    fs::remove_file(work.join("gone.txt")).expect("removed");
    let report = differ.diff(None, revision.as_deref(), LIMIT).await.expect("a diff");
    assert_eq!(report.by, Some(DiffedBy::Jj));
    guardian.close().await;
    report
}

/// All that is text; what the user had changed before is not in it.
const EXPECTED: &str = "\
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 286c5f5776..0000000000
--- a/gone.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-gone
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
";

#[tokio::test]
#[ignore = "needs the real program: run `scripts/compat`"]
async fn a_repository_of_its_own() {
    let stage = Stage::new(Env::outside_git(env!("CARGO_BIN_EXE_windlass")));
    stage.jj(&["git", "init", "--no-colocate"]);
    let report = reviewed(&stage).await;
    assert_eq!(report.text, EXPECTED);
    assert_eq!(report.binary, ["p.png"]);
}

#[tokio::test]
#[ignore = "needs the real program: run `scripts/compat`"]
async fn a_repository_that_git_has_too() {
    let stage = Stage::new(world());
    stage.jj(&["git", "init", "--colocate"]);
    let report = reviewed(&stage).await;
    assert_eq!(report.text, EXPECTED);
    assert_eq!(report.binary, ["p.png"]);
}

#[tokio::test]
#[ignore = "needs the real program: run `scripts/compat`"]
async fn no_program_of_a_config_is_started() {
    let stage = Stage::new(Env::outside_git(env!("CARGO_BIN_EXE_windlass")));
    stage.jj(&["git", "init", "--no-colocate"]);
    let trap = stage.env.install("trap", "touch \"$HOME/sprung\"; exit 1");
    let trap = trap.to_string_lossy();
    for (key, value) in [
        ("ui.diff-formatter", format!("[\"{trap}\"]")),
        ("ui.pager", format!("\"{trap}\"")),
        ("ui.paginate", "\"auto\"".to_owned()),
        ("ui.editor", format!("\"{trap}\"")),
        ("fsmonitor.backend", "\"watchman\"".to_owned()),
        ("signing.behavior", "\"own\"".to_owned()),
        ("signing.backend", "\"gpg\"".to_owned()),
        ("signing.backends.gpg.program", format!("\"{trap}\"")),
        ("aliases.diff", format!("[\"util\", \"exec\", \"--\", \"{trap}\"]")),
    ] {
        stage.jj(&["config", "set", "--repo", key, &value, "--config=fsmonitor.backend=none"]);
    }
    let guardian = stage.guardian();
    let differ = stage.differ(&guardian, &stage.env.work());
    let (revision, notes) = differ.mark().await.expect("marked");
    assert_eq!(notes, [""; 0]);
    stage.env.write("a.txt", "a\n");
    let report = differ.diff(None, revision.as_deref(), LIMIT).await.expect("a diff");
    assert!(report.text.contains("+a\n"), "{}", report.text);
    assert!(!stage.env.home().join("sprung").exists(), "a program of the config was started");
    guardian.close().await;
}
