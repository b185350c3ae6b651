//! TOML: guarded keys are dotted paths. The rest of the file keeps its bytes as far as `toml_edit` does.

use std::collections::BTreeSet;

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{Difference, Unreadable, pattern, toml_plain::Plain};

/// Where a guarded key stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// `tool.pytest`
    Path(Vec<String>),
    /// The key of the element of a list that has this name.
    Element { list: String, name: String, key: String },
}

pub(super) fn differences(
    original: &str,
    current: &str,
    keys: &[String],
) -> Result<Vec<Difference>, Unreadable> {
    let (original, current) = (parse(original)?, parse(current)?);
    let ways = ways(&original, &current, keys);
    Ok(ways.iter().filter_map(|way| differs(&original, &current, way)).collect())
}

pub(super) fn restore(
    original: &str,
    current: &str,
    keys: &[String],
) -> Result<String, Unreadable> {
    let start = if current.starts_with(BOM) { "\u{feff}" } else { "" };
    let has_carriage_returns = current.contains("\r\n");
    let (original, mut current) = (parse(original)?, parse(current)?);
    for way in ways(&original, &current, keys) {
        if differs(&original, &current, &way).is_some() {
            let before = way.find(&original).cloned();
            way.put(&mut current, before)?;
        }
    }
    let text = current.to_string();
    let text = if has_carriage_returns { text.replace('\n', "\r\n") } else { text };
    Ok(format!("{start}{text}"))
}

const BOM: char = '\u{feff}';

fn parse(text: &str) -> Result<DocumentMut, Unreadable> {
    let parsed = text.strip_prefix(BOM).unwrap_or(text).parse();
    parsed.map_err(|error: toml_edit::TomlError| Unreadable::new(error.message()))
}

fn differs(original: &DocumentMut, current: &DocumentMut, way: &Way) -> Option<Difference> {
    let plain = |document| way.find(document).map(Plain::of);
    Difference::between(way.shown(), plain(original).as_ref(), plain(current).as_ref())
}

/// The ways to all guarded keys that either file has.
fn ways(original: &DocumentMut, current: &DocumentMut, keys: &[String]) -> BTreeSet<Way> {
    let mut ways = BTreeSet::new();
    for key in keys {
        if let Some((list, key)) = key.split_once("[].") {
            // An element that only one of the files has was added or removed as a whole, which is
            // no matter of tests.
            let (before, now) = (names(original, list), names(current, list));
            ways.extend(before.intersection(&now).map(|name| Way::Element {
                list: list.to_owned(),
                name: name.clone(),
                key: key.to_owned(),
            }));
            continue;
        }
        let parts: Vec<&str> = key.split('.').collect();
        for document in [original, current] {
            collect(document.as_table(), &parts, &mut Vec::new(), &mut ways);
        }
    }
    ways
}

/// Follows one guarded key into a table.
fn collect(
    table: &dyn TableLike,
    parts: &[&str],
    path: &mut Vec<String>,
    ways: &mut BTreeSet<Way>,
) {
    let Some((part, rest)) = parts.split_first() else { return };
    for (name, inner) in table.iter().filter(|(name, _)| pattern::matches(part, '*', name)) {
        path.push(name.to_owned());
        if rest.is_empty() {
            ways.insert(Way::Path(path.clone()));
        } else if let Some(inner) = inner.as_table_like() {
            collect(inner, rest, path, ways);
        }
        path.pop();
    }
}

impl Way {
    fn shown(&self) -> String {
        match self {
            Self::Path(path) => path.join("."),
            Self::Element { list, name, key } => format!("{list}.{name}.{key}"),
        }
    }

