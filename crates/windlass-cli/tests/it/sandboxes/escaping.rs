//! An agent that tries to get out, at every point that is known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    fs,
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener},
    },
    path::Path,
    thread,
};

use testkit::{Background, Env, Invocation, has, wait_until, zoo};

use super::{has_bwrap, has_landlock, has_sandbox};
use crate::{
    COMPLETE,
    oracle::{LIMIT, assert_sound, wait_until_quiet},
    shell, user_config, world,
};

/// All that the hostile agent tries, in its order.
const TRIES: [&str; 52] = [
    "read ~/.ssh",
    "read ~/.aws",
    "read ~/.git-credentials",
    "read the user's git config",
    "read another agent's credentials",
    "read another repository",
    "read windlass's store",
    "see that a file is there",
    "read another user's password",
    "read through a link",
    "read through another process's root",
    "write into the home",
    "write into another repository",
    "write a program of the user's",
    "write into the system",
    "reach the network by TCP",
    "reach the network by UDP",
    "reach an abstract socket",
    "reach a service by its socket",
    "see the guardian",
    "signal the guardian",
    "trace the guardian",
    "gain rights from a setuid program",
    "move .git away",
    "plant a hook in its own git directory",
    "plant a setting in its own git directory",
    "plant a new config in its own git directory",
    "unseal it in a namespace of its own",
    "read a descriptor of the user's shell",
    "write to a descriptor of the user's shell",
    "have any other descriptor",
    "read the user's keyring",
    "have a keyring at all",
    "set what the kernel runs on a crash",
    "set what the kernel runs for a module",
    "set another setting of the kernel",
    "have a right of root",
    "make a user namespace",
    "make a device",
    "read a disk",
    "read memory that programs share",
    "write to the user's terminal",
    "read a tool's token next to its programs",
    "read what is in PATH and no program",
    "read windlass's config",
    "read a private key of the system",
    "read another process's environment",
    "read by a hard link",
    "move a file in",
    "empty a file",
    "change who may read a file",
    "learn where the user's agents are",
];

/// Which of its tries got through, as the hostile agent says; it must have made all of them.
#[track_caller]
pub(crate) fn got_through(said: &str) -> Vec<&str> {
    let tries: Vec<_> = said.trim().lines().filter_map(|line| line.rsplit_once(": ")).collect();
    let names: Vec<_> = tries.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, TRIES, "{said}");
    tries.iter().filter(|(_, how)| *how != "blocked").map(|(name, _)| *name).collect()
}

/// What gets through and harms nobody: the git directory in a sandbox is the agent's own.
pub(crate) const IN_ITS_OWN: [&str; 3] = [
    "plant a hook in its own git directory",
    "plant a setting in its own git directory",
    "plant a new config in its own git directory",
];

/// What must stay out of reach, and services that answer when they are reached.
pub(crate) struct Treasure {
    pub(crate) port: u16,
    pub(crate) udp_port: u16,
    pub(crate) name: String,
}

