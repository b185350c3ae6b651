//! The life of a loop in the store, from its start over a resume to its removal.

use serde_json::json;
use tempfile::TempDir;
use windlass_core::{
    ending::{CancelledBy, ClaimedBy, Ending},
    event::{ConfigEntry, ConfigKind, EventKind},
    ids::{LoopId, Place},
    outcome::Outcome,
};
use windlass_store::store::{Durability, FindError, Request, Store, StoreError};
use windlass_system::ownership::Owner;

use super::script::{
    iteration, new_loop, session_finished, session_started, stamp, started, text, whole_loop,
};

fn store() -> (TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    (home, store)
}

#[test]
fn a_whole_loop_comes_back_and_its_tables_are_true() {
    let (home, store) = store();
    let new = new_loop("brave-otter", home.path());
    assert_eq!(store.create_loop(&new).unwrap(), 1);
    let events = stamp(&new.id, 0, whole_loop());
    for chunk in events.chunks(3) {
        store.append(&new.id, 1, chunk, Durability::Process).unwrap();
    }

    assert_eq!(store.events(&new.id, 0, usize::MAX).unwrap(), events);
    assert_eq!(store.events(&new.id, 5, 4).unwrap(), events[5..9]);
    assert_eq!(store.events_before(&new.id, 10, 4).unwrap(), events[5..9]);
    assert_eq!(store.events_before(&new.id, u64::MAX, usize::MAX).unwrap(), events);
    let mut history = store.history(&new.id).unwrap();
    history.retain(|event| event.seq > 3);
    assert_eq!(store.history_after(&new.id, 3, usize::MAX).unwrap(), history);
    assert_eq!(store.history_after(&new.id, 3, 2).unwrap(), history[..2]);
    let silent: Vec<_> =
        events.iter().filter(|e| !matches!(e.kind, EventKind::AgentSaid { .. })).cloned().collect();
    assert_eq!(store.history(&new.id).unwrap(), silent);

    let record = store.get(&new.id).unwrap().unwrap();
    assert_eq!(record.ending, Some(Ending::Done { by: ClaimedBy::Promise, unverified: false }));
    assert_eq!((record.iteration, record.max_iterations, record.sessions), (2, 20, 2));
    assert_eq!((record.verified, record.files_modified), (true, 2));
    assert_eq!(record.completion_text.as_deref(), Some("<promise>COMPLETE</promise>"));
    assert_eq!(record.usage.input_tokens, 200);
    assert_eq!(record.usage.cost_usd, Some(0.5));
    assert_eq!(record.last_seq, 22);
    assert_eq!(record.active_ms, 21_000);
    assert_eq!(record.phase, "ended");
    assert_eq!(record.options, new.options);

    let iterations = store.iterations(&new.id).unwrap();
    assert_eq!(iterations.len(), 2);
    assert_eq!(iterations[0].claim.as_deref(), Some("rejected"));
    assert_eq!(iterations[0].rejected_because, ["`cargo test` failed"]);
    assert_eq!(iterations[0].checks.len(), 1);
    assert_eq!(iterations[0].checks[0].passed, Some(false));
    assert_eq!(iterations[1].checks[0].passed, Some(true));
    assert_eq!(iterations[1].preview, "words 2");
    assert_eq!(iterations[1].tree.as_deref(), Some("t2"));

    let sessions = store.sessions(&new.id).unwrap();
    assert_eq!(sessions[1].prompt, "prompt 2");
    assert_eq!(sessions[1].status, "finished");
    assert_eq!(sessions[1].text, "words 2");

    let messages = store.last_messages(&new.id, 3).unwrap();
    let said: Vec<_> = messages.iter().map(|m| (m.kind.as_str(), m.content.as_str())).collect();
    assert_eq!(said, [("tool_use", "edits a.rs"), ("text", "I look"), ("tool_use", "edits a.rs")]);

    let result = store.result(&record).unwrap();
    assert_eq!(result.ending, json!({ "type": "done", "by": "promise" }));
    assert_eq!(result.final_text, "words 2");
    assert_eq!((result.success, result.exit_code, result.error), (true, Some(0), None));
}

