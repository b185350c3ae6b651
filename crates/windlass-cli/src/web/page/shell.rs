//! The page before it knows anything: static, the same for everybody, without data and token.

use maud::{DOCTYPE, Markup, html};

/// The whole page. `app.js` puts into `main` what the server answers to a request with the token.
pub(crate) fn shell() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "windlass" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/app.css";
                script type="module" src="/assets/app.js" {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    nav aria-label="windlass" {
                        a.brand href="/" { span.pawl aria-hidden="true" { "⟲" } " windlass" }
                        a href="/" data-nav="loops" { "Loops" }
                        a href="/#start" data-nav="start" { "Start a loop" }
                    }
                    div.top-end {
                        span #link.link-state hidden { "reconnecting…" }
                        button #theme.quiet type="button" { "Dark" }
                    }
                }
                div #trouble.trouble role="alert" hidden {
                    p #trouble-text {}
                    button #trouble-close.quiet type="button" aria-label="Dismiss this message" { "✕" }
                }
                main #main tabindex="-1" { p.faint { "Loading…" } }
                p #announce.unseen aria-live="polite" {}
                (gate())
                (question())
                dialog #continue aria-labelledby="continue-title" {}
                noscript { p { "This page needs JavaScript. `windlass watch` shows the same at a terminal." } }
            }
        }
    }
}

/// How to get in without a token.
fn gate() -> Markup {
    html! {
        template #gate {
            form.gate autocomplete="off" {
                h1 { "Open the dashboard" }
                p { "Paste the URL printed by " code { "windlass serve" } "." }
                label for="token" { "URL" }
                input #token name="token" type="password" required spellcheck="false" autocomplete="off";
                button.primary type="submit" { "Open" }
                p.faint { "The token in it is kept for this tab only, and changes at each start of " code { "windlass serve" } "." }
            }
        }
    }
}

/// The dialog that asks before something is done.
fn question() -> Markup {
    html! {
        dialog #question aria-labelledby="question-title" {
            form method="dialog" {
                h2 #question-title {}
                p #question-text {}
                div.buttons {
                    button #question-no type="submit" value="no" { "Not now" }
                    button #question-yes.primary type="submit" value="yes" { "Yes" }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_has_no_data_and_nothing_inline() {
        let shell = shell().into_string();
        for word in ["style=", "onclick", "onload", "javascript:", "http:", "https:", "<style"] {
            assert!(!shell.contains(word), "`{word}` stands in the shell");
        }
        assert_eq!(shell.matches("<script").count(), 1);
        insta::assert_snapshot!(shell.replace("><", ">\n<"), @r##"
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>windlass</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/assets/app.css">
        <script type="module" src="/assets/app.js">
        </script>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
        <nav aria-label="windlass">
        <a class="brand" href="/">
        <span class="pawl" aria-hidden="true">⟲</span> windlass</a>
        <a href="/" data-nav="loops">Loops</a>
        <a href="/#start" data-nav="start">Start a loop</a>
        </nav>
        <div class="top-end">
        <span class="link-state" id="link" hidden>reconnecting…</span>
        <button class="quiet" id="theme" type="button">Dark</button>
        </div>
        </header>
        <div class="trouble" id="trouble" role="alert" hidden>
        <p id="trouble-text">
        </p>
        <button class="quiet" id="trouble-close" type="button" aria-label="Dismiss this message">✕</button>
        </div>
        <main id="main" tabindex="-1">
        <p class="faint">Loading…</p>
        </main>
        <p class="unseen" id="announce" aria-live="polite">
        </p>
        <template id="gate">
        <form class="gate" autocomplete="off">
        <h1>Open the dashboard</h1>
        <p>Paste the URL printed by <code>windlass serve</code>.</p>
        <label for="token">URL</label>
        <input id="token" name="token" type="password" required spellcheck="false" autocomplete="off">
        <button class="primary" type="submit">Open</button>
        <p class="faint">The token in it is kept for this tab only, and changes at each start of <code>windlass serve</code>.</p>
        </form>
        </template>
        <dialog id="question" aria-labelledby="question-title">
        <form method="dialog">
        <h2 id="question-title">
        </h2>
        <p id="question-text">
        </p>
        <div class="buttons">
        <button id="question-no" type="submit" value="no">Not now</button>
        <button class="primary" id="question-yes" type="submit" value="yes">Yes</button>
        </div>
        </form>
        </dialog>
        <dialog id="continue" aria-labelledby="continue-title">
        </dialog>
        <noscript>
        <p>This page needs JavaScript. `windlass watch` shows the same at a terminal.</p>
        </noscript>
        </body>
        </html>
        "##);
    }
}
