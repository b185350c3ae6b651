//! Work that goes to other places than the files of the work tree is evidence too: each iteration
//! records the places where other files are than before.

use serde_json::Value;
use testkit::Env;

use crate::{shell, world};

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

#[test]
fn each_iteration_records_where_else_work_went() {
    let env = with_submodule();
    let on_side = |does: &str| format!("git checkout -q side && {does} && git checkout -q main");
    let work = on_side("echo x > new.txt && git add -A && git commit -qm work");
    let sessions = [
        format!("git branch side && {work}"),
        on_side("git commit -q --amend -m reworded && git commit -q --allow-empty -m empty"),
        "echo x >> README.md && git stash push -q -m first".to_owned(),
        "echo x >> README.md && git stash push -q -m again".to_owned(),
        "git init -q nested && echo x > nested/a.txt".to_owned(),
        "echo x > nested/b.txt".to_owned(),
        "echo x > lib/a.txt".to_owned(),
        "git -C lib add -A && git -C lib commit -qm work".to_owned(),
        "git worktree add -q --detach ../other && cd ../other && git rm -q README.md".to_owned(),
        "true".to_owned(),
    ];
    let mut body = "n=$(($(cat .git/n 2>/dev/null || echo 0) + 1)); echo $n > .git/n\n".to_owned();
    body += "case $n in\n";
    for (number, does) in sessions.iter().enumerate() {
        body += &format!("{}) {does};;\n", number + 1);
    }
    let args = ["--max-iterations", "10", "--stagnation-threshold", "0", "--jsonl"];
    let ran = shell(&env, &(body + "esac"), &args).run().code(1);
    let told = places(&ran.json_lines()).join("\n");
    let told = told.replace(&*env.root().to_string_lossy(), "[root]");
    insta::assert_snapshot!(told, @r#"
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
