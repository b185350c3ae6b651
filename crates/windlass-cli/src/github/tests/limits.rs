//! Limits on requests are told with their end; the caller waits for them.

use std::time::{Duration, Instant};

use testkit::github::Fault;
use windlass::forge::Forge;
use windlass_core::forge::ForgeError;

use super::{Stand, review};

fn primary(in_seconds: i64) -> Fault {
    let reset = (windlass::now().0 / 1000 + in_seconds).to_string();
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset.as_str())];
    Fault::with_headers(403, "API rate limit exceeded for user ID 1.", &headers)
}

fn secondary(seconds: &str) -> Fault {
    let said = "You have exceeded a secondary rate limit. Please wait.";
    Fault::with_headers(429, said, &[("retry-after", seconds)])
}

#[tokio::test]
async fn a_limit_is_told_with_its_end_and_asked_past_by_nobody() {
    for fault in [primary(1), secondary("1")] {
        let stand = Stand::new();
        stand.fault("GET", "/7", fault);
        let error = stand.client.pull(7).await.unwrap_err();
        assert!(matches!(error, ForgeError::RateLimited { until: Some(_) }), "{error}");
        assert_eq!(stand.lines().len(), 1);
        stand.client.pull(7).await.unwrap();
    }
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_looked_for_after_a_limit() {
    let stand = Stand::new();
    stand.fault("POST", "/reviews", Fault::LoseTheAnswer);
    stand.fault("GET", "/reviews", Fault::Slow(Duration::ZERO));
    stand.fault("GET", "/reviews", secondary("1"));
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(matches!(error, ForgeError::RateLimited { .. }), "{error}");
    assert!(stand.client.post_review(&review()).await.unwrap().found_again);
    assert_eq!(stand.reviews(), 1);
}

#[tokio::test]
async fn a_long_limit_is_told_with_its_end() {
    let stand = Stand::new();
    stand.fault("POST", "/reviews", primary(3600));
    let begun = Instant::now();
    let error = stand.client.post_review(&review()).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(3));
    let ForgeError::RateLimited { until: Some(until) } = error else { panic!("{error}") };
    let hour = until.since(windlass::now()).as_secs();
    assert!((3590..3610).contains(&hour), "{hour}");
    assert!(ForgeError::RateLimited { until: None }.is_retryable());
    assert_eq!((stand.reviews(), stand.count("POST 7/reviews")), (0, 1));
}
