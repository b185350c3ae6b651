//! `slack:URL`: an incoming webhook of Slack, or of what speaks like it (Mattermost, Rocket.Chat).

use std::sync::Arc;

use serde_json::json;

use super::{Channel, Message, Sending, post::Address};
use crate::host::app::App;

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    Ok(Arc::new(Slack(Address::new(rest)?)))
}

#[derive(Debug)]
struct Slack(Address);

impl Channel for Slack {
    fn name(&self) -> String {
        format!("Slack at {}", self.0.host())
    }

    fn send<'a>(&'a self, _app: &'a App, message: &'a Message) -> Sending<'a> {
        Box::pin(self.0.post(move |request| request.json(&json!({ "text": plain(&message.text) }))))
    }
}

/// Slack reads a little markup: what is not ours mentions nobody and links nowhere.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
