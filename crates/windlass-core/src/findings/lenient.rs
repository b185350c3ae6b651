//! JSON as people and models write it: with comments, trailing commas, and line breaks inside
//! strings. What it means stays strict: a name that is there twice, or a comment that stands for
//! something left out, is an error. Reads no further than the value, and never recurses deep.

use serde_json::{Map, Number, Value};

/// Values nested deeper than this are not read; a report has four levels.
const DEEPEST: usize = 64;

/// Words with which a comment stands for something that is not there.
const LEFT_OUT: &[&str] = &["...", "…", "omitted", "truncated", "elided", "abbreviated", " more "];

/// A value that could be read, and where it ends.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// The offset behind its last byte.
    pub(super) end: usize,
    /// Whether there is a comment in it.
    pub(super) has_comment: bool,
}

/// Why no value could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// The offset at which it went wrong.
    pub(super) at: usize,
    /// What is wrong there.
    pub(super) why: String,
    /// Whether the text ended inside the value.
    pub(super) ends_early: bool,
}

/// Reads the value that begins at an offset, after white space and comments.
pub(super) fn value(text: &str, start: usize) -> Result<Parsed, Broken> {
    let mut reader = Reader { text, at: start, has_comment: false };
    reader.skip_blank()?;
    let value = reader.value(0)?;
    Ok(Parsed { value, end: reader.at, has_comment: reader.has_comment })
}

/// The offset of what follows white space and comments.
pub(super) fn after_blank(text: &str, start: usize) -> Result<usize, Broken> {
    let mut reader = Reader { text, at: start, has_comment: false };
    reader.skip_blank()?;
    Ok(reader.at)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    has_comment: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken<T>(&self, why: impl Into<String>) -> Result<T, Broken> {
        let ends_early = self.at >= self.text.len();
        let why = if ends_early { "it ends too early".to_owned() } else { why.into() };
        Err(Broken { at: self.at, why, ends_early })
    }

    fn skip_blank(&mut self) -> Result<(), Broken> {
        loop {
            let blank =
                self.rest().trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}', '\u{a0}']);
            self.at = self.text.len() - blank.len();
            let length = if blank.starts_with("//") {
                blank.find('\n').unwrap_or(blank.len())
            } else if blank.starts_with("/*") {
                match blank.find("*/") {
                    Some(end) => end + 2,
                    None => {
                        self.at = self.text.len();
                        return self.broken("");
                    }
                }
            } else {
                return Ok(());
            };
            self.comment(&blank[..length].to_lowercase())?;
            self.at += length;
        }
    }

    fn comment(&mut self, comment: &str) -> Result<(), Broken> {
        self.has_comment = true;
        if LEFT_OUT.iter().any(|word| comment.contains(word)) {
            return self.broken("a comment stands for something that was left out");
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        if depth > DEEPEST {
            return self.broken("it is nested too deep");
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Broken> {
        let mut map = Map::new();
        self.at += 1;
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some(b'}') => break,
                Some(b'"') => (),
                _ => return self.broken("a name in quotes should be here"),
            }
            let start = self.at;
            let name = self.string()?;
            if map.contains_key(&name) {
                self.at = start;
                return self.broken(format!("`{name}` is there twice"));
            }
            self.skip_blank()?;
            if self.peek() != Some(b':') {
                return self.broken("a colon should be here");
            }
            self.at += 1;
            self.skip_blank()?;
            let value = self.value(depth + 1)?;
            map.insert(name, value);
            if self.is_over(b'}')? {
                break;
            }
        }
        self.at += 1;
        Ok(Value::Object(map))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Broken> {
        let mut list = Vec::new();
        self.at += 1;
        loop {
            self.skip_blank()?;
            if self.peek() == Some(b']') {
                break;
            }
            list.push(self.value(depth + 1)?);
            if self.is_over(b']')? {
                break;
            }
        }
        self.at += 1;
        Ok(Value::Array(list))
    }

    /// After a value: whether the list ends here, or a comma was passed.
    fn is_over(&mut self, close: u8) -> Result<bool, Broken> {
        self.skip_blank()?;
        match self.peek() {
            Some(byte) if byte == close => Ok(true),
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            _ => self.broken("a comma or the end of the list should be here"),
        }
    }

    fn string(&mut self) -> Result<String, Broken> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut is_plain = true;
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                None => {
                    self.at = bytes.len();
                    return self.broken("");
                }
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(byte) => {
                    is_plain &= !byte.is_ascii_control();
                    at += 1;
                }
            }
        }
        let token = &self.text[start..=at];
        let read = if is_plain { serde_json::from_str(token) } else { unbroken(token) };
        let Ok(string) = read else {
            return self.broken("a string is not written as JSON wants it");
        };
        self.at = at + 1;
        Ok(string)
    }

    fn number(&mut self) -> Result<Value, Broken> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || ['-', '+', '.'].contains(&c)))
            .unwrap_or(rest.len());
        let Ok(number) = serde_json::from_str::<Number>(&rest[..length]) else {
            return self.broken("that is no number");
        };
        self.at += length;
        Ok(Value::Number(number))
    }

    fn word(&mut self) -> Result<Value, Broken> {
        let words =
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
        for (word, value) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.broken("a value should be here")
    }
}

/// A string with line breaks and other control characters in it, which JSON wants to be escaped.
fn unbroken(token: &str) -> serde_json::Result<String> {
    let mut escaped = String::with_capacity(token.len() + 16);
    for c in token.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            c if c.is_ascii_control() => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    serde_json::from_str(&escaped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        value(text, 0).map(|parsed| parsed.value).map_err(|broken| broken.why)
    }

    #[test]
    fn comments_trailing_commas_and_line_breaks_in_strings_are_read() {
        let text = "/* a */ {\n// b\n\"a\": [1, 2.5, -3e2,], \"b\" : \"x\ny\\\"\\u00e4\", /* c */ \"c\": null,\n}";
        assert_eq!(read(text), Ok(json!({"a": [1, 2.5, -300.0], "b": "x\ny\"ä", "c": null})));
        assert_eq!(read("[true, false , []]"), Ok(json!([true, false, []])));
        assert_eq!(read("{\"url\": \"http://a/b\"}"), Ok(json!({"url": "http://a/b"})));
    }

    #[test]
    fn what_has_no_one_meaning_is_an_error() {
        for (text, why) in [
            ("{\"a\": 1, \"a\": 2}", "`a` is there twice"),
            ("[1 2]", "a comma or the end of the list should be here"),
            ("[,]", "a value should be here"),
            ("{a: 1}", "a name in quotes should be here"),
            ("{\"a\" 1}", "a colon should be here"),
            ("[1, // ... and so on\n]", "a comment stands for something that was left out"),
            ("[1", "it ends too early"),
            ("[\"a", "it ends too early"),
            ("[\"a\\", "it ends too early"),
            ("[/* a", "it ends too early"),
            ("", "it ends too early"),
            ("[01]", "that is no number"),
            ("[\"\\x\"]", "a string is not written as JSON wants it"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_deep_nest_is_refused_before_the_stack_is_used_up() {
        assert_eq!(read(&"[".repeat(1_000_000)), Err("it is nested too deep".to_owned()));
    }
}
