//! An error with what caused it, in one line.

use std::error::Error;

/// The error and its causes, separated by colons.
#[must_use]
pub fn with_causes(error: &dyn Error) -> String {
    let all = std::iter::successors(Some(error), |&error| error.source());
    all.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the page cannot be read")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("no such file")]
    struct Inner;

    #[test]
    fn every_cause_is_named_once() {
        assert_eq!(with_causes(&Outer(Inner)), "the page cannot be read: no such file");
        assert_eq!(with_causes(&Inner), "no such file");
    }
}
