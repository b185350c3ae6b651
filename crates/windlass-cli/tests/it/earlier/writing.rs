//! Has a windlass write the worlds that are kept here. Nothing of it is run but by
//! `scripts/earlier-stores`.

use std::{
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use testkit::{Env, github::GitHub, wait_until};

use super::{moving::pack, program};
use crate::{
    COMPLETE,
    develop::develop,
    develop_tasks::over,
    heal::{heal, review},
    heal_loop,
    merging::{commit, committed},
    oracle::{LIMIT, aside, has_store, number, wait_until_quiet},
    pr_local::{answers, auditor, finding, local, report},
    pr_loop::{self, TOKEN, pr},
    scripted, shell,
    tasks::tasks,
    user_config,
};

/// A world, and what is done in it.
type World = (&'static str, fn(&Env));

const WORLDS: [World; 15] = [
    ("iterate", iterate_world),
    ("tasks", tasks_world),
    ("develop", develop_world),
    ("heal", heal_world),
    ("pr", pr_world),
    ("merge", merge_world),
    ("iterate-in-session", |env| killed(env, "iterate-in-session", ITERATE, Moment::During(2))),
    ("iterate-in-between", |env| killed(env, "iterate-in-between", ITERATE, Moment::After(2))),
    ("tasks-in-session", |env| killed(env, "tasks-in-session", TASKS, Moment::During(2))),
    ("tasks-in-between", |env| killed(env, "tasks-in-between", TASKS, Moment::After(1))),
    ("develop-in-session", |env| killed(env, "develop-in-session", DEVELOP, Moment::During(3))),
    ("develop-in-between", |env| killed(env, "develop-in-between", DEVELOP, Moment::After(1))),
    ("heal-in-session", |env| killed(env, "heal-in-session", HEAL, Moment::During(3))),
    ("heal-in-between", |env| killed(env, "heal-in-between", HEAL, Moment::After(2))),
    ("waiting", waiting_world),
];

#[test]
#[ignore = "`scripts/earlier-stores` runs it"]
fn the_worlds_are_written_anew() {
    for edition in super::editions() {
        for (world, does) in WORLDS {
            let env = Env::new(program());
            does(&env);
            wait_until_quiet(&env);
            pack(&env, &edition, world);
        }
    }
}

fn iterate_world(env: &Env) {
    let script = format!("write a.txt 1\nsay {COMPLETE}\nnext\nwrite b.txt x\nsay So: {COMPLETE}");
    let args = ["--name", "iterate-to-done", "--check", "test -e b.txt"];
    scripted(env, &script, &args).run().success();
    scripted(env, "say thinking", &["--name", "iterate-to-stopped"]).run().code(3);
    let script =
        format!("write c.txt 1\nnext\nwrite c.txt 2\nnext\nwrite c.txt 3\nnext\nsay {COMPLETE}");
    scripted(env, &script, &["--name", "iterate-to-max", "--max-iterations", "2"]).run().code(1);
    let body = format!("test -e mended || exit 3; echo '{COMPLETE}'");
    shell(env, &body, &["--name", "iterate-to-failed", "--failure-threshold", "1"]).run().code(5);
    let reset = limited_claude(env, 3);
    let call = ["iterate", "-p", "mend it", "--agent", "claude", "--on-limit", "stop"];
    env.command(call).args(["--name", "iterate-to-limited"]).run().code(5);
    let up = aside(env, "up");
    let body = format!(
        "test -e {up} && {{ echo x > d.txt; echo '{COMPLETE}'; exit; }}; touch {up}; exec sleep 60",
        up = up.display()
    );
    let args = ["--name", "iterate-to-cancelled", "--grace", "1s", "--check", "test -e d.txt"];
    let running = shell(env, &body, &args).spawn();
    wait_until("the agent starts", LIMIT, || up.exists());
    env.windlass(["cancel", "iterate-to-cancelled"]).success();
    running.wait().code(143);
    wait_for(reset);
}

/// A `claude` that is limited for so many seconds in its first session, and done in the next one;
/// and when that is, in seconds since 1970.
fn limited_claude(env: &Env, seconds: u64) -> u64 {
    let until = now() + seconds;
    let asked = aside(env, "asked");
    let body = format!(
        r#"cat > /dev/null
if [ -e {asked} ]; then cat <<'END'
{{"type":"result","is_error":false,"result":"{COMPLETE}","usage":{{"input_tokens":7,"output_tokens":3}}}}
END
exit; fi
touch {asked}
cat <<'END'
{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{until}}}}}
{{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit"}}
END
exit 1"#,
        asked = asked.display()
    );
    env.install("claude", &body);
    until
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970").as_secs()
}

/// Waits until a limit has reset: whoever looks at its loop later finds it so.
#[track_caller]
fn wait_for(reset: u64) {
    wait_until("the limit resets", LIMIT, || now() > reset);
}

fn tasks_world(env: &Env) {
    let works = |file: &str, letter: &str| {
        format!("write {letter}.txt x\nreplace {file} [ ] write {letter} => [x] write {letter}\n")
    };
    commit(env, "ONE.md", "# Plan\n- [ ] write a\n- [ ] write b\n\n## Later\n- [ ] write z\n");
    commit(env, "TWO.md", "- [ ] write c\n- [ ] write d\n");
    let script =
        format!("say I look around.\nnext\n{}next\n{}", works("ONE.md", "a"), works("ONE.md", "b"));
    let args = ["--name", "tasks-to-done", "--check", "test -f b.txt", "--auto-commit"];
    tasks(env, "ONE.md", &script, &args).run().success();
    let script = format!("{}next\n{}", works("TWO.md", "c"), works("TWO.md", "d"));
    let args = ["--name", "tasks-to-max", "--max-iterations", "1"];
    tasks(env, "TWO.md", &script, &args).run().code(1);
}

fn develop_world(env: &Env) {
    let round = |work: &str, verdict: &str| {
        format!("as developer\nwrite hello.txt {work}\\n\nas reviewer\nsay {verdict}\n")
    };
    let feedback = "Thinking.\\nFEEDBACK: 1. `hello.txt`: greet the **world**.";
    let script = [round("Hello", feedback), round("Hello, world", "All is well.\\n\\nAPPROVED")];
    let args = ["--name", "develop-to-approved", "--check", "grep -q world hello.txt"];
    develop(env, &script.join("next\n"), &args).run().success();
    let open = "FEEDBACK:\\nThe tests are missing.";
    let script = [round("1", open), round("2", open), round("3", "APPROVED")];
    let args = ["--name", "develop-to-escalated", "--max-iterations", "2"];
    develop(env, &script.join("next\n"), &args).run().code(1);
    commit(env, "ONE.md", "# Plan\n- [ ] write a\n- [x] old\n- [ ] write b\n");
    let approved = "as developer\nappend a.txt x\\n\nas reviewer\nsay APPROVED\n";
    over(env, "ONE.md", approved, &["--name", "develop-tasks-to-approved"]).run().success();
    commit(env, "TWO.md", "- [ ] write c\n");
    let lost = "as developer\ndelete TWO.md\nas reviewer\nsay APPROVED\n\
                next\nas developer\nappend c.txt x\\n\nas reviewer\nsay APPROVED\n";
    over(env, "TWO.md", lost, &["--name", "develop-to-error"]).run().code(4);
}

fn heal_world(env: &Env) {
    let once =
        |titles: &[&str], fix: &str| format!("as reviewer\n{}\nas fixer\n{fix}\n", review(titles));
    let script = once(&["one", "two"], "append a.txt x\\n");
    heal(env, &script, &["--name", "heal-to-done", "--test", "grep -c x a.txt"]).run().success();
    let script = once(&["one"], "say SKIPPED: it is meant so");
    heal(env, &script, &["--name", "heal-to-left", "--test", "true"]).run().code(1);
    let script = once(&["one"], "append a.txt y\\n");
    let args = ["--name", "heal-to-failing-tests", "--test", "exit 7", "--heal-attempts", "1"];
    heal(env, &script, &args).run().code(1);
    let script = heal_loop::rounds(&[&["one", "two"], &["one"], &["two"], &[]]);
    heal(env, &script, &["--name", "heal-loop-to-clean", "--loop", "--test", "true"])
        .run()
        .success();
    let script = heal_loop::rounds(&[&["one", "two"], &["two"], &[]]);
    let args = ["--name", "heal-loop-to-max", "--loop", "--max-iterations", "2", "--test", "true"];
    heal(env, &script, &args).run().code(1);
}

fn pr_world(env: &Env) {
    env.git(["checkout", "--quiet", "-b", "pump"]);
    commit(env, "src/pump.rs", "fn pump() {\n    draw();\n    push();\n}\n");
    answers(env, "correctness", &report(&[finding("HIGH", 2, "draw is not defined")]));
    answers(env, "architecture", &report(&[finding("LOW", 3, "the pump knows too much")]));
    let agent = auditor(env, "");
    local(env, agent.clone(), &["--name", "pr-to-findings", "--jobs", "1"]).run().code(1);
    fs::remove_dir_all(aside(env, "answers")).expect("the folder is ours");
    let args = ["--name", "pr-to-approved", "--jobs", "1", "--output", "none.md"];
    local(env, agent, &args).run().success();
    let github = GitHub::start();
    let head = env.git(["rev-parse", "HEAD"]);
    github.world(|world| {
        world.token = Some(TOKEN.to_owned());
        let pull = world.pull(7);
        pull.head_sha = head.trim().to_owned();
        pull.add_file(
            "src/pump.rs",
            "@@ -0,0 +1,4 @@\n+fn pump() {\n+    draw();\n+    push();\n+}",
        );
    });
    let script = pr_loop::rounds(&[&["one", "two"], &["two"], &[]]);
    let args = ["--name", "pr-loop-to-approved", "--loop", "--jobs", "1"];
    pr(env, &github, &script, &args).run().success();
}

fn merge_world(env: &Env) {
    committed(env, "work-of-one", "mkdir -p src; echo x > src/new.txt", &[]);
    commit(env, "other.txt", "user\n");
    let call = ["merge", "work-of-one", "--name", "merge-of-one", "--check", "test -e src/new.txt"];
    env.windlass(call).success();
    committed(env, "work-of-two", "echo y > open.txt", &["--check", "test -e open.txt"]);
    commit(env, "more.txt", "user\n");
    let call = ["merge", "work-of-two", "--name", "merge-of-two", "--check", "false"];
    env.windlass(call).code(1);
}

/// A loop that is killed: its command, its task file, and its agents.
#[derive(Clone, Copy)]
struct Scene {
    args: &'static [&'static str],
    tasks: Option<&'static str>,
    agents: &'static [(&'static str, &'static str)],
}

