//! Numbers with their nouns and verbs: the one place where singular and plural are told apart.

/// A number with its noun: "0 findings", "1 finding", "2 findings".
pub fn count(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let plural = plural(noun);
    format!("{n} {}", agree(n, noun, &plural))
}

/// The word that agrees with a number: the first for 1, the second for all others.
pub fn agree<'a>(n: impl TryInto<u64>, one: &'a str, many: &'a str) -> &'a str {
    if n.try_into().is_ok_and(|n: u64| n == 1) { one } else { many }
}

/// The plural of a noun: "files", "retries", "processes".
pub fn plural(noun: &str) -> String {
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match stem {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with(['s', 'x', 'z']) => format!("{noun}es"),
        None if noun.ends_with("ch") || noun.ends_with("sh") => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_numbers() {
        for (noun, none, one, two) in [
            ("finding", "0 findings", "1 finding", "2 findings"),
            ("retry", "0 retries", "1 retry", "2 retries"),
            ("day", "0 days", "1 day", "2 days"),
            ("process", "0 processes", "1 process", "2 processes"),
            ("fix", "0 fixes", "1 fix", "2 fixes"),
            ("branch", "0 branches", "1 branch", "2 branches"),
            (
                "less severe finding",
                "0 less severe findings",
                "1 less severe finding",
                "2 less severe findings",
            ),
        ] {
            assert_eq!(
                [count(0_u32, noun), count(1_usize, noun), count(2_u64, noun)],
                [none, one, two]
            );
        }
    }

    #[test]
    fn verbs_agree_with_their_numbers() {
        let fail = |n: u32| agree(n, "fails", "fail");
        assert_eq!([fail(0), fail(1), fail(2)], ["fail", "fails", "fail"]);
    }
}
