//! What is reached of the network when only the model's hosts are.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

use testkit::has;

use super::has_bwrap;
use crate::{COMPLETE, shell, world};

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
