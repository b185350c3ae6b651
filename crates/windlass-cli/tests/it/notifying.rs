//! Who is told of a loop, of what and how; and that nobody who is not told harms the loop.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, scripted, user_config, world};

/// A program that adds what it reads to a file; what it has read, a value a line.
fn diary(env: &Env) -> (String, impl Fn() -> Vec<Value>) {
    let file = env.root().join("tmp/diary");
    let program = env.install("tell-me", &format!("cat >> {}", file.display()));
    let read = move || {
        let text = fs::read_to_string(&file).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    };
    (format!("command:{}", program.display()), read)
}

/// A server that gives every connection this answer after it has read what came; the requests.
fn server(answer: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    let (send, requests) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            while !is_whole(&request) {
                match stream.read(&mut piece) {
                    Ok(n) if n > 0 => request.extend_from_slice(&piece[..n]),
                    _ => break,
                }
            }
            drop(send.send(String::from_utf8_lossy(&request).into_owned()));
            if answer.is_empty() {
                thread::sleep(Duration::from_secs(30));
            }
            drop(stream.write_all(answer.as_bytes()));
        }
    });
    (address, requests)
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const TROUBLE: &str = "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
    });
    body.len() >= length.unwrap_or(0)
}

#[test]
fn a_command_gets_the_sentence_and_the_result_at_the_end() {
    let env = world();
    let (way, told) = diary(&env);
    let args = ["--check", "true", "--name", "mine", "--notify", &way];
    let ran = scripted(&env, &format!("say {COMPLETE}"), &args).run().success();
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    let [end] = &told()[..] else { panic!("{:?}", told()) };
    assert_eq!(end["text"], "mine is done after 1 iteration, proven by 1 check");
    assert_eq!((&end["event"], &end["ending"]), (&"end".into(), &"done".into()));
    assert_eq!(
        (&end["result"]["name"], &end["result"]["verified"]),
        (&"mine".into(), &true.into())
    );
    assert!(!end.to_string().contains("mend it"), "the prompt is in it: {end}");
}

#[test]
fn a_rule_that_trips_is_told_before_the_end() {
    let env = world();
    let (way, told) = diary(&env);
    user_config(&env, &format!("notify = ['{way}']\nstagnation_threshold = 2\n"));
    drop(scripted(&env, "say nothing to do", &["--name", "mine"]).run().code(3));
    let told = told();
    let events: Vec<_> = told.iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["trip", "end"]);
    let text = told[0]["text"].as_str().unwrap();
    assert!(text.starts_with("mine is stopped by the rule stagnation: "), "{text}");
    let text = told[1]["text"].as_str().unwrap();
    assert!(text.starts_with("mine was stopped after 2 iterations by the rule"), "{text}");
}

#[test]
fn a_limit_that_is_waited_for_is_told_when_the_wait_begins() {
    let env = world();
    let (way, told) = diary(&env);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let limit = format!(
        r#"{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{}}}}}
{{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"limit"}}"#,
        now + 3
    );
    let done = r#"{"type":"result","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
    let calls = env.root().join("tmp/calls");
    let calls = calls.display();
    env.install(
        "claude",
        &format!(
            "cat > /dev/null\nif [ ! -e {calls} ]; then touch {calls}\ncat <<'END'\n{limit}\nEND\n\
             exit 1\nfi\necho '{done}'"
        ),
    );
    let args = ["iterate", "-p", "mend it", "--agent", "claude", "--name", "mine"];
    let call = env.command(args).arg("--notify").arg(&way).arg("--notify-on").arg("limit");
    drop(call.run().success());
    let [limit] = &told()[..] else { panic!("{:?}", told()) };
    let text = limit["text"].as_str().unwrap();
    assert!(text.starts_with("mine waits for claude's limit to reset at "), "{text}");
}