#[test]
fn a_loop_without_an_ending_runs_while_its_owner_lives() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let ending = |store: &Store| {
        let record = store.get(&new.id).unwrap().unwrap();
        let result = store.result(&record).unwrap();
        assert_eq!(result.exit_code, None);
        result.ending
    };
    assert_eq!(ending(&store), json!({ "type": "running" }));
    let dead = Owner { pid: i32::MAX, ..new.owner.clone() };
    assert_eq!(store.take_over(&new.id, &dead).unwrap(), 2);
    assert_eq!(ending(&store), json!({ "type": "interrupted" }));
}

#[test]
fn a_resumed_loop_has_the_cut_off_session_and_a_new_one() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let place = Place::new(1, "agent");
    let mut kinds = vec![
        started(),
        EventKind::IterationStarted { iteration: 1 },
        session_started(&place, "p"),
        text(&place, "half a"),
    ];
    store.append(&new.id, 1, &stamp(&new.id, 0, kinds.clone()), Durability::Power).unwrap();

    let epoch = store.take_over(&new.id, &Owner::this_process()).unwrap();
    let more = vec![
        EventKind::LoopResumed { epoch, max_iterations: 7, start: None, accepting: false },
        session_started(&place, "p"),
        text(&place, "all of it"),
        session_finished(&place, Outcome::Finished, "end"),
    ];
    store.append(&new.id, epoch, &stamp(&new.id, 4, more.clone()), Durability::Power).unwrap();
    kinds.extend(more);

    assert_eq!(store.events(&new.id, 0, 100).unwrap(), stamp(&new.id, 0, kinds));
    let sessions = store.sessions(&new.id).unwrap();
    let seen: Vec<_> = sessions.iter().map(|s| (s.status.as_str(), s.text.as_str())).collect();
    assert_eq!(seen, [("interrupted", ""), ("finished", "end")]);
    let record = store.get(&new.id).unwrap().unwrap();
    assert_eq!((record.epoch, record.max_iterations, record.sessions), (2, 7, 2));
    // The second between the last event of the old owner and the resume is nobody's.
    assert_eq!(record.active_ms, 6000);
}

#[test]
fn an_owner_whose_epoch_is_over_writes_nothing() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    store.take_over(&new.id, &Owner::this_process()).unwrap();
    let stale = store.append(&new.id, 1, &stamp(&new.id, 0, vec![started()]), Durability::Process);
    assert!(matches!(stale, Err(StoreError::Stale { .. })), "{stale:?}");
    assert!(matches!(store.set_options(&new.id, 1, &json!({})), Err(StoreError::Stale { .. })));
    assert_eq!(store.events(&new.id, 0, 10).unwrap(), []);
    store.append(&new.id, 2, &stamp(&new.id, 0, vec![started()]), Durability::Process).unwrap();
}

#[test]
fn a_gap_or_an_old_number_is_refused_whole() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let events = stamp(&new.id, 0, whole_loop());
    let gap = [events[0].clone(), events[2].clone()];
    let refused = store.append(&new.id, 1, &gap, Durability::Process);
    assert!(matches!(refused, Err(StoreError::Gap { last: 1, found: 3, .. })), "{refused:?}");
    assert_eq!(store.events(&new.id, 0, 10).unwrap(), []);
    store.append(&new.id, 1, &events[..2], Durability::Process).unwrap();
    let again = store.append(&new.id, 1, &events[1..3], Durability::Process);
    assert!(matches!(again, Err(StoreError::Gap { last: 2, found: 2, .. })), "{again:?}");
    assert_eq!(store.events(&new.id, 0, 10).unwrap(), events[..2]);
}

#[test]
fn a_clock_that_goes_back_takes_no_time_away() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let mut events = stamp(&new.id, 0, whole_loop());
    for event in &mut events[4..] {
        event.at.0 -= 365 * 86_400_000;
    }
    store.append(&new.id, 1, &events, Durability::Process).unwrap();
    assert_eq!(store.get(&new.id).unwrap().unwrap().active_ms, 20_000);
}

