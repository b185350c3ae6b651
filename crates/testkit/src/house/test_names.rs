//! Names of tests in scripts and in the runner's config: each must be of a test that exists, or a
//! script runs nothing and a time limit holds for nothing.

use super::package::Package;

/// The names of all tests of some packages, as the runner has them: `gym::the_sums_hold`.
pub fn all(packages: &[Package]) -> Vec<String> {
    let mut names = Vec::new();
    for package in packages {
        for member in package.targets.iter().flat_map(|target| &target.members) {
            for test in &package.files[member.file].facts.tests {
                let module = member.module[1..].iter().chain(&test.scope);
                let path: Vec<&str> =
                    module.map(String::as_str).chain([test.name.as_str()]).collect();
                names.push(path.join("::"));
            }
        }
    }
    names
}

/// Filters of the runner, `test(/^a::(b|c)/)`, that some alternative of which no test matches; and
/// filters that cannot be read.
pub fn unmatched(filters: &[String], tests: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for filter in filters {
        let mut is_read = false;
        for part in filter.split("test(/^").skip(1) {
            let Some((pattern, _)) = part.split_once("/)") else { continue };
            is_read = true;
            for start in alternatives(pattern) {
                if !tests.iter().any(|test| test.starts_with(&start)) {
                    complaints
                        .push(format!("no test begins with `{start}`, of the filter {filter}"));
                }
            }
        }
        if !is_read {
            complaints.push(format!("the filter {filter} is not of the form `test(/^…/)`"));
        }
    }
    complaints
}

/// `a(b|c)d` is `abd` and `acd`.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('(') else { return vec![pattern.to_owned()] };
    let Some((inner, after)) = rest.split_once(')') else { return vec![pattern.to_owned()] };
    let after = alternatives(after);
    let each = inner.split('|');
    each.flat_map(|inner| after.iter().map(move |after| format!("{before}{inner}{after}")))
        .collect()
}

/// Words of a script that look like the name of a test, `a::b`, and are none.
pub fn unknown(script: &str, text: &str, tests: &[String]) -> Vec<String> {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let names = words.filter(|word| word.contains("::") && word.split("::").all(is_part));
    names
        .filter(|name| !tests.iter().any(|test| test == name))
        .map(|name| format!("{script} names the test `{name}`, which does not exist"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{super::package::tests::package, *};

    fn tests() -> Vec<String> {
        all(&[package(&[
            ("src/lib.rs", "#[cfg(test)] mod tests { #[test] fn a() {} fn b() {} }"),
            ("tests/it/main.rs", "mod gym;"),
            (
                "tests/it/gym.rs",
                "proptest! { #[test] fn sums(x in 0..1) {} }\n#[test] fn ends() {}",
            ),
        ])])
    }

    #[test]
    fn tests_are_named_as_the_runner_does() {
        assert_eq!(tests(), ["tests::a", "gym::sums", "gym::ends"]);
    }

    #[test]
    fn a_filter_that_matches_nothing_is_complained_of() {
        let check = |filter: &str| unmatched(&[filter.to_owned()], &tests());
        assert_eq!(check("test(/^gym::s/) | test(/^gym::(sums|ends)/)"), [""; 0]);
        assert_eq!(check("test(/^gym::s/) | test(/^gym::(sums|gone)/)").len(), 1);
        assert_eq!(check("test(/^old::/)").len(), 1);
        assert_eq!(check("test(sums)").len(), 1);
    }

    #[test]
    fn a_script_that_names_no_test_is_complained_of() {
        assert_eq!(unknown("a", "cargo test -- --exact gym::sums", &tests()), [""; 0]);
        assert_eq!(unknown("a", "cargo test -- --exact gym::sum", &tests()).len(), 1);
    }
}
