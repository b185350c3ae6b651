//! The pictures of the documentation: `scripts/screenshots` makes the loops, and runs this.

use std::{env, path::PathBuf};

use testkit::web::Web;

use super::can_browse;
use crate::world;

/// Name, page, what is there when it is drawn, how far down to look, and how high it is on a desk.
const PAGES: [(&str, &str, &str, &str, u32); 5] = [
    ("loops", "/", "document.querySelector('#loops a')", "0", 540),
    ("running", "/loops/brave-otter", "document.querySelector('#charts svg')", "0", 900),
    (
        "findings",
        "/loops/tidy-cart",
        "document.querySelector('#findings tr')",
        "document.querySelector('#findings').offsetTop - 12",
        840,
    ),
    ("changes", "/loops/calm-heron#diff-all", "document.querySelector('#diff .add')", "0", 760),
    ("continue", "/loops/quick-page", "document.querySelector('#do-continue')", "0", 700),
];

#[test]
#[ignore = "scripts/screenshots runs it"]
#[expect(clippy::disallowed_methods, reason = "`scripts/screenshots` tells by variables")]
fn pictures_of_the_dashboard() {
    let (Ok(printed), Ok(folder)) = (env::var("WINDLASS_ADDRESS"), env::var("WINDLASS_PICTURES"))
    else {
        return;
    };
    if !can_browse() {
        return;
    }
    let web = Web::of(&format!("{printed}\n"));
    let env = world();
    let browser = super::browser(&env);
    browser.open(&format!("http://{}/#token={}", web.address, web.token));
    browser.wait_for("document.querySelector('#loops a')");
    for (width, scheme) in [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")] {
        for (name, path, ready, top, desk) in PAGES {
            browser.looks(width, if width == 390 { 844 } else { desk }, scheme);
            browser.open(&format!("http://{}{path}", web.address));
            browser.wait_for(ready);
            browser.wait_for(
                "!document.querySelector('#output') || document.querySelector('#output .line')",
            );
            if name == "continue" {
                browser.click("#do-continue");
                browser.wait_for("document.querySelector('#continue').open");
            }
            browser.js(&format!("scrollTo(0, {top})"));
            std::thread::sleep(std::time::Duration::from_millis(300));
            let file = format!("web-{name}-{width}-{scheme}.png");
            browser.picture(&PathBuf::from(&folder).join(file));
        }
    }
}
