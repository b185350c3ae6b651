//! The forms in which a secret value turns up: as it is, as JSON writes it, in base64 wherever it
//! begins there, and as addresses write it.

/// Forms shorter than this are not looked for: they would be found where there is no secret.
const SHORTEST_FORM: usize = 12;

/// A line of a value that is long enough to be a secret of its own, such as one of a private key.
const LONGEST_HARMLESS_LINE: usize = 24;

/// The value as it is, and as JSON writes it.
pub(super) fn plain(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned()];
    let json = serde_json::to_string(value).unwrap_or_default();
    let json = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
    if json != value && !json.is_empty() {
        forms.push(json.to_owned());
    }
    forms
}

/// The other forms of a value.
pub(super) fn encoded(value: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for skipped in 0..3 {
        let standard = base64_inside(value.as_bytes(), skipped);
        forms.push(standard.replace('+', "-").replace('/', "_"));
        forms.push(standard);
    }
    forms.push(percent(value, false));
    forms.push(percent(value, true));
    if value.contains('\n') {
        let lines = value.lines().map(|line| line.trim().to_owned());
        forms.extend(lines.filter(|line| line.len() > LONGEST_HARMLESS_LINE));
    }
    forms.retain(|form| form.len() >= SHORTEST_FORM && form != value);
    forms.sort_unstable();
    forms.dedup();
    forms
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What of the base64 of any text is always the same that holds these bytes after a multiple of
/// three and `skipped` others: the characters that depend on these bytes alone.
fn base64_inside(bytes: &[u8], skipped: usize) -> String {
    let padded: Vec<u8> = std::iter::repeat_n(0, skipped).chain(bytes.iter().copied()).collect();
    let mut out = String::new();
    for group in padded.chunks_exact(3) {
        let bits = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
        for shift in [18, 12, 6, 0] {
            out.push(char::from(ALPHABET[(bits >> shift & 63) as usize]));
        }
    }
    // The characters that the bytes before have a part in.
    let shared = (skipped * 8).div_ceil(6);
    out.get(shared..).unwrap_or_default().to_owned()
}

/// The value as addresses write it.
fn percent(value: &str, lower: bool) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else if lower {
            out.push_str(&format!("%{byte:02x}"));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_found_wherever_the_value_begins_in_it() {
        // `printf 'hunter22-canary' | base64`, and with `u:` and `ab` + `:` before it.
        let value = b"hunter22-canary";
        assert_eq!(base64_inside(value, 0), "aHVudGVyMjItY2FuYXJ5");
        assert!("dTpodW50ZXIyMi1jYW5hcnk=".contains(&base64_inside(value, 2)));
        assert!("YWI6aHVudGVyMjItY2FuYXJ5".contains(&base64_inside(value, 0)));
        assert!("dXM6Omh1bnRlcjIyLWNhbmFyeQ==".contains(&base64_inside(value, 1)));
    }

    #[test]
    fn short_forms_are_not_looked_for() {
        assert_eq!(encoded("abc"), Vec::<String>::new());
        assert!(encoded("a/b+c=d&e").contains(&"a%2Fb%2Bc%3Dd%26e".to_owned()));
    }
}
