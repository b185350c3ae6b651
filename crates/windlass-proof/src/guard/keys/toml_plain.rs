//! What a piece of TOML means, whichever way it is written.

use std::collections::BTreeMap;

use toml_edit::{Item, TableLike, Value};

/// A value without its form: `[a]` with `b = 1` is `a = { b = 1 }`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Map(BTreeMap<String, Plain>),
    List(Vec<Plain>),
    /// Its type, and the value as text.
    Leaf(&'static str, String),
}

impl Plain {
    pub(super) fn of(item: &Item) -> Self {
        match item {
            Item::None => Self::List(Vec::new()),
            Item::Value(value) => Self::value(value),
            Item::Table(table) => Self::table(table),
            Item::ArrayOfTables(tables) => {
                Self::List(tables.iter().map(|table| Self::table(table)).collect())
            }
        }
    }

    fn table(table: &dyn TableLike) -> Self {
        Self::Map(table.iter().map(|(key, item)| (key.to_owned(), Self::of(item))).collect())
    }

    fn value(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Leaf("string", text.value().clone()),
            Value::Integer(number) => Self::Leaf("integer", number.value().to_string()),
            Value::Float(number) => Self::Leaf("float", number.value().to_bits().to_string()),
            Value::Boolean(truth) => Self::Leaf("boolean", truth.value().to_string()),
            Value::Datetime(time) => Self::Leaf("time", time.value().to_string()),
            Value::Array(array) => Self::List(array.iter().map(Self::value).collect()),
            Value::InlineTable(table) => Self::table(table),
        }
    }

    /// The same without tables that hold nothing.
    #[cfg(test)]
    pub(super) fn without_empty(self) -> Self {
        match self {
            Self::Map(map) => {
                let map = map.into_iter().map(|(key, value)| (key, value.without_empty()));
                let is_empty = |value: &Self| matches!(value, Self::Map(map) if map.is_empty());
                Self::Map(map.filter(|(_, value)| !is_empty(value)).collect())
            }
            other => other,
        }
    }
}
