//! `--protect` where paths are not plain files: behind links, and where nobody may read.

use std::os::unix::fs::symlink;

use testkit::{Env, has, pass_by};

use crate::{COMPLETE, scripted, shell, world};

fn rejections(env: &Env) -> String {
    env.sql(
        "SELECT reason.value FROM events, json_each(events.body, '$.reasons') AS reason
         WHERE events.type = 'claim_rejected' ORDER BY events.seq, reason.key",
    )
}

#[test]
fn what_is_behind_a_linked_directory_is_protected_and_so_is_the_link() {
    let env = world();
    env.write("real/a.t", "a");
    env.write("real/deep/b.t", "b");
    symlink("real", env.work().join("tests")).unwrap();
    let script = format!(
        "append real/a.t x\nwrite real/new.t n\nsay {COMPLETE}\nnext\n\
         write real/a.t a\ndelete real/new.t\nsay {COMPLETE}"
    );
    let args = ["--protect", "tests/**", "--json"];
    assert_eq!(scripted(&env, &script, &args).run().success().json()["iterations"], 2);
    insta::assert_snapshot!(rejections(&env), @"
    tests/a.t was changed, but it is protected (by `--protect 'tests/**'`): restore it
    tests/new.t was added where all is protected (by `--protect 'tests/**'`): remove it
    ");

    let body = format!("rm tests; cp -r real tests; echo '{COMPLETE}'");
    let args = ["--protect", "tests/**", "--max-iterations", "1"];
    shell(&env, &body, &args).run().code(1);
    assert!(
        rejections(&env).contains("tests was changed, but it is protected"),
        "{}",
        rejections(&env)
    );
}

#[test]
fn what_is_behind_a_link_out_of_the_work_tree_cannot_be_protected_and_that_is_told_at_once() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("c.t"), "c").unwrap();
    let env = world();
    symlink(outside.path(), env.work().join("more")).unwrap();
    let ran = shell(&env, "touch ran", &["--protect", "more/**"]).run().code(4);
    let told = "more is protected and cannot be read: it is a link that leads out of the work tree";
    assert!(ran.stdout.contains(told), "{ran}");
    assert!(!env.work().join("ran").exists());
}

#[test]
fn a_directory_that_became_a_link_is_told() {
    let env = world();
    env.write("tests/a.t", "a");
    let body = format!("mv tests real; ln -s real tests; echo '{COMPLETE}'");
    shell(&env, &body, &["--protect", "tests/**", "--max-iterations", "1"]).run().code(1);
    assert_eq!(
        rejections(&env),
        "tests was added where all is protected (by `--protect 'tests/**'`): remove it\n"
    );
}

#[test]
fn links_that_lead_in_a_circle_or_nowhere_are_only_links() {
    let env = world();
    env.write("tests/a.t", "a");
    symlink("..", env.work().join("tests/up")).unwrap();
    symlink("nowhere", env.work().join("gone")).unwrap();
    symlink("round", env.work().join("round")).unwrap();
    let args = ["--protect", "tests/**", "--protect", "gone/**", "--protect", "round/**"];
    shell(&env, &format!("echo '{COMPLETE}'"), &args).run().success();
}

/// Takes from root what lets it read any file.
const LIKE_ANYBODY: [&str; 2] = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

#[test]
fn a_protected_file_that_cannot_be_read_any_more_rejects_the_claim() {
    if !has("setpriv") {
        return;
    }
    let env = world();
    env.write("tests/a.t", "a");
    env.write("tests/deep/b.t", "b");
    let body = format!(
        "if [ -e tried ]; then chmod 644 tests/a.t; chmod 755 tests/deep
         else touch tried; chmod 000 tests/a.t tests/deep; fi; echo '{COMPLETE}'"
    );
    let args = ["--protect", "tests/**", "--json"];
    let mut call = shell(&env, &body, &args);
    if rustix::process::geteuid().is_root() {
        call = call.under(LIKE_ANYBODY);
    }
    let ran = call.run();
    if ran.stderr.contains("setpriv:") {
        return pass_by("capabilities may not be dropped here");
    }
    assert!(ran.stderr.contains("note: `tests/deep` cannot be read"), "{ran}");
    assert_eq!(ran.success().json()["iterations"], 2);
    insta::assert_snapshot!(rejections(&env), @"
    tests/a.t cannot be read any more, but it is protected (by `--protect 'tests/**'`): restore it
    tests/deep/b.t cannot be read any more, but it is protected (by `--protect 'tests/**'`): restore it
    ");
    // What can be read again is no change.
    assert!(!env.windlass(["diff"]).success().stdout.contains("b.t"));
}

#[test]
fn a_protected_file_that_cannot_be_read_at_the_start_is_told_by_its_name() {
    if !has("setpriv") {
        return;
    }
    let env = world();
    let path = env.write("tests/a.t", "a");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    std::fs::set_permissions(path, mode).unwrap();
    let mut call = shell(&env, &format!("echo '{COMPLETE}'"), &["--protect", "tests/**"]);
    if rustix::process::geteuid().is_root() {
        call = call.under(LIKE_ANYBODY);
    }
    let ran = call.run();
    if ran.stderr.contains("setpriv:") {
        return pass_by("capabilities may not be dropped here");
    }
    let ran = ran.code(4);
    assert!(
        ran.stdout.contains("tests/a.t is protected and cannot be read: Permission denied"),
        "{ran}"
    );
}