#[test]
fn rules_move_the_circuit_and_a_reset_closes_it() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let rule = || "stagnation".to_owned();
    let kinds = vec![
        started(),
        EventKind::RuleWarned { rule: rule(), reason: "two".to_owned() },
        EventKind::RuleTripped { rule: rule(), reason: "three".to_owned(), undecided: None },
        EventKind::LoopFinished {
            ending: Ending::Rule { rule: rule(), reason: "three".to_owned(), undecided: None },
        },
        EventKind::CircuitReset,
    ];
    let mut seen = Vec::new();
    for event in stamp(&new.id, 0, kinds) {
        store.append(&new.id, 1, &[event], Durability::Process).unwrap();
        let record = store.get(&new.id).unwrap().unwrap();
        seen.push((record.circuit, record.circuit_reason.unwrap_or_default()));
    }
    let expected = [
        ("closed", ""),
        ("half_open", "two"),
        ("open", "three"),
        ("open", "three"),
        ("closed", ""),
    ];
    assert_eq!(seen, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn a_loop_is_found_by_name_id_prefix_or_directory() {
    let (home, store) = store();
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut ids = Vec::new();
    for (name, directory) in
        [("brave-otter", here.path()), ("brave-owl", here.path()), ("calm-heron", there.path())]
    {
        let mut new = new_loop(name, directory);
        if name == "calm-heron" {
            new.worktree = Some(home.path().to_owned());
        }
        store.create_loop(&new).unwrap();
        ids.push(new.id);
    }
    let name = |reference: Option<&str>, directory| {
        store.find(reference, directory).map(|record| record.name)
    };
    assert_eq!(name(Some("brave-otter"), here.path()).unwrap(), "brave-otter");
    assert_eq!(name(Some(ids[2].as_str()), here.path()).unwrap(), "calm-heron");
    assert_eq!(name(Some(&ids[1].as_str()[..12]), here.path()).unwrap(), "brave-owl");
    assert_eq!(name(Some("calm"), here.path()).unwrap(), "calm-heron");
    assert_eq!(name(None, here.path()).unwrap(), "brave-owl");
    assert_eq!(name(None, there.path()).unwrap(), "calm-heron");
    assert_eq!(name(None, home.path()).unwrap(), "calm-heron", "by its worktree");
    let link = here.path().join("link");
    std::os::unix::fs::symlink(there.path(), &link).unwrap();
    assert_eq!(name(None, &link).unwrap(), "calm-heron", "by a link");

    let ambiguous = name(Some("brave"), here.path()).unwrap_err();
    assert_eq!(ambiguous.to_string(), "`brave` fits several loops: brave-owl, brave-otter");
    let unknown = name(Some("brave-oter"), here.path()).unwrap_err();
    assert!(
        matches!(&unknown, FindError::Unknown { nearest: Some(nearest), .. } if nearest == "brave-otter"),
        "{unknown:?}"
    );
    let none = name(None, std::path::Path::new("/")).unwrap_err();
    assert!(matches!(none, FindError::NoneHere { .. }), "{none:?}");
    for odd in ["", "%", "_", "'", "\u{10ffff}"] {
        assert!(matches!(name(Some(odd), here.path()), Err(FindError::Unknown { .. })), "{odd:?}");
    }

    let newest: Vec<_> = store.loops(None).unwrap().into_iter().map(|r| r.name).collect();
    assert_eq!(newest, ["calm-heron", "brave-owl", "brave-otter"]);
    assert_eq!(store.loops(Some(here.path())).unwrap().len(), 2);
}

#[test]
fn names_are_given_once() {
    let (home, store) = store();
    let name = store.free_name().unwrap();
    store.create_loop(&new_loop(&name, home.path())).unwrap();
    let taken = store.create_loop(&new_loop(&name, home.path())).unwrap_err();
    assert_eq!(taken.to_string(), format!("there is already a loop `{name}`"));
}

#[test]
fn a_request_is_taken_once_and_not_by_the_next_owner() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    assert_eq!(store.take_requests(&new.id).unwrap(), []);
    store.request(&new.id, Request::CancelAfterIteration).unwrap();
    store.request(&new.id, Request::Cancel).unwrap();
    let taken = store.take_requests(&new.id).unwrap();
    assert_eq!(taken, [Request::CancelAfterIteration, Request::Cancel]);
    assert_eq!(store.take_requests(&new.id).unwrap(), []);
    store.request(&new.id, Request::Cancel).unwrap();
    store.take_over(&new.id, &Owner::this_process()).unwrap();
    assert_eq!(store.take_requests(&new.id).unwrap(), []);
    let gone = store.request(&LoopId::of_number(fastrand::u64(..)), Request::Cancel);
    assert!(matches!(gone, Err(StoreError::Gone { .. })), "{gone:?}");
}

