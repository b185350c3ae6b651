//! An agent that tries to get out of a container.

use testkit::{
    engine::{Engine, IMAGE},
    wait_until,
};

use super::{assert_nothing_is_left, contained};
use crate::{
    COMPLETE,
    oracle::{LIMIT, lines},
    sandboxes::escaping::{IN_ITS_OWN, got_through, let_loose, planted},
    world,
};

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_hostile_agent_does_not_get_out_of_a_container() {
    Engine::each(|engine| {
        let env = world();
        let before = planted(&env);
        let shown = env.root().join("bin").display().to_string();
        let container = ["--sandbox", engine.name(), "--image", IMAGE, "--sandbox-read", &shown];
        let (name, value) = engine.variable();
        let said = let_loose(&env, "zoo", &container, Some((name, &value)));
        assert_eq!(planted(&env), before);
        assert_eq!(got_through(&said), IN_ITS_OWN, "{}", engine.name());
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
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
        contained(&env, engine, &body, &["--check", check]).run().success();
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_that_eats_what_the_keeper_is_told_keeps_nothing_running() {
    Engine::each(|engine| {
        let env = world();
        // Whether the keeper hears what it is told is left to chance, so it may be made anew.
        let body = format!(
            "setsid sh -c 'while :; do cat < /proc/1/fd/0; done' > /dev/null 2>&1 &\n\
             sleep 0.3; echo '{COMPLETE}'"
        );
        let check = "ps > seen; test $(grep -c 'fd/[0]' seen) = 0";
        contained(&env, engine, &body, &["--check", check]).run().success();
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
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
