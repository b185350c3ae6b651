//! Attacks from other pages, in the real browser: none of them may learn or change anything.

use testkit::{Env, web::Web};

use super::{can_browse, driver::Browser, foreign::Foreign};
use crate::{scripted, serve, world};

/// A world with a loop, whose name and prompt are what an attacker would like to read.
fn with_a_loop() -> Env {
    let env = world();
    let script = "say <promise>COMPLETE</promise>";
    scripted(&env, script, &["--name", "secret-canary"]).run().success();
    env
}

/// How many loops there are.
fn loops(web: &Web) -> usize {
    let listed = web.get("/api/v1/loops").expect(200).json();
    listed["loops"].as_array().or(listed.as_array()).expect("a list").len()
}

#[test]
fn a_name_that_turns_to_this_machine_gets_nothing() {
    if !can_browse() {
        return;
    }
    let env = with_a_loop();
    let (server, web) = serve::serve(&env);
    let browser = Browser::start(&env, &["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
    let port = web.address.rsplit(':').next().expect("a port");
    browser.open(&format!("http://evil.test:{port}/"));
    let page = browser.js("return document.documentElement.outerHTML").to_string();
    assert!(!page.contains("app.js"), "not even the shell: {page}");
    for path in ["/", "/api/v1/loops", "/ui/loops", "/api/v1/loops/secret-canary/events"] {
        let script = format!(
            "const answer = await fetch('{path}', {{headers: {{Authorization: 'Bearer {}'}}}});\
             return answer.status + ' ' + await answer.text();",
            web.token
        );
        let answer = browser.awaited(&script).to_string();
        assert!(answer.starts_with("\"403 "), "{path}: {answer}");
        assert!(!answer.contains("secret-canary"), "{path}: {answer}");
    }
    drop(browser);
    serve::end(server);
}

#[test]
fn a_foreign_page_starts_stops_and_reads_nothing() {
    if !can_browse() {
        return;
    }
    let env = with_a_loop();
    let (server, web) = serve::serve(&env);
    let foreign = Foreign::start("<title>evil</title><body>evil</body>");
    let browser = super::browser(&env);
    // The user has the dashboard open, in the same browser.
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for_text("secret-canary");
    browser.open(&foreign.origin);
    let target = format!("http://{}", web.address);
    let body = format!(
        r#"{{"kind":"iterate","directory":"{}","options":{{"prompt":"x","agent":"scripted"}}}}"#,
        env.work().display()
    );
    for mode in ["cors", "no-cors"] {
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json"] {
            for path in ["/api/v1/loops", "/api/v1/loops/secret-canary/reset"] {
                let script = format!(
                    "const answer = await fetch('{target}{path}', {{method: 'POST', mode: '{mode}', \
                     credentials: 'include', headers: {{'Content-Type': '{kind}'}}, body: '{body}'}});\
                     return answer.type + ' ' + answer.status;"
                );
                let answer = browser.awaited(&script);
                let blind = answer == "opaque 0" || answer == "failed: TypeError";
                assert!(blind, "{mode} {kind}: {answer}");
            }
        }
    }
    // A form needs no permission to be sent.
    browser.js(&format!(
        "const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain';\
         form.action = '{target}/api/v1/loops'; const field = document.createElement('input');\
         field.name = '{body}'; form.append(field); document.body.append(form); form.submit();"
    ));
    browser.wait_for("location.href.includes('/api/v1/loops')");
    assert_eq!(loops(&web), 1, "nothing was started");
    browser.open(&foreign.origin);
    for path in ["/", "/ui/loops", "/api/v1/loops", "/api/v1/loops/secret-canary/events"] {
        // Even who has stolen the token cannot use it from there.
        let script = format!(
            "const answer = await fetch('{target}{path}', {{headers: {{Authorization: 'Bearer {}'}}}});\
             return await answer.text();",
            web.token
        );
        assert_eq!(browser.awaited(&script), "failed: TypeError", "{path}");
        let stream = format!(
            "return await new Promise((done) => {{ const one = new EventSource('{target}{path}');\
             one.onmessage = () => done('heard'); one.onerror = () => {{ one.close(); done('refused'); }}; }});"
        );
        assert_eq!(browser.awaited(&stream), "refused", "{path}");
    }
    let cookies = browser.devtools("Storage.getCookies", serde_json::json!({}));
    assert_eq!(cookies["cookies"], serde_json::json!([]), "there is no cookie to steal");
    drop(browser);
    serve::end(server);
}

#[test]
fn in_a_frame_nothing_is_shown() {
    if !can_browse() {
        return;
    }
    let env = with_a_loop();
    let (server, web) = serve::serve(&env);
    let target = format!("http://{}/#token={}", web.address, web.token);
    let page = format!("<iframe id=f src='{target}' width=800 height=600></iframe>");
    let foreign = Foreign::start(&page);
    let browser = super::browser(&env);
    browser.open(&foreign.origin);
    browser.wait_for("document.readyState === 'complete'");
    let frames = browser.devtools("Page.getFrameTree", serde_json::json!({}));
    let inner = &frames["frameTree"]["childFrames"][0]["frame"];
    let is_error = inner["url"].as_str().is_some_and(|url| url.starts_with("chrome-error"))
        || inner["unreachableUrl"].is_string();
    assert!(is_error, "{frames}");
    drop(browser);
    serve::end(server);
}
