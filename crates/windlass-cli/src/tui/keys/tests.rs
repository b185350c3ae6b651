//! What keys do, without a terminal or a store.

use super::*;
use crate::{
    commands::samples as loops,
    report::samples as events,
    tui::{opened::Opened, samples},
};

fn dashboard(opened: Opened) -> Dashboard {
    samples::with(80, 24, opened)
}

fn running() -> Dashboard {
    dashboard(samples::running())
}

/// Types letters; gives what the last one asks for.
fn typed(dashboard: &mut Dashboard, letters: &str) -> Option<Act> {
    letters.chars().fold(None, |_, letter| dashboard.key(Key::Letter(letter)))
}

#[test]
fn arrows_choose_a_loop_and_enter_goes_to_its_pane() {
    let mut dashboard = running();
    let second = dashboard.loops[1].record.id.clone();
    assert_eq!(dashboard.key(Key::Down), Some(Act::Open(second)));
    assert_eq!(dashboard.key(Key::Up), Some(Act::Open(dashboard.loops[0].record.id.clone())));
    assert_eq!(dashboard.key(Key::Up), None, "there is nothing above the first");
    assert_eq!(dashboard.key(Key::Enter), None);
    assert_eq!(dashboard.focus, Focus::Pane);
    dashboard.key(Key::Escape);
    assert_eq!(dashboard.focus, Focus::Loops);
}

#[test]
fn tab_and_numbers_change_the_pane() {
    let mut dashboard = running();
    assert_eq!(dashboard.key(Key::Tab), Some(Act::Show));
    assert_eq!(dashboard.pane, Pane::Iterations);
    dashboard.key(Key::BackTab);
    dashboard.key(Key::BackTab);
    assert_eq!(dashboard.pane, Pane::Why);
    for (number, pane) in (1..).zip(Pane::ALL) {
        dashboard.key(Key::Letter(char::from_digit(number, 10).unwrap()));
        assert_eq!(dashboard.pane, pane);
    }
}

#[test]
fn a_loop_is_called_off_only_after_a_yes() {
    let mut dashboard = running();
    assert_eq!(typed(&mut dashboard, "c"), None);
    assert_eq!(dashboard.over, Over::Question(Question::Cancel));
    assert_eq!(dashboard.key(Key::Enter), None, "enter is not a yes");
    assert_eq!(typed(&mut dashboard, "xz"), None);
    assert_eq!(dashboard.over, Over::Question(Question::Cancel));
    assert_eq!(typed(&mut dashboard, "n"), None);
    assert_eq!(dashboard.over, Over::Nothing);
    assert_eq!(typed(&mut dashboard, "cy"), Some(Act::Cancel { after_iteration: false }));
    assert_eq!(typed(&mut dashboard, "Cy"), Some(Act::Cancel { after_iteration: true }));
}

#[test]
fn what_has_ended_is_not_called_off() {
    let mut dashboard = dashboard(samples::opened(loops::done(), false, &events::good()));
    assert_eq!(typed(&mut dashboard, "cy"), None);
    typed(&mut dashboard, "c");
    assert_eq!(dashboard.notice.as_deref(), Some("brave-otter has ended"));
    typed(&mut dashboard, "A");
    assert_eq!(
        dashboard.notice.as_deref(),
        Some("brave-otter is done: there is nothing to accept")
    );
    typed(&mut dashboard, "r");
    assert_eq!(
        dashboard.notice.as_deref(),
        Some("brave-otter is over: there is nothing to go on with")
    );
}

#[test]
fn resume_and_reset_ask_with_the_command_that_helps() {
    let mut dashboard = dashboard(samples::opened(loops::tripped(), false, &events::good()));
    typed(&mut dashboard, "r");
    let command = "windlass resume brave-otter --reset-circuit".to_owned();
    assert_eq!(dashboard.over, Over::Question(Question::Resume(command.clone())));
    assert_eq!(typed(&mut dashboard, "y"), Some(Act::Resume(command)));
    assert_eq!(typed(&mut dashboard, "Ry"), Some(Act::Reset));
    typed(&mut dashboard, "A");
    assert_eq!(dashboard.over, Over::Question(Question::Accept));
    assert_eq!(typed(&mut dashboard, "y"), Some(Act::Accept));
}

