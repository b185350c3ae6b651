//! A review is posted at most once, on the right commit, through whatever goes wrong.

use std::time::Duration;

use testkit::github::Fault;
use windlass::forge::Forge;
use windlass_core::forge::{ForgeError, ReviewEvent};

use super::{HEAD, Stand, review};

#[tokio::test]
async fn a_review_is_posted_whole() {
    let stand = Stand::new();
    let posted = stand.client.post_review(&review()).await.unwrap();
    assert_eq!(posted.url, "https://github.com/ada/engine/pull/7#pullrequestreview-100");
    assert!(!posted.found_again && !posted.folded);
    assert_eq!(stand.lines(), ["GET 7/reviews", "GET 7", "POST 7/reviews"]);
    let sent = &stand.requests()[2].body;
    insta::assert_json_snapshot!(sent, @r#"
    {
      "commit_id": "0000000000000000000000000000000000000001",
      "event": "COMMENT",
      "body": "One finding.\n\n<!-- windlass:review brave-otter-1 -->",
      "comments": [
        {
          "path": "src/a.rs",
          "body": "**HIGH** b leaks",
          "line": 3,
          "side": "RIGHT",
          "start_line": 2,
          "start_side": "RIGHT"
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn a_review_can_say_more_than_its_words() {
    let stand = Stand::new();
    for (event, word) in
        [(ReviewEvent::Approve, "APPROVE"), (ReviewEvent::RequestChanges, "REQUEST_CHANGES")]
    {
        let mut post = review();
        post.event = event;
        post.comments.clear();
        post.marker = windlass_core::forge::MarkerKey::new(word);
        stand.client.post_review(&post).await.unwrap();
        let body = stand.requests().last().unwrap().body.clone();
        assert_eq!(body["event"], word);
        assert!(body.get("comments").is_none());
    }
}

#[tokio::test]
async fn a_loop_that_is_taken_up_again_finds_what_it_posted() {
    let stand = Stand::new();
    let first = stand.client.post_review(&review()).await.unwrap();
    // The head may have moved on since: what is posted is posted.
    stand.world(|world| world.pull(7).head_sha = "b".repeat(40));
    let second = stand.client.post_review(&review()).await.unwrap();
    assert_eq!((first.id, second.id), (100, 100));
    assert!(second.found_again);
    assert_eq!(stand.reviews(), 1);
}

#[tokio::test]
async fn the_marker_is_found_on_whatever_page_it_is() {
    let stand = Stand::new();
    stand.world(|world| {
        for number in 0..230 {
            let url = "https://github.com/ada/engine/pull/7#x";
            let review = serde_json::json!({"id": number, "body": "Nice.", "html_url": url});
            world.pull(7).reviews.push(review);
        }
    });
    stand.client.post_review(&review()).await.unwrap();
    assert!(stand.client.post_review(&review()).await.unwrap().found_again);
    assert_eq!(stand.reviews(), 231);
}

#[tokio::test]
async fn through_lost_answers_there_is_one_review() {
    for fault in [
        Fault::LoseTheAnswer,
        Fault::CutTheAnswer,
        Fault::DoneBut(502),
        Fault::DoneBut(500),
        Fault::Slow(Duration::from_secs(2)),
    ] {
        let stand = Stand::new();
        stand.fault("POST", "/reviews", fault.clone());
        let posted = stand.client.post_review(&review()).await.unwrap();
        assert!(posted.found_again, "{fault:?}");
        assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (1, 1), "{fault:?}");
    }
}

#[tokio::test]
async fn what_was_not_done_is_done_on_the_second_try() {
    for fault in [Fault::DropTheRequest, Fault::status(503, "Unicorn")] {
        let stand = Stand::new();
        stand.fault("POST", "/reviews", fault.clone());
        let posted = stand.client.post_review(&review()).await.unwrap();
        assert!(!posted.found_again, "{fault:?}");
        assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (1, 2), "{fault:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_back_is_unconfirmed_and_not_tried_again() {
    let stand = Stand::new();
    stand.fault("GET", "/reviews", Fault::Slow(Duration::ZERO));
    stand.fault("POST", "/reviews", Fault::LoseTheAnswer);
    for _ in 0..9 {
        stand.fault("GET", "/reviews", Fault::DropTheRequest);
    }
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(matches!(error, ForgeError::Unconfirmed { .. }) && error.is_retryable(), "{error}");
    assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (1, 1));
}

#[tokio::test]
async fn what_never_arrives_is_unconfirmed_in_the_end() {
    let stand = Stand::new();
    for _ in 0..9 {
        stand.fault("POST", "/reviews", Fault::DropTheRequest);
    }
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(matches!(error, ForgeError::Unconfirmed { .. }), "{error}");
    assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (0, 2));
}

#[tokio::test]
async fn nothing_is_posted_on_another_commit_than_the_audited_one() {
    let stand = Stand::new();
    let pushed = "b".repeat(40);
    stand.fault("GET", "/7", Fault::MoveHead(pushed.clone()));
    let error = stand.client.post_review(&review()).await.unwrap_err();
    let moved = ForgeError::HeadMoved { number: 7, expected: HEAD.into(), found: pushed };
    assert_eq!(error, moved);
    assert_eq!(stand.count("POST 7/reviews"), 0);
}

#[tokio::test]
async fn a_push_of_our_own_that_is_not_seen_yet_is_waited_for() {
    let stand = Stand::new();
    stand.world(|world| world.pull(7).head_sha = "b".repeat(40));
    stand.fault("GET", "/7", Fault::Slow(Duration::ZERO));
    stand.fault("GET", "/7", Fault::MoveHead(HEAD.into()));
    stand.client.post_review(&review()).await.unwrap();
    assert_eq!(stand.reviews(), 1);
}

#[tokio::test]
async fn a_push_between_two_tries_is_seen() {
    let stand = Stand::new();
    stand.fault("POST", "/reviews", Fault::DropTheRequest);
    stand.fault("GET", "/7", Fault::Slow(Duration::ZERO));
    stand.fault("GET", "/7", Fault::MoveHead("b".repeat(40)));
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(matches!(error, ForgeError::HeadMoved { .. }), "{error}");
    assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (0, 1));
}

#[tokio::test]
async fn comments_whose_places_are_refused_go_into_the_body() {
    let stand = Stand::new();
    let mut post = review();
    post.comments[0].line = 99;
    let posted = stand.client.post_review(&post).await.unwrap();
    assert!(posted.folded && !posted.found_again);
    let review = stand.world(|world| world.pull(7).reviews[0].clone());
    assert_eq!(
        review["body"],
        "One finding.\n\n`src/a.rs:2-99`: **HIGH** b leaks\n\n<!-- windlass:review brave-otter-1 -->"
    );
    assert_eq!(stand.reviews(), 1);
}

#[tokio::test]
async fn a_refusal_is_told_in_githubs_own_words() {
    let stand = Stand::new();
    let body = serde_json::json!({
        "message": "Unprocessable Entity",
        "errors": ["Can not approve your own pull request", {"field": "event", "code": "invalid"}],
    });
    stand.fault("POST", "/reviews", Fault::Answer { status: 422, headers: Vec::new(), body });
    let error = stand.client.post_review(&review()).await.unwrap_err();
    insta::assert_snapshot!(error, @"the forge refuses to post a review on pull request 7 of ada/engine: Unprocessable Entity; Can not approve your own pull request; event invalid");
    assert_eq!(stand.count("POST 7/reviews"), 1);
}

#[tokio::test]
async fn a_post_is_not_carried_to_another_place_as_something_else() {
    let stand = Stand::new();
    let to =
        |status, location: &str| Fault::with_headers(status, "Moved", &[("location", location)]);
    stand.fault("POST", "/reviews", to(301, "/repos/ada/engine/pulls/7/reviews"));
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(error.to_string().contains("name the new place by --repo"), "{error}");
    stand.fault("POST", "/reviews", to(307, "/repos/ada/engine/pulls/7/reviews"));
    stand.client.post_review(&review()).await.unwrap();
    assert_eq!(stand.reviews(), 1);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_cut_and_still_known_again() {
    let stand = Stand::new();
    let mut post = review();
    post.body = "é".repeat(70_000);
    stand.client.post_review(&post).await.unwrap();
    let body = stand.requests().last().unwrap().body["body"].as_str().unwrap().to_owned();
    assert!(body.chars().count() < 65_536 && post.marker.is_in(&body));
    assert!(stand.client.post_review(&post).await.unwrap().found_again);
}
