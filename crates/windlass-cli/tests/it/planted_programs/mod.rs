//! Programs that an agent plants where its user's `PATH` leads, as into the virtual environment of a
//! project, and scripts of the tree that it rewrites: none of them runs outside of a sandbox, and
//! none makes a proof.

mod proofs;

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use testkit::{Env, Invocation};

use crate::{
    COMPLETE,
    develop::develop,
    sandboxes::{has_bwrap, has_landlock},
    shell, user_config, world,
};

/// Everything that windlass or one of its programs might look for by its name.
const NAMES: [&str; 18] = [
    "aider",
    "busctl",
    "bwrap",
    "claude",
    "codex",
    "docker",
    "env",
    "gemini",
    "gh",
    "git",
    "jj",
    "notify-send",
    "opencode",
    "podman",
    "python3",
    "sh",
    "ssh",
    "windlass",
];

/// A world whose user has activated the virtual environment of the project, which git ignores.
struct Venv {
    env: Env,
    path: String,
}

impl Venv {
    fn new() -> Self {
        let env = world();
        env.write(".gitignore", ".venv\n");
        env.write(".venv/bin/activate", "");
        env.git(["add", ".gitignore"]);
        env.git(["commit", "--quiet", "--message=ignore"]);
        let path =
            env.variables().into_iter().find(|(name, _)| *name == "PATH").expect("it is set");
        let path = format!("{}:{}", env.work().join(".venv/bin").display(), path.1);
        Self { env, path }
    }

    /// Shell that plants programs which leave a trace outside of the tree.
    fn planting(&self, names: &[&str]) -> String {
        let (canary, bin) = (self.canary(), self.env.work().join(".venv/bin"));
        let (canary, bin) = (canary.display(), bin.display());
        format!(
            "for name in {}; do printf '#!/bin/sh\\necho %s >> {canary}\\nexit 0\\n' $name > \
             {bin}/$name; /bin/chmod +x {bin}/$name; done",
            names.join(" ")
        )
    }

    /// As an earlier agent left them.
    fn planted(&self, names: &[&str]) {
        let body = self.planting(names);
        drop(self.env.other("/bin/sh", ["-c", &body]).run().success());
    }

    /// Puts a program there.
    fn install(&self, name: &str, text: &str) {
        let path = format!(".venv/bin/{name}");
        self.env.write(&path, format!("#!/bin/sh\n{text}\n"));
        drop(self.env.other("/bin/chmod", ["+x", &path]).run().success());
    }

    fn canary(&self) -> PathBuf {
        self.env.root().join("canary")
    }

    fn call(&self, args: &[&str]) -> Invocation<'_> {
        self.env.command(args).env("PATH", &self.path)
    }

    #[track_caller]
    fn assert_nothing_ran(&self, when: &str) {
        let ran = fs::read_to_string(self.canary()).unwrap_or_default();
        assert_eq!(ran, "", "{when}: an agent's programs ran outside");
    }
}

/// The sandboxes that this machine has, and none.
fn sandboxes(env: &Env) -> Vec<&'static str> {
    let mut names = Vec::new();
    names.extend(has_bwrap().then_some("bwrap"));
    names.extend(has_landlock(env).then_some("landlock"));
    names
}

#[test]
fn what_an_agent_plants_in_path_is_not_run_by_windlass() {
    for sandbox in sandboxes(&world()) {
        let venv = Venv::new();
        let hook = "['sh', '-c', 'true']";
        user_config(&venv.env, &format!("[on]\niteration_end = {hook}\nloop_end = {hook}\n"));
        venv.env.install("tell", "cat > /dev/null");
        let body = format!("{}; echo '{COMPLETE}'", venv.planting(&NAMES));
        let args =
            ["--sandbox", sandbox, "--check", "false", "--max-iterations", "2", "--name", "m"];
        let notify = ["--notify", "command:tell", "--notify", "desktop", "--auto-commit", "--json"];
        let bus = "unix:path=/nowhere";
        let ran = shell(&venv.env, &body, &args).args(notify).env("PATH", &venv.path);
        let ran = ran.env("DBUS_SESSION_BUS_ADDRESS", bus).run().code(1);
        assert_eq!(ran.json()["verified"], false, "{ran}");
        venv.assert_nothing_ran(sandbox);
        for args in [
            &["agents"][..],
            &["doctor"],
            &["diff", "m"],
            &["status", "m"],
            &["show", "m"],
            &["rollback", "m", "0"],
            &["gc"],
        ] {
            drop(venv.call(args).run());
            venv.assert_nothing_ran(&format!("{sandbox}: {args:?}"));
        }
    }
}