impl Treasure {
    pub(crate) fn bury(env: &Env) -> Self {
        for path in [
            "home/.ssh/id_ed25519",
            "home/.aws/credentials",
            "home/.git-credentials",
            "home/.codex/auth.json",
            "home/.profile",
            "home/.docker/config.json",
            "home/.docker/bin/docker",
            "home/.pulumi/token",
            "home/.pulumi/bin/pulumi",
            "home/.odd/token",
            "other/secret",
            "other/large",
            "bin/tool",
        ] {
            let path = env.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "canary\n").unwrap();
        }
        user_config(env, "# canary\n");
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

/// Lets the hostile agent loose in a sandbox of this machine; gives what it says of its tries.
#[track_caller]
fn escape(env: &Env, sandbox: &str) -> String {
    let before = planted(env);
    let said = let_loose(env, &zoo().display().to_string(), &["--sandbox", sandbox], None);
    assert_eq!(planted(env), before);
    said
}

/// Lets the hostile agent loose: the zoo at a path that its sandbox has, and what says which sandbox.
#[track_caller]
pub(crate) fn let_loose(
    env: &Env,
    zoo: &str,
    sandbox: &[&str],
    variable: Option<(&str, &str)>,
) -> String {
    let treasure = Treasure::bury(env);
    let Treasure { port, udp_port, name } = &treasure;
    let agent = format!("{zoo} escape {} {port} {udp_port} {name}", env.root().display());
    let shared = Path::new("/dev/shm").join(name.replace('/', "-"));
    fs::write(&shared, "canary\n").unwrap();
    let terminal = terminal(env);
    let at = |name: &str| env.home().join(name).display().to_string();
    let path = [at(".docker/bin"), at(".pulumi/bin"), at(".odd"), "/usr/bin:/bin".to_owned()];
    let call = from_a_shell(env, name)
        .arg(env.program())
        .args(["iterate", "-p", "x", "--network", "none", "--json", "-c", &agent])
        .args(sandbox)
        .env("PATH", path.join(":"))
        .env("SSH_AUTH_SOCK", env.root().join("service.sock"));
    let ran = variable.into_iter().fold(call, |call, (name, value)| call.env(name, value)).run();
    drop(terminal.kill9());
    fs::remove_file(shared).unwrap();
    let ran = ran.success();
    wait_until_quiet(env);
    assert_sound(env);
    assert!(!env.work().join(".git/commondir").exists(), "what was planted is still there");
    for path in ["other/secret", "bin/tool", "home/.profile"] {
        assert_eq!(fs::read_to_string(env.root().join(path)).unwrap(), "canary\n", "{path}");
    }
    let text = ran.json()["final_text"].as_str().unwrap_or_default().to_owned();
    text.replace(COMPLETE, "").trim().to_owned()
}

/// A call from a shell that has more open than it should, with a key in its keyring.
fn from_a_shell<'a>(env: &'a Env, name: &str) -> Invocation<'a> {
    let secret = env.root().join("other/secret");
    let keys = match has("keyctl") {
        true => format!("keyctl add user '{name}' canary @s >&2"),
        false => "true".to_owned(),
    };
    let line = format!("{keys}; exec 7<{0} 8>>{0}; exec \"$@\"", secret.display());
    match has("keyctl") {
        true => env.other("keyctl", ["session", "-", "sh", "-c", &line, "sh"]),
        false => env.other("sh", ["-c", &line, "sh"]),
    }
}

/// A terminal of the user's, whose name the agent knows.
fn terminal(env: &Env) -> Background {
    let name = env.write("terminal", "");
    let line = format!("tty > {}; exec sleep 300", name.display());
    let open = env.other("script", ["-qec", &line, "/dev/null"]).spawn();
    wait_until("there is a terminal", LIMIT, || !env.read("terminal").is_empty());
    open
}

/// Where an agent would plant what git acts on: the settings, and how many hooks there are.
pub(crate) fn planted(env: &Env) -> (String, usize) {
    let hooks = fs::read_dir(env.work().join(".git/hooks")).map_or(0, Iterator::count);
    (env.read(".git/config"), hooks)
}

#[test]
fn a_hostile_agent_does_not_get_out_of_bwrap() {
    if has_bwrap() {
        assert_eq!(got_through(&escape(&world(), "bwrap")), IN_ITS_OWN);
    }
}

#[test]
fn a_hostile_agent_gets_out_of_landlock_only_where_the_documents_say_so() {
    let env = world();
    if !has_landlock(&env) {
        return;
    }
    assert_eq!(
        got_through(&escape(&env, "landlock")),
        [
            "see that a file is there",
            "reach a service by its socket",
            "see the guardian",
            IN_ITS_OWN[0],
            IN_ITS_OWN[1],
            IN_ITS_OWN[2],
            "change who may read a file",
        ]
    );
}

#[test]
fn what_an_agent_plants_where_path_leads_shows_nothing_to_the_next_loop() {
    for sandbox in ["bwrap", "landlock"] {
        let env = world();
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let keys = env.home().join(".ssh");
        fs::create_dir(&keys).unwrap();
        fs::write(keys.join("key"), "canary\n").unwrap();
        let (keys, planted) = (keys.display(), env.work().join("venv/bin"));
        let path = format!("{}:/usr/bin:/bin", planted.display());
        let body = format!(
            "test -e venv && cat {keys}/key; mkdir -p venv; ln -sfn {keys} venv/bin; echo '{COMPLETE}'"
        );
        for _ in 0..2 {
            let loops = shell(&env, &body, &["--sandbox", sandbox, "--json"]).env("PATH", &path);
            let said = loops.run().success().json()["final_text"].to_string();
            assert!(!said.contains("canary"), "{sandbox}: {said}");
        }
        let given = ["--sandbox", sandbox, "--sandbox-read", "venv/bin"];
        let refused = shell(&env, &body, &given).run().code(2);
        assert!(refused.stderr.contains("an agent may have put it there"), "{refused}");
    }
}
