//! Credentials that an agent renews in a sandbox: of its copy of the file only tokens and their
//! expiry come back, and only if they follow from what was copied.

use std::cmp::Ordering;

use serde_json::Value;

/// The longest token that is taken.
const LONGEST: usize = 64 * 1024;

/// Which fields of a credentials file are renewed, as JSON pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CredentialFields {
    /// Whether every member of the file is a sign-in, in which the pointers begin.
    pub of_each_member: bool,
    /// The tokens.
    pub tokens: &'static [&'static str],
    /// Until when they are good, or when they were renewed: what is later is newer.
    pub expiry: &'static str,
    /// Whose they are, where the file tells.
    pub account: &'static [&'static str],
}

/// What became of an agent's copy of its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renewed {
    /// Nothing in it is newer.
    Nothing,
    /// The file as it is to be from now on.
    Taken(Vec<u8>),
    /// It cannot be what the agent's provider gave: why.
    Refused(&'static str),
}

impl CredentialFields {
    /// What comes back of `after`, the copy as the session left it. `before` is what was copied, and
    /// what the user's own file still holds.
    pub fn renewed(&self, before: &[u8], after: &[u8]) -> Renewed {
        let Ok(mut file) = serde_json::from_slice::<Value>(before) else { return Renewed::Nothing };
        let Ok(left) = serde_json::from_slice::<Value>(after) else {
            return Renewed::Refused("it is no JSON any more");
        };
        let taken = match (self.of_each_member, file.as_object_mut()) {
            (false, _) => self.take(&mut file, &left),
            (true, Some(members)) => members
                .iter_mut()
                .filter_map(|(name, member)| Some((member, left.get(name)?)))
                .try_fold(false, |any, (member, left)| Ok(self.take(member, left)? || any)),
            (true, None) => Ok(false),
        };
        match taken {
            Err(why) => Renewed::Refused(why),
            Ok(false) => Renewed::Nothing,
            Ok(true) => Renewed::Taken(written(&file, before)),
        }
    }

    /// Takes what is newer of one sign-in; says whether anything is.
    fn take(&self, sign_in: &mut Value, left: &Value) -> Result<bool, &'static str> {
        // A file that told no account may be written by a version of the agent that does.
        let is_another = |field: &&str| {
            let before = sign_in.pointer(field);
            before.is_some() && before != left.pointer(field)
        };
        if self.account.iter().any(is_another) {
            return Err("it is of another account");
        }
        let (Some(before), Some(after)) = (sign_in.pointer(self.expiry), left.pointer(self.expiry))
        else {
            return Ok(false);
        };
        match later(before, after) {
            None => return Err("its expiry is no time"),
            Some(Ordering::Greater) => (),
            Some(Ordering::Less | Ordering::Equal) => return Ok(false),
        }
        let fields = self.tokens.iter().filter(|field| sign_in.pointer(field).is_some());
        let fields: Vec<&str> = fields.copied().collect();
        let is_token = |field: &&str| {
            let token = left.pointer(field).and_then(Value::as_str);
            token.is_some_and(|token| !token.is_empty() && token.len() <= LONGEST)
        };
        if !fields.iter().all(is_token) {
            return Err("a token is missing in it");
        }
        for field in fields.into_iter().chain([self.expiry]) {
            if let (Some(to), Some(from)) = (sign_in.pointer_mut(field), left.pointer(field)) {
                to.clone_from(from);
            }
        }
        Ok(true)
    }
}

/// Whether a time is later than the one before; `None` where it is none.
fn later(before: &Value, after: &Value) -> Option<Ordering> {
    match (before, after) {
        (Value::String(before), Value::String(after)) => {
            let parse = |time: &str| time.parse::<jiff::Timestamp>().ok();
            Some(parse(after)?.cmp(&parse(before)?))
        }
        _ => after.as_f64()?.partial_cmp(&before.as_f64()?),
    }
}

