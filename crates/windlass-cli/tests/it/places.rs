//! Work that goes to other places than the files of the work tree is evidence too: each iteration
//! records the places where other files are than before.

use serde_json::Value;
use testkit::Env;

use crate::{sandboxes::has_bwrap, shell, world};

/// A repository with a submodule at `lib`.
fn with_submodule() -> Env {
    let env = world();
    let library = env.root().join("library").display().to_string();
    env.git(["init", "--quiet", "--initial-branch=main", &library]);
    env.git(["-C", &library, "commit", "--quiet", "--allow-empty", "--message=library"]);
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &library, "lib"];
    env.git(add);
    env.git(["commit", "--quiet", "--message=submodule"]);
    env
}

/// What each iteration recorded: the kind and the name of each place.
fn places(events: &[Value]) -> Vec<String> {
    let ends = events.iter().filter(|event| event["type"] == "iteration_finished");
    let of_one = |event: &Value| {
        let places = event["evidence"]["places"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let one = |place: &Value| [&place["kind"], &place["name"]].map(text).join(" ");
        let places: Vec<String> = places.iter().map(one).collect();
        format!("{} files, {places:?}", event["files_changed"])
    };
    ends.map(of_one).collect()
}

/// An agent that does something else in each session; gives what each iteration recorded.
fn recorded(env: &Env, sessions: &[&str], sandbox: &str) -> String {
    let mut body =
        "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n\ncase $n in\n".to_owned();
    for (number, does) in sessions.iter().enumerate() {
        body += &format!("{}) {does};;\n", number + 1);
    }
    env.write(".git/info/exclude", "/n\n");
    let count = sessions.len().to_string();
    let args = ["--max-iterations", &count, "--stagnation-threshold", "0", "--jsonl"];
    let call = shell(env, &(body + "esac"), &args).args(["--sandbox", sandbox]);
    let told = places(&call.run().code(1).json_lines()).join("\n");
    told.replace(&*env.root().to_string_lossy(), "[root]")
}

#[test]
fn each_iteration_records_where_else_work_went() {
    let env = with_submodule();
    let on_side = |does: &str| format!("git checkout -q side && {does} && git checkout -q main");
    let work = on_side("echo x > new.txt && git add -A && git commit -qm work");
    let sessions = [
        &*format!("git branch side && {work}"),
        &*on_side("git commit -q --amend -m reworded && git commit -q --allow-empty -m empty"),
        "echo x >> README.md && git stash push -q -m first",
        "echo x >> README.md && git stash push -q -m again",
        "git init -q nested && echo x > nested/a.txt",
        "echo x > nested/b.txt",
        "echo x > lib/a.txt",
        "git -C lib add -A && git -C lib commit -qm work",
        "git worktree add -q --detach ../other && cd ../other && git rm -q README.md",
        "true",
    ];
    insta::assert_snapshot!(recorded(&env, &sessions, "none"), @r#"
    0 files, ["branch side"]
    0 files, []
    0 files, ["stash "]
    0 files, []
    0 files, ["nested nested"]
    0 files, ["nested nested"]
    0 files, ["submodule lib"]
    1 files, ["submodule lib"]
    0 files, ["worktree [root]/other"]
    0 files, []
    "#);
}

#[test]
fn what_goes_into_the_git_directory_of_a_sandbox_is_recorded_too() {
    if !has_bwrap() {
        return;
    }
    let env = with_submodule();
    let sessions = [
        "git checkout -qb side && echo x > new.txt && git add -A && git commit -qm work && \
         git checkout -q main",
        "git checkout -q side && git commit -q --amend -m reworded && git checkout -q main",
        "echo x >> README.md && git stash push -q",
        "git init -q nested && echo x > nested/a.txt",
        "cd lib && echo x > a.txt && git add -A && git commit -qm work",
        "git worktree add -q --detach inner && echo x > inner/a.txt",
        "echo y > inner/a.txt",
    ];
    insta::assert_snapshot!(recorded(&env, &sessions, "bwrap"), @r#"
    0 files, ["branch side"]
    0 files, []
    0 files, ["stash "]
    0 files, ["nested nested"]
    1 files, ["submodule lib"]
    0 files, ["worktree inner"]
    0 files, ["worktree inner"]
    "#);
}
