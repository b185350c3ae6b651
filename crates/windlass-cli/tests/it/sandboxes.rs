//! Sandboxes, for real: an agent that tries to get out of each, and loops that come to a proven end
//! in them. Where a machine cannot, the test says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener},
    },
    process::Command,
    thread,
};

use testkit::{Env, Ran, Signal, has, pass_by, wait_until, zoo};

use crate::{
    COMPLETE,
    oracle::{LIMIT, aside, assert_sound, standing, wait_for_lines, wait_until_quiet},
    shell, user_config, world,
};

/// Whether sandboxes of bubblewrap can be had here.
#[expect(clippy::disallowed_methods, reason = "the test asks the program itself")]
#[track_caller]
pub(crate) fn has_bwrap() -> bool {
    if !has("bwrap") {
        return false;
    }
    let tried =
        Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        pass_by("`bwrap` cannot work on this machine: users have no namespaces");
    }
    works
}

/// Whether the kernel's Landlock is good enough.
#[track_caller]
fn has_landlock(env: &Env) -> bool {
    let looks = env.windlass(["doctor", "--json"]).success().json();
    let text = looks[1]["text"].as_str().unwrap_or_default().to_owned();
    let works = text.contains("landlock version") && !text.contains("too old");
    if !works {
        pass_by("the kernel has no Landlock that is new enough");
    }
    works
}

/// What must stay out of reach, and services that answer whoever reaches them.
struct Treasure {
    port: u16,
    udp_port: u16,
    name: String,
}

impl Treasure {
    fn bury(env: &Env) -> Self {
        for path in [
            "home/.ssh/id_ed25519",
            "home/.aws/credentials",
            "home/.git-credentials",
            "home/.codex/auth.json",
            "home/.profile",
            "other/secret",
            "bin/tool",
        ] {
            let path = env.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "canary\n").unwrap();
        }
        let config = env.home().join(".gitconfig");
        let text = fs::read_to_string(&config).unwrap();
        fs::write(config, format!("{text}[http]\n\textraHeader = canary\n")).unwrap();

        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let name = format!("windlass-{}", env.root().display());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let hidden = UnixListener::bind_addr(&address).unwrap();
        let service = UnixListener::bind(env.root().join("service.sock")).unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp_port = udp.local_addr().unwrap().port();
        thread::spawn(move || tcp.incoming().for_each(drop));
        thread::spawn(move || hidden.incoming().for_each(drop));
        thread::spawn(move || service.incoming().for_each(drop));
        thread::spawn(move || {
            while let Ok((_, from)) = udp.recv_from(&mut [0; 16]) {
                udp.send_to(b"hello", from).ok();
            }
        });
        Self { port, udp_port, name }
    }
}

/// Lets the hostile agent loose in a sandbox; gives what it says of its tries.
#[track_caller]
fn escape(env: &Env, sandbox: &str) -> String {
    let treasure = Treasure::bury(env);
    let Treasure { port, udp_port, name } = &treasure;
    let agent =
        format!("{} escape {} {port} {udp_port} {name}", zoo().display(), env.root().display());
    let before = (git_config(env), hooks(env));
    let ran = env
        .command(["iterate", "-p", "x", "--sandbox", sandbox, "--network", "none", "--json", "-c"])
        .arg(&agent)
        .run()
        .success();
    wait_until_quiet(env);
    assert_sound(env);
    assert!(!env.work().join(".git/commondir").exists(), "what was planted is still there");
    if sandbox == "bwrap" {
        assert_eq!((git_config(env), hooks(env)), before);
    }
    for path in ["other/secret", "bin/tool", "home/.profile"] {
        assert_eq!(fs::read_to_string(env.root().join(path)).unwrap(), "canary\n", "{path}");
    }
    let text = ran.json()["final_text"].as_str().unwrap_or_default().to_owned();
    text.replace(COMPLETE, "").trim().to_owned()
}

fn git_config(env: &Env) -> String {
    env.read(".git/config")
}

fn hooks(env: &Env) -> usize {
    fs::read_dir(env.work().join(".git/hooks")).map_or(0, Iterator::count)
}

