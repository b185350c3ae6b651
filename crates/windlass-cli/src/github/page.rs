//! Lists that come in pages.

use reqwest::{Url, header::HeaderMap};
use serde::de::DeserializeOwned;
use windlass_core::forge::ForgeError;

use super::http::Http;

/// All of a list, from as many pages as there are, but not more than so many.
pub(super) async fn all<T: DeserializeOwned>(
    http: &Http,
    what: &str,
    mut url: Url,
    most: usize,
) -> Result<Vec<T>, ForgeError> {
    url.query_pairs_mut().append_pair("per_page", "100");
    let mut all = Vec::new();
    for _ in 0..most {
        let answer = http.get(what, url).await?;
        let next = next(&answer.headers);
        all.extend(answer.json::<Vec<T>>()?);
        match next {
            // The token goes there: it must be the same server.
            Some(next) if http.endpoint().is_home_of(&next) => url = next,
            Some(_) => return Err(http.other(what, "its next page is at another host")),
            None => break,
        }
    }
    Ok(all)
}

/// The address of the next page, from the `Link` header.
fn next(headers: &HeaderMap) -> Option<Url> {
    let links = headers.get("link")?.to_str().ok()?;
    links.split(',').find_map(|link| {
        let (address, what) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = what.split(';').any(|part| part.trim() == "rel=\"next\"");
        is_next.then(|| Url::parse(address).ok())?
    })
}
