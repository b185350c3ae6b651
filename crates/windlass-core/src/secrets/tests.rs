//! What goes and what stays, in texts, in values, and in streams that are cut anywhere.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use serde_json::json;

use super::*;

const A36: &str = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

fn environment() -> Secrets {
    let variables = [
        ("DEPLOY_TOKEN", "canary-0123456789-abcdef/+"),
        ("DB_PASSWORD", "correct horse \"battery\""),
        ("SSH_KEY", "/home/ada/.ssh/id_ed25519"),
        ("FLAG_KEY", "true"),
    ];
    Secrets::of_environment(variables.map(|(name, value)| (name.into(), value.into())))
}

fn tokens() -> Vec<String> {
    vec![
        format!("ghp_{A36}"),
        format!("gho_{A36}"),
        format!("github_pat_11ABCDEFG0_{A36}"),
        format!("glpat-{A36}"),
        format!("sk-ant-api03-{A36}-{A36}"),
        format!("sk-proj-{A36}"),
        format!("hf_{A36}"),
        format!("npm_{A36}"),
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        format!("AIza{A36}"),
        "xoxb-123456789012-abcdefABCDEF".to_owned(),
        format!("eyJhbGciOiJIUzI1NiJ9.{A36}.{A36}"),
        "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----".to_owned(),
        format!("-----BEGIN PRIVATE KEY-----\\n{A36}\\n-----END PRIVATE KEY-----"),
    ]
}