#[test]
fn a_hostile_agent_does_not_get_out_of_bwrap() {
    if !has_bwrap() {
        return;
    }
    insta::assert_snapshot!(escape(&world(), "bwrap"), @"
    read ~/.ssh: blocked
    read ~/.aws: blocked
    read ~/.git-credentials: blocked
    read the user's git config: blocked
    read another agent's credentials: blocked
    read another repository: blocked
    read windlass's store: blocked
    see that a file is there: blocked
    read another user's password: blocked
    read through a link: blocked
    read through another process's root: blocked
    write into the home: blocked
    write into another repository: blocked
    write a program of the user's: blocked
    write into the system: blocked
    reach the network by TCP: blocked
    reach the network by UDP: blocked
    reach an abstract socket: blocked
    reach a service by its socket: blocked
    see the guardian: blocked
    signal the guardian: blocked
    trace the guardian: blocked
    gain rights from a setuid program: blocked
    move .git away: blocked
    plant a git hook: blocked
    plant a git setting: blocked
    plant a git setting by a new file: blocked
    unseal it in a namespace of its own: blocked
    ");
}

#[test]
fn a_hostile_agent_gets_out_of_landlock_only_where_the_documents_say_so() {
    let env = world();
    if !has_landlock(&env) {
        return;
    }
    insta::assert_snapshot!(escape(&env, "landlock"), @"
    read ~/.ssh: blocked
    read ~/.aws: blocked
    read ~/.git-credentials: blocked
    read the user's git config: blocked
    read another agent's credentials: blocked
    read another repository: blocked
    read windlass's store: blocked
    see that a file is there: open
    read another user's password: blocked
    read through a link: blocked
    read through another process's root: blocked
    write into the home: blocked
    write into another repository: blocked
    write a program of the user's: blocked
    write into the system: blocked
    reach the network by TCP: blocked
    reach the network by UDP: open
    reach an abstract socket: blocked
    reach a service by its socket: open
    see the guardian: open
    signal the guardian: blocked
    trace the guardian: blocked
    gain rights from a setuid program: blocked
    move .git away: open
    plant a git hook: open
    plant a git setting: open
    plant a git setting by a new file: open
    unseal it in a namespace of its own: blocked
    ");
}

#[test]
fn a_loop_in_a_sandbox_commits_and_is_proven_done() {
    for sandbox in ["bwrap", "landlock"] {
        let env = world();
        if sandbox == "bwrap" && !has_bwrap() || sandbox == "landlock" && !has_landlock(&env) {
            continue;
        }
        let body = format!(
            "echo work > done.txt; git add done.txt; git commit -qm 'by the agent' || exit 1\n\
             echo more > more.txt; echo '{COMPLETE}'"
        );
        let check = "test -f done.txt && ! cat ~/.ssh/key && git log -1 --format=%an";
        let args = ["--sandbox", sandbox, "--check", check, "--auto-commit", "--json"];
        fs::create_dir(env.home().join(".ssh")).unwrap();
        fs::write(env.home().join(".ssh/key"), "canary").unwrap();
        let result = shell(&env, &body, &args).run().success().json();
        assert_eq!(result["verified"], true, "{sandbox}: {result}");
        let log = env.git(["log", "--format=%an: %s"]);
        assert_eq!(log, "Tester: loop: iteration 1\nTester: by the agent\nTester: start\n");
        assert_sound(&env);
    }
}

#[test]
fn checks_see_the_same_sandbox_as_the_agent() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    fs::write(env.home().join("private"), "x").unwrap();
    let args = ["--sandbox", "bwrap", "--check", "test -e ~/private", "--max-iterations", "1"];
    shell(&env, &format!("echo '{COMPLETE}'"), &args).run().code(1);
    assert_eq!(env.sql("SELECT exit_code FROM checks"), "1\n");
}

#[test]
fn what_is_named_can_be_read_and_written_in_a_sandbox_and_nothing_beside_it() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    for name in ["cache", "docs", "beside"] {
        fs::create_dir(env.home().join(name)).unwrap();
        fs::write(env.home().join(name).join("file"), "x").unwrap();
    }
    let body = format!(
        "test -f ~/docs/file && ! test -e ~/beside || exit 1\n\
         ! touch ~/docs/new 2>/dev/null && touch ~/cache/new || exit 2\n\
         echo '{COMPLETE}'"
    );
    let args =
        ["--sandbox", "bwrap", "--sandbox-read", "~/docs", "--sandbox-write", "~/cache", "-q"];
    shell(&env, &body, &args).run().success();
    assert!(env.home().join("cache/new").exists());
    assert!(!env.home().join("docs/new").exists());
}

