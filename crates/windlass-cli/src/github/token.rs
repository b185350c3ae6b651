//! Who asks: a token that is never shown, from the environment or from `gh`.

use std::{ffi::OsStr, fmt, path::Path, time::Duration};

use windlass::system::{Programs, Runner};
use windlass_core::process::ProcessSpec;

use crate::host::environment::{Environment, Variable};

/// How long `gh` may take to say its token.
const LIMIT: Duration = Duration::from_secs(10);

/// A token. It has no way to be shown.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// The token in a text, if there can be one: it goes into a header, on one line.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_plain && !text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The token that the environment holds.
    pub(crate) fn of_environment(environment: &Environment) -> Option<Self> {
        [Variable::GithubToken, Variable::GhToken]
            .into_iter()
            .find_map(|variable| Self::new(environment.get(variable)?.to_str()?))
    }

    /// The token that `gh` has for a host. It is the user's own program, so it gets the user's own
    /// environment; and it is one that no agent has put there, and runs where none has put anything.
    pub(crate) async fn of_gh(
        runner: &dyn Runner,
        programs: &Programs,
        environment: &Environment,
        host: &str,
    ) -> Option<Self> {
        let spec = ProcessSpec {
            program: programs.find(OsStr::new("gh")).ok()?.into(),
            args: ["auth", "token", "--hostname", host].map(Into::into).into(),
            env: programs.environment(environment.all().clone()).into_iter().collect(),
            directory: Path::new("/").to_owned(),
            stdin: Vec::new(),
        };
        let output = runner.run(spec, LIMIT, 4096).await.ok()?;
        let is_whole = output.code == Some(0) && !output.cut;
        is_whole.then(|| Self::new(str::from_utf8(&output.stdout).ok()?))?
    }

    /// The token itself, for the one header that it goes into, and to be taken out of texts.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_looked_at_in_order_and_nothing_is_shown() {
        let of = |vars| Token::of_environment(&Environment::of(vars)).map(|token| token.0);
        assert_eq!(of([("GITHUB_TOKEN", "one\n"), ("GH_TOKEN", "two")]).as_deref(), Some("one"));
        assert_eq!(of([("GITHUB_TOKEN", ""), ("GH_TOKEN", "two")]).as_deref(), Some("two"));
        assert_eq!(of([("GITHUB_TOKEN", "a\nb"), ("GH_TOKEN", " ")]), None);
        assert_eq!(format!("{:?}", Token::new("hunter2")), "Some(Token(…))");
    }
}
