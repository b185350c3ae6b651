//! `windlass serve` and its API, from outside: a loop is started, followed, called off, taken up
//! again, and looked at.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;
use testkit::{Background, Env, Signal, wait_until, web::Web};

use crate::{
    morning::web::ended,
    oracle::{CLAIM, LIMIT, assert_sound, wait_until_quiet},
    world,
};

/// Starts a server in which loops may be started in the work tree.
pub(crate) fn serve(env: &Env) -> (Background, Web) {
    serve_with(env, &["--allow", "."])
}

/// Starts a server with these arguments.
pub(crate) fn serve_with(env: &Env, args: &[&str]) -> (Background, Web) {
    let mut all = vec!["serve", "--addr", "127.0.0.1:0"];
    all.extend(args);
    let mut server = env.command(all).limit(Duration::from_secs(300)).spawn();
    server.wait_until(LIMIT, |stdout, _| stdout.ends_with('\n'));
    let web = Web::of(&server.stdout());
    (server, web)
}

/// Ends a server in peace.
pub(crate) fn end(server: Background) {
    server.signal(Signal::TERM);
    let ran = server.wait().code(0);
    assert_eq!(ran.stdout.lines().count(), 1, "{ran}");
}

/// What starts a loop in the work tree whose agent plays a script.
pub(crate) fn scripted(env: &Env, script: &str) -> serde_json::Value {
    let script = env.script(script);
    json!({
        "kind": "iterate",
        "directory": env.work(),
        "options": {"prompt": "mend it", "agent": "scripted", "script": script},
    })
}

#[test]
fn one_line_is_printed_and_a_signal_ends_the_server() {
    for signal in [Signal::TERM, Signal::INT] {
        let env = world();
        let (server, web) = serve(&env);
        assert_eq!(web.token.len(), 64);
        let listening: Vec<_> = (0..3).map(|_| web.connect().unwrap()).collect();
        web.get("/api/v1/loops").expect(200);
        let began = Instant::now();
        server.signal(signal);
        let ran = server.wait().code(0);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        assert_eq!(ran.stdout.lines().count(), 1, "{ran}");
        drop(listening);
    }
}

#[test]
fn a_port_that_is_taken_and_an_address_for_others_are_refused() {
    let env = world();
    let (server, web) = serve(&env);
    let taken = env.windlass(["serve", "--addr", &web.address]).code(4);
    assert!(taken.stderr.contains("could not listen on"), "{taken}");
    assert_eq!(taken.stdout, "");
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let refused = env.windlass(["serve", "--addr", address]).code(2);
        assert!(refused.stderr.contains("--allow-remote"), "{refused}");
        assert_eq!(refused.stdout, "", "no address is printed");
    }
    let nowhere = env.windlass(["serve", "--addr", "127.0.0.1:0", "--allow", "nothing"]).code(2);
    assert!(nowhere.stderr.contains("there is no directory `nothing`"), "{nowhere}");
    let inside =
        env.command(["serve", "--addr", "127.0.0.1:0"]).env("WINDLASS_LOOP", "x").run().code(4);
    assert!(inside.stderr.contains("refused inside a loop"), "{inside}");
    end(server);
}

#[test]
fn who_listens_everywhere_is_told_only_its_own_address() {
    let env = world();
    let args = ["serve", "--addr", "0.0.0.0:0", "--allow-remote", "--host", "box.example"];
    let mut server = env.command(args).spawn();
    server.wait_until(LIMIT, |stdout, _| stdout.ends_with('\n'));
    let web = Web::of(&server.stdout());
    assert!(web.address.starts_with("127.0.0.1:"), "{web:?}");
    let bearer = format!("Authorization: Bearer {}\r\n", web.token);
    let (_, port) = web.address.split_once(':').unwrap();
    for (host, status) in [
        ("box.example".to_owned(), 200),
        (format!("box.example:{port}"), 200),
        (web.address.clone(), 200),
        (format!("192.168.0.2:{port}"), 403),
        (format!("0.0.0.0:{port}"), 403),
        ("other.example".to_owned(), 403),
    ] {
        let headers = format!("Host: {host}\r\n{bearer}");
        web.ask("GET", "/api/v1/loops", &headers, b"").expect(status);
    }
    end(server);
}

