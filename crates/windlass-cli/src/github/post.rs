//! Posts a review at most once: it carries a marker, which is looked for before each try and after
//! each lost answer.

use reqwest::Method;
use windlass_core::forge::{
    ForgeError, Posted, ReviewPost,
    compose::{capped, folded},
};

use super::{
    Client,
    http::{Deed, Failed},
    page, wire,
};

/// A pull request with more reviews than this is not read back to its end.
const MOST_REVIEW_PAGES: usize = 100;

/// How often a review is sent at most; each lost answer is read back several times before.
const MOST_POSTS: u32 = 2;

/// How often a head or a review is looked for that should be there.
const MOST_LOOKS: u32 = 3;

/// Posts a review, or finds the one that is there.
pub(super) async fn post(client: &Client, post: &ReviewPost) -> Result<Posted, ForgeError> {
    let mut posting = Posting { client, post, folded: false };
    // A loop that was cut off may have posted it before.
    if let Some(found) = posting.found().await? {
        return Ok(found);
    }
    let mut lost = None;
    for _ in 0..MOST_POSTS {
        posting.check_head().await?;
        let mut sent = posting.send().await;
        if posting.is_refused_for_its_places(&sent) {
            // One place that is not in the diff, and all of it is refused.
            posting.folded = true;
            sent = posting.send().await;
        }
        match sent {
            Ok(posted) => return Ok(posted),
            Err(Failed::Lost(error)) => lost = Some(error),
            Err(failed) if lost.is_some() => return Err(posting.unconfirmed(&failed.into_error())),
            Err(failed) => return Err(failed.into_error()),
        }
        match posting.read_back().await {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(error) => return Err(posting.unconfirmed(&error)),
        }
    }
    Err(posting.unconfirmed(&lost.expect("a post that was not lost has returned")))
}

struct Posting<'a> {
    client: &'a Client,
    post: &'a ReviewPost,
    /// Whether what was to stand beside lines goes into the body.
    folded: bool,
}

impl Posting<'_> {
    /// What is to be done, as errors say it.
    fn what(&self) -> String {
        format!("post a review on {}", self.client.called(self.post.number))
    }

    fn unconfirmed(&self, why: &ForgeError) -> ForgeError {
        if let ForgeError::RateLimited { .. } = why {
            // The caller waits for it, and begins by looking for the marker.
            return why.clone();
        }
        ForgeError::Unconfirmed { what: self.what(), why: why.to_string() }
    }

    /// Refuses to post on another commit than the one that was audited.
    async fn check_head(&self) -> Result<(), ForgeError> {
        let ReviewPost { number, commit, .. } = self.post;
        let mut tried = 1;
        loop {
            let found = self.client.read_pull(*number).await?.head.sha;
            if found.eq_ignore_ascii_case(commit) {
                return Ok(());
            }
            // What was just pushed may take a while to be seen.
            if tried == MOST_LOOKS {
                let expected = commit.clone();
                return Err(ForgeError::HeadMoved { number: *number, expected, found });
            }
            self.client.http.pause(tried).await;
            tried += 1;
        }
    }

    async fn send(&self) -> Result<Posted, Failed> {
        let http = &self.client.http;
        let ReviewPost { number, body, comments, marker, .. } = self.post;
        let clean = |text: &str| capped(&http.clean(text)).into_owned();
        let words = if self.folded { clean(&folded(body, comments)) } else { clean(body) };
        let words = format!("{words}\n\n{}", marker.comment());
        let mut review = wire::NewReview::new(self.post, words, clean);
        if self.folded {
            review.comments.clear();
        }
        let url = self.client.pulls(&[&number.to_string(), "reviews"]);
        let deed = Deed { to_do: self.what(), with: &self.client.called(*number) };
        let answer = http.write(Method::POST, &deed, url, &review).await?;
        // An answer that cannot be read is as good as lost.
        let made: wire::Review = answer.json().map_err(Failed::Lost)?;
        Ok(self.posted(made, false))
    }

    fn posted(&self, review: wire::Review, found_again: bool) -> Posted {
        Posted { url: review.html_url, id: review.id, found_again, folded: self.folded }
    }

    /// The review that carries the marker, if it is there.
    async fn found(&self) -> Result<Option<Posted>, ForgeError> {
        let ReviewPost { number, marker, .. } = self.post;
        let http = &self.client.http;
        let what = format!("the reviews of {}", self.client.called(*number));
        let url = self.client.pulls(&[&number.to_string(), "reviews"]);
        let reviews = page::all::<wire::Review>(http, &what, url, MOST_REVIEW_PAGES).await?;
        let ours = |review: &wire::Review| review.body.as_deref().is_some_and(|b| marker.is_in(b));
        Ok(reviews.into_iter().find(ours).map(|review| self.posted(review, true)))
    }

    /// Looks for the review several times: what was sent may take a while to be seen.
    async fn read_back(&self) -> Result<Option<Posted>, ForgeError> {
        for tried in 1..=MOST_LOOKS {
            self.client.http.pause(tried).await;
            if let Some(found) = self.found().await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether a refusal is about the places of comments, and not about the review itself.
    fn is_refused_for_its_places(&self, sent: &Result<Posted, Failed>) -> bool {
        let Err(Failed::Surely(ForgeError::Refused { message, .. })) = sent else { return false };
        let message = message.to_ascii_lowercase();
        let about = ["line", "diff", "path", "position", "hunk"];
        let is_about_places = about.iter().any(|word| message.contains(word));
        is_about_places && !self.folded && !self.post.comments.is_empty()
    }
}