    fn find<'a>(&self, document: &'a DocumentMut) -> Option<&'a Item> {
        match self {
            Self::Path(path) => {
                let (last, parents) = path.split_last()?;
                let mut table: &dyn TableLike = document.as_table();
                for key in parents {
                    table = table.get(key)?.as_table_like()?;
                }
                table.get(last).filter(|item| !item.is_none())
            }
            Self::Element { list, name, key } => {
                let mut elements = elements(document, list).into_iter();
                elements.find(|table| name_of(*table) == Some(name))?.get(key)
            }
        }
    }

    /// Puts the original's value in this place, or takes out what is there.
    fn put(&self, document: &mut DocumentMut, value: Option<Item>) -> Result<(), Unreadable> {
        match self {
            Self::Path(path) => put(document.as_item_mut(), path, value),
            Self::Element { list, name, key } => {
                let path = std::slice::from_ref(key);
                let list = document.get_mut(list);
                if let Some(Item::ArrayOfTables(tables)) = list {
                    let mut tables = tables.iter_mut();
                    let table = tables.find(|table| name_of(*table) == Some(name));
                    return table.map_or(Ok(()), |table| put_in(table, false, path, value));
                }
                let inline =
                    list.and_then(Item::as_array_mut).into_iter().flat_map(|it| it.iter_mut());
                let mut inline = inline.filter_map(Value::as_inline_table_mut);
                let table = inline.find(|table| name_of(*table) == Some(name));
                table.map_or(Ok(()), |table| put_in(table, true, path, value))
            }
        }
    }
}

fn put(item: &mut Item, path: &[String], value: Option<Item>) -> Result<(), Unreadable> {
    let is_inline = item.is_value();
    match item.as_table_like_mut() {
        Some(table) => put_in(table, is_inline, path, value),
        None => Err(Unreadable::new(format!("what leads to {} is no table", path.join(".")))),
    }
}

fn put_in(
    table: &mut dyn TableLike,
    is_inline: bool,
    path: &[String],
    value: Option<Item>,
) -> Result<(), Unreadable> {
    let Some((key, rest)) = path.split_first() else { return Ok(()) };
    if rest.is_empty() {
        match value {
            None => drop(table.remove(key)),
            Some(value) => drop(table.insert(key, fitting(value, is_inline)?)),
        }
        return Ok(());
    }
    if !table.contains_key(key) {
        if value.is_none() {
            return Ok(());
        }
        let mut new = Table::new();
        new.set_implicit(true);
        let new = if is_inline { Item::Value(InlineTable::new().into()) } else { Item::Table(new) };
        table.insert(key, new);
    }
    match table.get_mut(key) {
        Some(inner) => put(inner, rest, value),
        None => Ok(()),
    }
}

/// A value in the form that its new place takes.
fn fitting(mut value: Item, is_inline: bool) -> Result<Item, Unreadable> {
    if is_inline {
        let value = value.into_value().map_err(|_| Unreadable::new("a value is no value"))?;
        return Ok(Item::Value(value));
    }
    unplace(&mut value);
    Ok(value)
}

/// Tables know the line that they stood on; in another file they follow what stands before them.
fn unplace(item: &mut Item) {
    match item {
        Item::Table(table) => unplace_table(table),
        Item::ArrayOfTables(tables) => tables.iter_mut().for_each(unplace_table),
        Item::None | Item::Value(_) => (),
    }
}

fn unplace_table(table: &mut Table) {
    table.set_position(None);
    table.iter_mut().for_each(|(_, item)| unplace(item));
}

/// The tables of a list, `[[bin]]` or `bin = [{…}]`.
fn elements<'a>(document: &'a DocumentMut, list: &str) -> Vec<&'a dyn TableLike> {
    let item = document.get(list);
    let tables = item.and_then(Item::as_array_of_tables).into_iter().flatten();
    let inline = item.and_then(Item::as_array).into_iter().flatten();
    let inline = inline.filter_map(Value::as_inline_table);
    let tables = tables.map(|table| table as &dyn TableLike);
    tables.chain(inline.map(|table| table as &dyn TableLike)).collect()
}

fn names(document: &DocumentMut, list: &str) -> BTreeSet<String> {
    let elements = elements(document, list);
    elements.into_iter().filter_map(name_of).map(ToOwned::to_owned).collect()
}

fn name_of(table: &dyn TableLike) -> Option<&str> {
    table.get("name").and_then(Item::as_str)
}

/// A file without its guarded keys, and without tables that are empty then.
#[cfg(test)]
pub(super) fn rest(text: &str, keys: &[String]) -> String {
    let mut document = parse(text).expect("it was read before");
    for way in ways(&document, &document, keys) {
        way.put(&mut document, None).expect("it is there");
    }
    format!("{:?}", Plain::of(document.as_item()).without_empty())
}
