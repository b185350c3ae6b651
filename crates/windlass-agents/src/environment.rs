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
    "JJ_CONFIG",
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
    "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "DISABLE_AUTOUPDATER",
    "IS_SANDBOX",
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

/// Variables of the agent that windlass itself may have been started by. They make another agent
/// take itself for a part of that one, which it refuses or behaves by.
const OF_ANOTHER_AGENT: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_CHILD_SESSION",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "OPENCODE_CLIENT",
    "OPENCODE_SERVER",
    "OPENCODE_PID",
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
        name.to_str().is_some_and(|name| is_allowed(name) || pass.iter().any(|pass| pass == name))
    }));
    for setting in set {
        if let Some((name, value)) = setting.split_once('=') {
            env.insert(name.into(), value.into());
        }
    }
    env
}

fn is_allowed(name: &str) -> bool {
    let beginning = |beginning: &&str| name.starts_with(*beginning);
    let is_known = ALLOWED.contains(&name) || ALLOWED_BEGINNINGS.iter().any(beginning);
    is_known && !OF_ANOTHER_AGENT.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_others_stay_out_unless_they_are_passed_by_name() {
        let secrets =
            ["GITHUB_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
        let others = ["AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "PATH", "MINE"];
        let host = secrets.into_iter().chain(others);
        let host = host.map(|name| (OsString::from(name), OsString::from("host")));
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

    #[test]
    fn an_agent_does_not_learn_that_windlass_was_started_by_one() {
        let host = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CONFIG_DIR", "GEMINI_CLI"]
            .map(|name| (OsString::from(name), OsString::from("1")));
        let of = |pass: &[String]| {
            let env = environment(host.clone(), pass, &[]);
            let names = env.into_keys().filter(|name| host.iter().any(|(host, _)| host == name));
            names.collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), ["CLAUDE_CONFIG_DIR"]);
        assert_eq!(of(&["CLAUDECODE".to_owned()]), ["CLAUDECODE", "CLAUDE_CONFIG_DIR"]);
    }
}
