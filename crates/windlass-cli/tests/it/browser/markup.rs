//! Markup in every place that an agent, a repository or a user writes: it is text, and runs nowhere.

use std::fs;

use testkit::Env;

use super::{can_browse, driver::Browser};
use crate::{serve, world};

/// Each would run `pwn()` or ask for `evil.test` if it were taken for markup.
const PAYLOADS: [&str; 10] = [
    "<script>pwn()</script>",
    "<img src=x onerror=pwn()>",
    "<svg onload=pwn()><animate onbegin=pwn()>",
    "\"><img src=http://evil.test/a onerror=pwn()>",
    "' autofocus onfocus=pwn() x='",
    "</pre></details></script><script>pwn()</script>",
    "<iframe srcdoc=\"<script>parent.pwn()</script>\"></iframe>",
    "<a href=javascript:pwn()>x</a><base href=http://evil.test/>",
    "<style>@import 'http://evil.test/s'</style><link rel=stylesheet href=http://evil.test/l>",
    "{{constructor.constructor('pwn()')()}}${pwn()}<template><script>pwn()</script></template>",
];

/// A script whose agent says, writes and finds all of them.
fn script() -> String {
    let mut script = String::new();
    for payload in PAYLOADS {
        script.push_str(&format!("say {payload}\nwarn {payload}\n"));
    }
    for (n, payload) in PAYLOADS.iter().enumerate() {
        let name: String = payload.chars().filter(|c| !"/ ".contains(*c)).collect();
        script.push_str(&format!("write {n}{name} {payload}\\n\n"));
    }
    script.push_str("say <promise>COMPLETE</promise>\n");
    script
}

/// A loop of each sort whose every word is hostile; gives their names.
fn hostile(env: &Env) -> Vec<String> {
    env.git(["checkout", "--quiet", "-b", "<img/src=x/onerror=pwn()>"]);
    let all = PAYLOADS.join("\n");
    let check = format!("printf '%s\\n' {} >&2; false", shell(&all));
    let script = env.script(&script());
    let call = env.command(["iterate", "--name", "hostile-words", "--max-iterations", "1", "-p"]);
    let call = call.arg(&all).arg("--agent").arg("scripted").arg("--script").arg(script);
    call.arg("--check").arg(check).run().code(1);

    let tasks: Vec<String> = PAYLOADS.iter().map(|payload| format!("- [ ] {payload}")).collect();
    env.write("TASKS.md", tasks.join("\n") + "\n");
    let script = env.script("say I do nothing\n");
    let call = env.command(["tasks", "--tasks", "TASKS.md", "--name", "<img src=x onerror=pwn()>"]);
    let call = call.arg("--max-iterations").arg("1").arg("--agent").arg("scripted");
    let named = call.arg("--script").arg(script).run();
    assert!(named.code == Some(1) || named.code == Some(2), "{named}");

    let findings: Vec<_> = PAYLOADS
        .iter()
        .map(|one| {
            serde_json::json!({"severity": one, "file": one, "line": 1, "title": one,
                "description": one, "suggestion": one})
        })
        .collect();
    let review = serde_json::json!({ "findings": findings }).to_string().replace('\\', "\\\\");
    let script = env.script(&format!("as reviewer\nsay ```json\nsay {review}\nsay ```\n"));
    let call = env.command(["heal", "--review-only", "--all", "--name", "hostile-findings"]);
    call.arg("--agent").arg("scripted").arg("--script").arg(script).run().code(1);
    let listed = env.windlass(["list", "--json"]).success().json();
    let listed = listed["loops"].as_array().or(listed.as_array()).cloned().expect("a list");
    listed.iter().filter_map(|one| Some(one["id"].as_str()?.to_owned())).collect()
}

fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What ran, and what was asked for elsewhere.
fn assert_nothing_ran(browser: &Browser, address: &str, place: &str) {
    assert_eq!(browser.js("return window.pwned ?? 0"), 0, "{place}");
    let strange = "return document.querySelectorAll('main script, main iframe, main base, main img, \
                   main link, main style, main animate, main [onerror], main [onload], main [onfocus], \
                   main a[href^=\"javascript\"]').length";
    assert_eq!(browser.js(strange), 0, "{place}");
    for request in browser.requests() {
        let url = request["url"].as_str().unwrap_or_default();
        assert!(url.starts_with(&format!("http://{address}/")), "{place}: {url}");
    }
}

#[test]
fn markup_of_agents_repositories_and_users_is_text() {
    if !can_browse() {
        return;
    }
    let env = world();
    let ids = hostile(&env);
    assert!(ids.len() >= 2, "{ids:?}");
    let (server, web) = serve::serve(&env);
    let browser = super::browser(&env);
    let watch = "window.pwned = 0; window.pwn = () => { window.pwned += 1; };";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({"source": watch}));
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for("document.querySelector('#loops a')");
    assert_nothing_ran(&browser, &web.address, "the list");
    for id in &ids {
        browser.open(&format!("http://{}/loops/{id}", web.address));
        browser.wait_for("document.querySelector('#output .line')");
        browser.js("document.querySelectorAll('details').forEach((one) => one.open = true)");
        assert_nothing_ran(&browser, &web.address, id);
        if browser.js("return Boolean(document.querySelector('[data-diff]'))") == true {
            browser.click("[data-diff]");
            browser.wait_for("document.querySelector('#diff')");
            browser.js("document.querySelectorAll('details').forEach((one) => one.open = true)");
            assert_nothing_ran(&browser, &web.address, "a diff");
        }
    }
    // They were there, as text.
    browser.open(&format!("http://{}/loops/hostile-words", web.address));
    for payload in [PAYLOADS[0], PAYLOADS[1], PAYLOADS[5]] {
        let text = serde_json::json!(payload);
        browser.wait_for(&format!("document.querySelector('#output')?.innerText.includes({text})"));
    }
    drop(browser);
    serve::end(server);
    assert!(fs::read_dir(env.work()).is_ok_and(|mut files| files.next().is_some()));
}
