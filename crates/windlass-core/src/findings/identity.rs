//! What a finding is known again by in another report: its file and its text, where only
//! positions, case and white space are normalised. Other numbers count: "3 retries" and "5
//! retries" are two findings.

mod positions;

use sha2::{Digest, Sha256};

use super::Finding;

impl Finding {
    /// A stable name for what it says and where: a hash of its file, title and description.
    #[must_use]
    pub fn identity(&self) -> String {
        self.text_key()
    }

    /// What the very same finding has in common with this one: file, title and description.
    #[must_use]
    pub(crate) fn text_key(&self) -> String {
        hash(&[
            self.file_key(),
            &positions::without(&self.title),
            &positions::without(&self.description),
        ])
    }

    /// What a finding has in common with this one that is told in other words: file and title.
    #[must_use]
    pub(crate) fn title_key(&self) -> String {
        hash(&[self.file_key(), &positions::without(&self.title)])
    }

    fn file_key(&self) -> &str {
        self.file.as_deref().map(|file| file.trim().trim_start_matches("./")).unwrap_or_default()
    }
}

/// A text without its positions, in lower case and with single spaces.
pub(super) fn plain(text: &str) -> String {
    positions::without(text)
}

fn hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(file: &str, title: &str, description: &str) -> Finding {
        Finding {
            file: Some(file.into()),
            title: title.into(),
            description: description.into(),
            ..Finding::default()
        }
    }

    #[test]
    fn positions_case_and_white_space_do_not_matter() {
        let one = finding("src/a.rs", "Overflow in line 12", "See src/a.rs:12:5 and\n  lines 3-4.");
        let two = finding("./src/a.rs", "overflow  in line 40", "see src/a.rs:40 and lines 30–41.");
        assert_eq!(one.identity(), two.identity());
        assert_eq!(one.title_key(), two.title_key());
    }

    #[test]
    fn other_numbers_files_and_words_do() {
        let one = finding("src/a.rs", "Retries 3 times", "d");
        for other in [
            finding("src/a.rs", "Retries 5 times", "d"),
            finding("src/b.rs", "Retries 3 times", "d"),
            finding("src/A.rs", "Retries 3 times", "d"),
            finding("src/a.rs", "Retries 3 times", "e"),
            finding("src/a.rs", "Retries 3 timesd", ""),
        ] {
            assert_ne!(one.identity(), other.identity(), "{other:?}");
        }
    }

    #[test]
    fn it_stays_what_it_is_over_versions_of_windlass() {
        let one = finding("src/a.rs", "Retries 3 times", "d");
        assert_eq!(one.identity(), "0c672f51528c2397815d1d1e1134f158");
    }
}
