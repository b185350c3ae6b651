//! GitHub through its REST API. The only place that knows the token and opens connections; it
//! gives the library nothing but a [`Forge`].

mod answer;
mod edit;
mod endpoint;
mod http;
mod limit;
mod open;
mod page;
mod post;
mod repository;
mod token;
mod wire;

#[cfg(test)]
mod tests;

use std::time::Duration;

use windlass::forge::{Asking, Forge};
use windlass_core::forge::{ForgeError, Posted, Pull, PullFile, ReviewPost};

use self::http::Http;
pub(crate) use self::{endpoint::Endpoint, open::open, repository::Repository, token::Token};

/// The most files of a pull request that GitHub tells of, a hundred a page.
const MOST_FILE_PAGES: usize = 30;

/// How long the client is patient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For a connection.
    pub(crate) connect: Duration,
    /// For a whole answer.
    pub(crate) answer: Duration,
    /// The first pause before something is tried again; each is twice as long as the one before.
    pub(crate) pause: Duration,
    /// How often something is tried at most.
    pub(crate) tries: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            pause: Duration::from_secs(1),
            tries: 4,
        }
    }
}

/// The pull requests of one repository at GitHub.
#[derive(Debug)]
pub(crate) struct Client {
    http: Http,
    repository: Repository,
    /// Where pushes go; `None` where that is no address of a forge.
    origin: Option<Repository>,
}

impl Client {
    /// The repository, as `OWNER/NAME`.
    pub(crate) fn repository(&self) -> String {
        self.repository.to_string()
    }

    /// A client for one repository. Nothing is asked yet.
    pub(crate) fn new(
        endpoint: Endpoint,
        repository: Repository,
        token: Token,
        patience: Patience,
    ) -> Result<Self, ForgeError> {
        Ok(Self { http: Http::new(endpoint, token, patience)?, repository, origin: None })
    }

    /// The same client, for a clone with this `origin`.
    pub(crate) fn with_origin(self, origin: Option<Repository>) -> Self {
        Self { origin, ..self }
    }

    /// Whether `origin` is the repository that a pull request comes from, by the ids of the two.
    async fn is_at_origin(&self, pull: &wire::Pull) -> Result<bool, ForgeError> {
        let head = pull.head.repo.as_ref().and_then(|head| head.id);
        let base = pull.base.repo.as_ref().and_then(|base| base.id);
        let origin = match &self.origin {
            // It is not known what it is: then it stands for the repository of the pull request. A push
            // goes through only if its branch is at the head.
            None => base,
            Some(origin) if !self.http.endpoint().serves(origin.host.as_deref()) => None,
            Some(origin) if origin.has_name_of(&self.repository) => base,
            Some(origin) => self.id_of(origin).await?,
        };
        Ok(head.is_some() && head == origin)
    }

    /// The id of a repository, if it is there.
    async fn id_of(&self, repository: &Repository) -> Result<Option<u64>, ForgeError> {
        let url = self.http.endpoint().at(["repos", &repository.owner, &repository.name]);
        match self.http.get("the repository of `origin`", url).await {
            Ok(answer) => Ok(answer.json::<wire::Named>()?.id),
            Err(error @ ForgeError::RateLimited { .. }) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The address below the repository's pull requests.
    fn pulls(&self, below: &[&str]) -> reqwest::Url {
        let Repository { owner, name, .. } = &self.repository;
        let start = ["repos", owner.as_str(), name.as_str(), "pulls"];
        self.http.endpoint().at(start.into_iter().chain(below.iter().copied()))
    }

    /// What a pull request is called in errors.
    fn called(&self, number: u64) -> String {
        format!("pull request {number} of {}", self.repository)
    }

    async fn read_pull(&self, number: u64) -> Result<wire::Pull, ForgeError> {
        let url = self.pulls(&[&number.to_string()]);
        self.http.get(&self.called(number), url).await?.json()
    }

    async fn number_of_branch(&self, branch: &str) -> Result<Option<u64>, ForgeError> {
        let mut url = self.pulls(&[]);
        let head = format!("{}:{branch}", self.repository.owner);
        url.query_pairs_mut().extend_pairs([("head", head.as_str()), ("state", "open")]);
        let what = format!("the pull requests of {}", self.repository);
        let found: Vec<wire::Pull> = self.http.get(&what, url).await?.json()?;
        // A filter that GitHub does not understand is left out by it, and all are given.
        Ok(found.into_iter().find(|pull| pull.head.branch == branch).map(|pull| pull.number))
    }

    async fn read_files(&self, number: u64) -> Result<Vec<PullFile>, ForgeError> {
        let what = format!("the files of {}", self.called(number));
        let url = self.pulls(&[&number.to_string(), "files"]);
        let pages = page::all::<wire::File>(&self.http, &what, url, MOST_FILE_PAGES).await?;
        Ok(pages.into_iter().map(PullFile::from).collect())
    }
}

impl Forge for Client {
    fn name(&self) -> String {
        format!("{}/{}", self.http.endpoint().host(), self.repository)
    }

    fn pull(&self, number: u64) -> Asking<'_, Pull> {
        Box::pin(async move {
            let pull = self.read_pull(number).await?;
            let is_at_origin = Some(self.is_at_origin(&pull).await?);
            Ok(Pull { is_at_origin, ..pull.into() })
        })
    }

    fn pull_of_branch<'a>(&'a self, branch: &'a str) -> Asking<'a, Option<u64>> {
        Box::pin(self.number_of_branch(branch))
    }

    fn files(&self, number: u64) -> Asking<'_, Vec<PullFile>> {
        Box::pin(self.read_files(number))
    }

    fn post_review<'a>(&'a self, post: &'a ReviewPost) -> Asking<'a, Posted> {
        Box::pin(post::post(self, post))
    }

    fn update_description<'a>(&'a self, number: u64, text: &'a str) -> Asking<'a, bool> {
        Box::pin(edit::description(self, number, text))
    }

    fn update_title<'a>(&'a self, number: u64, title: &'a str) -> Asking<'a, bool> {
        Box::pin(edit::title(self, number, title))
    }
}
