//! What the stand-in answers where it does nothing wrong.

use serde_json::{Value, json};

use super::{Request, World};

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

impl Answer {
    fn ok(body: Value) -> Self {
        Self { status: 200, headers: Vec::new(), body }
    }

    fn no(status: u16, message: &str) -> Self {
        Self { body: json!({"message": message}), status, headers: Vec::new() }
    }
}

/// Does what is asked for. `base` is where the next page of a list is.
pub(super) fn answer(world: &mut World, request: &Request, base: &str) -> Answer {
    let bearer = world.token.as_ref().map(|token| format!("Bearer {token}"));
    if bearer.is_some() && request.header("authorization") != bearer.as_deref() {
        return Answer::no(401, "Bad credentials");
    }
    let Some(below) = request.path.strip_prefix("/repos/ada/engine/pulls") else {
        return Answer::no(404, "Not Found");
    };
    let parts: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
    let number: u64 = parts.first().and_then(|number| number.parse().ok()).unwrap_or_default();
    let most = world.most_per_page;
    let of_list = |list: Vec<Value>| paged(list, most, request, base);
    if parts.is_empty() {
        return of_list(listed(world, request));
    }
    let Some(pull) = world.pulls.get_mut(&number) else { return Answer::no(404, "Not Found") };
    match (request.method.as_str(), &parts[1..]) {
        ("GET", []) => Answer::ok(pull.json(number)),
        ("PATCH", []) => {
            let text = |name: &str| request.body[name].as_str().map(ToOwned::to_owned);
            pull.title = text("title").unwrap_or_else(|| pull.title.clone());
            pull.body = text("body").or_else(|| pull.body.clone());
            Answer::ok(pull.json(number))
        }
        ("GET", ["files"]) => of_list(pull.files.clone()),
        ("GET", ["reviews"]) => of_list(pull.reviews.clone()),
        ("POST", ["reviews"]) => {
            if let Some(refused) = wrong_place(pull, &request.body) {
                return refused;
            }
            let id = 100 + pull.reviews.len();
            let review = json!({
                "id": id,
                "user": {"login": "windlass"},
                "body": request.body["body"],
                "state": request.body["event"],
                "commit_id": request.body["commit_id"],
                "comments": request.body["comments"],
                "html_url": format!(
                    "https://github.com/ada/engine/pull/{number}#pullrequestreview-{id}"
                ),
            });
            pull.reviews.push(review.clone());
            Answer::ok(review)
        }
        _ => Answer::no(404, "Not Found"),
    }
}

/// The pull requests that a list is asked for, the newest first.
fn listed(world: &World, request: &Request) -> Vec<Value> {
    let head = request.query("head").and_then(|head| head.split_once(':'));
    let is_wanted = |branch: &str| head.is_none_or(|(who, head)| who == "ada" && head == branch);
    let pulls = world.pulls.iter().rev();
    pulls
        .filter(|(_, pull)| pull.is_open && is_wanted(&pull.head_ref))
        .map(|(number, pull)| pull.json(*number))
        .collect()
}

/// One page of a list, with the way to the next.
fn paged(list: Vec<Value>, most: usize, request: &Request, base: &str) -> Answer {
    let number = |name: &str| request.query(name).and_then(|value| value.parse::<usize>().ok());
    let size = number("per_page").unwrap_or(30).min(most);
    let page = number("page").unwrap_or(1).max(1);
    let is_last = page * size >= list.len();
    let entries: Vec<Value> = list.into_iter().skip((page - 1) * size).take(size).collect();
    let mut answer = Answer::ok(Value::Array(entries));
    if !is_last {
        let path = &request.path;
        let at = |page| format!("<{base}{path}?per_page={size}&page={page}>");
        let links = format!("{}; rel=\"first\", {}; rel=\"next\"", at(1), at(page + 1));
        answer.headers.push(("link".to_owned(), links));
    }
    answer
}

/// The lines of each hunk of a patch, as they are after the change.
fn hunks(patch: &str) -> Vec<Vec<u64>> {
    let mut hunks: Vec<Vec<u64>> = Vec::new();
    let mut next = 0;
    for line in patch.lines() {
        if let Some(header) = line.strip_prefix("@@ ") {
            // The 7 of `-3,2 +7,4 @@`.
            let start =
                header.split_once('+').and_then(|(_, right)| right.split([',', ' ']).next());
            next = start.and_then(|start| start.parse().ok()).unwrap_or_default();
            hunks.push(Vec::new());
        } else if let Some(hunk) = hunks.last_mut()
            && line.starts_with([' ', '+'])
        {
            hunk.push(next);
            next += 1;
        }
    }
    hunks
}

/// GitHub takes a review whole or not at all: one line that is not in the diff is enough.
fn wrong_place(pull: &super::PullRequest, review: &Value) -> Option<Answer> {
    let comments = review["comments"].as_array().into_iter().flatten();
    let is_wrong = |comment: &Value| {
        let patch = comment["path"].as_str().and_then(|path| pull.patch(path));
        let hunks = patch.map(hunks).unwrap_or_default();
        let line = |name: &str| comment[name].as_u64();
        let last = line("line").unwrap_or_default();
        let first = line("start_line").unwrap_or(last);
        !hunks.iter().any(|hunk| (first..=last).all(|line| hunk.contains(&line)))
    };
    comments.into_iter().any(is_wrong).then(|| Answer {
        status: 422,
        headers: Vec::new(),
        body: json!({
            "message": "Unprocessable Entity",
            "errors": ["Pull request review thread line must be part of the diff"],
        }),
    })
}
