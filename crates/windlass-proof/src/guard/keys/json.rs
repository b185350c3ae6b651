//! JSON: guarded keys are members of the outermost object. All other members keep their bytes.

use serde_json::Value;

use super::{
    Difference, Unreadable,
    json_members::{Member, Object},
};

pub(super) fn differences(
    original: &str,
    current: &str,
    keys: &[String],
) -> Result<Vec<Difference>, Unreadable> {
    let (original, current) = (read(original)?, Object::read(current)?);
    Ok(keys.iter().filter_map(|key| differs(&original, &current, key)).collect())
}

pub(super) fn restore(
    original: &str,
    current: &str,
    keys: &[String],
) -> Result<String, Unreadable> {
    let (original, mut current) = (read(original)?, Object::read(current)?);
    for key in keys {
        if differs(&original, &current, key).is_some() {
            put(&original, &mut current, key);
        }
    }
    Ok(current.to_string())
}

/// The original, which need not have been there.
fn read(text: &str) -> Result<Object<'_>, Unreadable> {
    Object::read(if text.trim().is_empty() { "{}" } else { text })
}

fn differs(original: &Object<'_>, current: &Object<'_>, key: &str) -> Option<Difference> {
    // All of the same name count: readers do not agree on which of two holds.
    let values = |object: &Object<'_>| -> Option<Vec<Value>> {
        let named = object.members.iter().filter(|member| member.name == key);
        let values: Vec<Value> = named.map(|member| member.value.clone()).collect();
        (!values.is_empty()).then_some(values)
    };
    Difference::between(key, values(original).as_ref(), values(current).as_ref())
}

/// Puts the original's members of one name in the place of those that are there.
fn put<'a>(original: &Object<'a>, current: &mut Object<'a>, key: &str) {
    let is_key = |member: &Member<'_>| member.name == key;
    let lead = current.members.first().map_or("\n  ", |first| first.lead);
    let lead = if lead.trim().is_empty() { lead } else { "\n  " };
    let at = current.members.iter().position(is_key).unwrap_or_else(|| {
        // After the one that it followed.
        let before = original.members.iter().take_while(|member| !is_key(member));
        let last = before.last().map(|member| &member.name);
        let follows = |member: &Member<'_>| Some(&member.name) == last;
        current.members.iter().rposition(follows).map_or(current.members.len(), |at| at + 1)
    });
    current.members.retain(|member| !is_key(member));
    let back = original.members.iter().filter(|member| is_key(member));
    let back = back.map(|member| Member { lead, trail: "", ..member.clone() });
    current.members.splice(at..at, back);
    if current.closing.is_empty() && lead.contains('\n') {
        current.closing = "\n";
    }
}
