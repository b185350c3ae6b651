//! `windlass report`: one page about a loop, on the terminal, in Markdown and in HTML.

use std::{fs, os::unix::fs::PermissionsExt};

use super::done;
use crate::{
    COMPLETE,
    oracle::{LIMIT, aside, wait_for_lines},
    scripted, shell, world,
};

#[test]
fn the_html_is_one_file_without_scripts_and_nothing_of_an_agent_gets_out_of_its_place() {
    let env = world();
    let script = format!("write <img>.txt <script>alert(1)</script>\nsay {COMPLETE}\n");
    scripted(&env, &script, &["--check", "true", "--name", "mine"]).run().success();
    env.windlass(["report", "--html", "report.html"]).success();
    let page = env.read("report.html");
    for word in ["<script", "<img", "http://", "https://", "onload", "<link"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    for word in [
        "&lt;script&gt;alert(1)",
        "prefers-color-scheme: dark",
        "<svg class=\"chart\"",
        "<h2>Timeline</h2>",
        "<h2>Proof and doubts</h2>",
        "windlass rollback mine 0",
    ] {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert_eq!(
        env.windlass(["report", "--html", "-"]).success().stdout.lines().next(),
        page.lines().next()
    );
}

#[test]
fn a_file_that_is_there_is_replaced_as_a_whole_and_keeps_its_mode() {
    let env = done();
    let file = env.write("report.md", "an old one");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let ran = env.windlass(["report", "--md", "report.md"]).success();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    assert!(env.read("report.md").starts_with("# ✓ mine\n"), "{}", env.read("report.md"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let left = fs::read_dir(env.work()).unwrap().flatten().map(|one| one.file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with(".report")));
    let refused = env.windlass(["report", "--md", "nowhere/report.md"]).code(2);
    assert!(refused.stderr.contains("nowhere/report.md"), "{refused}");
    let both = env.windlass(["report", "--md", "a", "--html", "b"]).code(2);
    assert!(both.stderr.contains("cannot be used with"), "{both}");
}

#[test]
fn it_covers_the_newest_loop_those_since_a_time_and_those_of_every_repository() {
    let env = done();
    let script = format!("say {COMPLETE}\n");
    scripted(&env, &script, &["--name", "second"]).run().success();
    let other = env.root().join("tmp/other");
    fs::create_dir_all(&other).unwrap();
    scripted(&env, &script, &["--name", "far"]).directory(&other).run().success();
    let told = |args: &[&str]| {
        let all = env.windlass(["report"].iter().chain(args)).success().stdout;
        ["mine", "second", "far"].map(|name| all.contains(&format!("{name}  iterate")))
    };
    assert_eq!(told(&[]), [false, true, false]);
    assert_eq!(told(&["--since", "1h"]), [true, true, false]);
    assert_eq!(told(&["--since", "1h", "--all"]), [true, true, true]);
    assert_eq!(told(&["--all"]), [true, true, true]);
    assert_eq!(told(&["far", "mine"]), [true, false, true]);
    env.windlass(["report", "mine", "--all"]).code(2);
    env.windlass(["report", "nobody"]).code(2);
    crate::world().windlass(["report"]).code(2);
}

#[test]
fn a_long_diff_is_cut_with_a_note_and_secrets_are_covered() {
    let env = world();
    let body = format!(
        "yes 'a line of the file' | head -n 40000 > long.txt; echo canary-4711-secret > s.txt; echo '{COMPLETE}'"
    );
    shell(&env, &body, &["--name", "mine"]).run().success();
    let secret = env.command(["report"]).env("MY_API_KEY", "canary-4711-secret").run().success();
    assert!(secret.stdout.contains("The diff is cut at 256 KiB of "), "there is a note");
    assert!(secret.stdout.contains("All of it: windlass diff mine"));
    assert!(secret.stdout.contains("long.txt +40000 −0 (new)"), "the stat is of the whole");
    assert!(secret.stdout.len() < 300 << 10, "{}", secret.stdout.len());
    let small = world();
    let body = format!("echo canary-4711-secret > s.txt; echo '{COMPLETE}'");
    shell(&small, &body, &["--name", "mine"]).run().success();
    for form in ["--md", "--html"] {
        let call = small.command(["report", form, "-"]).env("MY_API_KEY", "canary-4711-secret");
        let told = call.run().success().stdout;
        assert!(told.contains("s.txt") && !told.contains("canary-4711"), "{told}");
    }
}

#[test]
fn a_loop_that_runs_is_reported_as_running() {
    let env = world();
    let ran = aside(&env, "ran");
    let body = format!("echo x >> {}; sleep 600", ran.display());
    let running = shell(&env, &body, &["--name", "busy"]).limit(LIMIT).spawn();
    wait_for_lines(&ran, 1);
    let told = env.windlass(["report"]).success().stdout;
    assert!(told.contains("● running, iteration 1 of at most 20"), "{told}");
    assert!(told.contains("windlass cancel busy"), "{told}");
    env.windlass(["cancel", "busy"]).success();
    drop(running);
}

#[test]
fn what_runs_in_a_loop_may_read_the_report() {
    let env = done();
    let script = format!("say {COMPLETE}\n");
    let (home, program) = (env.windlass_home(), env.program());
    let look =
        format!("WINDLASS_HOME={} {} report mine > /dev/null", home.display(), program.display());
    scripted(&env, &script, &["--check", &look, "--name", "looks"]).run().success();
}
