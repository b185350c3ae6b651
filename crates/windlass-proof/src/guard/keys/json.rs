//! JSON: guarded keys are members of the outermost object, or of objects in it. All other members keep
//! their bytes.

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
    let paths = keys.iter().flat_map(|key| paths(&original, key));
    Ok(paths.filter_map(|path| differs(&original, &current, &path)).collect())
}

pub(super) fn restore(
    original: &str,
    current: &str,
    keys: &[String],
) -> Result<String, Unreadable> {
    let (original, mut current) = (read(original)?, Object::read(current)?);
    for path in keys.iter().flat_map(|key| paths(&original, key)) {
        if differs(&original, &current, &path).is_some() {
            put_at(&original, &mut current, &path)?;
        }
    }
    Ok(current.to_string())
}

/// The original, which need not have been there.
fn read(text: &str) -> Result<Object<'_>, Unreadable> {
    Object::read(if text.trim().is_empty() { "{}" } else { text })
}

/// The members that a key means: a star stands for those that the original has.
fn paths(original: &Object<'_>, key: &str) -> Vec<Vec<String>> {
    let Some(inner) = key.strip_suffix(".*") else {
        return vec![key.split('.').map(ToOwned::to_owned).collect()];
    };
    let path: Vec<String> = inner.split('.').map(ToOwned::to_owned).collect();
    let there = values(original, &path).unwrap_or_default();
    let names = there.iter().filter_map(Value::as_object).flat_map(|object| object.keys());
    names.map(|name| path.iter().chain([name]).cloned().collect()).collect()
}

fn differs(original: &Object<'_>, current: &Object<'_>, path: &[String]) -> Option<Difference> {
    let (before, now) = (values(original, path), values(current, path));
    Difference::between(path.join("."), before.as_ref(), now.as_ref())
}

/// All of the same name count: readers do not agree on which of two holds.
fn values(object: &Object<'_>, path: &[String]) -> Option<Vec<Value>> {
    let (first, inner) = path.split_first()?;
    let named = object.members.iter().filter(|member| member.name == *first);
    let at = |member: &Member<'_>| {
        inner.iter().try_fold(member.value.clone(), |value, name| value.get(name).cloned())
    };
    let values: Vec<Value> = named.filter_map(at).collect();
    (!values.is_empty()).then_some(values)
}

/// Puts the original's member back at a path.
fn put_at(
    original: &Object<'_>,
    current: &mut Object<'_>,
    path: &[String],
) -> Result<(), Unreadable> {
    let Some((first, inner)) = path.split_first() else { return Ok(()) };
    if inner.is_empty() {
        put(original, current, first);
        return Ok(());
    }
    let written = |object: &Object<'_>| -> Option<String> {
        let member = object.members.iter().find(|member| member.name == *first)?;
        Some(member.text[member.value_at..].to_owned())
    };
    let none = || "{}".to_owned();
    let (before, now) = (written(original), written(current));
    let (before, now) = (before.unwrap_or_else(none), now.unwrap_or_else(none));
    let mut restored = Object::read(&now)?;
    put_at(&Object::read(&before)?, &mut restored, inner)?;
    let restored = restored.to_string();
    let at = current.members.iter().position(|member| member.name == *first);
    match at {
        Some(at) => {
            let member = &mut current.members[at];
            let name = &member.text[..member.value_at];
            member.text = format!("{name}{restored}").into();
        }
        None => {
            let name = format!("{}: ", Value::from(first.as_str()));
            let (value_at, text) = (name.len(), format!("{name}{restored}").into());
            let (name, value) = (first.clone(), Value::Null);
            let lead = current.members.first().map_or("", |first| first.lead);
            current.members.push(Member { name, value, text, value_at, lead, trail: "" });
        }
    }
    Ok(())
}

/// Puts the original's members of one name in the place of those that are there.
fn put(original: &Object<'_>, current: &mut Object<'_>, key: &str) {
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
    let back = back.map(|member| Member {
        name: member.name.clone(),
        value: member.value.clone(),
        text: member.text.clone().into_owned().into(),
        value_at: member.value_at,
        lead,
        trail: "",
    });
    current.members.splice(at..at, back);
    if current.closing.is_empty() && lead.contains('\n') {
        current.closing = "\n";
    }
}
