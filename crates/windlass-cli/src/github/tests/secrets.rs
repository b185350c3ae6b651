//! The token is in one header, and nowhere else: not in an error, not in what is shown for
//! debugging, not in an address or a body, even where GitHub or a finding repeats it.

use std::os::unix::fs::PermissionsExt;

use testkit::github::Fault;
use windlass::{
    forge::Forge,
    system::{Output, Programs, Runner, Running},
};
use windlass_core::process::ProcessSpec;

use super::{CANARY, Stand, Token, client_at, review};
use crate::host::environment::Environment;

#[tokio::test]
async fn no_error_and_no_debug_output_has_the_token() {
    let stand = Stand::new();
    let mut said = vec![format!("{:?}", stand.client)];
    let echo = format!("Who is {CANARY}?");
    for (status, times) in [(400, 1), (401, 1), (403, 1), (404, 1), (422, 1), (500, 3), (502, 3)] {
        for _ in 0..times {
            stand.fault("GET", "/7", Fault::status(status, &echo));
        }
        let error = stand.client.pull(7).await.unwrap_err();
        said.push(format!("{error} {error:?}"));
    }
    let location = format!("https://{CANARY}@evil.example/{CANARY}");
    stand.fault("GET", "/8", Fault::with_headers(302, &echo, &[("location", &location)]));
    said.push(stand.client.pull(8).await.unwrap_err().to_string());
    let body = serde_json::json!({"number": CANARY});
    stand.fault("GET", "/9", Fault::Answer { status: 200, headers: Vec::new(), body });
    said.push(stand.client.pull(9).await.unwrap_err().to_string());
    let wrong = client_at(&stand.url(), "another.0123456789").pull(7).await.unwrap_err();
    said.push(wrong.to_string());
    assert!(!said.join("\n").contains(CANARY), "{said:#?}");
    assert!(said.join("\n").contains("Who is [redacted]?"), "{said:#?}");
}

#[tokio::test]
async fn no_post_has_the_token_or_what_looks_like_one() {
    let stand = Stand::new();
    let other = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let mut post = review();
    post.body = format!("It logs {CANARY} and {other}.");
    post.comments[0].body = format!("{CANARY}{other}");
    stand.client.post_review(&post).await.unwrap();
    stand.client.update_description(7, &post.body).await.unwrap();
    stand.client.update_title(7, CANARY).await.unwrap();
    let requests = stand.requests();
    let sent: Vec<_> = requests.iter().filter(|request| !request.body.is_null()).collect();
    assert_eq!(sent.len(), 3);
    for request in sent {
        assert!(!request.raw.contains(CANARY) && !request.raw.contains(other), "{}", request.raw);
        assert!(request.raw.contains("[redacted]"), "{}", request.raw);
    }
    let bearer = format!("Bearer {CANARY}");
    assert!(requests.iter().all(|r| r.header("authorization") == Some(bearer.as_str())));
}

/// A `gh` that says this, and remembers how it was called.
struct Gh(Output, std::sync::Mutex<Vec<ProcessSpec>>);

impl Runner for Gh {
    fn run(&self, spec: ProcessSpec, _: std::time::Duration, _: usize) -> Running<'_> {
        self.1.lock().unwrap().push(spec);
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[tokio::test]
async fn gh_is_asked_by_argv_where_no_agent_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gh");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let bin = folder.path().to_str().unwrap();
    let environment = Environment::of([("PATH", bin), ("HOME", "/home/ada")]);
    let programs = Programs::new(environment.all(), &[], &[]);
    let said = |code, stdout: &str| Output {
        code: Some(code),
        stdout: stdout.into(),
        ..Output::default()
    };
    let gh = Gh(said(0, "canary.0123456789abcdef\n"), std::sync::Mutex::default());
    let token = Token::of_gh(&gh, &programs, &environment, "github.com").await.unwrap();
    assert_eq!(token.reveal(), CANARY);
    let asked = gh.1.lock().unwrap().remove(0);
    assert_eq!(asked.program, path.as_os_str());
    assert_eq!(asked.args, ["auth", "token", "--hostname", "github.com"]);
    assert_eq!(asked.directory, std::path::Path::new("/"));
    for output in [said(1, "no oauth token found"), said(0, ""), said(0, "two\nlines")] {
        let gh = Gh(output, std::sync::Mutex::default());
        assert!(Token::of_gh(&gh, &programs, &environment, "github.com").await.is_none());
    }
}
