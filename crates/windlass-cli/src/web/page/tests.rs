//! Whole fragments, and what holds for all of them.

use insta::assert_snapshot;
use maud::Markup;
use windlass_core::view::{LoopView, Trail};

use super::{ASSETS, findings, head::Head, list, loop_page, shell, start, timeline};
use crate::{
    commands::{samples, why},
    report::samples as events,
};

fn lines(markup: Markup) -> String {
    markup.into_string().replace("><", ">\n<")
}

/// The page of the loop that those events tell of.
fn page(seen: &[windlass_core::event::Event], evil: bool) -> String {
    let record = if evil { samples::evil() } else { samples::done() };
    let mut standing = samples::standing(&record, false);
    let (mut view, mut trail, mut rules) = (LoopView::default(), Trail::default(), Vec::new());
    for event in seen {
        view.apply(event);
        trail.apply(event);
        why::judge(&mut rules, event);
    }
    standing.prove(view.proving(), view.proof.as_ref());
    let advice = why::advice(&standing, &record);
    let head = Head {
        record: &record,
        standing: &standing,
        view: &view,
        trail: &trail,
        rules: &rules,
        advice: &advice,
        can_accept: false,
        now: samples::NOW,
    };
    lines(loop_page::loop_page(&head, &samples::iterations(), "Mend <it>"))
}