/// When it is killed, by the count of its sessions.
#[derive(Clone, Copy)]
enum Moment {
    /// In the middle of one.
    During(u32),
    /// At the first call of git after one.
    After(u32),
}

const ITERATE: Scene = Scene {
    args: &["iterate", "-p", "mend it", "--agent", "one", "--check", "grep -q whole c.txt"],
    tasks: None,
    agents: &[(
        "one",
        "for file in a b c; do grep -qs whole $file.txt || break; done\n\
         echo half > $file.txt\nmiddle\necho whole > $file.txt\n\
         test $file = c && echo '<promise>COMPLETE</promise>'\nend",
    )],
};

const TASKS: Scene = Scene {
    args: &["tasks", "--tasks", "TASKS.md", "--agent", "one", "--auto-commit"],
    tasks: Some("# Plan\n- [ ] write a\n- [ ] write b\n- [ ] write c\n"),
    agents: &[(
        "one",
        "letter=$(sed -n 's/^- \\[ \\] write //p' TASKS.md | head -1)\n\
         echo half > $letter.txt\nmiddle\necho whole > $letter.txt\n\
         sed -i \"s/\\[ \\] write $letter/[x] write $letter/\" TASKS.md\nend",
    )],
};

const DEVELOP: Scene = Scene {
    args: &[
        "develop",
        "--tasks",
        "TASKS.md",
        "--developer",
        "dev",
        "--reviewer",
        "rev",
        "--check",
        "test -e 'write a.txt'",
        "--auto-commit",
    ],
    tasks: Some("# Plan\n- [ ] write a\n- [ ] write b\n"),
    agents: &[
        (
            "dev",
            "file=$(printf '%s\\n' \"$1\" | head -1).txt\nword=first\n\
             case \"$1\" in *'reviewer wants changed'*) word=better;; esac\n\
             echo half > \"$file\"\nmiddle\necho $word > \"$file\"\nend",
        ),
        (
            "rev",
            "middle\nif grep -q first 'write a.txt'; then echo FEEDBACK: better\n\
             else echo APPROVED; fi\nend",
        ),
    ],
};

