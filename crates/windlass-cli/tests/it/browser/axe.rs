//! axe-core looks at every page, wide and narrow, light and dark. `scripts/test` fetches it.

use std::{env, fs, path::PathBuf};

use testkit::pass_by;

use super::can_browse;
use crate::{heal::heal, heal_loop::rounds, scripted, serve, world};

/// The file of axe-core that `scripts/test` keeps, where there is one.
#[expect(clippy::disallowed_methods, reason = "`scripts/test` tells by a variable where it is")]
fn axe() -> Option<String> {
    let path = env::var_os("WINDLASS_AXE").map(PathBuf::from);
    let text = path.and_then(|path| fs::read_to_string(path).ok());
    if text.is_none() {
        pass_by("axe-core is not there: `scripts/test` fetches it from npm");
    }
    text
}

#[test]
fn axe_finds_nothing_serious() {
    if !can_browse() {
        return;
    }
    let Some(axe) = axe() else { return };
    let env = world();
    let reviews = rounds(&[&["one", "two"], &["two"], &[]]);
    heal(&env, &reviews, &["--loop", "--test", "true", "--name", "tidy-cart"]).run().success();
    let script = "say hello\nwrite b.txt x\\n\nsay <promise>COMPLETE</promise>";
    let args = ["--check", "false", "--max-iterations", "2", "--name", "mine"];
    scripted(&env, script, &args).run().code(1);
    let (server, web) = serve::serve(&env);
    let browser = super::browser(&env);
    browser.open(&format!("http://{}/", web.address));
    let mut pages = vec![("the way in", "/".to_owned(), "document.querySelector('.gate')")];
    let mut found = Vec::new();
    for round in 0..2 {
        for (width, height, scheme) in
            [(1440, 1000, "light"), (1440, 1000, "dark"), (390, 844, "light"), (390, 844, "dark")]
        {
            browser.looks(width, height, scheme);
            for (page, path, ready) in &pages {
                browser.open(&format!("http://{}{path}", web.address));
                if browser.js("return location.hash") != "" {
                    browser.js("location.reload()");
                }
                browser.wait_for(ready);
                if *page == "the dialog" {
                    browser.click("#do-continue");
                    browser.wait_for("document.querySelector('#continue').open");
                }
                browser
                    .js("document.querySelectorAll('details').forEach((one) => one.open = true)");
                let wide = "return document.documentElement.scrollWidth > innerWidth";
                assert_eq!(browser.js(wide), false, "{page} is wider than {width}");
                browser.js(&format!("{axe}; return 1"));
                let grave = browser.awaited(
                    "const seen = await axe.run(document); if (seen.passes.length < 10) return 'it did not look'; return seen.violations\
                     .filter((one) => ['serious', 'critical'].includes(one.impact))\
                     .map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | '));",
                );
                let grave = grave.as_array().cloned().unwrap_or_else(|| vec![grave.clone()]);
                found.extend(grave.iter().map(|one| format!("{page} {width} {scheme}: {one}")));
            }
        }
        if round == 0 {
            browser.open(&format!("http://{}/#token={}", web.address, web.token));
            browser.wait_for("document.querySelector('#loops a')");
            pages = vec![
                ("the list", "/".to_owned(), "document.querySelector('#loops a')"),
                ("the form", "/#start".to_owned(), "document.querySelector('#start')"),
                (
                    "a loop",
                    "/loops/tidy-cart".to_owned(),
                    "document.querySelector('#output .line')",
                ),
                (
                    "a diff",
                    "/loops/tidy-cart#diff-1".to_owned(),
                    "document.querySelector('#diff .add')",
                ),
                (
                    "all changes",
                    "/loops/mine#diff-all".to_owned(),
                    "document.querySelector('#diff .add')",
                ),
                ("the dialog", "/loops/mine".to_owned(), "document.querySelector('#do-continue')"),
            ];
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    drop(browser);
    serve::end(server);
}
