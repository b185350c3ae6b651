//! Which variables of an environment hold secrets, told by their names and values.

/// How names of secret variables end.
const ENDS: &[&str] = &[
    "TOKEN",
    "KEY",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "_PASS",
    "_PWD",
    "_AUTH",
    "WEBHOOK",
    "WEBHOOK_URL",
];

/// What makes a name one of a secret wherever it stands.
const PARTS: &[&str] = &["SECRET", "PASSWORD", "API_KEY", "APIKEY", "ACCESS_TOKEN", "AUTH_TOKEN"];

/// Names that end like a secret's and hold none.
const HARMLESS: &[&str] = &["PUBLIC_KEY", "PUBKEY", "_PATH", "_FILE", "_DIR", "_ID", "_NAME"];

/// Values shorter than this are no secrets: taking them out would tell more than it hides.
const SHORTEST: usize = 8;

/// What a variable holds that is secret: its value where its name says so, or where it looks like a
/// token; the password where it is an address with one.
pub(super) fn secrets_in(name: String, value: String, is_token: bool) -> Vec<(String, String)> {
    let value = value.trim();
    let mut secrets = Vec::new();
    if let Some(password) = password_in(value).filter(|password| !is_ordinary(password)) {
        secrets.push((format!("password in {name}"), password.to_owned()));
    }
    if is_token || (is_secret_name(&name) && !is_ordinary(value)) {
        secrets.push((name, value.to_owned()));
    }
    secrets
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let ends = ENDS.iter().any(|end| name.ends_with(end));
    let is_harmless = HARMLESS.iter().any(|end| name.ends_with(end));
    // Such as `PATH`, `MONKEY`, `COMPAT`: the word must be one of its own.
    let is_word = ENDS.iter().any(|end| {
        let before = name.strip_suffix(end).filter(|_| !end.starts_with('_'));
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
            || (end.starts_with('_') && name.ends_with(end))
    });
    !is_harmless && ((ends && is_word) || PARTS.iter().any(|part| name.contains(part)))
}

/// Whether a value is one that stands in many texts for other reasons.
fn is_ordinary(value: &str) -> bool {
    let all = |is: fn(&char) -> bool| value.chars().all(|c| is(&c));
    let is_word = all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_' | ' '));
    let is_constant = all(|c| c.is_ascii_uppercase() || matches!(c, '-' | '_'));
    let is_number = all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | ':' | ' '));
    let is_path = value.starts_with(['/', '~', '.', '$'])
        && value.chars().all(|c| c.is_ascii_graphic() && !"+=".contains(c));
    let mut distinct: Vec<char> = value.chars().collect();
    distinct.sort_unstable();
    distinct.dedup();
    value.len() < SHORTEST
        || is_path
        || distinct.len() < 4
        || (value.len() < 16 && (is_word || is_constant))
        || (value.len() < 12 && is_number)
}

/// The password in an address such as `postgres://ada:hunter2@host/`.
fn password_in(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let place = rest.split(['/', '?', '#']).next()?;
    let (who, _) = place.rsplit_once('@')?;
    who.split_once(':').map(|(_, password)| password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known() {
        for name in [
            "GITHUB_TOKEN",
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "DB_PASSWORD",
            "password",
            "TOKEN",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "SLACK_WEBHOOK_URL",
            "AZURE_DEVOPS_EXT_PAT",
            "NPM_AUTH_TOKEN_2",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "MONKEY",
            "COMPAT",
            "SSH_PUBLIC_KEY",
            "API_KEY_FILE",
            "AWS_KEY_ID",
            "MAX_TOKENS",
            "PWD",
            "OLDPWD",
            "XAUTHORITY",
            "EDITOR",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn ordinary_values_stay() {
        for value in [
            "",
            "true",
            "hunter2",
            "/home/ada/.ssh/id_ed25519",
            "~/keys/one",
            "enabled-always",
            "password",
            "32000",
            "2026-11-16",
            "xxxxxxxxxxxx",
            "PRODUCTION",
        ] {
            assert!(is_ordinary(value), "{value}");
        }
        for value in ["hunter22", "correct horse battery", "a8f3c1d9", "/+a8f3c1d9/x=="] {
            assert!(!is_ordinary(value), "{value}");
        }
    }

    #[test]
    fn the_password_of_an_address_is_one_whatever_its_name() {
        let found =
            secrets_in("DATABASE_URL".into(), "postgres://ada:s3cr3t-99@db/x".into(), false);
        assert_eq!(found, [("password in DATABASE_URL".into(), "s3cr3t-99".into())]);
    }
}
