//! What a loop and the commands about it print: for people, for programs, and on which stream.

mod finding_loops;
mod finished_loop;
mod flags;
mod running_loop;

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, scripted, world};

/// The names in an object, in their order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A loop `mine` of two iterations: a rejected claim, then a proven one.
fn finished() -> Env {
    let env = world();
    let script = format!("say Looking.\nsay {COMPLETE}\nnext\nwrite a.txt x\nsay So: {COMPLETE}");
    let args = ["--name", "mine", "--check", "test -f a.txt || { echo no a.txt; false; }"];
    scripted(&env, &script, &args).run().success();
    env
}