#[test]
fn beside_its_loop_q_asks_what_becomes_of_it() {
    let mut dashboard = running();
    assert_eq!(typed(&mut dashboard, "q"), Some(Act::Leave));
    assert_eq!(dashboard.key(Key::Interrupt), Some(Act::Leave));
    dashboard.own = dashboard.opened.as_ref().map(|opened| opened.record.id.clone());
    assert_eq!(typed(&mut dashboard, "q"), None);
    assert_eq!(dashboard.over, Over::Question(Question::Leave));
    assert_eq!(typed(&mut dashboard, "l"), Some(Act::Leave));
    assert_eq!(typed(&mut dashboard, "qc"), Some(Act::Interrupt));
    assert_eq!(typed(&mut dashboard, "cy"), Some(Act::Interrupt));
    assert_eq!(dashboard.key(Key::Interrupt), Some(Act::Interrupt));
    assert_eq!(typed(&mut dashboard, "qn"), None);
    assert_eq!(dashboard.over, Over::Nothing);
}

#[test]
fn a_search_is_typed_and_goes_back_in_the_log_only() {
    let mut dashboard = running();
    assert_eq!(typed(&mut dashboard, "n"), None, "nothing was searched yet");
    assert_eq!(typed(&mut dashboard, "/qcx"), None, "letters are words now");
    dashboard.key(Key::Backspace);
    assert_eq!(dashboard.over, Over::Search("qc".to_owned()));
    assert_eq!(dashboard.key(Key::Enter), Some(Act::Find { back: true }));
    assert_eq!(dashboard.needle, Needle::new("qc"));
    assert_eq!(typed(&mut dashboard, "N"), Some(Act::Find { back: false }));
    dashboard.pane = Pane::Diff;
    assert_eq!(typed(&mut dashboard, "n"), Some(Act::Find { back: false }));
    typed(&mut dashboard, "/zzz");
    dashboard.key(Key::Escape);
    assert_eq!(dashboard.needle, Needle::new("qc"), "what was left is not searched");
}

#[test]
fn an_iteration_is_chosen_in_the_list_and_its_diff_opened() {
    let mut dashboard = running();
    (dashboard.focus, dashboard.pane) = (Focus::Pane, Pane::Iterations);
    samples::fill(&mut dashboard, &events::good());
    dashboard.key(Key::Up);
    assert_eq!(dashboard.opened.as_ref().unwrap().chosen, Some(2));
    assert_eq!(dashboard.key(Key::Enter), Some(Act::Show));
    assert_eq!(dashboard.pane, Pane::Diff);
    assert_eq!(typed(&mut dashboard, "["), Some(Act::Show));
    assert_eq!(dashboard.opened.as_ref().unwrap().chosen, Some(1));
    typed(&mut dashboard, "[[]]]]]");
    assert_eq!(dashboard.opened.as_ref().unwrap().chosen, Some(3));
    assert_eq!(typed(&mut dashboard, "a"), Some(Act::Show));
    assert_eq!(dashboard.opened.as_ref().unwrap().chosen, None);
}

#[test]
fn scrolling_back_stops_following_and_f_follows_again() {
    let mut dashboard = running();
    dashboard.focus = Focus::Pane;
    samples::fill(&mut dashboard, &events::good());
    assert!(dashboard.opened.as_ref().unwrap().stream.follows);
    dashboard.key(Key::PageUp);
    assert!(!dashboard.opened.as_ref().unwrap().stream.follows);
    assert_eq!(typed(&mut dashboard, "f"), Some(Act::Read(Page::Last)));
    assert_eq!(dashboard.key(Key::Home), Some(Act::Read(Page::First)));
}

#[test]
fn without_a_loop_no_key_does_harm() {
    let mut dashboard = samples::empty(80, 24);
    for key in "jklhgGfnNcCrRAwa[]123456 b/?".chars() {
        let act = dashboard.key(Key::Letter(key));
        assert!(matches!(act, None | Some(Act::Show)), "{key}: {act:?}");
        dashboard.over = Over::Nothing;
    }
}