#[test]
fn the_list_has_a_row_a_loop() {
    let _settings = samples::anywhere().bind_to_scope();
    let loops: Vec<_> = [(samples::running(), true), (samples::evil(), false)]
        .into_iter()
        .map(|(record, alive)| {
            let standing = samples::standing(&record, alive);
            (record, standing)
        })
        .collect();
    assert_snapshot!(lines(list::list(&loops, 7, samples::NOW)), @r#"
    <section class="page" data-page="loops" data-title="Loops">
    <div class="title-row">
    <h1>Loops</h1>
    <p class="faint">7 loops, 1 running</p>
    </div>
    <p class="filter">
    <label for="filter">Filter</label>
    <input id="filter" type="search" placeholder="task, name, agent, status" autocomplete="off" spellcheck="false">
    </p>
    <div class="scroll">
    <table class="loops">
    <caption class="unseen">All loops, newest first</caption>
    <thead>
    <tr>
    <th scope="col">Loop</th>
    <th scope="col">Status</th>
    <th scope="col">Cost</th>
    <th scope="col">When</th>
    <th scope="col">Directory</th>
    </tr>
    </thead>
    <tbody id="loops">
    <tr class="running">
    <th scope="row">
    <a href="/loops/1a2b3c4d5e6f7a8b">Make the tests pass</a>
    <p class="faint">calm-heron · iterate · command</p>
    </th>
    <td class="how" data-label="Status">
    <span class="sign running">
    <span class="icon" aria-hidden="true">●</span> running, iteration 6 of at most 20</span>
    </td>
    <td class="short" data-label="Cost" title="cost: not reported by this agent">–</td>
    <td class="short" data-label="When">started <time datetime="2025-11-15T19:56:40.000Z" title="YYYY-MM-DD HH:MM:SS">6 min ago</time>
    </td>
    <td class="where" data-label="Directory">/work/shop</td>
    </tr>
    <tr class="idle">
    <th scope="row">
    <a href="/loops/1a2b3c4d5e6f7a8b">x</a>
    <p class="faint">oddx -newt · iteratex · agentx</p>
    </th>
    <td class="how" data-label="Status">
    <span class="sign idle">
    <span class="icon" aria-hidden="true">○</span> interrupted in iteration 2: the process that ran it is gone</span>
    </td>
    <td class="short" data-label="Cost" title="cost: $0.50 (1.2k tokens in and 55 out)">$0.50</td>
    <td class="short" data-label="When">last seen <time datetime="2025-11-15T18:03:20.000Z" title="YYYY-MM-DD HH:MM:SS">2 h ago</time>
    </td>
    <td class="where" data-label="Directory">/work/x</td>
    </tr>
    </tbody>
    </table>
    </div>
    <p class="faint" id="filter-none" hidden>No loop matches the filter.</p>
    <p class="faint">The newest 2 of 7. <code>windlass list</code> has them all.</p>
    </section>
    "#);
    assert!(lines(list::list(&[], 0, samples::NOW)).contains("windlass demo"));
}

#[test]
fn a_loop_has_its_whole_story_on_its_page() {
    let _settings = samples::anywhere().bind_to_scope();
    let page = page(&events::good(), false);
    for words in [
        "done after 2 iterations",
        "The checks passed. What to do with the work.",
        "windlass diff brave-otter",
        "<dt>Iteration</dt>\n<dd>2 of at most 20</dd>",
        "<h1>Make the tests pass</h1>",
        "data-title=\"Make the tests pass · brave-otter\"",
        "data-diff=\"/ui/loops/1a2b3c4d5e6f7a8b/diff/all\"",
        "Convergence",
        "changed lines by iteration",
        "$0.50 (1.2k tokens in and 55 out)",
        "✓ claim accepted",
        "✗ claim rejected",
        "check `cargo test` failed with exit code 1",
        "data-diff=\"/ui/loops/1a2b3c4d5e6f7a8b/diff/1\"",
        "Mend &lt;it&gt;",
    ] {
        assert!(page.contains(words), "`{words}` is not on the page:\n{page}");
    }
    assert_eq!(
        page.matches("done after 2 iterations").count(),
        2,
        "once for people, once announced"
    );
    assert!(page.len() < 20 << 10, "{}", page.len());
}

#[test]
fn a_page_has_the_proof_the_tests_and_what_is_guarded() {
    let _settings = samples::anywhere().bind_to_scope();
    let page = page(&events::proven(), false);
    for words in [
        "done after 2 iterations, proven by 1 check, with 2 doubts",
        "proof: 41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too",
        "flaky: pytest (it passed and failed on the same files)",
        "doubt: tests/fixtures/a.json: a watched file changed",
        "<dt>Baseline</dt>\n<dd>pytest: 3 of 41 fail</dd>",
        "<dt>Tests</dt>\n<dd>pytest: 1 → 0 failing (3 failed at first)</dd>",
        "12 test files, conftest.py, pytest.ini, keys of pyproject.toml; `--unguard GLOB` releases files",
        "<progress value=\"3\" max=\"3\" aria-label=\"pytest: 1 → 0 failing (3 failed at first) · 100 %\">",
        "the checks also ran on the original tests: passed",
        "guarded: tests/test_a.py was changed (a test)",
    ] {
        assert!(page.contains(words), "`{words}` is not on the page:\n{page}");
    }
}

#[test]
fn hostile_words_are_text_that_a_terminal_could_show() {
    let page = page(&events::evil(), true);
    assert_eq!(
        windlass_core::text::sanitise::text(&page),
        page,
        "nothing of it steers a terminal, or turns text"
    );
    assert!(!page.contains("<it>"));
}

#[test]
fn a_timeline_has_its_checks_and_the_way_to_what_was_before() {
    let _settings = samples::anywhere().bind_to_scope();
    let mut iterations = samples::iterations();
    iterations.remove(0);
    assert_snapshot!(lines(timeline::entries("1a2b", &iterations, &[])), @r#"
    <li id="iteration-2">
    <div class="title-row">
    <h3>Iteration 2</h3>
    <span class="tag good">✓ claim accepted</span>
    <a class="button quiet" href="/loops/1a2b#diff-2" data-diff="/ui/loops/1a2b/diff/2">Diff<span class="unseen"> of iteration 2</span>
    </a>
    </div>
    <p class="faint">5.2 s · 2 files changed · began YYYY-MM-DD HH:MM:SS</p>
    <details class="check good" id="check-2-0">
    <summary>
    <span class="icon" aria-hidden="true">✓</span> <code>cargo test</code> <span class="faint">passed, 2.1 s</span>
    </summary>
    <pre tabindex="0" aria-label="Output of the check">assertionx
     failed</pre>
    </details>
    </li>
    <li class="more">
    <button type="button" data-more="/ui/loops/1a2b/iterations?before=2">Show earlier iterations</button>
    </li>
    "#);
}

#[test]
fn where_nothing_is_allowed_the_form_says_how_to_allow_it() {
    let page = lines(start::start(&[], &[], &[]));
    assert!(page.contains("windlass serve --allow DIR") && !page.contains("<form"), "{page}");
    let page =
        lines(start::start(&["/work/<shop>".into()], &start::kinds(None), &["claude".to_owned()]));
    assert!(page.contains("<option>/work/&lt;shop&gt;</option>"), "{page}");
}

#[test]
fn no_review_is_no_ledger() {
    let shown = lines(findings::findings(&windlass_core::findings::Ledger::default()));
    assert!(shown.contains("hidden"), "{shown}");
}

#[test]
fn a_page_is_light_and_asks_for_nothing_elsewhere() {
    let mut weight = shell().into_string().len();
    for (name, _, bytes) in ASSETS {
        let text = std::str::from_utf8(bytes).expect("assets are text");
        for word in ["http://", "https://", "eval(", "document.write", "innerHTML ="] {
            // The one place that fragments of our own server come in by, and a name of XML.
            let is_known = (*name == "server.js" && word == "innerHTML =")
                || (*name == "icon.svg" && word == "http://");
            assert!(is_known || !text.contains(word), "`{word}` stands in {name}");
        }
        assert!(!name.ends_with(".js") || text.lines().count() < 250, "{name} is too long");
        weight += bytes.len();
    }
    assert!(weight < 100 << 10, "{weight} bytes");
}
