//! What the web tells of each ending: the row of the list, the top of the page, and the dialog that
//! continues the loop. The words are those of `windlass status`.

use testkit::{Env, web::Web};

use super::endings;
use crate::serve;

/// A loop `mine` that ended so.
pub(crate) fn ended(name: &str) -> Env {
    endings::ended(name).env
}

/// Elements that begin a line.
const BLOCKS: [&str; 16] = [
    "p", "h1", "h2", "li", "tr", "td", "th", "div", "section", "header", "button", "summary",
    "label", "dt", "form", "textarea",
];

/// HTML as a person reads it: a line a block, fields with what they say.
fn text(html: &str) -> String {
    let mut out = String::new();
    for part in html.split('<').skip(1) {
        let (tag, words) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        if BLOCKS.contains(&name) {
            out.push('\n');
        }
        let attribute = |key: &str| {
            let (_, rest) = tag.split_once(&format!(" {key}=\""))?;
            rest.split('"').next()
        };
        if ["input", "option"].contains(&name)
            && !tag.starts_with('/')
            && !tag.contains("\"hidden\"")
        {
            let value = attribute("value").unwrap_or_default();
            let state = if tag.ends_with(" checked") { "x" } else { value };
            out.push_str(&format!(" [{state}] "));
        }
        out.push_str(words);
    }
    let out = out.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    let lines = out.replace("&amp;", "&");
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The element that begins so, up to its end.
#[track_caller]
fn part<'a>(html: &'a str, begin: &str, end: &str) -> &'a str {
    let from = html.find(begin).unwrap_or_else(|| panic!("`{begin}` is not in {html}"));
    let rest = &html[from..];
    &rest[..rest.find(end).unwrap_or(rest.len())]
}

/// What the pages tell.
fn told(web: &Web) -> String {
    let list = web.get("/ui/loops").expect(200).body;
    let page = web.get("/ui/loops/mine").expect(200).body;
    let dialog = web.get("/ui/loops/mine/continue");
    let dialog = match dialog.status {
        // Which other agents there are depends on the machine.
        200 => match dialog.body.split_once("<p class=\"field\"><label for=\"continue-agent\"") {
            Some((before, rest)) => {
                format!("{}\n{}", text(before), text(&rest[rest.find("</p>").unwrap_or(0)..]))
            }
            None => text(&dialog.body),
        },
        status => format!("{status}: {}", dialog.message()),
    };
    let parts = [
        ("list", text(part(&list, "<tr class", "</tr>"))),
        ("page", text(part(&page, "<header", "</header>"))),
        ("next", text(part(&page, "<section id=\"why\"", "</section>"))),
        ("dialog", dialog),
    ];
    parts.iter().map(|(title, text)| format!("──── {title}\n{text}\n")).collect()
}

/// Snapshots without what differs from time to time.
fn settings(env: &Env) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&env.root().display().to_string(), "/tmp/windlass-XXXXXX");
    settings.add_filter(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "0000-00-00 00:00:00");
    settings.add_filter(r"(just now|\d+ (s|min) ago)", "[ago]");
    settings
}

#[track_caller]
fn check(name: &str) {
    let env = ended(name);
    let status = env.windlass(["status", "mine"]).success().stdout;
    let (server, web) = serve::serve(&env);
    let told = told(&web);
    settings(&env).bind(|| insta::assert_snapshot!(format!("web_of_{name}"), told));
    // The second line of `status` is the ending, after its sign.
    let sentence =
        status.lines().nth(1).and_then(|line| line.split_once(' ')).expect("an ending").1;
    let page = part(&told, "──── page", "──── next");
    assert_eq!(page.matches(sentence).count(), 1, "`{sentence}` is said once:\n{told}");
    if page.contains("Changes") {
        web.get("/ui/loops/mine/diff/all").expect(200);
    }
    serve::end(server);
}

endings::each_ending!(check);
