//! What is read: pull requests, their files in pages, and what happens on the way.

use std::time::Duration;

use testkit::github::Fault;
use windlass::forge::Forge;
use windlass_core::forge::{ForgeError, PullState};

use super::{CANARY, HEAD, Stand, client_at};

#[tokio::test]
async fn a_pull_request_is_read() {
    let stand = Stand::new();
    let pull = stand.client.pull(7).await.unwrap();
    assert_eq!((pull.number, pull.title.as_str(), pull.author.as_str()), (7, "Add a pump", "ada"));
    assert_eq!((pull.state, pull.head_ref.as_str()), (PullState::Open, "pump"));
    assert_eq!((pull.head_sha.as_str(), pull.base_ref.as_str()), (HEAD, "main"));
    assert_eq!(pull.head_repository.as_deref(), Some("ada/engine"));
    assert_eq!(pull.body.as_deref(), Some("Adds a pump."));
    assert_eq!(stand.client.name(), "127.0.0.1/ada/engine");
}

#[tokio::test]
async fn github_enterprise_has_its_api_below_a_path() {
    let stand = Stand::new();
    let client = client_at(&(stand.url() + "/api/v3/"), CANARY);
    assert_eq!(client.pull(7).await.unwrap().number, 7);
    assert!(stand.requests()[0].raw.starts_with("GET /api/v3/repos/ada/engine/pulls/7\n"));
}

#[tokio::test]
async fn the_pull_request_of_a_branch_is_the_newest_open_one() {
    let stand = Stand::new();
    stand.world(|world| {
        for (number, branch, is_open) in
            [(8, "feature/größe&x", true), (9, "feature/größe&x", true), (10, "pump", false)]
        {
            let pull = world.pull(number);
            branch.clone_into(&mut pull.head_ref);
            pull.is_open = is_open;
        }
    });
    let client = &stand.client;
    assert_eq!(client.pull_of_branch("feature/größe&x").await, Ok(Some(9)));
    assert_eq!(client.pull_of_branch("pump").await, Ok(Some(7)));
    assert_eq!(client.pull_of_branch("other").await, Ok(None));
    assert_eq!(stand.requests()[0].query("head"), Some("ada:feature/größe&x"));
    // A filter that GitHub does not understand is left out by it.
    let body = serde_json::json!([stand.world(|world| serde_json::json!({
        "number": 7, "title": "", "state": "open", "html_url": "", "body": null,
        "head": {"ref": world.pull(7).head_ref, "sha": ""}, "base": {"ref": "", "sha": ""},
    }))]);
    stand.fault("GET", "/pulls", Fault::Answer { status: 200, headers: Vec::new(), body });
    assert_eq!(client.pull_of_branch("nobody's").await, Ok(None));
}

#[tokio::test]
async fn files_come_in_pages_and_all_are_read() {
    let stand = Stand::new();
    stand.world(|world| {
        for number in 0..249 {
            world.pull(7).add_file(&format!("src/{number}.rs"), "@@ -0,0 +1 @@\n+x");
        }
    });
    let files = stand.client.files(7).await.unwrap();
    assert_eq!(files.len(), 250);
    assert_eq!((files[0].path.as_str(), files[249].path.as_str()), ("src/a.rs", "src/248.rs"));
    assert_eq!(stand.count("GET 7/files"), 3);
}

#[tokio::test]
async fn pages_that_never_end_are_not_followed_forever_nor_to_another_host() {
    let stand = Stand::new();
    let here = format!("<{}/repos/ada/engine/pulls/7/files>; rel=\"next\"", stand.url());
    for _ in 0..40 {
        let headers = vec![("link".to_owned(), here.clone())];
        let body = serde_json::json!([{"filename": "a", "status": "added"}]);
        stand.fault("GET", "/files", Fault::Answer { status: 200, headers, body });
    }
    assert_eq!(stand.client.files(7).await.unwrap().len(), 30);
    let stand = Stand::new();
    let other = Stand::new();
    let there = format!("<{}/repos/ada/engine/pulls/7/files>; rel=\"next\"", other.url());
    let headers = vec![("link".to_owned(), there)];
    let body = serde_json::json!([]);
    stand.fault("GET", "/files", Fault::Answer { status: 200, headers, body });
    let error = stand.client.files(7).await.unwrap_err();
    assert!(error.to_string().contains("another host"), "{error}");
    assert_eq!(other.lines(), [""; 0]);
}

