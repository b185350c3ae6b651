//! The dashboard in a real browser: as people use it, and as attackers would.

mod attacks;
mod axe;
mod changes;
mod continuing;
mod driver;
mod foreign;
mod leaks;
mod markup;
mod pictures;
mod working;

use testkit::{Env, has, web::Web};

use self::driver::Browser;

/// Whether there is a browser to try it in.
fn can_browse() -> bool {
    has("chromium") && has("chromedriver")
}

/// A browser of 1440 by 1000.
fn browser(env: &Env) -> Browser {
    Browser::start(env, &[])
}

/// Opens the page of the loop `mine`, through the list, by the title of its row.
fn open_mine(browser: &Browser, web: &Web) {
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.click("#loops th a");
    browser.wait_for("document.querySelector('#head .sign')");
}
