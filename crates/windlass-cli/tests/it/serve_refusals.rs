//! What `windlass serve` refuses: strangers, pages from elsewhere, other directories, and options
//! that are none. Nothing that is refused changes anything.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};
use testkit::{Env, web::Web};

use crate::{
    oracle::CLAIM,
    serve::{end, scripted, serve, serve_with},
    world,
};

/// Every address that changes something, or tells something.
const TELLING: [&str; 9] = [
    "/api/v1/loops",
    "/api/v1/loops/x",
    "/api/v1/loops/x/events",
    "/api/v1/loops/x/diff/1",
    "/api/v1/loops/x/findings",
    "/api/v1/loops/x/iterations",
    "/api/v1/loops/x/messages",
    "/api/v1/openapi.json",
    "/ui/loops",
];

fn no_loop(env: &Env) {
    assert_eq!(env.sql("SELECT count(*) FROM loops").trim(), "0");
}

#[test]
fn without_the_token_nothing_is_told_and_nothing_changes() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say {CLAIM}")).to_string();
    let host = format!("Host: {}\r\n", web.address);
    let json = "Content-Type: application/json\r\n";
    for wrong in
        ["", "Authorization: Bearer \r\n", "Authorization: Bearer 0\r\n", "Cookie: token=T\r\n"]
    {
        let wrong = wrong.replace('T', &web.token);
        for path in TELLING {
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                let headers = format!("{host}{json}{wrong}");
                let refused = web.ask(method, path, &headers, b"").expect(401);
                assert!(method == "HEAD" || refused.message().contains("token"), "{refused:?}");
            }
        }
        web.ask("POST", "/api/v1/loops", &format!("{host}{json}{wrong}"), start.as_bytes())
            .expect(401);
    }
    let query = format!("/api/v1/loops?token={}", web.token);
    web.ask("GET", &query, &host, b"").expect(401);
    no_loop(&env);
    end(server);
}

#[test]
fn names_that_were_made_to_point_here_and_pages_from_elsewhere_are_refused() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say {CLAIM}")).to_string();
    let bearer =
        format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", web.token);
    let (_, port) = web.address.split_once(':').unwrap();
    // Rebinding: the name of an attacker, for every method and address.
    for host in
        [format!("evil.test:{port}"), "evil.test".to_owned(), format!("127.0.0.1.nip.io:{port}")]
    {
        for path in TELLING.into_iter().chain(["/", "/assets/app.js", "/nothing"]) {
            for method in ["GET", "POST", "OPTIONS"] {
                let headers = format!("Host: {host}\r\n{bearer}");
                let refused = web.ask(method, path, &headers, b"").expect(403);
                assert!(!refused.body.contains(&web.token));
            }
        }
    }
    // Forgery and listening in: the page of somebody else, even one on this machine.
    let own = web.own_headers();
    for from in [
        "Origin: http://evil.test",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Sec-Fetch-Site: cross-site",
    ] {
        for kind in ["text/plain", "application/json"] {
            let headers = format!("{own}{from}\r\nContent-Type: {kind}\r\n");
            web.ask("POST", "/api/v1/loops", &headers, start.as_bytes()).expect(403);
        }
        let refused = web.ask("GET", "/api/v1/loops/x/events", &format!("{own}{from}\r\n"), b"");
        assert_eq!(refused.status, 403);
        assert_eq!(refused.header("access-control-allow-origin"), "");
    }
    web.ask(
        "POST",
        "/api/v1/loops",
        &format!("{own}Content-Type: text/plain\r\n"),
        start.as_bytes(),
    )
    .expect(415);
    // Looking never changes anything.
    for path in ["cancel", "resume", "reset"] {
        web.get(&format!("/api/v1/loops/x/{path}")).expect(405);
    }
    no_loop(&env);
    end(server);
}

#[test]
fn every_answer_says_what_a_browser_must_not_do() {
    let env = world();
    let (server, web) = serve(&env);
    for (path, status) in [
        ("/", 200),
        ("/loops/x", 200),
        ("/api/v1/loops", 200),
        ("/x", 404),
        ("/api/v1/loops/x", 404),
    ] {
        let reply = web.get(path).expect(status);
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), value, "{path}");
        }
        assert_eq!(reply.header("set-cookie"), "");
        assert!(!reply.body.contains(&web.token), "{path}");
    }
    assert_eq!(web.get("/api/v1/loops").header("cache-control"), "no-store");
    let shell = web.get("/");
    let headers = format!("{}If-None-Match: {}\r\n", web.own_headers(), shell.header("etag"));
    assert_eq!(web.ask("GET", "/", &headers, b"").expect(304).body, "");
    end(server);
}

