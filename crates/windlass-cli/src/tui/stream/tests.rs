//! The window: it stays small, and pages fit together.

use windlass_core::{ids::Place, said::Said};

use super::*;
use crate::report::samples;

fn said(seq: u64, words: &str) -> Event {
    let said = Said::Text { text: words.to_owned() };
    samples::event(seq, EventKind::AgentSaid { place: Place::from("1/agent".to_owned()), said })
}

fn page(seqs: std::ops::RangeInclusive<u64>) -> Vec<Event> {
    seqs.map(|seq| said(seq, &format!("line {seq}"))).collect()
}

fn stream(height: usize) -> Stream {
    let mut stream = Stream::new(Theme::default());
    stream.lay_out(40, height);
    stream
}

fn shown(stream: &Stream) -> Vec<String> {
    stream.shown().map(|(line, _)| line.to_string().replace("  │ ", "")).collect()
}

#[test]
fn what_is_followed_is_the_end() {
    let (view, mut stream) = (LoopView::default(), stream(2));
    stream.restart(&page(1..=5), true, true, &view);
    assert_eq!(shown(&stream), ["line 4", "line 5"]);
    stream.append(&page(6..=6), &view);
    assert_eq!(shown(&stream), ["line 5", "line 6"]);
    assert_eq!(stream.scroll(-1), None);
    stream.append(&page(7..=7), &view);
    assert_eq!(shown(&stream), ["line 4", "line 5"], "whoever reads is not disturbed");
}

#[test]
fn pages_come_as_they_are_scrolled_to() {
    let (view, mut stream) = (LoopView::default(), stream(3));
    stream.restart(&page(101..=110), false, true, &view);
    assert_eq!(stream.scroll(-6), Some(Page::Before(101)));
    stream.prepend(&page(91..=100), &view);
    assert_eq!(shown(&stream), ["line 102", "line 103", "line 104"]);
    stream.scroll(-4);
    assert_eq!(shown(&stream), ["line 98", "line 99", "line 100"]);
    stream.go_to_top();
    stream.prepend(&[], &view);
    assert_eq!(stream.scroll(-1), None, "there is nothing before");
    assert_eq!(stream.scroll(100), Some(Page::After(110)));
}

#[test]
fn it_never_grows_beyond_its_bound() {
    let (view, mut stream) = (LoopView::default(), stream(10));
    for n in 0..100_u64 {
        stream.append(&page(n * 100 + 1..=(n + 1) * 100), &view);
        assert!(stream.rows.len() <= MOST_ROWS);
    }
    assert_eq!(stream.reach(), (10_000 - MOST_ROWS as u64 + 1, 10_000));
    for _ in 0..100 {
        let (first, _) = stream.reach();
        stream.prepend(&page(first.saturating_sub(100).max(1)..=first - 1), &view);
        stream.go_to_top();
        assert!(stream.rows.len() <= MOST_ROWS);
        if first <= 101 {
            break;
        }
    }
    assert_eq!(stream.reach(), (1, MOST_ROWS as u64));
}

#[test]
fn a_flood_in_one_event_shows_its_beginning_and_its_end() {
    let (view, mut stream) = (LoopView::default(), stream(3));
    let long: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
    stream.restart(&[said(1, "before"), said(2, &long)], true, true, &view);
    assert_eq!(stream.rows.len(), MOST_EVENT_ROWS + 1);
    assert_eq!(shown(&stream), ["99998", "99999", "100000"]);
    assert_eq!(stream.reach(), (2, 2), "what is followed is the end");
    let note = stream.rows[MOST_EVENT_ROWS / 2].line.to_string();
    assert_eq!(note, "  … 99000 lines more, which `windlass log` shows");
    let wide = "wide words ".repeat(100_000);
    stream.restart(&[said(1, &wide)], true, false, &view);
    assert!(stream.rows.len() <= MOST_ROWS && !stream.rows.is_empty());
    assert_eq!(stream.reach(), (1, 1));
}

#[test]
fn a_search_asks_for_the_pages_that_it_has_not_seen() {
    let (view, mut stream) = (LoopView::default(), stream(3));
    stream.restart(&page(101..=110), false, true, &view);
    let needle = Needle::new("line 104").unwrap();
    assert_eq!(stream.find(&needle, true), Ok(()));
    assert!(shown(&stream).contains(&"line 104".to_owned()));
    assert_eq!(stream.find(&needle, true), Err(Some(Page::Before(101))));
    stream.prepend(&page(1..=100), &view);
    assert_eq!(stream.find(&needle, true), Err(None));
    assert_eq!(stream.find(&needle, false), Ok(()));
}
