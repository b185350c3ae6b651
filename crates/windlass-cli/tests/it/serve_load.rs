//! `windlass serve` under load: sockets that say nothing, requests that never end, bodies that are
//! too long, and listeners that do not read. Whoever has the token is answered all the same.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use testkit::web::Web;

use crate::{
    oracle::CLAIM,
    serve::{end, scripted, serve},
    world,
};

/// How long an answer may take, whatever others do.
const AT_ONCE: Duration = Duration::from_secs(1);

fn answers_at_once(web: &Web, while_: &str) {
    let began = Instant::now();
    web.get("/api/v1/loops").expect(200);
    assert!(began.elapsed() < AT_ONCE, "{while_}: {:?}", began.elapsed());
}

#[test]
fn a_thousand_sockets_that_say_nothing_keep_nobody_out() {
    let env = world();
    let (server, web) = serve(&env);
    // More than there are places: the oldest strangers make room.
    let idle: Vec<TcpStream> = (0..1200).map_while(|_| web.connect().ok()).collect();
    assert!(idle.len() >= 700, "only {} sockets could be opened here", idle.len());
    answers_at_once(&web, "idle sockets");
    let mut loris: Vec<TcpStream> = (0..50).filter_map(|_| web.connect().ok()).collect();
    for stream in &mut loris {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    }
    answers_at_once(&web, "requests that never end");
    // Whoever does not say what they want is shown the door.
    let slow = &mut loris[49];
    slow.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut said = Vec::new();
    let ended = slow.read_to_end(&mut said);
    assert!(
        ended.is_ok() || ended.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset),
        "the connection was not ended"
    );
    answers_at_once(&web, "afterwards");
    end(server);
}

#[test]
fn what_is_too_long_is_refused_before_it_is_read() {
    let env = world();
    let (server, web) = serve(&env);
    let long = 100 * 1024 * 1024;
    let own = format!("{}Content-Type: application/json\r\n", web.own_headers());
    let stranger = format!("Host: {}\r\nContent-Type: application/json\r\n", web.address);
    let chunk = vec![b' '; 64 * 1024];
    for (headers, status) in [(&own, " 413 "), (&stranger, " 401 ")] {
        let mut stream = web.connect().unwrap();
        let head =
            format!("POST /api/v1/loops HTTP/1.1\r\n{headers}Content-Length: {long}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut sent = 0;
        while sent < long && stream.write_all(&chunk).is_ok() {
            sent += chunk.len();
        }
        assert!(sent < long, "all of it was read");
        let mut said = [0; 64];
        // The answer may be lost where the other end hung up on so much.
        if let Ok(read) = stream.read(&mut said) {
            let said = String::from_utf8_lossy(&said[..read]).into_owned();
            assert!(said.is_empty() || said.contains(status), "{said}");
        }
        answers_at_once(&web, "a long body");
    }
    // In pieces, so that its length is not told.
    let mut stream = web.connect().unwrap();
    let head = format!("POST /api/v1/loops HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut sent = 0;
    while sent < long && write!(stream, "{:x}\r\n", chunk.len()).is_ok() {
        if stream.write_all(&chunk).and_then(|()| stream.write_all(b"\r\n")).is_err() {
            break;
        }
        sent += chunk.len();
    }
    assert!(sent < long, "all of it was read");
    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    let refused = web.ask("GET", "/", &format!("Host: {}\r\n{many}", web.address), b"");
    assert_eq!(refused.status, 431);
    let huge = format!("Host: {}\r\nX: {}\r\n", web.address, "x".repeat(100_000));
    let refused = web.ask("GET", "/", &huge, b"");
    assert_eq!(refused.status, 431);
    answers_at_once(&web, "many headers");
    end(server);
}

#[test]
fn one_who_never_reads_and_many_who_listen_do_not_disturb_each_other() {
    let env = world();
    let (server, web) = serve(&env);
    let words = "x".repeat(20_000);
    let flood: String = (0..40).map(|n| format!("say line {n} {words}\nsleep 60ms\n")).collect();
    let start = scripted(&env, &format!("{flood}say {CLAIM}"));
    let id =
        web.post("/api/v1/loops", &start).expect(201).json()["id"].as_str().unwrap().to_owned();
    let mut deaf = web.connect().unwrap();
    let own = web.own_headers();
    write!(deaf, "GET /api/v1/loops/{id}/events HTTP/1.1\r\n{own}\r\n").unwrap();
    let listeners: Vec<_> = (0..40)
        .map(|_| {
            let (web, id) = (web.clone(), id.clone());
            std::thread::spawn(move || {
                web.follow(&id, None).map(|event| event.id).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut heard: Vec<Vec<u64>> = listeners.into_iter().map(|one| one.join().unwrap()).collect();
    let count = heard[0].len() as u64;
    assert!(count > 15, "{count}");
    heard.dedup();
    assert_eq!(heard, [(1..=count).collect::<Vec<_>>()], "everybody heard everything, in order");
    answers_at_once(&web, "one who never reads");
    end(server);
}
