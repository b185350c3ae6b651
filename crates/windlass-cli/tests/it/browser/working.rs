//! A loop from the form to its diff, by hand.

use std::fs;

use serde_json::json;
use testkit::{Env, wait_until};

use super::{browser, can_browse, driver::PATIENCE};
use crate::{
    accepting::{assert_accepted, rejected},
    agent_trust::clone,
    serve, world,
};

/// In the second iteration there is time to call it off.
const SCRIPT: &str = "\
say I begin with the first part
write a.txt one\\n
next
say I am at it
sleep 15s
next
say I go on where I was
append a.txt two\\n
say <promise>COMPLETE</promise>
";

#[test]
fn a_loop_is_started_watched_called_off_taken_up_again_and_looked_at() {
    if !can_browse() {
        return;
    }
    let env = world();
    let script = env.script(SCRIPT);
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for_text("No loops yet");
    assert_eq!(browser.js("return location.href"), format!("http://{}/", web.address));

    browser.click("[data-nav=start]");
    browser.wait_for("document.querySelector('#start')");
    browser.fill("#agent", "scripted");
    browser.click("#start > button.primary");
    browser.wait_for("!document.querySelector('#start-trouble').hidden");
    browser.fill("#prompt", "Mend it, part by part.");
    browser.fill("#check", "test -e a.txt");
    browser.fill("#max-iterations", "4");
    browser.click("#start details > summary");
    browser.fill("#flags", &format!("script={}\nname=brave-otter", script.display()));
    browser.click("#start > button.primary");

    browser.wait_for_text("running, iteration 2 of at most 4");
    browser.wait_for_text("I am at it");
    browser.wait_for_text("● live");
    browser.wait_for("document.querySelector('#head .sign').innerText.includes('running')");
    assert_eq!(
        browser.js("return document.title"),
        "Mend it, part by part. · brave-otter – windlass"
    );

    browser.click("#do-cancel");
    browser.wait_for("document.querySelector('#question').open");
    browser.click("#question button[value=no]");
    browser.click("#do-cancel");
    browser.click("#question-yes");
    browser.wait_for_text("cancelled by `windlass cancel` in iteration 2");
    browser.wait_for("document.querySelector('#head .sign').innerText.includes('✕')");

    browser.click("#do-continue");
    browser.click("#continue-yes");
    browser.wait_for_text("I go on where I was");
    browser.wait_for_text("proven by 1 check");
    browser.wait_for("document.querySelector('#head .sign').innerText.includes('✓')");

    browser.click("#iteration-1 [data-diff]");
    browser.wait_for("document.querySelector('#diff .add')?.innerText.includes('+one')");
    browser.js("history.back()");
    browser.wait_for("!document.querySelector('#diff')");
    browser.click("#iteration-3 details.check > summary");
    browser.wait_for_text("No output.");
    browser.wait_for("document.querySelectorAll('#charts svg').length === 2");

    let words = browser.js("return document.querySelector('#output').innerText");
    let words = words.as_str().expect("a text");
    // The session that was called off is played again, and nothing else is shown twice.
    for (said, times) in
        [("I begin with the first part", 1), ("I am at it", 2), ("I go on where I was", 1)]
    {
        assert_eq!(words.matches(said).count(), times, "{words}");
    }
    let severe: Vec<String> = browser.log("browser");
    assert!(!severe.iter().any(|line| line.contains("Content Security")), "{severe:?}");
    drop(browser);
    serve::end(server);
    assert!(fs::read_to_string(env.work().join("a.txt")).is_ok_and(|text| text == "one\ntwo\n"));
}

#[test]
fn a_rejected_claim_is_accepted_with_a_click() {
    if !can_browse() {
        return;
    }
    let env = rejected();
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for_text("mine");
    browser.click("#loops a");
    browser.click("#do-accept");
    browser.wait_for("document.querySelector('#question').open");
    browser.click("#question-yes");
    browser.wait_for("document.querySelector('#head .sign').innerText.includes('✓')");
    browser.wait_for("!document.querySelector('#do-accept')");
    drop(browser);
    serve::end(server);
    assert_accepted(&env);
}

