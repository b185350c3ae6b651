//! Places that an agent must not be given, for what is in them acts outside of its sandbox.

use std::{fs, os::unix::fs::symlink};

use testkit::{Env, Ran};

use super::has_sandbox;
use crate::{COMPLETE, shell, user_config, world};

/// A world, unless this machine cannot do such a sandbox.
fn world_for(sandbox: &str) -> Option<Env> {
    let env = world();
    has_sandbox(&env, sandbox).then_some(env)
}

/// What is told of a place that is refused.
#[track_caller]
fn refused(ran: Ran) -> String {
    let ran = ran.code(2);
    let line = ran.stderr.lines().next().unwrap_or_default().to_owned();
    assert!(line.contains("cannot be given to a sandbox"), "{ran}");
    line
}

#[test]
fn a_place_that_holds_what_acts_outside_is_refused() {
    for sandbox in ["bwrap", "landlock"] {
        let Some(env) = world_for(sandbox) else { continue };
        let call = |args: &[&str]| {
            let args = [&["--sandbox", sandbox], args].concat();
            shell(&env, "echo planted > ran", &args).run()
        };
        fs::create_dir_all(env.home().join(".config/fish")).unwrap();
        fs::create_dir_all(env.home().join(".ssh")).unwrap();
        fs::write(env.home().join(".bashrc"), "").unwrap();
        env.windlass(["list"]).success();
        for path in ["~/.config", "~/.config/fish", "~/.ssh", "~/.bashrc"] {
            let told = refused(call(&["--sandbox-write", path]));
            assert!(told.contains("by which an agent would act outside of it"), "{told}");
        }
        let store = env.windlass_home();
        fs::create_dir_all(store.join("inner")).unwrap();
        let store = store.join("inner").display().to_string();
        for how in ["--sandbox-write", "--sandbox-read"] {
            assert!(refused(call(&[how, &store])).contains("windlass's own"));
        }
        // The user's settings as a repository, which is where the agent works.
        let config = env.home().join(".config");
        let git = env.other("git", ["init", "--quiet"]).directory(&config).run();
        git.success();
        let args = ["--sandbox", sandbox];
        refused(shell(&env, "echo planted > ran", &args).directory(&config).run());
        assert!(!config.join("ran").exists() && !env.work().join("ran").exists());
    }
}

#[test]
fn start_files_that_are_kept_in_the_work_tree_cannot_be_written_or_put_aside() {
    let body = format!(
        "echo planted >> shell/bashrc\nrm -f shell/bashrc\n\
         mv shell aside && mkdir shell && echo planted > shell/bashrc\n\
         grep -q mine shell/bashrc && echo changed > README.md && echo '{COMPLETE}'"
    );
    for sandbox in ["bwrap", "landlock"] {
        let Some(env) = world_for(sandbox) else { continue };
        env.write("shell/bashrc", "mine\n");
        symlink(env.work().join("shell/bashrc"), env.home().join(".bashrc")).unwrap();
        let args = ["--sandbox", sandbox, "--max-iterations", "1"];
        let ran = shell(&env, &body, &args).run();
        if sandbox == "bwrap" {
            ran.success();
            assert_eq!(env.read("README.md"), "changed\n");
        } else {
            let told = refused(ran);
            assert!(told.contains(".bashrc"), "{told}");
        }
        assert_eq!(fs::read_to_string(env.home().join(".bashrc")).unwrap(), "mine\n");
    }
}

#[test]
fn windlasss_config_is_hidden_in_what_can_be_read_or_the_place_is_refused() {
    for sandbox in ["bwrap", "landlock"] {
        let Some(env) = world_for(sandbox) else { continue };
        user_config(&env, "# canary\n");
        fs::create_dir_all(env.home().join(".config/tool")).unwrap();
        fs::write(env.home().join(".config/tool/settings"), "x").unwrap();
        let body = format!(
            "cat ~/.config/windlass/config.toml && exit 1\n\
             test -f ~/.config/tool/settings && echo '{COMPLETE}'"
        );
        let args = ["--sandbox", sandbox, "--sandbox-read", "~/.config", "--max-iterations", "1"];
        let ran = shell(&env, &body, &args).run();
        if sandbox == "bwrap" {
            ran.success();
        } else {
            refused(ran);
        }
    }
}

