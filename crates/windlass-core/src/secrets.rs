//! Secrets, taken out of whatever is stored, shown, posted or notified: values of variables that
//! are known to be secret, and whatever has the shape of a well-known token. Pure.
//!
//! Texts lose the secret and say so in its place; a stream of bytes, such as a session's raw
//! output, is covered in place, so that its length stays (see [`Masker`]).

mod forms;
mod heads;
mod masker;
mod scan;
mod shapes;
mod variables;

use std::{borrow::Cow, ffi::OsString, fmt, sync::LazyLock};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use masker::Masker;

use scan::{Next, Scanner};

/// What stands in the place of a secret that has no name.
pub(crate) const REDACTED: &str = "[redacted]";

/// How the words begin that stand in the place of any secret.
pub const BEGINS: &str = "[redacted";

/// What is secret. It has no way to be shown.
pub struct Secrets {
    scanner: Scanner,
    /// The variables whose values are secret, for whoever is to have them back.
    variables: Vec<(String, String)>,
}

/// Those without any value that is known: shapes alone.
static SHAPES: LazyLock<Secrets> = LazyLock::new(Secrets::default);

impl Secrets {
    /// Nothing but the shapes of well-known tokens.
    pub(crate) fn shapes() -> &'static Self {
        &SHAPES
    }

    /// The secrets of an environment: the values of those variables that are named as secrets are,
    /// unless they are ordinary, and whatever looks like a token.
    pub fn of_environment(host: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let text = host.into_iter().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::of_variables(text.flat_map(|(name, value)| {
            let is_token = matches!(Self::shapes().redact(&value), Cow::Owned(_));
            variables::secrets_in(name, value, is_token)
        }))
    }

    /// These values, by the names of their variables.
    fn of_variables(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let variables: Vec<_> = variables.into_iter().collect();
        let known = variables.iter().map(|(name, value)| (Some(name.as_str()), value.as_str()));
        Self { scanner: Scanner::new(known), variables }
    }

    /// This one value, whatever it is, and the shapes of well-known tokens.
    pub fn of_value(value: &str) -> Self {
        Self { scanner: Scanner::new([(None, value)]), variables: Vec::new() }
    }

    /// The text without secrets.
    #[must_use]
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let (mut at, mut copied, mut out) = (0, 0, String::new());
        while let Next::Found(found) = self.scanner.next(text.as_bytes(), at, false) {
            // A secret begins and ends between characters; if ever one did not, all goes.
            let Some(before) = text.get(copied..found.start) else {
                return Cow::Borrowed(REDACTED);
            };
            out.push_str(before);
            out.push_str(&found.word());
            (at, copied) = (found.end, found.end);
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(text.get(copied..).unwrap_or(REDACTED));
        Cow::Owned(out)
    }

    /// Takes the secrets out of a text where it stands.
    pub fn clean(&self, text: &mut String) {
        if let Cow::Owned(without) = self.redact(text) {
            *text = without;
        }
    }

    /// Takes private keys out of the next piece of what one speaker says, which may go on from one to
    /// the next. `in_key` says, before and after, whether the pieces are in the middle of one.
    pub fn take_keys_out(&self, text: &mut String, in_key: &mut bool) {
        const BEGIN: &str = "-----BEGIN PRIVATE KEY-----\n";
        let was_in_key = *in_key;
        if was_in_key {
            text.insert_str(0, BEGIN);
        }
        if !text.contains("-----BEGIN ") {
            return;
        }
        *in_key = text.rfind("-----BEGIN ").is_some_and(|at| {
            let next = self.scanner.next(text.as_bytes(), at, true);
            next == Next::Unsure { from: at } && text[at..].contains("PRIVATE KEY-----")
        });
        self.clean(text);
        if was_in_key && text.starts_with(BEGIN) {
            text.drain(..BEGIN.len());
        }
    }

    /// How many of these bytes can be told apart already; what follows may be cut off in a secret.
    pub fn settled(&self, bytes: &[u8]) -> usize {
        // No secret that is cut off at the end begins earlier.
        let mut at = bytes.len().saturating_sub(self.scanner.reach());
        loop {
            match self.scanner.next(bytes, at, true) {
                Next::Found(found) => at = found.end,
                Next::Unsure { from } => return from,
                Next::Nothing => return bytes.len(),
            }
        }
    }

    /// The value without secrets in any of its texts; `None` where it has none, so that it can
    /// stay as it is.
    pub fn cleaned<T: Serialize + DeserializeOwned>(&self, value: &T) -> Option<T> {
        let json = serde_json::to_string(value).ok()?;
        if matches!(self.scanner.next(json.as_bytes(), 0, false), Next::Nothing) {
            return None;
        }
        let mut value: Value = serde_json::from_str(&json).ok()?;
        self.clean_json(&mut value);
        // Words that windlass itself writes, such as types and times, are never secret.
        serde_json::from_value(value).ok()
    }

    /// Takes the secrets out of all texts of a JSON value.
    pub fn clean_json(&self, value: &mut Value) {
        each_text(value, &|text| self.redact(text));
    }

    /// Puts the values of variables back where they were taken out of the texts of a JSON value.
    pub fn restore_json(&self, value: &mut Value) {
        each_text(value, &|text| self.restored(text));
    }

    fn restored<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for (name, value) in &self.variables {
            let word = scan::word(Some(name), false);
            if text.contains(&word) {
                text = Cow::Owned(text.replace(&word, value));
            }
        }
        text
    }
}

/// Nothing but the shapes of well-known tokens.
impl Default for Secrets {
    fn default() -> Self {
        Self::of_variables([])
    }
}

/// Names only: values are secret.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.variables.iter().map(|(name, _)| name)).finish()
    }
}

/// Changes every text in a JSON value, names of fields too.
fn each_text(value: &mut Value, change: &impl Fn(&str) -> Cow<'_, str>) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(changed) = change(text) {
                *text = changed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => {
            for (name, mut field) in std::mem::take(fields) {
                each_text(&mut field, change);
                fields.insert(change(&name).into_owned(), field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

#[cfg(test)]
mod tests;
