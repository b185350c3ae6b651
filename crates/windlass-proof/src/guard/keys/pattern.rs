//! Names with a star in them: `pytest*`, `%.o`.

/// Whether a name is what a pattern means, in which the first `star` stands for anything.
pub(super) fn matches(pattern: &str, star: char, name: &str) -> bool {
    match pattern.split_once(star) {
        None => pattern == name,
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("pytest*", '*', "pytest"));
        assert!(matches("pytest*", '*', "pytest-cov"));
        assert!(matches("%.o", '%', "a/b.o"));
        assert!(!matches("aba%ba", '%', "aba"));
        assert!(!matches("test", '*', "tests"));
    }
}