#[test]
fn removing_a_loop_leaves_nothing_of_it_and_all_of_the_others() {
    let (home, store) = store();
    let (one, two) = (new_loop("one", home.path()), new_loop("two", home.path()));
    for new in [&one, &two] {
        store.create_loop(new).unwrap();
        store.append(&new.id, 1, &stamp(&new.id, 0, whole_loop()), Durability::Process).unwrap();
        store.note_entries(&new.id, false, ["a", "b"]).unwrap();
    }
    store.remove(&one.id).unwrap();
    assert_eq!(store.get(&one.id).unwrap(), None);
    assert_eq!(store.events(&two.id, 0, 100).unwrap().len(), 22);
    drop(store);
    let plain = rusqlite::Connection::open(home.path().join("windlass.db")).unwrap();
    for table in ["loops", "events", "iterations", "sessions", "messages", "checks", "agent_seen"] {
        let count = |sql: &str| plain.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let rows = count(&format!("SELECT count(*) FROM {table}"));
        let expected = match table {
            "loops" => 1,
            "events" => 22,
            "messages" => 4,
            _ => 2,
        };
        assert_eq!(rows, expected, "{table}");
    }
}

#[test]
fn trust_is_bound_to_what_the_file_holds() {
    let (home, store) = store();
    let file = home.path().join("windlass.toml");
    assert!(!store.is_trusted(&file, "h1").unwrap());
    store.trust(&file, "h1").unwrap();
    assert!(store.is_trusted(&file, "h1").unwrap());
    assert!(!store.is_trusted(&file, "h2").unwrap());
    store.trust(&file, "h2").unwrap();
    assert!(!store.is_trusted(&file, "h1").unwrap());
    assert!(store.distrust(&file).unwrap());
    assert!(!store.distrust(&file).unwrap());
}

#[test]
fn entries_for_agents_are_trusted_one_by_one_for_each_repository() {
    let (home, store) = store();
    let (here, there) = (home.path().join("here"), home.path().join("there"));
    store.trust_entries(&here, ["a", "b"]).unwrap();
    store.trust_entries(&here, ["b", "c"]).unwrap();
    assert_eq!(store.trusted_entries(&here).unwrap().len(), 3);
    assert!(store.trusted_entries(&there).unwrap().is_empty());
    assert_eq!(store.distrust_entries(&here).unwrap(), 3);
    assert_eq!(store.distrust_entries(&here).unwrap(), 0);
}

#[test]
fn what_a_loop_was_refused_for_is_kept_until_it_is_trusted() {
    let (home, store) = store();
    let entry = |name: &str| ConfigEntry {
        agent: "claude".to_owned(),
        file: ".mcp.json".to_owned(),
        kind: ConfigKind::McpServer,
        name: name.to_owned(),
        command: String::new(),
    };
    let (one, two) = (entry("one"), entry("two"));
    store.refuse_entries(home.path(), [("b", &one), ("a", &two)]).unwrap();
    let refused = store.refused_entries(home.path()).unwrap();
    assert_eq!(refused, [("b".to_owned(), one.clone()), ("a".to_owned(), two)]);
    store.refuse_entries(home.path(), [("b", &one)]).unwrap();
    assert_eq!(store.refused_entries(home.path()).unwrap().len(), 1);
    store.trust_entries(home.path(), ["b"]).unwrap();
    assert!(store.refused_entries(home.path()).unwrap().is_empty());
}

#[test]
fn a_cancelled_loop_says_so() {
    let (home, store) = store();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let mut kinds = vec![started()];
    kinds.extend(iteration(1, false));
    kinds.push(EventKind::LoopFinished { ending: Ending::Cancelled { by: CancelledBy::Sigint } });
    store.append(&new.id, 1, &stamp(&new.id, 0, kinds), Durability::Power).unwrap();
    let record = store.get(&new.id).unwrap().unwrap();
    let result = store.result(&record).unwrap();
    assert_eq!((result.success, result.verified, result.exit_code), (false, false, Some(130)));
}
