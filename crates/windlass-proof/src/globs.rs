//! Globs of the user: which paths they mean.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// A glob of the user that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("`{glob}` is not a glob")]
pub struct BadGlob {
    glob: String,
    #[source]
    source: globset::Error,
}

/// Compiles the user's globs; a slash is never matched by `*`, only by `**`.
pub fn globs(patterns: &[String]) -> Result<GlobSet, BadGlob> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let relative = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = globset::GlobBuilder::new(relative)
            .literal_separator(true)
            .build()
            .map_err(|source| BadGlob { glob: pattern.clone(), source })?;
        set.add(glob);
        // `tests` and `tests/` protect what is in the directory, as people expect.
        if let Ok(below) = Glob::new(&format!("{}/**", relative.trim_end_matches('/'))) {
            set.add(below);
        }
    }
    set.build().map_err(|source| BadGlob { glob: patterns.join(" "), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_as_a_pattern_protects_what_is_in_it() {
        let set = globs(&["tests/".to_owned(), "*.lock".to_owned()]).unwrap();
        assert!(set.is_match("tests/deep/t.rs"));
        assert!(set.is_match("a.lock"));
        assert!(!set.is_match("sub/a.lock"));
    }

    #[test]
    fn a_broken_glob_is_told() {
        assert_eq!(globs(&["a[".to_owned()]).unwrap_err().to_string(), "`a[` is not a glob");
    }
}