#[test]
fn webhooks_get_what_each_of_them_takes() {
    let env = world();
    let (ntfy, ntfy_requests) = server(OK);
    let (slack, slack_requests) = server(OK);
    let (plain, plain_requests) = server(OK);
    let ways =
        [format!("ntfy:{ntfy}/topic"), format!("slack:{slack}/x"), format!("webhook:{plain}/y")];
    let ways = ways.iter().flat_map(|way| ["--notify", way.as_str()]);
    let args: Vec<_> = ["--name", "mine"].into_iter().chain(ways).collect();
    let ran = scripted(&env, &format!("say {COMPLETE}"), &args).run().success();
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    let wait = Duration::from_secs(5);
    let words = "mine is done after 1 iteration, unverified: no check was given";
    let request = ntfy_requests.recv_timeout(wait).unwrap();
    assert!(request.starts_with("POST /topic ") && request.ends_with(words), "{request}");
    assert!(request.to_ascii_lowercase().contains("\r\ntitle: windlass: mine\r\n"), "{request}");
    let request = slack_requests.recv_timeout(wait).unwrap();
    assert!(request.ends_with(&format!("{{\"text\":\"{words}\"}}")), "{request}");
    let request = plain_requests.recv_timeout(wait).unwrap();
    let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!((&body["text"], &body["loop"]), (&words.into(), &"mine".into()));
    assert_eq!(body["result"], Value::Null, "an agent's words do not leave the house");
}

#[test]
fn whoever_cannot_be_told_is_one_warning_and_harms_no_loop() {
    let env = world();
    let refuses = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let (trouble, _requests) = server(TROUBLE);
    let ways = [
        format!("webhook:{refuses}/s3cr3t-path"),
        format!("ntfy:{trouble}/s3cr3t-path"),
        "desktop".to_owned(),
        "command:false".to_owned(),
        "command:no-such-program-here".to_owned(),
    ];
    let ways = ways.iter().flat_map(|way| ["--notify", way.as_str()]);
    let args: Vec<_> =
        ["--name", "mine", "--stagnation-threshold", "2"].into_iter().chain(ways).collect();
    let ran = scripted(&env, "say nothing to do", &args).run().code(3);
    let warnings: Vec<_> =
        ran.stderr.lines().filter(|line| line.starts_with("warning: nobody")).collect();
    insta::assert_snapshot!(warnings.join("\n"), @"
    warning: nobody was notified by the webhook at 127.0.0.1: no connection: Connection refused (os error 111)
    warning: nobody was notified by ntfy at 127.0.0.1: it answers 500
    warning: nobody was notified by the desktop: no desktop is there (no D-Bus session bus was found)
    warning: nobody was notified by the command `false`: it failed with exit code 1
    warning: nobody was notified by the command `no-such-program-here`: no program `no-such-program-here` was found
    ");
    assert!(!ran.stderr.contains("s3cr3t"), "{}", ran.stderr);
}

#[test]
fn the_desktop_is_told_by_a_program_that_desktops_come_with() {
    let env = world();
    let calls = env.root().join("tmp/calls");
    env.install("notify-send", &format!("printf '%s\\n' \"$@\" >> {}", calls.display()));
    let args = ["--name", "mine", "--notify", "desktop", "--notify-on", "end"];
    let call = scripted(&env, &format!("say {COMPLETE}"), &args);
    call.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/0/bus").run().success();
    insta::assert_snapshot!(fs::read_to_string(calls).expect("it was called"), @"
    --app-name=windlass
    --
    windlass: mine
    mine is done after 1 iteration, unverified: no check was given
    ");
}

#[test]
fn a_server_or_a_program_that_hangs_costs_a_few_seconds_once() {
    let env = world();
    let (hangs, _requests) = server("");
    let args = [
        "--name",
        "mine",
        "--notify",
        &format!("webhook:{hangs}/x"),
        "--notify",
        "command:sleep 60",
    ];
    let began = Instant::now();
    let ran = scripted(&env, &format!("say {COMPLETE}"), &args).run().success();
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let slow = ran.stderr.matches("it does not answer in time").count();
    assert_eq!(slow, 2, "{}", ran.stderr);
}

#[test]
fn a_repository_cannot_say_who_is_told_however_much_it_is_trusted() {
    let env = world();
    let (way, told) = diary(&env);
    env.write("windlass.toml", format!("notify = ['{way}']\n"));
    let ran = env.windlass(["trust", "--yes"]);
    let ran = format!("{}{}", ran.stdout, ran.stderr);
    let after = scripted(&env, &format!("say {COMPLETE}"), &[]).run();
    assert!(after.code != Some(0), "{ran}{}", after.stderr);
    assert!(told().is_empty());
}

#[test]
fn a_way_that_is_not_there_is_refused_before_anything_starts() {
    let env = world();
    let ran = scripted(&env, "say hello", &["--notify", "pager:x"]).run().code(2);
    insta::assert_snapshot!(ran.stderr, @"
    error: there is no way `pager` to notify anybody: it is one of `desktop`, `command`, `webhook`, `ntfy`, `slack`
    ");
    assert!(!env.windlass_home().join("windlass.db").exists());
}
