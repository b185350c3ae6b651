//! Secrets taken out of a text before it leaves: values that are known, and whatever has the shape
//! of a well-known token. Pure.

use std::borrow::Cow;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// A known value shorter than this is no secret: taking it out would tell more than it hides.
const SHORTEST: usize = 6;

/// The shape of a token: how it begins, and how many characters must follow at least.
struct Shape {
    begins: &'static str,
    least: usize,
    /// Characters that may follow beside letters and digits.
    also: &'static str,
}

const fn shape(begins: &'static str, least: usize, also: &'static str) -> Shape {
    Shape { begins, least, also }
}

const SHAPES: [Shape; 22] = [
    shape("github_pat_", 20, "_"),
    shape("ghp_", 20, ""),
    shape("gho_", 20, ""),
    shape("ghu_", 20, ""),
    shape("ghs_", 20, "_-."),
    shape("ghr_", 20, ""),
    shape("glpat-", 16, "_-."),
    shape("sk-", 20, "_-"),
    shape("sk_live_", 16, ""),
    shape("rk_live_", 16, ""),
    shape("AKIA", 16, ""),
    shape("ASIA", 16, ""),
    shape("AIza", 30, "_-"),
    shape("xoxb-", 10, "-"),
    shape("xoxp-", 10, "-"),
    shape("xoxa-", 10, "-"),
    shape("xoxe-", 10, "-"),
    shape("xoxr-", 10, "-"),
    shape("xoxs-", 10, "-"),
    shape("xapp-", 10, "-"),
    shape("npm_", 30, ""),
    shape("eyJ", 40, "_-."),
];

/// What tokens begin with.
const FIRST: &str = "gsrAxne";

/// The text without these values, and without anything that has the shape of a token.
#[must_use]
pub fn redact<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for secret in secrets {
        if secret.len() >= SHORTEST && text.contains(secret) {
            text = Cow::Owned(text.replace(secret, REDACTED));
        }
    }
    for take_out in [keys, passwords, tokens] {
        if let Some(without) = take_out(&text) {
            text = Cow::Owned(without);
        }
    }
    text
}

/// Private keys, whole; one without an end goes on to the end.
fn keys(text: &str) -> Option<String> {
    const BEGIN: &str = "-----BEGIN ";
    let mut out: Option<String> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find(BEGIN) {
        let start = at + found;
        let label = text[start + BEGIN.len()..].split("-----").next().unwrap_or_default();
        let after = start + BEGIN.len() + label.len();
        if label.len() > 60 || !label.contains("PRIVATE KEY") {
            out.get_or_insert_default().push_str(&text[at..after]);
            at = after;
            continue;
        }
        let out = out.get_or_insert_default();
        out.push_str(&text[at..start]);
        out.push_str(REDACTED);
        let end = format!("-----END {label}-----");
        at = text[after..].find(&end).map_or(text.len(), |found| after + found + end.len());
    }
    let mut out = out?;
    out.push_str(&text[at..]);
    Some(out)
}

/// What stands between `://` and `@` in an address: a name and a password.
fn passwords(text: &str) -> Option<String> {
    let mut out: Option<String> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find("://") {
        let start = at + found + 3;
        let is_end = |c: char| c.is_whitespace() || "/?#\"'`<>()".contains(c);
        let place = &text[start..text[start..].find(is_end).map_or(text.len(), |end| start + end)];
        let out = out.get_or_insert_default();
        out.push_str(&text[at..start]);
        at = start;
        if let Some((who, _)) = place.rsplit_once('@')
            && who.contains(':')
        {
            out.push_str(REDACTED);
            at += who.len();
        }
    }
    let mut out = out?;
    out.push_str(&text[at..]);
    Some(out)
}

/// Whatever has the shape of a token.
fn tokens(text: &str) -> Option<String> {
    let mut out: Option<String> = None;
    let (mut at, mut copied, mut before) = (0, 0, None);
    while let Some(c) = text[at..].chars().next() {
        let is_inside = before.is_some_and(|c: char| c.is_ascii_alphanumeric());
        // Most characters begin no token; they are passed by without a look at every shape.
        let may_begin = !is_inside && FIRST.contains(c);
        let length = || SHAPES.iter().find_map(|shape| shape.length(&text[at..]));
        match may_begin.then(length).flatten() {
            Some(length) => {
                let out = out.get_or_insert_default();
                out.push_str(&text[copied..at]);
                out.push_str(REDACTED);
                at += length;
                copied = at;
                before = Some('x');
            }
            None => {
                at += c.len_utf8();
                before = Some(c);
            }
        }
    }
    let mut out = out?;
    out.push_str(&text[copied..]);
    Some(out)
}

impl Shape {
    /// How long the token is that the text begins with.
    fn length(&self, text: &str) -> Option<usize> {
        let rest = text.strip_prefix(self.begins)?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || self.also.contains(c);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // Words may begin like a token; a token has a digit in it.
        let has_digit = rest[..length].contains(|c: char| c.is_ascii_digit());
        (length >= self.least && has_digit).then_some(self.begins.len() + length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn well_known_shapes_go() {
        let a36 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        for token in [
            format!("ghp_{a36}"),
            format!("gho_{a36}"),
            format!("github_pat_11ABCDEFG0_{a36}"),
            format!("sk-ant-api03-{a36}-{a36}"),
            format!("sk-proj-{a36}"),
            "AKIAIOSFODNN7EXAMPLE".to_owned(),
            "xoxb-123456789012-abcdefABCDEF".to_owned(),
            format!("eyJhbGciOiJIUzI1NiJ9.{a36}.{a36}"),
            "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----"
                .to_owned(),
        ] {
            let text = format!("It prints `{token}`, and more.");
            assert_eq!(redact(&text, &[]), "It prints `[redacted]`, and more.", "{token}");
        }
        assert_eq!(redact("-----BEGIN PRIVATE KEY-----\ncut off", &[]), REDACTED);
        assert_eq!(
            redact("git clone https://ada:hunter2@example.org/x and https://a@b", &[]),
            "git clone https://[redacted]@example.org/x and https://a@b"
        );
    }

    #[test]
    fn every_shape_is_looked_for() {
        assert!(SHAPES.iter().all(|shape| shape.begins.starts_with(|c| FIRST.contains(c))));
    }

    #[test]
    fn words_stay() {
        for text in [
            "a task-force-that-is-very-long-indeed-12",
            "sk-learn-is-a-library-with-a-long-name",
            "the prefix ghp_ alone, AKIA, xoxb-",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
            "https://example.org/@ada:x",
        ] {
            assert_eq!(redact(text, &[]), text);
        }
    }

    #[test]
    fn a_known_value_goes_wherever_it_stands() {
        assert_eq!(redact("x=hunter22;hunter22", &["hunter22"]), "x=[redacted];[redacted]");
        assert_eq!(redact("a cat", &["a", ""]), "a cat");
    }

    proptest! {
        #[test]
        fn a_token_in_any_surroundings_is_gone(before in "\\PC{0,20}", after in "\\PC{0,20}") {
            let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
            let text = format!("{before} {token} {after}");
            prop_assert!(!redact(&text, &[]).contains(token));
            let close = [before.as_str(), token, after.as_str()].concat();
            prop_assert!(!redact(&close, &[token]).contains(token));
        }
    }
}
