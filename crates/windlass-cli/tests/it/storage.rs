//! Faults of the disk and of the store: windlass stops with exit code 6, says why, keeps what it
//! has told, never writes over what it cannot read, and goes on once the cause is gone.

use std::{
    fs,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use testkit::{Env, Ran, has, pass_by};

use crate::{
    mounts::Mount,
    oracle::{
        CLAIM, aside, assert_sound, lines, number, standing, wait_for_lines, wait_until_quiet,
    },
    user_config, world,
};

#[expect(clippy::disallowed_methods, reason = "a stranger opens the store")]
fn stranger(env: &Env) -> Connection {
    Connection::open(database(env)).expect("it is there")
}

fn database(env: &Env) -> PathBuf {
    env.windlass_home().join("windlass.db")
}

/// An agent that talks a lot and is done once it may be.
fn talker(env: &Env) -> String {
    let enough = aside(env, "enough");
    let words = "the quick brown fox jumps over the lazy dog, again and again and again";
    env.agent_sh(&format!(
        "for i in $(seq 4000); do echo \"$i {words}\"; done; [ ! -e {} ] || echo '{CLAIM}'",
        enough.display()
    ))
    .display()
    .to_string()
}

/// All events that were shown are in the store.
#[track_caller]
fn assert_kept(env: &Env, ran: &Ran) {
    let shown = ran.stdout.lines().filter_map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).ok()?;
        event["seq"].as_u64()
    });
    let last = shown.max().unwrap_or(0);
    assert!(last > 0, "nothing was shown: {ran}");
    let kept = number(env, "SELECT max(seq) FROM events");
    assert!(kept >= last, "{last} events were shown, and {kept} are kept");
}