#[test]
fn what_an_earlier_agent_left_in_path_is_not_run_either() {
    let venv = Venv::new();
    venv.planted(&NAMES);
    let listed = venv.call(&["agents"]).run().success().stdout;
    let words = "version not asked, for an agent can write it: ";
    assert!(listed.contains(words), "{listed}");
    let looked = venv.call(&["doctor"]).run().success().stdout;
    assert!(looked.contains(".venv/bin/claude, which an agent can write: not run"), "{looked}");
    // A pull request asks `gh` for a token, unless there is one.
    venv.env.git(["remote", "add", "origin", "https://github.com/ada/engine.git"]);
    drop(venv.call(&["pr", "7", "--agent", "scripted"]).run().code(4));
    for sandbox in sandboxes(&venv.env) {
        let args = ["--sandbox", sandbox, "--check", "false", "--max-iterations", "1"];
        let body = format!("echo '{COMPLETE}'");
        drop(shell(&venv.env, &body, &args).env("PATH", &venv.path).run().code(1));
    }
    venv.assert_nothing_ran("at the start");
}

#[test]
fn a_planted_jj_is_not_run() {
    let venv = Venv::new();
    fs::create_dir(venv.env.work().join(".jj")).unwrap();
    venv.planted(&["jj"]);
    let script = "as developer\nwrite a.txt 1\nas reviewer\nsay APPROVED\n";
    drop(develop(&venv.env, script, &[]).env("PATH", &venv.path).run());
    venv.assert_nothing_ran("develop");
}

#[test]
fn a_shell_that_an_agent_brings_proves_nothing() {
    // Without a sandbox too: it is about what a check is run by.
    let venv = Venv::new();
    let body = format!("{}; echo '{COMPLETE}'", venv.planting(&["sh"]));
    let args = ["--check", "false", "--max-iterations", "1", "--json"];
    let ran = shell(&venv.env, &body, &args).env("PATH", &venv.path).run().code(1);
    assert_eq!(ran.json()["verified"], false, "{ran}");
    venv.assert_nothing_ran("the check");
}

#[test]
fn a_path_is_followed_into_the_tree_by_links_and_through_trees_in_trees() {
    let venv = Venv::new();
    venv.planted(&["git", "bwrap", "claude"]);
    let alias = venv.env.root().join("alias");
    symlink(venv.env.work().join(".venv/bin"), &alias).unwrap();
    let linked = venv.env.root().join("linked");
    fs::create_dir(&linked).unwrap();
    symlink(venv.env.work().join(".venv/bin/git"), linked.join("git")).unwrap();
    let path = |first: &str| format!("{first}:/usr/local/bin:/usr/bin:/bin");
    let (alias, linked) = (alias.display().to_string(), linked.display().to_string());
    for first in [&alias, &linked, ".venv/bin", "", "."] {
        let calls = [venv.call(&["doctor"]), venv.call(&["agents"])];
        for call in calls {
            drop(call.env("PATH", path(first)).run());
        }
        let directory = venv.env.work().join(".venv/bin");
        drop(venv.call(&["doctor"]).directory(directory).env("PATH", path(first)).run());
        venv.assert_nothing_ran(first);
    }
    // A directory that an agent makes look like a separate work tree.
    let inner = venv.env.work().join("inner");
    fs::create_dir_all(inner.join(".git")).unwrap();
    drop(venv.call(&["doctor"]).directory(&inner).run());
    venv.assert_nothing_ran("from a tree in the tree");
}