#[test]
fn a_link_in_any_place_that_an_agent_writes_shows_nothing() {
    for sandbox in ["bwrap", "landlock"] {
        let Some(env) = world_for(sandbox) else { continue };
        let (keys, cache) = (env.home().join(".ssh"), env.home().join("cache"));
        fs::create_dir_all(&keys).unwrap();
        fs::create_dir_all(&cache).unwrap();
        fs::write(keys.join("key"), "canary\n").unwrap();
        let (key, path) = (keys.join("key"), format!("{}/bin:/usr/bin:/bin", cache.display()));
        let body = format!(
            "ln -sfn {} ~/cache/bin; cat {} && exit 1; echo '{COMPLETE}'",
            keys.display(),
            key.display()
        );
        let args = ["--sandbox", sandbox, "--sandbox-write", "~/cache", "--max-iterations", "1"];
        for _ in 0..2 {
            shell(&env, &body, &args).env("PATH", &path).run().success();
        }
        let more = [&args[..], &["--sandbox-read", "~/cache/bin"]].concat();
        let told = refused(shell(&env, &body, &more).run());
        assert!(told.contains("an agent may have put it there"), "{told}");
    }
}

#[test]
fn a_directory_with_a_socket_of_a_service_is_refused() {
    let Some(env) = world_for("bwrap") else { return };
    let runtime = env.root().join("runtime");
    fs::create_dir(&runtime).unwrap();
    fs::write(runtime.join("bus"), "").unwrap();
    let place = runtime.display().to_string();
    let args = ["--sandbox", "bwrap", "--sandbox-read", &place];
    let told = refused(shell(&env, "true", &args).env("XDG_RUNTIME_DIR", &runtime).run());
    assert!(told.contains("runtime/bus"), "{told}");
}

#[test]
fn a_module_that_an_agent_made_up_has_nothing_mounted() {
    let Some(env) = world_for("bwrap") else { return };
    let keys = env.home().join(".ssh");
    fs::create_dir_all(&keys).unwrap();
    let module = env.work().join(".git/modules/evil");
    fs::create_dir_all(&module).unwrap();
    fs::write(module.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    symlink(&keys, module.join("hooks")).unwrap();
    // Without objects it is none, and is not there inside.
    let body = format!("test ! -e .git/modules/evil && echo '{COMPLETE}'");
    shell(&env, &body, &["--sandbox", "bwrap", "--max-iterations", "1"]).run().success();
    // Objects would be mounted, so nothing stands in for these, and what there is must be sealed.
    symlink(&keys, module.join("objects")).unwrap();
    let told = refused(shell(&env, "true", &["--sandbox", "bwrap"]).run());
    assert!(told.contains("leads out of the repository"), "{told}");
}

#[test]
fn what_an_agent_puts_where_libraries_are_looked_for_is_not_loaded_by_what_makes_a_sandbox() {
    for sandbox in ["bwrap", "landlock"] {
        let Some(env) = world_for(sandbox) else { continue };
        // Were one of them loaded, nothing would start: they are no libraries.
        let body = format!(
            "mkdir -p lib; for name in libcap.so.2 libselinux.so.1 libgcc_s.so.1; do\n\
             echo planted > lib/$name; done\n\
             echo $LD_LIBRARY_PATH > seen; echo '{COMPLETE}'"
        );
        let libraries = env.work().join("lib");
        let args = ["--sandbox", sandbox, "--check", "true"];
        shell(&env, &body, &args).run().success();
        // As in a shell that looks for libraries there: windlass itself is not what is tested.
        let call = shell(&env, &body, &args).arg("--env");
        let call = call.arg(format!("LD_LIBRARY_PATH={}", libraries.display()));
        call.run().success();
        assert_eq!(env.read("seen").trim(), libraries.display().to_string(), "{sandbox}");
    }
}
