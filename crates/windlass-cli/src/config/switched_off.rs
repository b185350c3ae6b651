//! What the config switches on for all loops of a kind, and a flag of this call cannot go with: the
//! flag switches it off. Where both were typed, that is a contradiction, and told as one.

use toml::Value;

use super::layer::{Entries, Origin, Setting};

/// The flags, and what each switches off.
const BY: [(&str, &str); 4] = [
    ("review_only", "loop"),
    ("start_at", "loop"),
    ("local", "loop"),
    // `--check` is the opposite of `--no-check`.
    ("checks", "no_check"),
];

/// Values that change nothing.
const NOTHING: [&str; 1] = ["review"];

/// Switches off what the flags that were typed cannot go with.
pub(super) fn by_typed(entries: &mut Entries) {
    for (flag, switch) in BY {
        let is_typed = |key: &str, entries: &Entries| match entries.get(key) {
            Some(Setting { value, origin: Origin::Flag(name) }) => {
                Some((value.clone(), name.clone()))
            }
            _ => None,
        };
        let Some((value, name)) = is_typed(flag, entries) else { continue };
        let acts = match &value {
            Value::Boolean(is_on) => *is_on,
            value => !value.as_str().is_some_and(|text| NOTHING.contains(&text)),
        };
        if acts && entries.contains_key(switch) && is_typed(switch, entries).is_none() {
            let off = Setting { value: Value::Boolean(false), origin: Origin::Flag(name) };
            entries.insert(switch.to_owned(), off);
        }
    }
}
