//! The environment that agents and checks get: an allow-list, so that tokens which are not the
//! agent's stay out, and what keeps programs from asking a person.

use std::{collections::BTreeMap, ffi::OsString};

/// Variables that a program needs to find its way, and nothing that lets it in anywhere.
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLORTERM",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "GOPATH",
    "GOROOT",
    "GOMODCACHE",
    "GOCACHE",
    "JAVA_HOME",
    "M2_HOME",
    "NVM_DIR",
    "NODE_PATH",
    "NPM_CONFIG_PREFIX",
    "PNPM_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYENV_ROOT",
    "PYTHONPATH",
    "GEM_HOME",
    "GEM_PATH",
    "RBENV_ROOT",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "NIX_PATH",
    "NIX_SSL_CERT_FILE",
    "IN_NIX_SHELL",
    "DOCKER_HOST",
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "NO_COLOR",
    "CI",
];

/// Beginnings of allowed names: locales, base directories, and the providers of models.
const ALLOWED_BEGINNINGS: &[&str] = &[
    "LC_",
    "XDG_",
    "ANTHROPIC_",
    "CLAUDE_",
    "OPENAI_",
    "CODEX_",
    "OPENCODE_",
    "GEMINI_",
    "GOOGLE_GENAI_",
    "GOOGLE_GEMINI_",
    "AIDER_",
    "OPENROUTER_",
    "MISTRAL_",
    "DEEPSEEK_",
    "XAI_",
    "GROQ_",
    "OLLAMA_",
    "AZURE_OPENAI_",
];

/// What keeps programs unattended: no editor, no pager, no question about a password.
const UNATTENDED: &[(&str, &str)] = &[
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("DEBIAN_FRONTEND", "noninteractive"),
];

/// The environment for agents and checks: of `host` what is allowed or named in `pass`, then
/// `set` (`NAME=VALUE`) on top.
pub fn environment(
    host: impl IntoIterator<Item = (OsString, OsString)>,
    pass: &[String],
    set: &[String],
) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<OsString, OsString> =
        UNATTENDED.iter().map(|(name, value)| (name.into(), value.into())).collect();
    env.extend(host.into_iter().filter(|(name, _)| {
        name.to_str().is_some_and(|name| {
            ALLOWED.contains(&name)
                || ALLOWED_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
                || pass.iter().any(|passed| passed == name)
        })
    }));
    for setting in set {
        if let Some((name, value)) = setting.split_once('=') {
            env.insert(name.into(), value.into());
        }
    }
    env
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_others_stay_out_unless_they_are_passed_by_name() {
        let host = ["PATH", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "MINE"]
            .map(|name| (OsString::from(name), OsString::from("host")));
        let env = environment(host, &["MINE".to_owned()], &["X=a=b".to_owned()]);
        let names: Vec<_> = env.keys().filter_map(|name| name.to_str()).collect();
        let unattended = UNATTENDED.iter().map(|(name, _)| *name);
        assert_eq!(
            names
                .into_iter()
                .filter(|name| !unattended.clone().any(|u| u == *name))
                .collect::<Vec<_>>(),
            ["MINE", "PATH", "X"]
        );
        assert_eq!(env[&OsString::from("X")], "a=b");
    }
}
