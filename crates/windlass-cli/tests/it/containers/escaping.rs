//! An agent that tries to get out of a container.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    fs,
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener},
    },
    thread,
};

use testkit::{Env, engine::Engine, wait_until};

use super::{assert_nothing_is_left, contained, in_container};
use crate::{
    COMPLETE,
    oracle::{LIMIT, lines},
    world,
};

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

#[test]
fn a_hostile_agent_does_not_get_out_of_a_container() {
    Engine::each(|engine| {
        let env = world();
        let Treasure { port, udp_port, name } = Treasure::bury(&env);
        let agent = format!("zoo escape {} {port} {udp_port} {name}", env.root().display());
        let before = (env.read(".git/config"), hooks(&env));
        let call = in_container(&env, engine, &["iterate", "-p", "x", "--json", "-c", &agent]);
        let ran = call.run().success();
        assert_eq!((env.read(".git/config"), hooks(&env)), before);
        assert!(!env.work().join(".git/commondir").exists(), "what was planted is still there");
        for path in ["other/secret", "bin/tool", "home/.profile"] {
            assert_eq!(fs::read_to_string(env.root().join(path)).unwrap(), "canary\n", "{path}");
        }
        let text = ran.json()["final_text"].as_str().unwrap().replace(COMPLETE, "");
        let open: Vec<_> = text.lines().filter(|line| !line.ends_with(": blocked")).collect();
        assert_eq!(open, Vec::<&str>::new(), "{}", engine.name());
        assert_eq!(text.lines().count(), 28, "{text}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
fn what_an_agent_leaves_running_is_gone_before_the_check() {
    Engine::each(|engine| {
        let env = world();
        // One that is asked to go and stays, in a session and with an environment of its own.
        let body = format!(
            "setsid env -i sh -c \"trap '' TERM HUP; while :; do sleep 1; done\" &\n\
             nohup sleep 1000 > /dev/null 2>&1 &\n\
             echo '{COMPLETE}'"
        );
        let check = "ps > seen; test $(grep -c -e '[s]leep' -e '[t]rap' seen) = 0";
        let ran = contained(&env, engine, &body, &["--check", check]).run();
        ran.success();
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
fn an_agent_that_takes_the_keeper_for_itself_gets_a_new_container() {
    Engine::each(|engine| {
        let env = world();
        // It eats what the keeper is told, and so the keeper never answers.
        let body = format!(
            "setsid sh -c 'while :; do cat < /proc/1/fd/0; done' > /dev/null 2>&1 &\n\
             sleep 0.3; echo '{COMPLETE}'"
        );
        let check = "ps > seen; test $(grep -c 'fd/[0]' seen) = 0";
        let ran = contained(&env, engine, &body, &["--check", check]).run().success();
        assert!(ran.stderr.contains("so it was made anew"), "{ran}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
fn a_container_is_made_as_the_documents_say() {
    Engine::each(|engine| {
        let env = world();
        let ready = env.work().join("ready");
        let args =
            ["--memory", "256m", "--cpus", "1.5", "--pids-limit", "77", "--name", "looked-at"];
        let running = contained(&env, engine, "echo > ready; exec sleep 1000", &args).spawn();
        wait_until("the agent runs", LIMIT, || lines(&ready) == 1);
        let names = engine.containers();
        assert_eq!(names.len(), 1);
        let made = engine.inspect(&names[0]);
        let host = &made["HostConfig"];
        assert_eq!(host["ReadonlyRootfs"], true);
        assert_eq!(host["Privileged"], false);
        assert_eq!(host["NetworkMode"], "none");
        assert_eq!(host["Memory"], 256 << 20);
        assert_eq!(host["PidsLimit"], 77);
        assert!(host["SecurityOpt"].to_string().contains("no-new-privileges"), "{host}");
        for mode in ["PidMode", "IpcMode", "UTSMode", "UsernsMode"] {
            assert_ne!(host[mode], "host", "{mode}");
        }
        assert!(!made["Mounts"].to_string().contains("sock"), "{}", made["Mounts"]);
        let label = made["Config"]["Labels"]["windlass.home"].as_str();
        assert_eq!(label, env.windlass_home().to_str());
        env.windlass(["cancel", "looked-at"]).success();
        running.wait().code(143);
        assert_nothing_is_left(&env, engine);
    });
}

fn hooks(env: &Env) -> usize {
    fs::read_dir(env.work().join(".git/hooks")).map_or(0, Iterator::count)
}
