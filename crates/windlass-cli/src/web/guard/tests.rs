//! The guard, asked by everybody who should not get in.

use axum::http::HeaderValue;

use super::*;

fn guard() -> (Guard, String) {
    let token = Token::random().unwrap();
    let shown = token.reveal().to_owned();
    let hosts = Hosts::new("127.0.0.1:7077".parse().unwrap(), &[]);
    (Guard::new(hosts, token), shown)
}

fn ask(
    guard: &Guard,
    method: &str,
    target: &str,
    headers: &[(&'static str, &str)],
) -> Result<Visitor, u16> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let admitted = guard.admit(&method, &target.parse().unwrap(), &map);
    admitted.map_err(|problem| problem.code().as_u16())
}

const API: &str = "/api/v1/loops";

#[test]
fn who_has_the_token_and_comes_from_here_gets_in() {
    let (guard, token) = guard();
    let bearer = format!("Bearer {token}");
    for host in ["127.0.0.1:7077", "localhost:7077", "[::1]:7077"] {
        let with = [("host", host), ("authorization", bearer.as_str())];
        assert_eq!(ask(&guard, "GET", API, &with), Ok(Visitor::Known), "{host}");
        let origin = format!("http://{host}");
        let with =
            [with[0], with[1], ("origin", origin.as_str()), ("sec-fetch-site", "same-origin")];
        assert_eq!(ask(&guard, "GET", API, &with), Ok(Visitor::Known), "{origin}");
    }
}

#[test]
fn without_the_token_there_is_only_the_empty_shell() {
    let (guard, token) = guard();
    let host = ("host", "127.0.0.1:7077");
    for open in ["/", "/loops/brave-otter", "/assets/app.js", "/?token=x"] {
        assert_eq!(ask(&guard, "GET", open, &[host]), Ok(Visitor::Anybody), "{open}");
        assert_eq!(ask(&guard, "POST", open, &[host]), Err(401), "{open}");
    }
    let closed =
        [API, "/ui/loops", "/nothing", "/loops/a/b", "/assets/", "/assets/../api/v1/loops", "//"];
    for path in closed {
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            assert_eq!(ask(&guard, method, path, &[host]), Err(401), "{method} {path}");
        }
    }
    let query = format!("{API}?token={token}");
    assert_eq!(ask(&guard, "GET", &query, &[host]), Err(401), "never in the query");
    let cookie = format!("token={token}");
    assert_eq!(ask(&guard, "GET", API, &[host, ("cookie", &cookie)]), Err(401), "no cookies");
    for wrong in [
        token.clone(),
        format!("Basic {token}"),
        format!("Bearer {}", &token[1..]),
        format!("Bearer {token}0"),
        format!("Bearer\u{a0}{token}"),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
    ] {
        let with = [host, ("authorization", wrong.as_str())];
        assert_eq!(ask(&guard, "GET", API, &with), Err(401), "{wrong}");
    }
    let bearer = format!("Bearer {token}");
    let twice = [host, ("authorization", bearer.as_str()), ("authorization", bearer.as_str())];
    assert_eq!(ask(&guard, "GET", API, &twice), Err(401));
}

#[test]
fn a_page_from_elsewhere_is_refused_even_with_the_token() {
    let (guard, token) = guard();
    let bearer = format!("Bearer {token}");
    let own = [("host", "127.0.0.1:7077"), ("authorization", bearer.as_str())];
    for origin in
        ["http://evil.test", "null", "", "http://127.0.0.1:7078", "https://127.0.0.1:7077"]
    {
        let with = [own[0], own[1], ("origin", origin)];
        assert_eq!(ask(&guard, "GET", API, &with), Err(403), "{origin}");
    }
    for site in ["cross-site", "same-site", "Same-Origin", ""] {
        let with = [own[0], own[1], ("sec-fetch-site", site)];
        assert_eq!(ask(&guard, "GET", "/", &with), Err(403), "{site}");
    }
    let twice =
        [own[0], own[1], ("origin", "http://127.0.0.1:7077"), ("origin", "http://evil.test")];
    assert_eq!(ask(&guard, "GET", API, &twice), Err(403));
}

