//! `ntfy:URL`: a topic at ntfy.sh or at a server of one's own: the sentence as the body, the rest as
//! headers.

use std::sync::Arc;

use super::{Channel, Message, Sending, When, post::Address};
use crate::host::app::App;

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    Ok(Arc::new(Ntfy(Address::new(rest)?)))
}

#[derive(Debug)]
struct Ntfy(Address);

impl Channel for Ntfy {
    fn name(&self) -> String {
        format!("ntfy at {}", self.0.host())
    }

    fn send<'a>(&'a self, _app: &'a App, message: &'a Message) -> Sending<'a> {
        let tag = match (message.event, message.success) {
            (When::End, Some(true)) => "white_check_mark",
            (When::Limit, _) => "hourglass_flowing_sand",
            _ => "warning",
        };
        // A header is plain ASCII; a loop's name may not be.
        let title: String =
            message.title().chars().map(|c| if c.is_ascii_graphic() { c } else { ' ' }).collect();
        Box::pin(self.0.post(move |request| {
            request.header("Title", title).header("Tags", tag).body(message.text.clone())
        }))
    }
}
