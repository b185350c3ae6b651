//! Limits on requests are waited for, but not longer than windlass is patient.

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
async fn a_short_limit_is_waited_for() {
    for fault in [primary(1), secondary("1")] {
        let stand = Stand::new();
        stand.fault("GET", "/7", fault);
        let begun = Instant::now();
        stand.client.pull(7).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_secs(1));
        assert_eq!(stand.lines().len(), 2);
    }
}

#[tokio::test]
async fn a_post_that_was_refused_by_a_limit_is_posted_once_after_it() {
    let stand = Stand::new();
    stand.fault("POST", "/reviews", secondary("1"));
    let posted = stand.client.post_review(&review()).await.unwrap();
    assert!(!posted.found_again);
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

#[tokio::test]
async fn limits_without_an_end_are_not_asked_forever() {
    let stand = Stand::new();
    for _ in 0..20 {
        stand.fault("GET", "/7", secondary("0"));
    }
    let error = stand.client.pull(7).await.unwrap_err();
    assert!(matches!(error, ForgeError::RateLimited { .. }), "{error}");
    assert!(stand.lines().len() <= 6, "{}", stand.lines().len());
}
