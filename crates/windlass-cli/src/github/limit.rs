//! Limits on requests: told from an answer, with how long they last. Pure but for the clock that the
//! answer itself brings along.

use std::time::Duration;

use reqwest::header::HeaderMap;
use windlass_core::time::Timestamp;

/// How long GitHub wants one to wait where it does not say.
const USUAL: Duration = Duration::from_secs(60);

/// A limit that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    /// How long to wait.
    pub(super) wait: Duration,
    /// When it is over, by our clock.
    pub(super) until: Timestamp,
}

/// The limit that an answer tells of, if that is what it is about.
pub(super) fn of(status: u16, headers: &HeaderMap, message: &str, now: Timestamp) -> Option<Limit> {
    if !matches!(status, 403 | 429) {
        return None;
    }
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<u32>().ok();
    let message = message.to_ascii_lowercase();
    let wait = if let Some(seconds) = number("retry-after") {
        Duration::from_secs(seconds.into())
    } else if number("x-ratelimit-remaining") == Some(0)
        && let Some(reset) = number("x-ratelimit-reset")
    {
        // By the server's clock, for ours may be wrong; and a second more, for both are cut off.
        let reset = Timestamp(i64::from(reset).saturating_mul(1000));
        reset.since(date(headers).unwrap_or(now)) + Duration::from_secs(1)
    } else if status == 429 || message.contains("rate limit") || message.contains("abuse") {
        USUAL
    } else {
        return None;
    };
    Some(Limit { wait, until: now.plus(wait) })
}

/// When the server says that it answered.
fn date(headers: &HeaderMap) -> Option<Timestamp> {
    let date = headers.get("date")?.to_str().ok()?;
    let date = jiff::fmt::rfc2822::parse(date).ok()?;
    Some(Timestamp(date.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn seconds(status: u16, headers: &[(&'static str, &'static str)], said: &str) -> Option<u64> {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let now = Timestamp(1_700_000_000_000);
        of(status, &headers.collect(), said, now).map(|limit| limit.wait.as_secs())
    }

    #[test]
    fn limits_are_told_from_a_plain_no() {
        let used_up = ("x-ratelimit-remaining", "0");
        let reset = ("x-ratelimit-reset", "1700000100");
        assert_eq!(seconds(403, &[used_up, reset], ""), Some(101));
        assert_eq!(seconds(429, &[("retry-after", "7"), used_up, reset], ""), Some(7));
        assert_eq!(seconds(403, &[], "You have exceeded a secondary rate limit."), Some(60));
        assert_eq!(seconds(429, &[], ""), Some(60));
        assert_eq!(seconds(403, &[("x-ratelimit-remaining", "4999"), reset], "No."), None);
        assert_eq!(seconds(404, &[used_up, reset], ""), None);
    }

    #[test]
    fn the_servers_clock_counts_where_it_is_told() {
        let headers = [
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "1700000100"),
            // A minute before the reset, though our clock is a hundred seconds before it.
            ("date", "Tue, 14 Nov 2023 22:14:00 GMT"),
        ];
        assert_eq!(seconds(403, &headers, ""), Some(61));
    }
}