#[test]
fn the_token_is_in_the_printed_line_and_nowhere_else() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say {CLAIM}"));
    let id =
        web.post("/api/v1/loops", &start).expect(201).json()["id"].as_str().unwrap().to_owned();
    web.follow(&id, None).for_each(drop);
    for path in TELLING {
        let told = web.get(&path.replace("/x", &format!("/{id}")));
        assert!(!told.body.contains(&web.token), "{path}");
    }
    assert!(!server.stderr().contains(&web.token));
    let environ = fs::read(format!("/proc/{}/environ", server.pid())).unwrap();
    let cmdline = fs::read(format!("/proc/{}/cmdline", server.pid())).unwrap();
    assert!(!String::from_utf8_lossy(&[environ, cmdline].concat()).contains(&web.token));
    for entry in fs::read_dir(env.windlass_home()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(web.token.len()).any(|w| w == web.token.as_bytes()));
    }
    end(server);
}

fn start_in(web: &Web, start: &Value, directory: &str) -> u16 {
    let mut start = start.clone();
    start["directory"] = json!(directory);
    web.post("/api/v1/loops", &start).status
}

#[test]
fn loops_are_started_only_in_the_very_directories_that_are_allowed() {
    let env = world();
    let (server, web) = serve(&env);
    let work = env.work().display().to_string();
    fs::create_dir(env.work().join("sub")).unwrap();
    fs::create_dir(env.root().join("workshop")).unwrap();
    symlink(env.root().join("workshop"), env.work().join("link")).unwrap();
    let start = scripted(&env, &format!("say {CLAIM}"));
    for not in [
        format!("{work}/sub"),
        format!("{work}shop"),
        format!("{work}/.."),
        format!("{work}/link"),
        format!("{work}/../workshop"),
        work.to_uppercase(),
        "work".to_owned(),
        ".".to_owned(),
        "/".to_owned(),
        String::new(),
        format!("{work}\u{0}"),
        format!("{work}/nothing"),
    ] {
        assert_eq!(start_in(&web, &start, &not), 403, "{not}");
    }
    no_loop(&env);
    assert_eq!(web.get("/api/v1/directories").json()["directories"], json!([work]));
    end(server);

    let (server, web) = serve_with(&env, &[]);
    let refused = web.post("/api/v1/loops", &start).expect(403);
    assert!(refused.json()["error"]["hint"].as_str().unwrap().contains("--allow DIR"));
    no_loop(&env);
    end(server);
}

#[test]
fn what_cannot_be_started_is_told_in_the_words_of_the_program() {
    let env = world();
    let (server, web) = serve(&env);
    let start = scripted(&env, &format!("say {CLAIM}"));
    let with = |key: &str, value: Value| {
        let mut start = start.clone();
        start["options"][key] = value;
        web.post("/api/v1/loops", &start).expect(422).message()
    };
    assert_eq!(with("max_iteration", json!(3)), "`iterate` has no option `max_iteration`");
    assert!(with("max_iterations", json!("many")).contains("invalid value 'many'"));
    assert!(with("max_iterations", json!(-1)).contains("invalid value '-1'"));
    assert!(with("directory", json!("/")).contains("has no option"));
    assert!(with("json", json!(true)).contains("has no option"));
    assert!(with("agent", json!("nobody")).contains("there is no agent `nobody`"));
    assert!(with("name", json!("--json")).contains("--json"), "a value stays a value");
    let mut other = start.clone();
    other["kind"] = json!("rm");
    assert!(
        web.post("/api/v1/loops", &other).expect(422).message().contains("no loop of the kind")
    );
    other["kind"] = json!("--version");
    web.post("/api/v1/loops", &other).expect(422);
    web.post("/api/v1/loops", &json!({})).expect(422);
    web.post("/api/v1/loops", &json!([1])).expect(422);
    let json = format!("{}Content-Type: application/json\r\n", web.own_headers());
    web.ask("POST", "/api/v1/loops", &json, b"{").expect(400);
    let bomb = "[".repeat(100_000);
    web.ask("POST", "/api/v1/loops", &json, bomb.as_bytes()).expect(400);
    let unknown = web.get("/api/v1/loops/nobody").expect(404);
    assert!(unknown.message().contains("nobody"), "{unknown:?}");
    web.get("/api/v1/loops/nobody/events").expect(404);
    web.get("/api/v1/loops/x/iterations?after=-1").expect(422);
    no_loop(&env);
    end(server);
}