#[test]
fn an_agent_gets_its_own_credentials_and_a_copy_of_what_could_be_planted() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    fs::create_dir_all(env.home().join(".claude")).unwrap();
    for path in
        [".claude/.credentials.json", ".claude/settings.json", ".claude.json", ".codex-token"]
    {
        fs::write(env.home().join(path), "{}").unwrap();
    }
    env.install(
        "claude",
        "cat > /dev/null
         test -e ~/.codex-token && exit 3
         echo renewed > ~/.claude/.credentials.json || exit 4
         echo planted 2>/dev/null > ~/.claude/settings.json && exit 5
         echo planted > ~/.claude.json || exit 6
         echo planted > ~/.claude/settings.local.json
         echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\"}'",
    );
    let args =
        ["iterate", "-p", "x", "--agent", "claude", "--sandbox", "bwrap", "--skip-permissions"];
    let ran = env.command(args).arg("--json").run().success();
    assert_eq!(ran.json()["ending"]["type"], "done", "{ran}");
    let read = |path: &str| fs::read_to_string(env.home().join(path)).unwrap();
    assert_eq!(read(".claude/.credentials.json"), "renewed\n");
    assert_eq!(read(".claude/settings.json"), "{}");
    assert_eq!(read(".claude.json"), "{}");
    assert!(!env.home().join(".claude/settings.local.json").exists());
}

/// A server on loopback that answers each request with a word.
fn serve(word: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut head = [0; 4096];
            drop(client.read(&mut head));
            let length = word.len();
            write!(client, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{word}").ok();
        }
    });
    port
}

#[test]
fn with_network_model_only_named_hosts_are_reached_and_refusals_are_told() {
    if !has_bwrap() || !has("curl") {
        return;
    }
    let env = world();
    let (named, by_variable, other) = (serve("named"), serve("by variable"), serve("other"));
    let fetch = "curl -sS --max-time 5 --noproxy ''";
    let body = format!(
        "{fetch} http://127.0.0.1:{named}/; echo\n\
         curl -sS --max-time 5 http://127.0.0.1:{named}/; echo\n\
         {fetch} $OPENAI_BASE_URL/; echo\n\
         {fetch} http://127.0.0.1:{other}/ || echo none\n\
         {fetch} -p https://example.com/ 2>/dev/null || echo none\n\
         {fetch} -p https://example.com/ 2>/dev/null || echo none\n\
         curl -sS --noproxy '*' --max-time 2 http://127.0.0.1:{other}/ 2>/dev/null || echo none\n\
         echo '{COMPLETE}'"
    );
    let allow = format!("127.0.0.1:{named}");
    let args = ["--sandbox", "bwrap", "--network", "model", "--network-allow", &allow, "--jsonl"];
    let ran = shell(&env, &body, &args)
        .env("OPENAI_BASE_URL", format!("http://127.0.0.1:{by_variable}"))
        .run()
        .success();
    let events = ran.json_lines();
    let result = events.last().unwrap();
    let said = result["final_text"].as_str().unwrap_or_default();
    let told = format!("127.0.0.1:{other} may not be reached from here");
    assert!(said.starts_with("named\nnamed\nby variable\n"), "{ran}");
    assert!(said.contains(&told) && said.contains("none\nnone\nnone\n"), "{ran}");
    let notes: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "noted")
        .filter_map(|event| event["text"].as_str())
        .filter(|text| text.starts_with("network: "))
        .collect();
    let expected =
        [format!("network: refused 127.0.0.1:{other}"), "network: refused example.com:443".into()];
    assert_eq!(notes, expected);
}

/// An agent that notes that it runs, and then waits; on TERM it notes that too.
fn waiting(env: &Env) -> (std::path::PathBuf, std::path::PathBuf, String) {
    let (ran, ended) = (env.work().join("ran"), env.work().join("ended"));
    let body = "trap 'echo ended >> ended; exit 0' TERM; echo ran >> ran\n\
                while :; do sleep 0.1; done";
    (ran, ended, env.agent_sh(body).display().to_string())
}

#[test]
fn kill_9_leaves_nothing_of_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let (ran, _, agent) = waiting(&env);
    let args = ["iterate", "-p", "x", "--sandbox", "bwrap", "-c", &agent];
    let running = env.command(args).spawn();
    wait_for_lines(&ran, 1);
    running.kill9();
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");

    // And when it is the guardian that dies, the sandbox dies with it.
    let running = env.command(["resume"]).spawn();
    wait_for_lines(&ran, 2);
    let guardian =
        env.processes().into_iter().find(|one| one.command.contains("__windlass-guardian"));
    let guardian = guardian.or_else(|| {
        let mut all = testkit::processes::all().into_iter();
        all.find(|one| one.parent == running.pid() && one.command.contains("__windlass-guardian"))
    });
    let guardian = guardian.expect("a loop has a guardian");
    let pid = rustix::process::Pid::from_raw(guardian.pid).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    let inside = || env.processes().iter().any(|one| one.command.contains("agent-"));
    wait_until("the agent is gone", LIMIT, || !inside());
    drop(running.kill9());
    wait_until_quiet(&env);
}

