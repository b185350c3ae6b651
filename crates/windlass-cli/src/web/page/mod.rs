//! The pages: a static shell without data, its assets, and HTML fragments below `/ui/`.

use axum::Router;
use maud::{DOCTYPE, Markup, html};

use crate::web::State;

/// The files that the shell loads: name, content type, bytes.
pub(crate) const ASSETS: &[(&str, &str, &[u8])] = &[];

/// The page that loads everything else. It is the same for everybody and holds no data.
pub(crate) fn shell() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "windlass" }
            }
            body { main { "windlass" } }
        }
    }
}

/// The fragments, below `/ui/`. Whoever asks has shown the token already.
pub(crate) fn routes() -> Router<State> {
    Router::new()
}