const HEAL: Scene = Scene {
    args: &["heal", "--loop", "--reviewer", "rev", "--fixer", "fix", "--test", "test -e mended"],
    tasks: None,
    agents: &[
        (
            "rev",
            "middle\nfinding() { printf '{\"title\": \"%s\", \"file\": \"%s\"}' $1 $1; }\n\
             if ! test -e fixed-two; then found=\"$(finding one), $(finding two)\"\n\
             elif ! test -e fixed-three; then found=\"$(finding three)\"\nelse found=; fi\n\
             echo \"{\\\"findings\\\": [$found]}\"\nend",
        ),
        (
            "fix",
            "middle\ncase \"$1\" in *'The tests of this repository'*) echo > mended;;\n\
             *) echo > fixed-$(printf '%s' \"$1\" | sed -n 's/^title: //p');; esac\nend",
        ),
    ],
};

/// Runs a loop, and kills it at that moment.
#[track_caller]
fn killed(env: &Env, name: &str, scene: Scene, moment: Moment) {
    if let Some(tasks) = scene.tasks {
        commit(env, "TASKS.md", tasks);
    }
    let agent = |(name, body): &(&str, &str)| {
        format!("[agents.{name}]\ncommand = [{:?}]\n", env.install(name, body))
    };
    user_config(env, &scene.agents.iter().map(agent).collect::<String>());
    let [log, pid] = ["log", "pid"].map(|name| aside(env, name).display().to_string());
    fs::write(&log, "").expect("the folder is ours");
    let kill = format!("until [ -s {pid} ]; do sleep 0.01; done; kill -9 $(cat {pid})");
    let count = |word: &str| format!("$(grep -cx {word} {log})");
    let kills_if = |holds: String| format!("if [ {holds} ]; then {kill}; exec sleep 60; fi");
    let (during, after) = match moment {
        Moment::During(n) => (kills_if(format!("{} = {n}", count("middle"))), String::new()),
        Moment::After(n) => (String::new(), kills_if(format!("{} = {n}", count("end")))),
    };
    env.install("middle", &format!("echo middle >> {log}\n{during}"));
    env.install("end", &format!("echo end >> {log}"));
    let git = env.install("git", &format!("{after}\nPATH=${{PATH#*:}} exec git \"$@\""));
    let running = env.command(scene.args).args(["--name", name]).spawn();
    fs::write(&pid, running.pid().to_string()).expect("the folder is ours");
    let ran = running.wait();
    assert_eq!(ran.signal, Some(9), "{name} was not killed\n{ran}");
    wait_until_quiet(env);
    let (finished, running) = match moment {
        Moment::During(n) => (n - 1, 1),
        Moment::After(n) => (n, 0),
    };
    let sessions = |status: &str| {
        number(env, &format!("SELECT count(*) FROM sessions WHERE status = '{status}'"))
    };
    let found = (sessions("finished"), sessions("running"));
    assert_eq!(
        found,
        (finished.into(), running),
        "{name}: sessions that are over, and that are not"
    );
    // Nobody is killed any more.
    fs::remove_file(git).expect("the folder is ours");
    env.install("middle", &format!("echo middle >> {log}"));
}

fn waiting_world(env: &Env) {
    let reset = limited_claude(env, 4);
    let call = ["iterate", "-p", "mend it", "--agent", "claude", "--name", "waiting"];
    let mut running = env.command(call).spawn();
    running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("Waiting for"));
    let waits = "SELECT count(*) FROM loops WHERE waiting IS NOT NULL";
    wait_until("the loop waits", LIMIT, || has_store(env) && number(env, waits) == 1);
    running.kill9();
    wait_for(reset);
}
