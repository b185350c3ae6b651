//! The path of a finding's file as every auditor would write it.

use std::collections::HashSet;

use super::Finding;

/// The path with slashes, without `./` before it and white space around it; `None` where no file is
/// named.
pub(super) fn of(finding: &Finding) -> Option<String> {
    let path = finding.file.as_deref()?.trim().replace('\\', "/");
    let mut plain = path.as_str();
    while let Some(rest) = plain.strip_prefix("./") {
        plain = rest.trim_start_matches('/');
    }
    (!plain.is_empty()).then(|| plain.to_owned())
}

/// The path without the `a/` or `b/` that diffs put before it. Directories of these names exist too,
/// so it goes only where another finding has the path without it.
pub(super) fn without_side(path: String, plain: &HashSet<String>) -> String {
    let rest = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    match rest.filter(|rest| plain.contains(*rest)) {
        Some(rest) => rest.to_owned(),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_in_one_way() {
        let path = |file: &str| of(&Finding { file: Some(file.into()), ..Finding::default() });
        for written in ["src/a.rs", "./src/a.rs", ".//src/a.rs", "src\\a.rs", " src/a.rs "] {
            assert_eq!(path(written).as_deref(), Some("src/a.rs"), "{written}");
        }
        assert_eq!(path(" "), None);
        assert_eq!(path("./"), None);
        assert_eq!(path("src/A.rs").as_deref(), Some("src/A.rs"));
        assert_eq!(of(&Finding::default()), None);
    }

    #[test]
    fn the_side_of_a_diff_goes_only_where_another_finding_has_none() {
        let plain = HashSet::from(["src/a.rs".to_owned(), "a/b.rs".to_owned()]);
        for (path, expected) in
            [("b/src/a.rs", "src/a.rs"), ("a/src/a.rs", "src/a.rs"), ("a/b.rs", "a/b.rs")]
        {
            assert_eq!(without_side(path.to_owned(), &plain), expected);
        }
    }
}
