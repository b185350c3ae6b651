//! The stand-in itself: what GitHub would not know is complained of.

use super::Request;

fn complaints(request: &Request) -> Vec<String> {
    super::complaints(request, &against)
}

/// What is wrong with a value, by a schema.
fn against(schema: &serde_json::Value, value: &serde_json::Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("GitHub's schemas are schemas");
    let wrong = validator.iter_errors(value);
    wrong.map(|error| format!("{error} at `{}`", error.instance_path())).collect()
}

fn request(method: &str, target: &str, body: &str) -> Request {
    let headers = [
        ("accept", "application/vnd.github+json"),
        ("x-github-api-version", "2022-11-28"),
        ("user-agent", "windlass/0"),
        ("authorization", "Bearer x"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Request::new(method, target, headers.into(), body.as_bytes())
}

#[test]
fn what_github_knows_is_fine() {
    for (method, target, body) in [
        ("GET", "/repos/a/b/pulls?head=a%3Ax%2Fy&state=open", ""),
        ("GET", "/api/v3/repos/a/b/pulls/7/files?per_page=100&page=2", ""),
        ("PATCH", "/repos/a/b/pulls/7", r#"{"title":"t"}"#),
        (
            "POST",
            "/repos/a/b/pulls/7/reviews",
            r#"{"event":"COMMENT","body":"b","comments":[{"path":"a","body":"b","line":1,"side":"RIGHT"}]}"#,
        ),
    ] {
        assert_eq!(complaints(&request(method, target, body)), [""; 0]);
    }
    let parsed = request("GET", "/repos/a/b/pulls?head=a%3Ax%2Fy", "");
    assert_eq!(parsed.query("head"), Some("a:x/y"));
}

#[test]
fn what_github_does_not_know_is_complained_of() {
    for (method, target, body) in [
        ("GET", "/repos/a/b/issues", ""),
        ("DELETE", "/repos/a/b/pulls/7", ""),
        ("GET", "/repos/a/b/pulls?branch=x", ""),
        ("GET", "/repos/a/b/pulls?state=new", ""),
        ("GET", "/repos/a/b/pulls?per_page=many", ""),
        ("PATCH", "/repos/a/b/pulls/7", r#"{"titel":"t"}"#),
        ("PATCH", "/repos/a/b/pulls/7", r#"{"title":7}"#),
        ("POST", "/repos/a/b/pulls/7/reviews", r#"{"event":"SHOUT"}"#),
        ("POST", "/repos/a/b/pulls/7/reviews", r#"{"comments":[{"path":"a","line":1}]}"#),
        (
            "POST",
            "/repos/a/b/pulls/7/reviews",
            r#"{"comments":[{"path":"a","body":"b","lines":1}]}"#,
        ),
    ] {
        assert_eq!(complaints(&request(method, target, body)).len(), 1, "{method} {target} {body}");
    }
    let mut bare = request("GET", "/repos/a/b/pulls", "");
    bare.headers.clear();
    assert_eq!(complaints(&bare).len(), 4);
}