#[test]
fn well_known_shapes_go() {
    for token in tokens() {
        let text = format!("It prints `{token}`, and more.");
        let without = Secrets::shapes().redact(&text).into_owned();
        assert_eq!(without, "It prints `[redacted]`, and more.", "{token}");
    }
    let redact = |text: &str| Secrets::shapes().redact(text).into_owned();
    assert_eq!(
        redact("git clone https://ada:hunter2@example.org/x and https://a@b"),
        "git clone https://[redacted]@example.org/x and https://a@b"
    );
    assert_eq!(
        redact("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        "aws_secret_access_key = [redacted]"
    );
}

#[test]
fn a_token_behind_an_escape_of_json_is_one() {
    let text = format!(r#"{{"text":"one\nsk-{A36}"}}"#);
    assert_eq!(Secrets::shapes().redact(&text), r#"{"text":"one\n[redacted]"}"#);
}

#[test]
fn a_key_that_is_cut_off_goes_and_a_mention_of_one_stays() {
    let redact = |text: &str| Secrets::shapes().redact(text).into_owned();
    let cut = format!("-----BEGIN RSA PRIVATE KEY-----\n{A36}\n{A36}\n");
    assert_eq!(redact(&cut), REDACTED);
    for text in [
        r#"{"title": "a file has -----BEGIN RSA PRIVATE KEY----- in it", "line": 3}"#,
        r#"["-----BEGIN PRIVATE KEY-----", {"a": 1}, "-----END PRIVATE KEY-----"]"#,
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn words_stay() {
    for text in [
        "a task-force-that-is-very-long-indeed-12",
        "sk-learn-is-a-library-with-a-long-name",
        "the prefix ghp_ alone, AKIA, xoxb-",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "https://example.org/@ada:x",
        "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXX0 is a map",
        "c2hhMjU2 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ] {
        assert_eq!(Secrets::shapes().redact(text), text);
    }
}

#[test]
fn known_values_go_in_every_form_and_ordinary_ones_stay() {
    let secrets = environment();
    let redact = |text: &str| secrets.redact(text).into_owned();
    assert_eq!(redact("x=canary-0123456789-abcdef/+;"), "x=[redacted:DEPLOY_TOKEN];");
    // `printf 'u:canary-0123456789-abcdef/+' | base64`
    let basic = redact("Basic dTpjYW5hcnktMDEyMzQ1Njc4OS1hYmNkZWYvKw==");
    assert!(basic.contains("[redacted:DEPLOY_TOKEN, encoded]"), "{basic}");
    assert_eq!(redact("?t=canary-0123456789-abcdef%2F%2B"), "?t=[redacted:DEPLOY_TOKEN, encoded]");
    assert_eq!(redact(r#""correct horse \"battery\"""#), r#""[redacted:DB_PASSWORD]""#);
    for text in ["/home/ada/.ssh/id_ed25519", "true"] {
        assert_eq!(redact(text), text);
    }
    assert_eq!(format!("{secrets:?}"), r#"{"DEPLOY_TOKEN", "DB_PASSWORD"}"#);
}

#[test]
fn values_lose_their_secrets_and_get_those_of_variables_back() {
    let secrets = environment();
    let token = format!("ghp_{A36}");
    let value =
        json!({"argv": ["--auth", "canary-0123456789-abcdef/+"], "env": {"X": token}, "n": 1});
    let mut cleaned = secrets.cleaned(&value).unwrap();
    let expected = json!({
        "argv": ["--auth", "[redacted:DEPLOY_TOKEN]"], "env": {"X": "[redacted]"}, "n": 1
    });
    assert_eq!(cleaned, expected);
    assert_eq!(secrets.cleaned(&cleaned), None, "what is clean stays as it is");
    secrets.restore_json(&mut cleaned);
    assert_eq!(cleaned["argv"][1], "canary-0123456789-abcdef/+");
}

/// What comes out of a masker for these pieces.
fn masked(secrets: &Arc<Secrets>, pieces: &[&[u8]]) -> Vec<u8> {
    let mut masker = Masker::new(Arc::clone(secrets));
    let mut out = Vec::new();
    for piece in pieces {
        masker.push(piece, |bytes| out.extend_from_slice(bytes));
    }
    masker.finish(|bytes| out.extend_from_slice(bytes));
    out
}

#[test]
fn a_stream_keeps_its_length() {
    let text = b"a canary-0123456789-abcdef/+ b";
    let out = masked(&Arc::new(environment()), &[text]);
    assert_eq!(String::from_utf8(out).unwrap(), "a [redacted:DEPLOY_TOKEN]*** b");
}

#[test]
fn what_is_harmless_comes_out_at_once() {
    let mut masker = Masker::new(Arc::new(environment()));
    let mut out = Vec::new();
    masker.push(b"all is well, can", |bytes| out.extend_from_slice(bytes));
    assert_eq!(out, b"all is well, ");
    masker.push(b"to", |bytes| out.extend_from_slice(bytes));
    assert_eq!(out, b"all is well, canto");
}

#[test]
fn a_long_piece_is_covered_wherever_its_secrets_stand() {
    let secrets = Arc::new(environment());
    for lead in 0..200 {
        let harmless = "x ".repeat(lead);
        let text = format!("{harmless}canary-0123456789-abcdef/+ {harmless}ghp_{A36} end");
        let out = String::from_utf8(masked(&secrets, &[text.as_bytes()])).unwrap();
        let expected = text
            .replace("canary-0123456789-abcdef/+", "[redacted:DEPLOY_TOKEN]***")
            .replace(&format!("ghp_{A36}"), &format!("[redacted]{}", "*".repeat(30)));
        assert_eq!(out, expected, "after {lead} words");
    }
}

#[test]
fn a_password_in_an_address_is_covered_wherever_it_stands_in_a_long_piece() {
    let secrets = Arc::new(environment());
    for lead in 0..200 {
        let text = format!("{}https://ann:correct-horse-9@example.org/x end", "x ".repeat(lead));
        let out = String::from_utf8(masked(&secrets, &[text.as_bytes()])).unwrap();
        assert!(!out.contains("correct-horse-9"), "after {lead} words: {out}");
        assert!(out.ends_with("@example.org/x end"), "after {lead} words: {out}");
    }
}

#[test]
fn both_halves_of_a_secret_with_a_gap_are_covered() {
    let mut masker = Masker::new(Arc::new(environment()));
    let mut out = Vec::new();
    masker.push(b"x canary-0123", |bytes| out.extend_from_slice(bytes));
    masker.skip(|bytes| out.extend_from_slice(bytes));
    masker.push(b"89-abcdef/+ and horse", |bytes| out.extend_from_slice(bytes));
    masker.finish(|bytes| out.extend_from_slice(bytes));
    assert_eq!(String::from_utf8(out).unwrap(), "x ********************** and horse");
}

static ENVIRONMENT: LazyLock<Arc<Secrets>> = LazyLock::new(|| Arc::new(environment()));

proptest! {
    #[test]
    fn a_secret_in_any_surroundings_cut_anywhere_is_gone(
        before in "\\PC{0,150}", after in "\\PC{0,150}", which in 0_usize..15, cuts in prop::collection::vec(0_usize..1000, 0..6),
    ) {
        let secrets = Arc::clone(&ENVIRONMENT);
        let mut all = tokens();
        all.push("canary-0123456789-abcdef/+".to_owned());
        let secret = &all[which];
        let text = format!("{before} {secret} {after}");
        prop_assert!(!secrets.redact(&text).contains(secret.as_str()));
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (text.len() + 1)).collect();
        cuts.sort_unstable();
        let (mut pieces, mut at) = (Vec::new(), 0);
        for cut in cuts {
            pieces.push(&text.as_bytes()[at..cut]);
            at = cut;
        }
        pieces.push(&text.as_bytes()[at..]);
        let out = masked(&secrets, &pieces);
        prop_assert_eq!(out.len(), text.len());
        let whole = masked(&secrets, &[text.as_bytes()]);
        prop_assert_eq!(&out, &whole);
        prop_assert!(memchr::memmem::find(&out, secret.as_bytes()).is_none());
    }

    #[test]
    fn no_text_makes_it_fall(text in "\\PC{0,400}") {
        let once = Secrets::shapes().redact(&text).into_owned();
        prop_assert_eq!(Secrets::shapes().redact(&once), once.as_str());
    }
}

#[test]
fn a_key_that_is_said_in_pieces_goes_as_a_whole() {
    let secrets = Secrets::shapes();
    let (mut in_key, mut said) = (false, Vec::new());
    for piece in [
        "here: -----BEGIN RSA PRIVATE KEY-----\n",
        &format!("{A36}\n{A36}\n"),
        &format!("{A36}\n"),
        "-----END RSA PRIVATE KEY-----\nand that was it",
        "more words",
    ] {
        let mut text = piece.to_owned();
        secrets.take_keys_out(&mut text, &mut in_key);
        said.push(text);
    }
    let said = said.concat();
    assert!(!said.contains(A36), "{said}");
    assert!(said.ends_with("and that was itmore words"), "{said}");
}
