//! The button that continues a loop, after every sort of stop: a click, and the loop really goes on.

use super::{browser, can_browse, driver::Browser, open_mine};
use crate::{
    COMPLETE,
    agent_trust::{claude, clone, servers},
    morning::web::ended,
    scripted, serve, user_config, world,
};

const ESCAPE: &str = "\u{e00c}";
const ENTER: &str = "\u{e007}";

/// Opens the dialog; it is modal, and has no command to copy but in its details.
fn open_dialog(browser: &Browser) {
    browser.click("#do-continue");
    browser.wait_for("document.querySelector('#continue').matches(':modal')");
    assert_eq!(browser.js("return document.querySelector('#continue details').open"), false);
}

/// Clicks, and the dialog closes without a complaint.
#[track_caller]
fn go_on(browser: &Browser) {
    browser.click("#continue-yes");
    browser.wait_for(
        "!document.querySelector('#continue').open || !document.querySelector('#continue-trouble').hidden",
    );
    let told = browser.js("return document.querySelector('#continue-trouble')?.innerText ?? ''");
    assert_eq!(told, "");
}

/// What a field of the dialog says.
fn value(browser: &Browser, field: &str) -> serde_json::Value {
    browser.js(&format!("return document.querySelector('#continue [name={field}]').value"))
}

#[test]
fn more_iterations_are_prefilled_and_enter_sends_them() {
    if !can_browse() {
        return;
    }
    let env = world();
    let script = format!("write a.txt one\\n\nnext\nsay {COMPLETE}");
    scripted(&env, &script, &["--name", "mine", "--max-iterations", "1"]).run().code(1);
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    assert_eq!(browser.js("return document.querySelector('h1').innerText"), "mend it");
    open_dialog(&browser);
    assert_eq!(browser.js("return document.activeElement.id"), "continue-iterations");
    assert_eq!(value(&browser, "max-iterations"), "2");
    browser.fill("#continue-iterations", ESCAPE);
    browser.wait_for("!document.querySelector('#continue').open");
    assert_eq!(browser.js("return document.activeElement.id"), "do-continue");

    open_dialog(&browser);
    browser.js("document.querySelector('#continue-iterations').value = 1");
    browser.click("#continue-yes");
    assert_eq!(browser.js("return document.querySelector('#continue').open"), true, "too few");
    browser.js("document.querySelector('#continue-iterations').value = 3");
    browser.fill("#continue-iterations", ENTER);
    browser.wait_for("!document.querySelector('#continue').open");
    browser.wait_for_text("done after 2 iterations, unverified");
    browser.wait_for("!document.querySelector('#do-continue')");
    drop(browser);
    assert_eq!(env.sql("SELECT max_iterations FROM loops").trim(), "3");
    serve::end(server);
}

#[test]
fn one_click_resets_the_rules_and_resumes() {
    if !can_browse() {
        return;
    }
    let env = ended("rule");
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    open_dialog(&browser);
    assert_eq!(browser.js("return document.activeElement.id"), "continue-yes");
    go_on(&browser);
    browser.wait_for_text("stopped after 6 iterations by the rule stagnation");
    drop(browser);
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'circuit_reset'").trim(), "1");
    serve::end(server);
}

#[test]
fn a_budget_is_raised_in_the_dialog() {
    if !can_browse() {
        return;
    }
    let env = ended("budget");
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    open_dialog(&browser);
    assert_eq!(value(&browser, "max-cost"), "4");
    go_on(&browser);
    browser.wait_for_text("$3.60 of $4.00 spent");
    drop(browser);
    serve::end(server);
}

#[test]
fn an_interrupted_loop_goes_on() {
    if !can_browse() {
        return;
    }
    let env = ended("interrupted");
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    browser.wait_for_text("interrupted in iteration 1");
    open_dialog(&browser);
    go_on(&browser);
    browser.wait_for_text("done after");
    drop(browser);
    serve::end(server);
}

#[test]
fn another_agent_of_this_machine_takes_over() {
    if !can_browse() {
        return;
    }
    let env = world();
    let other = env.agent_sh(&format!("echo '{COMPLETE}'"));
    let table = format!(
        "[agents.other]\ncommand = ['{}']\n\n[agents.missing]\ncommand = ['/not/there']\n",
        other.display()
    );
    user_config(&env, &table);
    scripted(&env, "say hm", &["--name", "mine", "--max-iterations", "1"]).run().code(1);
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    open_dialog(&browser);
    let choices =
        "return [...document.querySelector('#continue-agent').options].map((one) => one.text)";
    let choices = browser.js(choices).to_string();
    assert!(choices.contains("scripted (as before)") && choices.contains("\"other\""), "{choices}");
    assert!(!choices.contains("missing"), "{choices}");
    browser.js("document.querySelector('#continue-agent').value = 'other'");
    go_on(&browser);
    browser.wait_for_text("done after");
    browser.wait_for("document.querySelector('.subtitle').innerText.includes('with other in')");
    drop(browser);
    serve::end(server);
}

#[test]
fn a_refusal_is_shown_in_the_dialog() {
    if !can_browse() {
        return;
    }
    let env = clone();
    let directory = env.work().canonicalize().unwrap();
    claude(&env).args(["--check", "false", "--trust-agent-config"]).run().code(1);
    env.write(".mcp.json", servers(&[("new", "./new.sh")]));
    let (server, web) = serve::serve(&env);
    let browser = browser(&env);
    open_mine(&browser, &web);
    open_dialog(&browser);
    browser.click("#continue-yes");
    browser.wait_for("!document.querySelector('#continue-trouble').hidden");
    let told = browser.js("return document.querySelector('#continue-trouble').innerText");
    let expected = format!(
        "This repository has untrusted settings for agents:\n\
         claude: .mcp.json: MCP server: ./new.sh\n\
         They can run commands as you. Read them, run this in a terminal, and try again:\n\
         windlass trust {}",
        directory.display()
    );
    assert_eq!(told.as_str().unwrap().trim(), expected);
    assert_eq!(browser.js("return document.querySelector('#continue').open"), true);
    env.windlass(["trust", directory.to_str().unwrap()]).success();
    go_on(&browser);
    browser.wait_for_text("not done: iteration limit (2) reached");
    drop(browser);
    serve::end(server);
}