#[test]
fn a_loop_is_started_followed_and_looked_at() {
    let env = world();
    let (server, web) = serve(&env);
    let mut start = scripted(&env, &format!("say hello\nwrite a.txt one\\n\nsay {CLAIM}"));
    start["options"]["check"] = json!(["test -f a.txt"]);
    start["options"]["name"] = json!("first");
    let begun = web.post("/api/v1/loops", &start).expect(201);
    let brief = begun.json();
    let id = brief["id"].as_str().unwrap();
    assert_eq!(begun.header("location"), format!("/api/v1/loops/{id}"));
    assert_eq!((&brief["name"], &brief["kind"]), (&json!("first"), &json!("iterate")));

    let events: Vec<_> = web.follow("first", None).collect();
    let ids: Vec<u64> = events.iter().map(|event| event.id).collect();
    assert_eq!(ids, (1..=events.len() as u64).collect::<Vec<_>>(), "all of them, in order");
    assert_eq!(events[0].event, "loop_started");
    assert_eq!(events.last().unwrap().event, "loop_finished");
    let log = env.windlass(["log", "first", "--json"]).success().stdout;
    let data: Vec<&str> = events.iter().map(|event| event.data.as_str()).collect();
    assert_eq!(log.lines().collect::<Vec<_>>(), data, "the same as `log --json`");

    let rest: Vec<_> = web.follow(&id[..6], Some(5)).collect();
    assert_eq!(rest, events[5..], "from where they were");
    assert_eq!(web.follow(id, Some(events.len() as u64)).count(), 0);

    let shown = web.get("/api/v1/loops/first").expect(200).json();
    let mut expect = env.windlass(["show", "first", "--json"]).success().json();
    expect["next_after"] = json!(null);
    assert_eq!(shown, expect);
    let list = env.windlass(["list", "--json"]).success().json();
    assert_eq!(web.get("/api/v1/loops").expect(200).json(), list);
    let diff = web.get("/api/v1/loops/first/diff/1").expect(200).json();
    assert!(diff["diff"].as_str().unwrap().contains("+one"), "{diff}");
    assert_eq!(web.get("/api/v1/loops/first/diff").expect(200).json()["diff"], diff["diff"]);
    web.get("/api/v1/loops/first/diff/9").expect(404);
    web.get("/api/v1/loops/first/findings").expect(200);
    let messages = web.get("/api/v1/loops/first/messages?limit=3").expect(200).json();
    assert_eq!(messages["messages"].as_array().unwrap().len(), 3);
    assert_eq!(messages["next_before"], json!(events.len() - 2));
    assert_sound(&env);
    wait_until("an end without zombies", LIMIT, || zombies_of(server.pid()) == 0);
    end(server);
}

/// How many children of a process have ended and were not waited for.
fn zombies_of(parent: i32) -> usize {
    let all = fs::read_dir("/proc").expect("there is a /proc").flatten();
    let stats = all.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let is_zombie = |stat: &String| {
        let fields = stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        fields.starts_with(&format!("Z {parent} "))
    };
    stats.filter(is_zombie).count()
}

