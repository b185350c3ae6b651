//! Evidence is windlass's own: an agent that writes the repository's git directory, without a
//! sandbox, neither takes snapshots away nor changes what they show.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use testkit::Env;

use crate::{
    mounts::Mount,
    pr_loop::{asking, found, pulled},
    prompts_of,
    sandboxes::has_bwrap,
    shell, user_config, world,
};

const CLAIM: &str = "echo '<promise>COMPLETE</promise>'";

/// A body that does something else in each iteration.
fn each(parts: &[&str]) -> String {
    let mut body =
        "n=$(($(cat .git/n 2>/dev/null || echo 0) + 1)); echo $n > .git/n\ncase $n in\n".to_owned();
    for (number, part) in parts.iter().enumerate() {
        body += &format!("{}) {part};;\n", number + 1);
    }
    body + "esac"
}

/// Two agents of the config, each a shell program.
fn agents(env: &Env, [(one, of_one), (two, of_two)]: [(&str, &str); 2]) {
    let (of_one, of_two) = (env.agent_sh(of_one), env.agent_sh(of_two));
    let text =
        format!("[agents.{one}]\ncommand = [{of_one:?}]\n[agents.{two}]\ncommand = [{of_two:?}]\n");
    user_config(env, &text);
}

fn read(env: &Env, path: &str) -> String {
    fs::read_to_string(env.work().join(path)).unwrap_or_else(|error| error.to_string())
}

/// The file of a loose object of the repository.
fn object(env: &Env, revision: &str) -> PathBuf {
    let id = env.git(["rev-parse", revision]);
    let (folder, name) = id.trim().split_at(2);
    env.work().join(".git/objects").join(folder).join(name)
}

/// How many bytes are in the files of a directory.
fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let one = |entry: fs::DirEntry| match entry.metadata().expect("it is there") {
        found if found.is_dir() => size(&entry.path()),
        found => found.len(),
    };
    entries.map(one).sum()
}

#[test]
fn snapshots_outlive_an_agent_that_prunes_the_repository() {
    prune_in("none");
    if has_bwrap() {
        prune_in("bwrap");
    }
}

fn prune_in(sandbox: &str) {
    let env = world();
    let commit = "echo one > work.txt; git add -A; git commit -qm work";
    let prune = "git reset -q --hard HEAD~1; git reflog expire --expire=now --all; \
                 git gc -q --prune=now";
    let body = each(&[commit, prune, &format!("echo three > work.txt; {CLAIM}")]);
    let args = ["--check", "test -f work.txt", "--name", "mine", "--sandbox", sandbox];
    shell(&env, &body, &args).run().success();
    assert_eq!(read(&env, "work.txt"), "three\n");
    env.windlass(["rollback", "mine", "1"]).success();
    assert_eq!(read(&env, "work.txt"), "one\n");
    assert!(env.windlass(["diff", "mine", "1"]).success().stdout.contains("+one"));
}

#[test]
fn rollback_writes_what_was_there_and_not_what_was_put_in_its_place() {
    let env = world();
    let before = read(&env, "README.md");
    let readme = object(&env, "HEAD:README.md");
    let body = format!(
        "o=$(echo evil | git hash-object -w --stdin); \
         cp -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-) '{}'; \
         echo spoilt > README.md; {CLAIM}",
        readme.display()
    );
    shell(&env, &body, &["--name", "mine"]).run().success();
    assert_eq!(env.git(["cat-file", "-p", "HEAD:README.md"]), "evil\n", "it was forged");
    let ran = env.windlass(["rollback", "mine", "0"]).success();
    assert_eq!(read(&env, "README.md"), before, "{ran}");
}

#[test]
fn a_reviewer_sees_what_the_developer_has_git_ignore() {
    let env = world();
    let hides = "echo 'x=1' > hidden.py; echo '*.py' >> .git/info/exclude; \
                 echo changed >> README.md; git update-index --assume-unchanged README.md";
    agents(&env, [("dev", hides), ("rev", "echo APPROVED")]);
    let call = ["develop", "-p", "work", "--developer", "dev", "--reviewer", "rev"];
    env.windlass(call).success();
    let prompts = prompts_of(&env);
    let review = prompts.last().expect("a reviewer was asked");
    assert!(review.contains("hidden.py") && review.contains("+x=1"), "{review}");
    assert!(review.contains("+changed"), "{review}");
}

