//! Reads one plain value from the text of a git config: no includes, no conditions, nothing that git
//! itself would not have written so. It serves where git cannot be asked yet.

/// The last value of `section.key`, as it stands.
pub fn plain_value<'a>(config: &'a [u8], section: &str, key: &str) -> Option<&'a [u8]> {
    let wanted = format!("{section}]");
    let mut is_in_section = false;
    let mut found = None;
    for line in config.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if let Some(name) = line.strip_prefix(b"[") {
            is_in_section = name.to_ascii_lowercase().starts_with(wanted.as_bytes());
        } else if is_in_section && let Some(at) = line.iter().position(|byte| *byte == b'=') {
            let (name, value) = (line[..at].trim_ascii(), line[at + 1..].trim_ascii());
            if name.eq_ignore_ascii_case(key.as_bytes()) {
                found = Some(unquoted(value));
            }
        }
    }
    found
}

fn unquoted(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_the_section_counts() {
        let config = b"[core]\n\tworktree = a\n[Core]\n WorkTree=\"b c\"\n[other]\nworktree = d\n";
        assert_eq!(plain_value(config, "core", "worktree"), Some(&b"b c"[..]));
        assert_eq!(plain_value(config, "core", "bare"), None);
        assert_eq!(plain_value(b"[core \"x\"]\nworktree = y\n", "core", "worktree"), None);
    }
}
