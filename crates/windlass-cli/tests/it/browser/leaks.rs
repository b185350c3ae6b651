//! The token is in a header, and nowhere else.

use super::{can_browse, foreign::Foreign};
use crate::{scripted, serve, world};

#[test]
fn the_token_is_nowhere_but_in_the_header() {
    if !can_browse() {
        return;
    }
    let env = world();
    scripted(&env, "say hi\nsay <promise>COMPLETE</promise>", &["--name", "calm-heron"])
        .run()
        .success();
    let (server, web) = serve::serve(&env);
    let foreign = Foreign::start("<body>elsewhere</body>");
    let browser = super::browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.click("#loops a");
    browser.wait_for_text("done after 1 iteration");
    browser.click("#iteration-1 [data-diff]");
    browser.wait_for("document.querySelector('#diff')");
    let page = browser.js(
        "return [location.href, document.documentElement.outerHTML, document.cookie, document.title, \
         history.length, JSON.stringify(localStorage), \
         ...performance.getEntries().map((entry) => entry.name.replace(/#.*/, ''))].join(' ')",
    );
    assert!(!page.to_string().contains(&web.token), "{page}");

    // Everything that went over the wire.
    let requests = browser.requests();
    for request in &requests {
        let url = request["url"].as_str().unwrap_or_default();
        assert!(url.starts_with(&format!("http://{}/", web.address)), "a foreign request: {url}");
        assert!(!url.contains(&web.token), "{url}");
        for (name, value) in request["headers"].as_object().expect("headers") {
            let is_authorization = name.eq_ignore_ascii_case("authorization");
            let has = value.to_string().contains(&web.token);
            assert!(is_authorization || !has, "{name}: {value}");
        }
        assert!(!request["postData"].to_string().contains(&web.token));
    }
    assert!(requests.len() > 5, "the log has what was sent");

    browser.js(&format!("location.href = '{}'", foreign.origin));
    browser.wait_for_text("elsewhere");
    let told = foreign.requests().join("\n");
    // For its own icon, that page may say that it wants it.
    let first = foreign.requests().remove(0).to_lowercase();
    assert!(!first.contains("referer"), "{first}");
    assert!(!told.contains(&web.token) && !told.contains(&web.address), "{told}");
    drop(browser);
    let printed = format!("{}{}", server.stdout(), server.stderr());
    assert_eq!(printed.matches(&web.token).count(), 1, "only in the line that hands it over");
    serve::end(server);
}