#[test]
fn a_page_without_a_token_says_how_to_get_in() {
    if !can_browse() {
        return;
    }
    let env = world();
    let loops = crate::scripted(&env, "say hello\nsay <promise>COMPLETE</promise>", &[]);
    loops.arg("--name").arg("brave-otter").run().success();
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    browser.open(&format!("http://{}/loops/brave-otter", web.address));
    browser.wait_for_text("Paste the URL printed by windlass serve");
    browser.fill("#token", "wrong");
    browser.click("form.gate button");
    browser.wait_for("!document.querySelector('#trouble').hidden");
    browser.click("#trouble-close");
    browser.wait_for("document.querySelector('#trouble').hidden");
    browser.fill("#token", &format!("http://{}/#token={}", web.address, web.token));
    browser.click("form.gate button");
    browser.wait_for_text("done after 1 iteration, unverified");
    browser.wait_for_text("hello");
    drop(browser);
    serve::end(server);
}

/// Lets the test cut the streams that are open, and keep the server out of reach.
const CUTTER: &str = "
    const real = window.fetch;
    window.streams = [];
    window.fetch = (path, asked) => {
        if (window.down) return Promise.reject(new TypeError('cut'));
        const cut = new AbortController();
        if (String(path).endsWith('/events')) window.streams.push(cut);
        return real(path, {...asked, signal: AbortSignal.any([cut.signal, asked.signal].filter(Boolean))});
    };
";

#[test]
fn a_connection_that_is_cut_is_said_and_taken_up_where_it_was() {
    if !can_browse() {
        return;
    }
    let env = world();
    let (server, web) = serve::serve(&env);
    let script = "say before the cut\nsleep 12s\nsay during the cut\nsleep 20s\n\
                  say after the cut\nsay <promise>COMPLETE</promise>";
    let running = crate::scripted(&env, script, &["--name", "brave-otter"]).spawn();
    let browser = browser(&env);
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": CUTTER}));
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.click("#loops a");
    browser.wait_for_text("before the cut");
    browser.wait_for_text("● live");
    browser.js("window.down = true; window.streams.forEach((one) => one.abort())");
    browser.wait_for_text("reconnecting…");
    running_says(&env, "during the cut");
    browser.js("window.down = false");
    browser.wait_for_text("during the cut");
    browser.wait_for_text("● live");
    browser.wait_for_text("done after 1 iteration");
    let words = browser.js("return document.querySelector('#output').innerText");
    let words = words.as_str().expect("a text");
    for once in ["before the cut", "during the cut", "after the cut"] {
        assert_eq!(words.matches(once).count(), 1, "{words}");
    }
    drop(browser);
    serve::end(server);
    running.wait().success();
}

/// Waits until the loop has said something, as the store has it.
fn running_says(env: &Env, words: &str) {
    wait_until(words, PATIENCE, || {
        env.windlass(["log", "brave-otter"]).success().stdout.contains(words)
    });
}

#[test]
fn what_needs_trust_is_listed_in_the_form_with_the_command_that_helps() {
    if !can_browse() {
        return;
    }
    let env = clone();
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for_text("No loops yet");
    browser.click("[data-nav=start]");
    browser.wait_for("document.querySelector('#start')");
    browser.fill("#agent", "claude");
    browser.fill("#prompt", "Fix it.");
    browser.click("#start > button.primary");
    browser.wait_for("!document.querySelector('#start-trouble').hidden");
    let told = browser.js("return document.querySelector('#start-trouble').innerText");
    let expected = format!(
        "This repository has untrusted settings for agents:\n\
         claude: .mcp.json: MCP server: ./db.sh\n\
         They can run commands as you. Read them, run this in a terminal, and try again:\n\
         windlass trust {}",
        env.work().canonicalize().unwrap().display()
    );
    assert_eq!(told.as_str().unwrap().trim(), expected);
    serve::end(server);
}