/// A file in the form that it had: on one line, or on several.
fn written(file: &Value, before: &[u8]) -> Vec<u8> {
    let is_on_lines = before.trim_ascii().contains(&b'\n');
    let text = if is_on_lines { format!("{file:#}") } else { file.to_string() };
    let end = if before.ends_with(b"\n") { "\n" } else { "" };
    format!("{text}{end}").into_bytes()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FIELDS: CredentialFields = CredentialFields {
        of_each_member: false,
        tokens: &["/a/token", "/a/refresh"],
        expiry: "/a/expires",
        account: &["/who"],
    };

    fn renewed(after: Value) -> Renewed {
        let before =
            json!({"who": "ada", "a": {"token": "t1", "refresh": "r1", "expires": 5, "x": 1}});
        FIELDS.renewed(before.to_string().as_bytes(), after.to_string().as_bytes())
    }

    #[test]
    fn only_tokens_and_expiry_come_back() {
        let after = json!({"who": "ada", "hook": "evil",
            "a": {"token": "t2", "refresh": "r2", "expires": 9, "x": 666, "more": true}});
        let Renewed::Taken(text) = renewed(after) else { panic!("it was not taken") };
        let text: Value = serde_json::from_slice(&text).unwrap();
        let expected =
            json!({"who": "ada", "a": {"token": "t2", "refresh": "r2", "expires": 9, "x": 1}});
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_not_later_is_nothing() {
        for expires in [4, 5] {
            let after =
                json!({"who": "ada", "a": {"token": "t2", "refresh": "r2", "expires": expires}});
            assert_eq!(renewed(after), Renewed::Nothing);
        }
        assert_eq!(renewed(json!({"who": "ada"})), Renewed::Nothing);
    }

    #[test]
    fn another_account_and_what_is_no_token_are_refused() {
        for after in [
            json!({"who": "eve", "a": {"token": "t2", "refresh": "r2", "expires": 9}}),
            json!({"a": {"token": "t2", "refresh": "r2", "expires": 9}}),
            json!({"who": "ada", "a": {"token": ["t2"], "refresh": "r2", "expires": 9}}),
            json!({"who": "ada", "a": {"token": "t2", "expires": 9}}),
            json!({"who": "ada", "a": {"token": "t2", "refresh": "r2", "expires": "soon"}}),
            json!({"who": "ada", "a": {"token": "x".repeat(LONGEST + 1), "refresh": "r2", "expires": 9}}),
        ] {
            assert!(matches!(renewed(after.clone()), Renewed::Refused(_)), "{after}");
        }
        assert!(matches!(FIELDS.renewed(b"{}", b"garbage"), Renewed::Refused(_)));
        assert_eq!(FIELDS.renewed(b"no json", b"{}"), Renewed::Nothing);
    }

    #[test]
    fn an_account_that_the_file_did_not_tell_is_no_other_one() {
        let before = json!({"a": {"token": "t1", "refresh": "r1", "expires": 5}}).to_string();
        let after = json!({"who": "ada", "a": {"token": "t2", "refresh": "r2", "expires": 9}});
        let Renewed::Taken(text) = FIELDS.renewed(before.as_bytes(), after.to_string().as_bytes())
        else {
            panic!("it was not taken")
        };
        let text: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(text, json!({"a": {"token": "t2", "refresh": "r2", "expires": 9}}));
    }

    #[test]
    fn each_member_can_be_a_sign_in_and_no_member_is_added() {
        let fields = CredentialFields {
            of_each_member: true,
            tokens: &["/access"],
            expiry: "/at",
            account: &[],
        };
        let before = json!({"p": {"access": "a", "at": "2026-01-01T00:00:00Z"}, "q": {"key": "k"}});
        let after = json!({"p": {"access": "b", "at": "2026-01-02T00:00:00Z"}, "q": {"key": "no"},
            "r": {"access": "new", "at": "2027-01-01T00:00:00Z"}});
        let before = format!("{before:#}\n");
        let Renewed::Taken(text) = fields.renewed(before.as_bytes(), after.to_string().as_bytes())
        else {
            panic!("it was not taken")
        };
        let expected =
            json!({"p": {"access": "b", "at": "2026-01-02T00:00:00Z"}, "q": {"key": "k"}});
        assert_eq!(text, format!("{expected:#}\n").into_bytes());
    }
}