#[test]
fn an_agent_in_a_sandbox_is_asked_to_end_before_it_is_killed() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let (ran, ended, agent) = waiting(&env);
    let args = ["iterate", "-p", "x", "--sandbox", "bwrap", "-c", &agent];
    let running = env.command(args).spawn();
    wait_for_lines(&ran, 1);
    running.signal(Signal::INT);
    running.wait().code(130);
    assert!(ended.exists(), "it was killed at once");
    wait_until_quiet(&env);
}

#[test]
fn exit_codes_and_signals_come_out_of_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    for (body, told) in [
        ("exit 7", r#"{"type":"crashed","code":7}"#),
        ("kill -SEGV $$", r#"{"type":"crashed","signal":11}"#),
    ] {
        let env = world();
        let args = ["--sandbox", "bwrap", "--failure-threshold", "1"];
        shell(&env, body, &args).run().code(5);
        assert_eq!(env.sql("SELECT outcome FROM sessions"), format!("{told}\n"));
    }
}

#[test]
fn an_agent_of_the_config_can_have_a_sandbox_of_its_own() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let agent = env.agent_sh(&format!("test -e ~/private || echo '{COMPLETE}'"));
    fs::write(env.home().join("private"), "x").unwrap();
    let agent = agent.display();
    user_config(&env, &format!("[agents.mine]\ncommand = ['{agent}']\nsandbox = 'bwrap'\n"));
    env.windlass(["iterate", "-p", "x", "--agent", "mine", "--max-iterations", "1"]).success();
    let args =
        ["iterate", "-p", "x", "--agent", "mine", "--sandbox", "none", "--max-iterations", "1"];
    env.windlass(args).code(1);
}

#[test]
fn a_sandbox_that_cannot_be_had_is_told_before_anything_runs() {
    let env = world();
    let call = |args: &[&str]| -> Ran {
        let call = env.command(["iterate", "-p", "x", "-c", "/usr/bin/true"]);
        args.iter().fold(call, |call, arg| call.arg(arg)).env("PATH", "/nowhere").run()
    };
    insta::assert_snapshot!(call(&["--sandbox", "bwrap"]).code(4).snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: the sandbox `bwrap` cannot be had here: `bwrap` was not found in PATH

    hint: install bubblewrap: `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`
    hint: `windlass doctor` tells what this machine can do
    ");
    insta::assert_snapshot!(call(&["--network", "model"]).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--network model` needs a sandbox that holds the network back: add `--sandbox auto`
    ");
    let landlock = ["--sandbox", "landlock", "--network", "model"];
    insta::assert_snapshot!(call(&landlock).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--network model` needs a sandbox that holds the network back: Landlock knows no hosts; take `--sandbox bwrap`
    ");
    let host = ["--sandbox", "auto", "--network-allow", "https://x.example"];
    insta::assert_snapshot!(call(&host).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `https://x.example` is no host such as `api.example.com` or `127.0.0.1:8080`
    ");
    assert!(!aside(&env, "ran").exists());
}

#[test]
fn a_path_that_holds_everything_is_not_given_to_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let ran = shell(&env, "true", &["--sandbox", "bwrap", "--sandbox-read", "~"]).run().code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home` cannot be given to a sandbox: it holds your home or windlass's own; name what is needed of it
    ");
    let ran = shell(&env, "true", &["--sandbox", "bwrap"]).directory(env.root()).run();
    let ran = ran.code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX` cannot be given to a sandbox: the work tree holds your home or windlass's own, so it would all be shown; start the loop in a repository below it
    ");
}

#[test]
fn skipping_permissions_without_a_sandbox_is_told_in_one_line() {
    let env = world();
    env.install(
        "claude",
        "cat > /dev/null; echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\"}'",
    );
    let args = ["iterate", "-p", "x", "--agent", "claude", "--skip-permissions"];
    let ran = env.windlass(args).success();
    let lines: Vec<_> = ran.stderr.lines().chain(ran.stdout.lines()).collect();
    let told: Vec<_> = lines.iter().filter(|line| line.contains("--sandbox auto")).collect();
    assert_eq!(told.len(), 1, "{ran}");
}
