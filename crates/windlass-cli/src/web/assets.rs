//! The shell and the files that it loads: the same for everybody, without data, known again by a tag.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::page;

struct File {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    tag: String,
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let files = page::ASSETS.iter();
    files.map(|(name, kind, bytes)| File { name, kind, bytes, tag: tag(bytes) }).collect()
});

static SHELL: LazyLock<(String, String)> = LazyLock::new(|| {
    let shell = page::shell().into_string();
    let tag = tag(shell.as_bytes());
    (shell, tag)
});

/// The page that loads everything else, at every address of a page.
pub(super) async fn shell(asked: HeaderMap) -> Response {
    let (shell, tag) = &*SHELL;
    tagged(&asked, "text/html; charset=utf-8", tag, shell.as_bytes())
}

/// One of its files.
pub(super) async fn asset(Path(name): Path<String>, asked: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == name) {
        Some(file) => tagged(&asked, file.kind, &file.tag, file.bytes),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The bytes; or that they are the same as those that the browser has.
fn tagged(asked: &HeaderMap, kind: &'static str, tag: &str, bytes: &'static [u8]) -> Response {
    let has = asked.get_all(header::IF_NONE_MATCH).iter();
    let is_same = has.filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|one| one.trim().trim_start_matches("W/") == tag || one.trim() == "*")
    });
    let mut answer = match is_same {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
    };
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    answer
}

fn tag(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}