#[test]
fn programs_that_are_only_where_agents_write_are_not_there() {
    let venv = Venv::new();
    venv.planted(&["git", "claude"]);
    let path = venv.env.work().join(".venv/bin");
    let looked = venv.call(&["doctor"]).env("PATH", &path).run().code(4).stdout;
    let words = "`git` was found only in `/tmp/windlass-";
    assert!(looked.contains(words) && looked.contains("which an agent can write"), "{looked}");
    let args = ["iterate", "-p", "x", "--agent", "scripted", "--script"];
    let script = venv.env.script(&format!("say {COMPLETE}"));
    let refused = venv.call(&args).arg(script).env("PATH", &path).run().code(4).stderr;
    assert!(refused.contains(words), "{refused}");
    venv.assert_nothing_ran("alone in PATH");
}

#[test]
fn an_agent_that_is_installed_comes_before_one_that_is_planted() {
    for sandbox in sandboxes(&world()) {
        let venv = Venv::new();
        venv.env.install("my-agent", &format!("echo '{COMPLETE}'"));
        venv.env.write(".venv/bin/my-agent", "#!/bin/sh\necho planted\n");
        drop(venv.env.other("/bin/chmod", ["+x", ".venv/bin/my-agent"]).run().success());
        let args = ["iterate", "-p", "x", "-c", "my-agent", "--sandbox", sandbox, "--json"];
        let ran = venv.call(&args).run().success().json();
        assert_eq!(ran["final_text"], COMPLETE, "{sandbox}");
    }
}

#[test]
fn a_script_of_the_tree_that_a_hook_names_runs_in_the_sandbox() {
    for sandbox in sandboxes(&world()) {
        let venv = Venv::new();
        let canary = venv.canary();
        for (name, hook) in [("hook.sh", "['sh', 'hook.sh']"), ("tool", "['./tool']")] {
            venv.env.write(name, "#!/bin/sh\ntrue\n");
            drop(venv.env.other("/bin/chmod", ["+x", name]).run().success());
            user_config(&venv.env, &format!("[on]\niteration_end = {hook}\nloop_end = {hook}\n"));
            let rewritten = format!("touch ran-{name}; echo {name} >> {}", canary.display());
            let body = format!("printf '#!/bin/sh\\n{rewritten}\\n' > {name}; echo '{COMPLETE}'");
            for _ in 0..2 {
                drop(shell(&venv.env, &body, &["--sandbox", sandbox]).run().success());
                venv.assert_nothing_ran(&format!("{sandbox}: {name}"));
            }
            assert!(venv.env.work().join(format!("ran-{name}")).exists(), "{sandbox}: it ran");
        }
    }
}

#[test]
fn without_a_sandbox_a_hook_runs_what_the_loop_began_with() {
    let venv = Venv::new();
    let told = venv.env.root().join("told");
    venv.env.write("hook.sh", format!("echo as it was >> {}\n", told.display()));
    user_config(&venv.env, "[on]\nloop_end = ['sh', 'hook.sh']\n");
    let body = format!("echo 'touch {}' > hook.sh; echo '{COMPLETE}'", venv.canary().display());
    drop(shell(&venv.env, &body, &[]).run().success());
    assert!(!venv.canary().exists(), "the rewritten one ran");
    assert_eq!(fs::read_to_string(told).unwrap(), "as it was\n");
}

#[test]
fn a_hook_s_interpreter_is_not_the_agent_s() {
    for sandbox in sandboxes(&world()) {
        let venv = Venv::new();
        let hook = venv.env.install("hook", "");
        fs::write(&hook, "#!/usr/bin/env python3\n").unwrap();
        user_config(&venv.env, &format!("[on]\nloop_end = ['{}']\n", hook.display()));
        let body = format!("{}; echo '{COMPLETE}'", venv.planting(&["python3"]));
        let way = format!("command:{}", hook.display());
        let args = ["--sandbox", sandbox, "--notify", &way];
        drop(shell(&venv.env, &body, &args).env("PATH", &venv.path).run().success());
        venv.assert_nothing_ran(sandbox);
    }
}

