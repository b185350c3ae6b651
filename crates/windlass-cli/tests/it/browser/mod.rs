//! The dashboard in a real browser: as people use it, and as attackers would.

mod attacks;
mod axe;
mod driver;
mod foreign;
mod leaks;
mod markup;
mod pictures;
mod working;

use testkit::{Env, has};

use self::driver::Browser;

/// Whether there is a browser to try it in.
fn can_browse() -> bool {
    has("chromium") && has("chromedriver")
}

/// A browser of 1440 by 1000.
fn browser(env: &Env) -> Browser {
    Browser::start(env, &[])
}
