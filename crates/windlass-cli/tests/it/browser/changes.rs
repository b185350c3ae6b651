//! What the whole loop changed: one click away, and never older than the last iteration.

use std::fs;

use super::{browser, can_browse, open_mine};
use crate::{COMPLETE, serve, shell, world};

/// What the diff shows.
const SHOWN: &str = "document.querySelector('#diff')?.innerText";

#[test]
fn changes_that_are_open_grow_with_the_loop() {
    if !can_browse() {
        return;
    }
    let env = world();
    let gate = env.root().join("gate");
    let body = format!(
        "if [ ! -e a.txt ]; then echo one > a.txt; exit; fi; while [ ! -e {} ]; do sleep 0.1; done; \
         echo two > b.txt; echo '{COMPLETE}'",
        gate.display()
    );
    let running = shell(&env, &body, &["--name", "mine"]).spawn();
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for("document.querySelector('#loops th a')");
    open_mine(&browser, &web);
    browser.wait_for_text("running, iteration 2 of at most 20");
    browser.click("#do-changes");
    browser.wait_for(&format!("{SHOWN}?.includes('Changes up to iteration 1')"));
    browser.wait_for(&format!("{SHOWN}.includes('+one') && !{SHOWN}.includes('+two')"));
    browser.click("[id='file-a.txt'] > summary");
    fs::write(&gate, "").expect("the folder is ours");
    browser.wait_for(&format!("{SHOWN}.includes('+two')"));
    browser.wait_for("document.querySelector('#diff-title').innerText === 'Changes'");
    let open = "return document.querySelector(\"[id='file-a.txt']\").open";
    assert_eq!(browser.js(open), false, "what was closed stays closed");
    browser.wait_for_text("done after 2 iterations");
    browser.click("[data-close=diff]");
    browser.wait_for("!document.querySelector('#diff')");
    drop(browser);
    running.wait().success();
    serve::end(server);
}