#[test]
fn what_notifies_is_not_where_the_agent_writes() {
    let venv = Venv::new();
    venv.planted(&["tell"]);
    venv.env.write("tools/tell.py", "");
    venv.env.write("tell.sh", "#!/bin/sh\n");
    drop(venv.env.other("/bin/chmod", ["+x", "tell.sh"]).run().success());
    for way in ["tell", "./tell.sh", "python3 tools/tell.py", "env A=b sh tell.sh"] {
        let way = format!("command:{way}");
        let body = format!("echo '{COMPLETE}'");
        let call = shell(&venv.env, &body, &["--notify", &way]).env("PATH", &venv.path);
        let refused = call.run().code(2).stderr;
        assert!(refused.contains("which the agent can write"), "{way}: {refused}");
        assert!(refused.contains("move it out of the work tree"), "{way}: {refused}");
    }
    venv.assert_nothing_ran("a notification");
    let loops = venv.call(&["list", "--json"]).run().success().json();
    assert_eq!(loops.as_array().map(Vec::len), Some(0), "nothing was begun");
}

#[test]
fn variables_that_lead_into_the_tree_load_nothing_outside() {
    let venv = Venv::new();
    let spoken = venv.env.root().join("spoken");
    let told = spoken.display();
    let hook = venv.env.install("hook", &format!("/usr/bin/env | /usr/bin/sort >> {told}"));
    user_config(&venv.env, &format!("[on]\nloop_end = ['{}']\n", hook.display()));
    let tree = venv.env.work().join("lib").display().to_string();
    let way = format!("command:{}", hook.display());
    let body = format!("echo '{COMPLETE}'");
    let mut call = shell(&venv.env, &body, &["--notify", &way]).env("PATH", &venv.path);
    for name in ["LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH", "NODE_PATH", "GIT_SSH_COMMAND"] {
        call = call.env(name, &tree).args(["--pass-env", name]);
    }
    let call = call.env("NODE_OPTIONS", "--require x").env("MINE", &tree);
    drop(call.args(["--pass-env", "MINE"]).without_env("LD_PRELOAD").run().success());
    let spoken = fs::read_to_string(spoken).unwrap();
    let named: Vec<&str> = spoken.lines().filter(|line| line.contains("/work/")).collect();
    assert!(
        named.iter().all(|line| line.starts_with("MINE=") || line.starts_with("PWD=")),
        "{spoken}"
    );
    assert!(!spoken.contains("NODE_OPTIONS"), "{spoken}");
    assert_eq!(spoken.matches("MINE=").count(), 2, "{spoken}");
}

#[test]
fn a_library_of_the_tree_is_not_loaded_before_the_sandbox_holds() {
    for sandbox in sandboxes(&world()) {
        let env = world();
        let lib = env.work().join("lib").display().to_string();
        fs::create_dir(&lib).unwrap();
        // A program that loads one of these crashes; a shell loads none.
        let body = format!(
            "if test -e lib/libcap.so.2; then echo \"at $LD_LIBRARY_PATH\"; echo '{COMPLETE}'; fi\n\
             for name in libcap.so.2 libselinux.so.1 libgcc_s.so.1; do echo no > lib/$name; done"
        );
        let args = ["--sandbox", sandbox, "--check", "test -e lib/libcap.so.2", "--json"];
        let call = shell(&env, &body, &args).env("LD_LIBRARY_PATH", &lib);
        let ran = call.run().success().json();
        assert_eq!(ran["iterations"], 2, "{sandbox}: {ran}");
        assert!(ran["final_text"].to_string().contains(&lib), "{sandbox}: {ran}");
    }
}

#[test]
fn what_an_agent_left_in_another_project_is_not_run() {
    let venv = Venv::new();
    let body = format!("{}; echo '{COMPLETE}'", venv.planting(&NAMES));
    drop(shell(&venv.env, &body, &["--name", "m"]).run().success());
    let other = venv.env.root().join("other");
    fs::create_dir(&other).unwrap();
    for args in [&["doctor"][..], &["agents"], &["diff", "m"], &["gc"]] {
        drop(venv.call(args).directory(&other).run());
        venv.assert_nothing_ran(&format!("{args:?}"));
    }
    let body = format!("echo '{COMPLETE}'");
    let args = ["--check", "true", "--json"];
    let ran = shell(&venv.env, &body, &args).directory(&other).env("PATH", &venv.path);
    assert_eq!(ran.run().success().json()["verified"], true);
    venv.assert_nothing_ran("a loop elsewhere");
}
