//! Changes the title and windlass's section of the description. It reads first, and writes only
//! where something is to change; so doing it again is harmless.

use reqwest::Method;
use windlass_core::forge::{ForgeError, description};

use super::{
    Client,
    http::{Deed, Failed},
    wire,
};

/// Puts windlass's section into the description; says whether anything had to change.
pub(super) async fn description(
    client: &Client,
    number: u64,
    text: &str,
) -> Result<bool, ForgeError> {
    let what = format!("change the description of {}", client.called(number));
    let text = client.http.clean(text);
    edit(client, number, &what, |pull| {
        let now = pull.body.unwrap_or_default();
        let wanted = description::with_section(Some(&now), &text).ok_or_else(|| {
            client.http.other(&what, "its author's own words leave no room for more")
        })?;
        Ok((wanted != now).then_some(Change::Body(wanted)))
    })
    .await
}

/// Gives a pull request another title; says whether anything had to change.
pub(super) async fn title(client: &Client, number: u64, title: &str) -> Result<bool, ForgeError> {
    let what = format!("change the title of {}", client.called(number));
    let title = client.http.clean(title);
    edit(client, number, &what, |pull| {
        Ok((pull.title != title).then(|| Change::Title(title.clone())))
    })
    .await
}

/// What is to be another.
enum Change {
    Title(String),
    Body(String),
}

/// Writes what `change` finds to be changed, and reads again after a lost answer.
async fn edit(
    client: &Client,
    number: u64,
    what: &str,
    change: impl Fn(wire::Pull) -> Result<Option<Change>, ForgeError>,
) -> Result<bool, ForgeError> {
    let tries = client.http.patience().tries;
    let mut lost = None;
    for tried in 1..=tries {
        let unconfirmed = |why: ForgeError| match &lost {
            None => why,
            Some(_) if matches!(why, ForgeError::RateLimited { .. }) => why,
            Some(_) => ForgeError::Unconfirmed { what: what.to_owned(), why: why.to_string() },
        };
        let pull = client.read_pull(number).await.map_err(unconfirmed)?;
        // Where the answer was lost and nothing is left to change, it was done.
        let Some(change) = change(pull)? else { return Ok(lost.is_some()) };
        let edit = match &change {
            Change::Title(title) => wire::Edit { title: Some(title), body: None },
            Change::Body(body) => wire::Edit { title: None, body: Some(body) },
        };
        let url = client.pulls(&[&number.to_string()]);
        let deed = Deed { to_do: what.to_owned(), with: &client.called(number) };
        match client.http.write(Method::PATCH, &deed, url, &edit).await {
            Ok(_) => return Ok(true),
            Err(Failed::Lost(error)) => lost = Some(error),
            Err(failed) => return Err(failed.into_error()),
        }
        client.http.pause(tried).await;
    }
    let why = lost.map(|error| error.to_string()).unwrap_or_default();
    Err(ForgeError::Unconfirmed { what: what.to_owned(), why })
}
