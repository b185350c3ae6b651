//! Finds out which repository, where its API is and who asks, and says what is missing.

use windlass::{
    origin_of,
    system::{Guardian, GuardianProgram},
};
use windlass_core::forge::ForgeError;

use super::{Client, Endpoint, Patience, Repository, Token};
use crate::host::{
    app::App,
    environment::Variable,
    failure::{Failure, Kind},
    program,
};

/// Opens the repository of `origin`, or the one that is named by `--repo`.
pub(crate) async fn open(app: &App, named: Option<&str>) -> Result<Client, Failure> {
    let address = app.environment.get(Variable::GithubApiUrl);
    let endpoint = Endpoint::new(address.map(|a| a.to_string_lossy()).as_deref());
    let endpoint = endpoint.map_err(Failure::usage)?;
    let host = app.environment.all().clone();
    let origin =
        origin_of(&GuardianProgram::ThisProgram, &app.home, host, &app.directory).await.map_err(
            |error| Failure::because(Kind::Setup, "the repository here cannot be looked at", error),
        )?;
    let repository = repository(named, origin.as_deref())?;
    let is_elsewhere = repository.host.as_deref().is_some_and(|host| host != "github.com");
    if address.is_none() && is_elsewhere {
        let host = repository.host.unwrap_or_default();
        return Err(Failure::usage(format!("`{host}` is not github.com"))
            .hint(format!("for GitHub Enterprise, set GITHUB_API_URL=https://{host}/api/v3")));
    }
    let token = match Token::of_environment(&app.environment) {
        Some(token) => token,
        None => token_of_gh(app, endpoint.host()).await?,
    };
    let client = Client::new(endpoint, repository, token, Patience::default());
    let client = client.map_err(|error| Failure::new(Kind::Setup, error))?;
    Ok(client.with_origin(origin.as_deref().and_then(Repository::of_remote)))
}

fn repository(named: Option<&str>, origin: Option<&str>) -> Result<Repository, Failure> {
    // The address of a remote may hold a password, so no error repeats it.
    match (named, origin) {
        (Some(name), _) => Repository::of_name(name).ok_or_else(|| {
            Failure::usage(format!("`{name}` is no repository")).hint("write it as OWNER/NAME")
        }),
        (None, Some(origin)) => Repository::of_remote(origin).ok_or_else(|| {
            Failure::usage("the address of `origin` is not that of a repository at GitHub")
                .hint("name the repository: --repo OWNER/NAME")
        }),
        (None, None) => Err(Failure::usage(
            "it is not known which repository at GitHub this is: there is no `origin`",
        )
        .hint("name it: --repo OWNER/NAME; or stay here: --local")),
    }
}

async fn token_of_gh(app: &App, host: &str) -> Result<Token, Failure> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| Failure::new(Kind::Setup, error))?;
    let token = Token::of_gh(&guardian, program::trusted(app), &app.environment, host).await;
    guardian.close().await;
    token.ok_or_else(|| {
        let error = ForgeError::NoToken { host: host.to_owned() };
        Failure::new(Kind::Setup, error)
            .hint("set GITHUB_TOKEN, or log in with `gh auth login`; or stay here: --local")
    })
}
