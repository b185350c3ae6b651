//! How it is found out whether an agent is signed in, what people type to sign it in, and what its
//! sessions are billed to. Data: each agent's folder has its own; who asks is elsewhere.

use std::{collections::BTreeMap, ffi::OsString};

/// The sign-in of one agent.
#[derive(Clone, Copy, Debug)]
pub struct SignIn {
    /// What people type to sign it in.
    pub login: &'static str,
    /// What to ask it.
    pub question: Question,
    /// Variables that hold an API key. Where one is set, sessions are billed to that key.
    pub key_variables: &'static [&'static str],
    /// What sessions are billed to where no key is found.
    pub billing: Billing,
}

/// What its sessions are billed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Billing {
    /// A plan that is paid anyway. What a session costs is then an estimate.
    Plan,
    /// An API key: every token costs money.
    ApiKey,
}

/// What an agent is asked to find out whether it is signed in.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// Its own status command, which costs nothing.
    Status {
        /// The arguments.
        args: &'static [&'static str],
        /// Reads the answer.
        read: fn(&Answer<'_>) -> SignedIn,
    },
    /// One prompt, for agents that have no status command. Its decoder reads the answer.
    Prompt {
        /// The cheapest model; the agent's default where that depends on the user's provider.
        model: Option<&'static str>,
        /// What keeps tools and extensions away.
        args: &'static [&'static str],
    },
}

/// What a status command said.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// Its exit code.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: &'a str,
    /// Its standard error.
    pub stderr: &'a str,
}

/// Whether an agent is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignedIn {
    /// It is, and says what its sessions are billed to, or does not.
    Yes(Option<Billing>),
    /// It is not.
    No,
    /// It did not say; the words say why.
    Unknown(String),
}

impl SignIn {
    /// The variable that holds an API key in this environment, if one does.
    pub fn key_in(&self, env: &BTreeMap<OsString, OsString>) -> Option<&'static str> {
        let is_set =
            |name: &&&str| env.get(&OsString::from(name)).is_some_and(|key| !key.is_empty());
        self.key_variables.iter().find(is_set).copied()
    }

    /// What sessions in this environment are billed to, as far as that is known.
    pub fn billed_to(&self, said: &SignedIn, env: &BTreeMap<OsString, OsString>) -> Billing {
        match said {
            SignedIn::Yes(Some(billing)) => *billing,
            _ if self.key_in(env).is_some() => Billing::ApiKey,
            _ => self.billing,
        }
    }

    /// What an agent's own answer comes to in this environment: some do not count a key in a variable,
    /// and use it all the same.
    pub fn with_key(&self, said: SignedIn, env: &BTreeMap<OsString, OsString>) -> SignedIn {
        match said {
            SignedIn::No if self.key_in(env).is_some() => SignedIn::Yes(Some(Billing::ApiKey)),
            said => said,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BUILT_IN;

    /// What an agent's status command makes of this answer.
    fn read(agent: &str, code: i32, stdout: &str, stderr: &str) -> SignedIn {
        let agent = crate::BuiltIn::named(agent).unwrap().agent().unwrap();
        let Question::Status { read, .. } = agent.sign_in().unwrap().question else {
            panic!("it has no status command");
        };
        read(&Answer { code: Some(code), stdout, stderr })
    }

    #[test]
    fn every_agent_with_an_account_says_how_to_sign_in() {
        for built_in in BUILT_IN {
            let Some(agent) = built_in.agent() else { continue };
            let sign_in = agent.sign_in().expect("it has a provider");
            assert!(!sign_in.login.is_empty() && !sign_in.key_variables.is_empty());
        }
    }

    #[test]
    fn claudes_own_status_says_who_pays() {
        let plan = r#"{"loggedIn": true, "authMethod": "claude.ai", "apiProvider": "firstParty", "email": null, "subscriptionType": "max"}"#;
        assert_eq!(read("claude", 0, plan, ""), SignedIn::Yes(Some(Billing::Plan)));
        let both =
            r#"{"loggedIn": true, "authMethod": "claude.ai", "apiKeySource": "ANTHROPIC_API_KEY"}"#;
        assert_eq!(read("claude", 0, both, ""), SignedIn::Yes(Some(Billing::ApiKey)));
        let token =
            r#"{"loggedIn": true, "authMethod": "oauth_token", "apiProvider": "firstParty"}"#;
        assert_eq!(read("claude", 0, token, ""), SignedIn::Yes(Some(Billing::Plan)));
        let cloud = r#"{"loggedIn": true, "authMethod": "third_party", "apiProvider": "bedrock"}"#;
        assert_eq!(read("claude", 0, cloud, ""), SignedIn::Yes(Some(Billing::ApiKey)));
        let none = r#"{"loggedIn": false, "authMethod": "none", "apiProvider": "firstParty"}"#;
        assert_eq!(read("claude", 1, none, ""), SignedIn::No);
        assert!(matches!(read("claude", 1, "", "unknown command"), SignedIn::Unknown(_)));
    }

    #[test]
    fn codex_and_opencode_are_read_as_they_answer() {
        let odd = "WARNING: proceeding, even though we could not create PATH aliases\n";
        let said = |words: &str| format!("{odd}{words}\n");
        let plan = read("codex", 0, "", &said("Logged in using ChatGPT"));
        assert_eq!(plan, SignedIn::Yes(Some(Billing::Plan)));
        let key = read("codex", 0, "", &said("API key configured - sk-dummy***dummy"));
        assert_eq!(key, SignedIn::Yes(Some(Billing::ApiKey)));
        assert_eq!(read("codex", 1, "", &said("Not logged in")), SignedIn::No);
        assert!(matches!(read("codex", 2, "", "error: no such command"), SignedIn::Unknown(_)));

        let none = "\u{1b}[0m\n┌  Credentials \u{1b}[90m~/.local/share/opencode/auth.json\n│\n└  0 credentials\n";
        assert_eq!(read("opencode", 0, none, ""), SignedIn::No);
        let oauth = "┌  Credentials\n│\n●  Anthropic \u{1b}[90moauth\n│\n└  1 credentials\n";
        assert_eq!(read("opencode", 0, oauth, ""), SignedIn::Yes(Some(Billing::Plan)));
        let key = "●  Anthropic \u{1b}[90mapi\n│\n└  1 credentials\n";
        assert_eq!(read("opencode", 0, key, ""), SignedIn::Yes(Some(Billing::ApiKey)));
        let variable = format!(
            "{none}\n┌  Environment\n│\n●  Anthropic \u{1b}[90mANTHROPIC_API_KEY\n│\n└  1 environment variable\n"
        );
        assert_eq!(read("opencode", 0, &variable, ""), SignedIn::Yes(Some(Billing::ApiKey)));
        assert!(matches!(read("opencode", 1, "", "x"), SignedIn::Unknown(_)));
    }

    #[test]
    fn a_key_in_a_variable_signs_in_and_pays() {
        let codex = crate::Agent::sign_in(&crate::Codex).unwrap();
        let env: BTreeMap<OsString, OsString> = [("CODEX_API_KEY".into(), "sk".into())].into();
        assert_eq!(codex.with_key(SignedIn::No, &env), SignedIn::Yes(Some(Billing::ApiKey)));
        assert_eq!(codex.billed_to(&SignedIn::Unknown(String::new()), &env), Billing::ApiKey);
        let empty: BTreeMap<OsString, OsString> = [("CODEX_API_KEY".into(), "".into())].into();
        assert_eq!(codex.with_key(SignedIn::No, &empty), SignedIn::No);
        assert_eq!(codex.billed_to(&SignedIn::No, &empty), Billing::Plan);
    }
}