#[tokio::test]
async fn what_is_lost_on_the_way_is_asked_for_again() {
    for fault in [
        Fault::DropTheRequest,
        Fault::LoseTheAnswer,
        Fault::CutTheAnswer,
        Fault::DoneBut(502),
        Fault::status(500, "Server Error"),
        Fault::Slow(Duration::from_secs(2)),
    ] {
        let stand = Stand::new();
        stand.fault("GET", "/7", fault.clone());
        stand.fault("GET", "/7", fault.clone());
        assert_eq!(stand.client.pull(7).await.unwrap().number, 7, "{fault:?}");
        assert_eq!(stand.lines().len(), 3, "{fault:?}");
    }
}

#[tokio::test]
async fn but_not_forever() {
    let stand = Stand::new();
    for _ in 0..3 {
        stand.fault("GET", "/7", Fault::status(503, "Unicorn"));
    }
    let error = stand.client.pull(7).await.unwrap_err();
    assert_eq!(error, ForgeError::Trouble { host: "127.0.0.1".into(), status: 503 });
    assert!(error.is_retryable());
    assert_eq!(stand.lines().len(), 3);
}

#[tokio::test]
async fn nobody_at_home_is_said_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = client_at(&url, CANARY).pull(7).await.unwrap_err();
    assert!(matches!(error, ForgeError::Unreachable { .. }) && error.is_retryable(), "{error}");
    assert!(error.to_string().contains("no connection"), "{error}");
}

#[tokio::test]
async fn an_answer_without_an_end_is_given_up() {
    let stand = Stand::new();
    for _ in 0..3 {
        stand.fault("GET", "/7", Fault::Endless);
    }
    let error = stand.client.pull(7).await.unwrap_err();
    let said = error.to_string();
    assert!(said.contains("longer than 64 MiB") || said.contains("in time"), "{said}");
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_not_repeated() {
    let stand = Stand::new();
    let body = serde_json::json!({"number": "seven"});
    stand.fault("GET", "/7", Fault::Answer { status: 200, headers: Vec::new(), body });
    let error = stand.client.pull(7).await.unwrap_err();
    insta::assert_snapshot!(error, @"GitHub's answer is not understood: at line 1, column 17");
}

#[tokio::test]
async fn each_no_has_its_own_words() {
    let stand = Stand::new();
    let mut said = Vec::new();
    for fault in [
        Fault::status(401, "Bad credentials"),
        Fault::status(403, "Resource not accessible by personal access token"),
        Fault::status(404, "Not Found"),
        Fault::status(451, "Repository access blocked"),
    ] {
        stand.fault("GET", "/7", fault);
        let error = stand.client.pull(7).await.unwrap_err();
        assert!(!error.is_retryable());
        said.push(error.to_string());
    }
    insta::assert_snapshot!(said.join("\n"), @"
    127.0.0.1 does not accept the token: Bad credentials
    the token does not allow to read pull request 7 of ada/engine: Resource not accessible by personal access token
    pull request 7 of ada/engine is not there, or the token does not allow to see it
    pull request 7 of ada/engine: 127.0.0.1 answers 451: Repository access blocked
    ");
    assert_eq!(stand.lines().len(), 4);
}

#[tokio::test]
async fn a_repository_that_has_moved_is_followed_on_the_same_server_only() {
    let stand = Stand::new();
    let to = |location: &str| Fault::with_headers(301, "Moved", &[("location", location)]);
    stand.fault("GET", "/7", to("/repos/ada/engine/pulls/7"));
    let other = Stand::new();
    stand.fault("GET", "/7", to(&format!("{}/repos/ada/engine/pulls/7", other.url())));
    let error = stand.client.pull(7).await.unwrap_err();
    assert!(error.to_string().contains("another host"), "{error}");
    assert_eq!(other.lines(), [""; 0]);
    let stand = Stand::new();
    for _ in 0..9 {
        stand.fault("GET", "/7", to("/repos/ada/engine/pulls/7"));
    }
    let error = stand.client.pull(7).await.unwrap_err();
    assert!(error.to_string().contains("it has moved"), "{error}");
}