#[test]
fn a_loop_is_called_off_and_taken_up_again() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say one\nsleep 30s\nnext\nsay {CLAIM}"));
    let id =
        web.post("/api/v1/loops", &start).expect(201).json()["id"].as_str().unwrap().to_owned();
    let at = |what: &str| format!("/api/v1/loops/{id}/{what}");
    let mut events = web.follow(&id, None);
    assert!(events.any(|event| event.data.contains("one")), "it works");
    let busy = web.post(&at("resume"), &json!({})).expect(409);
    assert!(busy.message().contains("is run by process"), "{busy:?}");
    web.post(&at("reset"), &json!({})).expect(409);
    let later = web.post(&at("cancel"), &json!({"after_iteration": true})).expect(202);
    assert_eq!(later.json()["ending"]["type"], "running");

    // An empty body is as good as an empty object.
    let json = format!("{}Content-Type: application/json\r\n", web.own_headers());
    let ended = web.ask("POST", &at("cancel"), &json, b"").expect(200);
    assert_eq!(ended.json()["ending"]["type"], "cancelled");
    assert_eq!(env.marked_processes(&id), []);
    assert_eq!(events.last().unwrap().event, "loop_finished");
    let again = web.post(&at("cancel"), &json!({})).expect(409);
    assert!(again.message().contains("had ended before"), "{again:?}");

    web.post(&at("reset"), &json!({})).expect(200);
    let seen = web.follow(&id, None).last().unwrap().id;
    let goes_on = web.post(&at("resume"), &json!({"options": {"max-iterations": 7}})).expect(202);
    assert_eq!(goes_on.json()["max_iterations"], json!(7));
    let rest: Vec<_> = web.follow(&id, Some(seen)).collect();
    assert_eq!(rest[0].event, "loop_resumed");
    assert_eq!(rest.last().unwrap().event, "loop_finished");
    let done = web.get(&format!("/api/v1/loops/{id}")).expect(200).json();
    assert_eq!(done["result"]["ending"]["type"], "done");
    let over = web.post(&at("resume"), &json!({})).expect(409);
    assert!(over.message().contains("cannot be resumed"), "{over:?}");
    assert_eq!(over.json()["error"]["exit_code"], json!(2));
    assert_sound(&env);
    end(server);
    wait_until_quiet(&env);
}

#[test]
fn a_loop_that_is_started_from_the_web_outlives_the_server() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say one\nsleep 2s\nwrite a.txt a\nsay {CLAIM}"));
    let id =
        web.post("/api/v1/loops", &start).expect(201).json()["id"].as_str().unwrap().to_owned();
    let mut events = web.follow(&id, None);
    assert!(events.any(|event| event.data.contains("one")), "it works");
    let owner = env.sql("SELECT owner_pid FROM loops");
    let stat = fs::read_to_string(format!("/proc/{}/stat", owner.trim())).unwrap();
    let session = stat.rsplit_once(") ").unwrap().1.split(' ').nth(3).unwrap();
    assert_eq!(session, owner.trim(), "it is the leader of a session of its own");
    let line = fs::read_to_string(format!("/proc/{}/cmdline", owner.trim())).unwrap();
    assert!(!line.contains("mend it"), "the prompt is not in the arguments: {line}");
    drop(server.kill9());
    wait_until("the loop's end", LIMIT, || env.sql("SELECT ending FROM loops").contains("done"));
    wait_until_quiet(&env);
    assert_sound(&env);
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'loop_resumed'").trim(), "0");
}

#[test]
fn a_loop_is_resumed_with_what_the_command_line_can_change() {
    let env = ended("rule");
    let (server, web) = serve(&env);
    let at = "/api/v1/loops/mine/resume";
    let open = web.post(at, &json!({"max_iterations": 4})).expect(409);
    assert_eq!(open.json()["error"]["exit_code"], json!(3), "the circuit is open: {open:?}");
    let agent = web.post(at, &json!({"agent": "nobody"})).expect(409);
    assert!(agent.message().contains("there is no agent `nobody`"), "{agent:?}");
    let seen = web.follow("mine", None).last().unwrap().id;
    let change = json!({"reset_circuit": true, "max_iterations": 4, "max_duration": "1h"});
    web.post(at, &change).expect(202);
    let events: Vec<_> = web.follow("mine", Some(seen)).collect();
    assert!(events.iter().any(|event| event.event == "circuit_reset"), "{events:?}");
    let result = web.get("/api/v1/loops/mine").expect(200).json();
    assert_eq!(result["result"]["ending"], json!({"type": "max_iterations", "limit": 4}));
    end(server);
}
