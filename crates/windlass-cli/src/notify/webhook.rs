//! `webhook:URL`: the message as JSON, with the sentence as `text`, which many chat programs show.
//! Addresses of ntfy.sh and of Slack get what those take.

use std::sync::Arc;

use super::{Channel, Message, Sending, ntfy, post::Address, slack};
use crate::host::app::App;

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    let address = Address::new(rest)?;
    match address.host() {
        "ntfy.sh" => ntfy::open(rest),
        "hooks.slack.com" => slack::open(rest),
        _ => Ok(Arc::new(Webhook(address))),
    }
}

#[derive(Debug)]
struct Webhook(Address);

impl Channel for Webhook {
    fn name(&self) -> String {
        format!("the webhook at {}", self.0.host())
    }

    fn send<'a>(&'a self, _app: &'a App, message: &'a Message) -> Sending<'a> {
        Box::pin(self.0.post(move |request| request.json(message)))
    }
}