#[test]
fn a_base_that_an_agent_moves_is_told_and_the_audit_goes_by_what_it_was() {
    let (env, github) = pulled();
    let report = |titles: &[&str]| {
        let line = found(titles);
        line.strip_prefix("say ").expect("a line of a script").replace("\\n", "\n")
    };
    env.write(".git/first", report(&["the valve leaks"]));
    env.write(".git/then", report(&[]));
    let audits = "cat .git/first; cp .git/then .git/first";
    let moves = "echo '// x' >> src/pump.rs; git branch -f main HEAD";
    agents(&env, [("audits", audits), ("moves", moves)]);
    let call = [
        "pr",
        "7",
        "--repo",
        "ada/engine",
        "--loop",
        "--auditor",
        "audits",
        "--fixer",
        "moves",
        "--jobs",
        "1",
    ];
    let ran = asking(&env, &github, &call).run();
    let told = "`main` has moved since the loop began, from ";
    assert!(ran.stderr.contains(told), "{ran}");
    let prompts = prompts_of(&env);
    let second: Vec<&String> = prompts.iter().filter(|prompt| prompt.contains("+// x")).collect();
    assert_eq!(second.len(), 5, "the auditors of the second iteration: {ran}");
    assert!(second.iter().all(|prompt| prompt.contains("+    draw();")), "{ran}");
}

#[test]
fn where_there_is_no_room_for_a_copy_that_is_said_and_the_repository_is_used() {
    let env = world();
    let Some(_disk) = Mount::tmpfs(&env, env.windlass_home(), "16m") else { return };
    for number in 0..300_u64 {
        let numbers = (0..2_000).map(|at| (number * 7919 + at).wrapping_mul(2_654_435_761));
        let text: String = numbers.map(|number| format!("{number:x}\n")).collect();
        fs::write(env.work().join(format!("{number}.txt")), text).expect("written");
    }
    env.git(["add", "-A"]);
    env.git(["commit", "-qm", "large"]);
    let body = format!("echo spoilt > 1.txt; echo spoilt > 2.txt; {CLAIM}");
    let ran = shell(&env, &body, &["--name", "mine"]).run().success();
    assert!(ran.stderr.contains("a copy of the work tree would take 8 MiB"), "{ran}");
    fs::remove_file(object(&env, "HEAD:1.txt")).expect("removed");
    let ran = env.windlass(["rollback", "mine", "0"]);
    assert!(ran.stderr.contains("is gone there"), "{ran}");
    assert_eq!(read(&env, "1.txt"), "spoilt\n");
    assert!(read(&env, "2.txt").len() > 1000, "{ran}");
}

#[test]
fn packs_are_cloned_where_the_file_system_can_share_blocks() {
    let env = world();
    let disk = env.root().join("disk");
    let Some(_disk) = Mount::xfs(&env, disk.clone()) else { return };
    let (work, home) = (disk.join("work"), disk.join("home"));
    for number in 0..300 {
        env.write(format!("many/{number}.txt"), format!("file {number}\n"));
    }
    env.git(["add", "-A"]);
    env.git(["commit", "-qm", "many"]);
    env.git(["gc", "-q"]);
    env.other("cp", ["-r", &env.work().display().to_string(), &work.display().to_string()])
        .run()
        .success();
    let here = |args: &[&str]| env.command(args).env("WINDLASS_HOME", &home).directory(&work);
    let agent = env.agent_sh(&format!("echo spoilt > many/7.txt; {CLAIM}")).display().to_string();
    here(&["iterate", "-p", "x", "-c", &agent, "--name", "mine"]).run().success();

    let packs = |folder: &Path| {
        let names = fs::read_dir(folder).expect("it is there").flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".pack")).collect::<BTreeSet<String>>()
    };
    let store = fs::read_dir(home.join("evidence")).expect("it is there").flatten().next();
    let cloned = packs(&store.expect("of this repository").path().join("pack"));
    assert!(cloned.is_superset(&packs(&work.join(".git/objects/pack"))), "{cloned:?}");
    fs::remove_dir_all(work.join(".git/objects/pack")).expect("removed");
    here(&["rollback", "mine", "0"]).run().success();
    assert_eq!(fs::read_to_string(work.join("many/7.txt")).expect("it is there"), "file 7\n");
}

#[test]
fn what_only_removed_loops_needed_is_freed() {
    let env = world();
    let size = || size(&env.windlass_home().join("evidence"));
    let large = "head -c 600000 /dev/urandom > large.bin";
    shell(&env, &format!("echo first > small.txt; {CLAIM}"), &["--name", "first"]).run().success();
    shell(&env, &format!("{large}; {CLAIM}"), &["--name", "second"]).run().success();
    assert!(size() > 600_000, "{}", size());
    env.windlass(["rm", "second"]).success();
    assert!(size() < 100_000, "{}", size());
    fs::remove_file(env.work().join("large.bin")).expect("removed");
    env.windlass(["rollback", "first", "0"]).success();
    assert!(!env.work().join("small.txt").exists());
    env.windlass(["rm", "first"]).success();
    assert_eq!(size(), 0, "nothing of it is left");
}
