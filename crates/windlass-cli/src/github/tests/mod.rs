//! The client against a GitHub that misbehaves. Every request is held against GitHub's own
//! description of its API, and none may have the token anywhere but in its header.

mod editing;
mod limits;
mod posting;
mod reading;
mod secrets;

use std::{ops::Deref, time::Duration};

use testkit::github::GitHub;
use windlass_core::forge::{InlineComment, MarkerKey, ReviewEvent, ReviewPost};

use super::{Client, Endpoint, Patience, Repository, Token};

/// A token that nothing knows by its shape.
const CANARY: &str = "canary.0123456789abcdef";

/// The commit that the stand-in's pull requests are at.
const HEAD: &str = "0000000000000000000000000000000000000001";

/// A stand-in with pull request 7, and a client that is not patient.
struct Stand {
    github: GitHub,
    client: Client,
}

impl Stand {
    fn new() -> Self {
        let github = GitHub::start();
        github.world(|world| {
            world.token = Some(CANARY.to_owned());
            world.pull(7).add_file("src/a.rs", "@@ -1,2 +1,3 @@\n a\n+b\n c");
        });
        let client = client_at(&github.url(), CANARY);
        Self { github, client }
    }

    /// How often something was asked: `POST 7/reviews`.
    fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|asked| *asked == line).count()
    }

    /// How many reviews pull request 7 has.
    fn reviews(&self) -> usize {
        self.world(|world| world.pull(7).reviews.len())
    }
}

impl Deref for Stand {
    type Target = GitHub;

    fn deref(&self) -> &GitHub {
        &self.github
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let requests = self.requests();
            let has_token = |r: &testkit::github::Request| r.raw.contains(CANARY);
            assert!(!requests.iter().any(has_token), "the token is in {requests:?}");
            let complaints = self.complaints(&against);
            assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
        }
    }
}

fn client_at(url: &str, token: &str) -> Client {
    let patience = Patience {
        connect: Duration::from_secs(2),
        answer: Duration::from_millis(700),
        pause: Duration::from_millis(2),
        tries: 3,
    };
    let endpoint = Endpoint::new(Some(url)).unwrap();
    let repository = Repository::of_name("ada/engine").unwrap();
    Client::new(endpoint, repository, Token::new(token).unwrap(), patience).unwrap()
}

fn review() -> ReviewPost {
    let comment = InlineComment {
        path: "src/a.rs".into(),
        line: 3,
        start_line: Some(2),
        body: "**HIGH** b leaks".into(),
    };
    ReviewPost {
        number: 7,
        commit: HEAD.into(),
        event: ReviewEvent::Comment,
        body: "One finding.".into(),
        comments: vec![comment],
        marker: MarkerKey::new("brave-otter-1"),
    }
}

/// What is wrong with a value, by a schema.
fn against(schema: &serde_json::Value, value: &serde_json::Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("GitHub's schemas are schemas");
    let wrong = validator.iter_errors(value);
    wrong.map(|error| format!("{error} at `{}`", error.instance_path())).collect()
}