#[test]
fn a_full_disk_ends_the_loop_loses_nothing_and_is_forgiven_once_there_is_room() {
    let env = world();
    let Some(disk) = Mount::tmpfs(&env, env.windlass_home(), "3m") else { return };
    let agent = talker(&env);
    let start = [
        "iterate",
        "-p",
        "x",
        "-c",
        &agent,
        "--max-iterations",
        "0",
        "--jsonl",
        "--stagnation-threshold",
        "0",
    ];
    let ran = env.windlass(start).code(6);
    assert!(ran.stderr.contains("no space left"), "{}", ran.stderr);
    wait_until_quiet(&env);

    disk.again("size=64m");
    assert_kept(&env, &ran);
    assert_sound(&env);
    assert_eq!(standing(&env), "interrupted");
    fs::write(aside(&env, "enough"), "").unwrap();
    let result = env.windlass(["resume", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert_sound(&env);
}

#[test]
fn a_limit_on_the_size_of_files_is_told_as_a_lack_of_space() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let agent = talker(&env);
    // Whoever sets the limit and leaves the signal on wants programs to be ended by it.
    let limited = ["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", "prlimit", "--fsize=700000"];
    let start = ["iterate", "-p", "x", "-c", &agent, "--max-iterations", "0", "--jsonl"];
    let ran = env.command(start).under(limited).run().code(6);
    assert!(ran.stderr.contains("no space left"), "{}", ran.stderr);
    wait_until_quiet(&env);
    assert_kept(&env, &ran);
    assert_sound(&env);
    fs::write(aside(&env, "enough"), "").unwrap();
    drop(env.windlass(["resume"]).success());
    assert_sound(&env);
}

#[test]
fn errors_of_the_disk_end_the_loop_or_do_no_harm() {
    if !has("strace") {
        return;
    }
    // Once, and from then on; early, in the middle, and late.
    let faults = [
        "pwrite64:error=EIO:when=100",
        "pwrite64:error=EIO:when=60+",
        "pwrite64:error=ENOSPC:when=150",
        "pwrite64:error=ENOSPC:when=200+",
        "pwrite64:error=EIO:when=5+",
        "fsync:error=EIO:when=1",
        "fsync:error=EIO:when=5",
        "fsync:error=EIO:when=4+",
        "fsync:error=ENOSPC:when=7+",
        "ftruncate:error=EIO:when=2+",
        "rename:error=EIO:when=1+",
    ];
    for fault in faults {
        let env = world();
        let script = format!("append log 1\\n\nsay one\nnext\nappend log 2\\n\nsay {CLAIM}\n");
        let script = env.script(&script).display().to_string();
        let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
        let inject = format!("inject={fault}");
        let ran = env.command(start).under(["strace", "-o", "/dev/null", "-e", &inject]).run();
        if ran.stderr.contains("Operation not permitted") {
            pass_by("strace may not trace here");
            return;
        }
        wait_until_quiet(&env);
        let is_there = database(&env).exists() && {
            assert_sound(&env);
            number(&env, "SELECT count(*) FROM loops") > 0
        };
        match ran.code {
            Some(0) => assert_eq!(standing(&env), "done", "{fault}: {ran}"),
            Some(6) if is_there && standing(&env) != "done" => {
                drop(env.windlass(["resume"]).success());
            }
            // Where not even the folder for the snapshots can be made, nothing has begun.
            Some(4 | 6) if !is_there => drop(env.windlass(start).success()),
            Some(6) => {}
            _ => panic!("{fault}: {ran}"),
        }
        assert_eq!(standing(&env), "done", "{fault}");
        assert_sound(&env);
        assert!(lines(&env.work().join("log")) <= 3, "{fault}: {}", env.read("log"));
    }
}

#[test]
fn a_store_that_another_process_holds_for_too_long_ends_the_loop() {
    let env = world();
    let (ran, go) = (aside(&env, "ran"), aside(&env, "go"));
    let agent = env.agent_sh(&format!(
        "echo run >> {}; until [ -e {} ]; do sleep 0.05; done; echo '{CLAIM}'",
        ran.display(),
        go.display()
    ));
    let agent = agent.display().to_string();
    let running = env.command(["iterate", "-p", "x", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    let other = stranger(&env);
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    fs::write(go, "").unwrap();
    let ended = running.wait().code(6);
    assert!(ended.stderr.contains("is locked by another process"), "{ended}");
    assert!(!ended.stdout.contains("done"), "what is not stored was shown: {ended}");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");
    drop(env.windlass(["resume"]).success());
    assert_sound(&env);
}

fn writable(path: &Path) -> fs::File {
    fs::File::options().write(true).open(path).expect("it is there")
}

/// A world with a loop that is done, and whose store is at rest.
fn world_with_a_loop() -> (Env, String) {
    let env = world();
    let agent = env.agent_sh(&format!("echo working; echo '{CLAIM}'")).display().to_string();
    drop(env.windlass(["iterate", "-p", "x", "-c", &agent, "--name", "old"]).success());
    let rest = stranger(&env).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    rest.expect("nobody else uses it");
    (env, agent)
}

#[track_caller]
fn assert_refused_and_untouched(env: &Env, agent: &str, what: &str) {
    let path = database(env);
    let before = fs::read(&path).expect("it is there");
    for args in [
        vec!["status"],
        vec!["list"],
        vec!["resume", "old"],
        vec!["cancel", "old"],
        vec!["iterate", "-p", "x", "-c", agent],
    ] {
        let ran = env.windlass(&args).code(6);
        assert!(ran.stderr.contains("windlass.db") && ran.stdout.is_empty(), "{what}: {ran}");
    }
    let doctor = env.windlass(["doctor"]).code(6);
    assert!(doctor.stdout.contains("✗ store"), "{what}: {doctor}");
    assert!(fs::read(&path).expect("it is there") == before, "{what}: the file was changed");
}

#[test]
fn a_damaged_store_is_left_as_it_is_until_it_is_repaired() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 5] = [
        ("empty", |path| fs::write(path, "").unwrap()),
        ("zeroed", |path| fs::write(path, vec![0; 65_536]).unwrap()),
        ("no database", |path| fs::write(path, "hello\n".repeat(2000)).unwrap()),
        ("no beginning", |path| writable(path).write_all_at(&[0; 4096], 0).unwrap()),
        ("cut off", |path| writable(path).set_len(8192).unwrap()),
    ];
    for (what, damage) in damages {
        let (env, agent) = world_with_a_loop();
        damage(&database(&env));
        assert_refused_and_untouched(&env, &agent, what);
        let damaged = fs::read(database(&env)).unwrap();
        let repaired = env.windlass(["doctor", "--repair"]).success();
        let kept = fs::read_dir(env.windlass_home()).unwrap().flatten();
        let is_kept = |path: &Path| fs::read(path).is_ok_and(|bytes| bytes == damaged);
        assert!(kept.into_iter().any(|entry| is_kept(&entry.path())), "{what}: {repaired}");
        drop(env.windlass(["iterate", "-p", "x", "-c", &agent]).success());
        assert_sound(&env);
    }
}

#[test]
fn a_repair_brings_back_all_that_can_be_read() {
    let (env, _) = world_with_a_loop();
    let events = number(&env, "SELECT count(*) FROM events");
    let page = number(&env, "SELECT rootpage FROM sqlite_master WHERE name = 'loops_by_directory'");
    let size = number(&env, "PRAGMA page_size");
    let garbage = vec![0xff; usize::try_from(size).unwrap()];
    writable(&database(&env)).write_all_at(&garbage, (page - 1) * size).unwrap();
    drop(env.windlass(["doctor"]).code(6));
    drop(env.windlass(["doctor", "--repair"]).success());
    assert_eq!(number(&env, "SELECT count(*) FROM events"), events);
    assert_eq!(standing(&env), "done");
    drop(env.windlass(["doctor"]).success());
    assert_sound(&env);
}

#[test]
fn a_store_of_a_newer_windlass_is_left_alone() {
    let (env, agent) = world_with_a_loop();
    let other = stranger(&env);
    other.execute_batch("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(other);
    assert_refused_and_untouched(&env, &agent, "newer");
    let ran = env.windlass(["status"]).code(6);
    assert!(ran.stderr.contains("was written by a newer windlass (format 99"), "{ran}");
}

#[test]
fn output_that_cannot_be_kept_does_not_end_a_loop() {
    let (env, _) = world_with_a_loop();
    fs::write(aside(&env, "enough"), "").unwrap();
    let agent = talker(&env);
    let output = env.windlass_home().join("output");
    fs::remove_dir_all(&output).unwrap();
    fs::write(&output, "not a folder").unwrap();
    drop(env.windlass(["iterate", "-p", "x", "-c", &agent]).success());

    fs::remove_file(&output).unwrap();
    let Some(_disk) = Mount::tmpfs(&env, output, "64k") else { return };
    drop(env.windlass(["iterate", "-p", "x", "-c", &agent]).success());
    assert_sound(&env);
}

#[test]
fn a_home_that_is_read_only_is_told() {
    let env = world();
    let Some(disk) = Mount::tmpfs(&env, env.windlass_home(), "8m") else { return };
    let agent = env.agent_sh(&format!("echo '{CLAIM}'")).display().to_string();
    let start = ["iterate", "-p", "x", "-c", &agent];
    disk.again("ro");
    let first = env.windlass(start).code(6);
    assert!(first.stderr.contains("Read-only file system"), "{first}");
    disk.again("rw");
    drop(env.windlass(start).success());
    disk.again("ro");
    let second = env.windlass(start).code(6);
    assert!(second.stderr.contains("Read-only file system"), "{second}");
    disk.again("rw");
    assert_sound(&env);
}

#[test]
fn files_that_are_torn_while_a_loop_runs_do_not_reach_it() {
    let env = world();
    user_config(&env, "max_iterations = 2\n");
    let prompt = aside(&env, "prompt");
    fs::write(&prompt, "the first prompt").unwrap();
    let seen = aside(&env, "seen");
    let agent = env.agent_sh(&format!(
        "echo \"$1\" >> {seen}; echo torn > {prompt}; echo 'max_iterations = ' > {config}",
        seen = seen.display(),
        prompt = prompt.display(),
        config = env.home().join(".config/windlass/config.toml").display()
    ));
    let (agent, prompt) = (agent.display().to_string(), prompt.display().to_string());
    let start = ["iterate", "--prompt-file", &prompt, "-c", &agent, "--no-context", "--json"];
    let ran = env.windlass(start).code(1);
    assert_eq!(ran.json()["ending"]["type"], "max_iterations", "{ran}");
    assert_eq!(fs::read_to_string(seen).unwrap(), "the first prompt\nthe first prompt\n");
}

#[test]
fn a_disk_without_room_for_one_more_file_loses_output_and_no_loop() {
    let (env, _) = world_with_a_loop();
    fs::write(aside(&env, "enough"), "").unwrap();
    let agent = talker(&env);
    let output = env.windlass_home().join("output");
    fs::remove_dir_all(&output).unwrap();
    let Some(disk) = Mount::tmpfs(&env, output.clone(), "8m,nr_inodes=4") else { return };
    // The folder itself is one of the four; so there is room for a loop's folder and one file.
    fs::write(output.join("somebody's"), "").unwrap();
    let result = env.windlass(["iterate", "-p", "x", "-c", &agent, "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    let full = fs::write(output.join("one more"), "");
    assert!(full.is_err(), "the disk was not full of files");
    // Now not even the folder of the loop can be made.
    let result = env.windlass(["iterate", "-p", "x", "-c", &agent, "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    drop(disk);
    assert_sound(&env);
}

#[test]
fn raw_output_beyond_a_limit_on_file_sizes_is_counted_and_ends_no_loop() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    // One line of which the store keeps the beginning, and the file far more than it may hold.
    let agent = env.agent_sh(&format!("head -c 67108864 /dev/zero; echo; echo '{CLAIM}'"));
    let agent = agent.display().to_string();
    let limited = ["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", "prlimit", "--fsize=14000000"];
    let start = ["iterate", "-p", "x", "-c", &agent, "--json"];
    let result = env.command(start).under(limited).run().success().json();
    assert_eq!(result["ending"]["type"], "done");
    let dropped = "SELECT json_extract(body, '$.result.stdout.dropped') FROM events
                   WHERE type = 'step_finished' AND json_extract(body, '$.place') = '1/agent'";
    assert!(number(&env, dropped) > 50_000_000, "{}", env.sql(dropped));
    let id = env.sql("SELECT id FROM loops");
    let kept = env.windlass_home().join("output").join(id.trim());
    let kept: Vec<u64> =
        fs::read_dir(kept).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).collect();
    assert_eq!(kept, [14_000_000], "the beginning, and of the end as much as fits");
    wait_until_quiet(&env);
    assert_sound(&env);
}