#[test]
fn what_changes_something_is_json() {
    let (guard, token) = guard();
    let bearer = format!("Bearer {token}");
    let own = [("host", "127.0.0.1:7077"), ("authorization", bearer.as_str())];
    assert_eq!(ask(&guard, "POST", API, &own), Err(415));
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json", ""]
    {
        let with = [own[0], own[1], ("content-type", kind)];
        assert_eq!(ask(&guard, "POST", API, &with), Err(415), "{kind}");
    }
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        let with = [own[0], own[1], ("content-type", kind)];
        assert_eq!(ask(&guard, "POST", API, &with), Ok(Visitor::Known), "{kind}");
    }
}

#[test]
fn a_thousand_lookalikes_of_our_names_are_not_our_names() {
    let (guard, token) = guard();
    let bearer = format!("Bearer {token}");
    let ours = ["127.0.0.1:7077", "localhost:7077", "[::1]:7077"];
    let lookalikes = lookalikes(&ours);
    assert!(lookalikes.len() >= 1000, "{}", lookalikes.len());
    for name in &lookalikes {
        let with = [("host", name.as_str()), ("authorization", bearer.as_str())];
        assert_eq!(ask(&guard, "GET", API, &with), Err(403), "Host: {name}");
        let origin = format!("http://{name}");
        let with = [("host", ours[0]), ("authorization", &bearer), ("origin", &origin)];
        assert_eq!(ask(&guard, "GET", API, &with), Err(403), "Origin: {origin}");
    }
    assert_eq!(ask(&guard, "GET", "/", &[]), Err(403), "no Host at all");
    let both = [("host", ours[0]), ("host", "evil.test")];
    assert_eq!(ask(&guard, "GET", "/", &both), Err(403), "two of them");
    let absolute = ask(&guard, "GET", "http://evil.test/", &[("host", ours[0])]);
    assert_eq!(absolute, Err(403), "the target of the request names a host too");
}

/// Names that are close to ours, by what attackers do and by chance.
fn lookalikes(ours: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "::1:7077",
        "::1",
        "0.0.0.0:7077",
        "[::]:7077",
        "0x7f000001:7077",
        "0x7f.0.0.1:7077",
        "0177.0.0.1:7077",
        "2130706433:7077",
        "127.1:7077",
        "127.0.1:7077",
        "127.0.0.01:7077",
        "127.0.0.2:7077",
        "[::ffff:127.0.0.1]:7077",
        "[0:0:0:0:0:0:0:1]:7077",
        "[::1%25lo]:7077",
        "[::1].:7077",
        "127.0.0.1.nip.io:7077",
        "localhost.evil:7077",
        "localhost.localdomain:7077",
        "localhost:7077.evil.test",
        "evil.test:7077",
        "localhost:07077",
        "localhost:70777",
        "localhost:",
        "localhost:7077:7077",
        "localhost:7077/",
        "localhost:7077?",
        "localhost:7077#",
        "localhost:7077@evil.test",
        "user@localhost:7077",
        "user:pass@127.0.0.1:7077",
        "http://localhost:7077",
        "//localhost:7077",
        "localhost\t:7077",
        "localhost:+7077",
        "localhost:7077,evil.test",
        "LOCALHOST:7077",
        "Localhost:7077",
        "localhoſt:7077",
        "localhost。:7077",
        "１２７.0.0.1:7077",
        "*:7077",
        "",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut random = fastrand::Rng::with_seed(7077);
    let letters: Vec<char> = "abcdefxyz0123456789.:-[]%@/#?,; LOCALHT".chars().collect();
    while found.len() < 1500 {
        let mut name: Vec<char> = ours[random.usize(..ours.len())].chars().collect();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..=name.len());
            let letter = letters[random.usize(..letters.len())];
            match random.u8(..4) {
                0 => name.insert(at, letter),
                1 if at < name.len() => drop(name.remove(at)),
                2 if at < name.len() => name[at] = letter,
                _ => name.push(letter),
            }
        }
        found.push(name.into_iter().collect());
    }
    // A header's value has no space around it: that is cut before anybody looks.
    found.retain(|name| !ours.contains(&name.trim()) && name.trim() == name);
    found
}
