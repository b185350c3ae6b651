//! What an agent says without anything between takes one row, and is read event by event.

use std::path::Path;

use rusqlite::{Connection, params};
use windlass_core::{
    event::{Event, EventKind},
    ids::{LoopId, Place},
};
use windlass_store::store::{Durability, Store};

use super::script::{new_loop, session_started, stamp, started, text};

/// More than one row takes.
const WORDS: usize = 600;

/// A loop whose two agents talk by turns, long and short.
fn talk() -> Vec<EventKind> {
    let (one, other) = (Place::new(1, "one"), Place::new(1, "other"));
    let mut kinds = vec![started(), EventKind::IterationStarted { iteration: 1 }];
    kinds.extend([session_started(&one, "go"), session_started(&other, "go")]);
    kinds.extend((0..WORDS).map(|n| text(&one, &format!("word {n}"))));
    kinds.extend((0..9).map(|n| text(if n % 3 == 0 { &one } else { &other }, &format!("{n}"))));
    kinds.push(EventKind::IterationStarted { iteration: 2 });
    kinds
}

fn stored(home: &Path) -> (Store, LoopId, Vec<Event>) {
    let store = Store::open(home).unwrap();
    let new = new_loop("talks", home);
    store.create_loop(&new).unwrap();
    let events = stamp(&new.id, 0, talk());
    // Cut at odd places, as it comes.
    for part in events.chunks(251) {
        store.append(&new.id, 1, part, Durability::Process).unwrap();
    }
    (store, new.id, events)
}

fn count(home: &Path, sql: &str) -> usize {
    let connection = Connection::open(home.join("windlass.db")).unwrap();
    let count: u32 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    count.try_into().unwrap()
}

#[test]
fn wherever_a_page_begins_and_ends_it_has_the_same_events() {
    let home = tempfile::tempdir().unwrap();
    let (store, id, events) = stored(home.path());
    assert_eq!(store.events(&id, 0, usize::MAX).unwrap(), events);
    for at in 0..=events.len() {
        for limit in [1, 7, 300] {
            let seq = at as u64;
            let after = store.events(&id, seq, limit).unwrap();
            assert_eq!(after, events[at..].iter().take(limit).cloned().collect::<Vec<_>>());
            let before = store.events_before(&id, seq + 1, limit).unwrap();
            assert_eq!(before, events[at.saturating_sub(limit)..at]);
        }
    }
    let said = |event: &&Event| !matches!(event.kind, EventKind::AgentSaid { .. });
    let history: Vec<Event> = events.iter().filter(said).cloned().collect();
    assert_eq!(store.history(&id).unwrap(), history);
}

#[test]
fn plain_sql_sees_each_event_with_its_number_and_there_are_far_fewer_rows() {
    let home = tempfile::tempdir().unwrap();
    let (_store, _, events) = stored(home.path());
    let seqs = "SELECT count(DISTINCT seq) FROM events WHERE seq BETWEEN 1 AND 1000";
    assert_eq!(count(home.path(), seqs), events.len());
    assert_eq!(count(home.path(), "SELECT max(seq) FROM events"), events.len());
    let said = "SELECT count(*) FROM events WHERE type = 'agent_said'";
    assert_eq!(count(home.path(), said), WORDS + 9);
    assert!(count(home.path(), "SELECT count(*) FROM journal") < 24);
}

fn number(n: usize) -> u32 {
    n.try_into().unwrap()
}

/// A store as it was before, with a row for each event.
fn old_store(home: &Path, events: &[Event]) {
    let connection = Connection::open(home.join("windlass.db")).unwrap();
    let schema = [
        include_str!("../../../src/store/schema/0001_start.sql"),
        include_str!("../../../src/store/schema/0002_status.sql"),
        include_str!("../../../src/store/schema/0003_findings.sql"),
    ];
    connection.pragma_update(None, "application_id", 0x5744_4c53).unwrap();
    schema.iter().for_each(|sql| connection.execute_batch(sql).unwrap());
    connection.pragma_update(None, "user_version", 3).unwrap();
    let id = events[0].loop_id.as_str();
    connection
        .execute(
            "INSERT INTO loops (id, name, kind, directory, agent, epoch, owner_pid, owner_started,
                                owner_boot, last_seq, started_at, updated_at)
             VALUES (?, 'old', 'iterate', '/', 'a', 1, 0, 0, '', ?, ?, ?)",
            params![id, number(events.len()), events[0].at.to_string(), events[0].at.to_string()],
        )
        .unwrap();
    connection
        .execute("INSERT INTO loop_options (loop, options) VALUES (?, 'null')", [id])
        .unwrap();
    for (at, event) in events.iter().enumerate() {
        let seq = number(at + 1);
        let date = event.at.to_string();
        let (body, session, sequence) = match &event.kind {
            EventKind::AgentSaid { said, .. } => {
                let row = params![number(at), said.content(), date];
                let sql = "INSERT INTO messages (session, sequence, type, content, at)
                           VALUES (1, ?, 'text', ?, ?)";
                connection.execute(sql, row).unwrap();
                (r#"{"type":"agent_said"}"#.to_owned(), Some(1), Some(number(at)))
            }
            kind => (serde_json::to_string(kind).unwrap(), None, None),
        };
        if at == 1 {
            let sql = "INSERT INTO sessions (loop, iteration, place, role, agent, status,
                                             started_at, prompt)
                       VALUES (?, 1, '1/one', 'agent', 'a', 'running', ?, 'go')";
            connection.execute(sql, params![id, date]).unwrap();
        }
        connection
            .execute(
                "INSERT INTO events (loop, seq, at, type, body, session, sequence)
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
                params![id, seq, date, event.kind.word(), body, session, sequence],
            )
            .unwrap();
    }
}

fn old_events() -> Vec<Event> {
    let place = Place::new(1, "one");
    let mut kinds = vec![started(), EventKind::IterationStarted { iteration: 1 }];
    kinds.extend((0..WORDS).map(|n| text(&place, &format!("word {n}"))));
    stamp(&LoopId::of_number(fastrand::u64(..)), 0, kinds)
}

#[test]
fn a_store_with_a_row_for_each_event_is_taken_over_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let events = old_events();
    let id = &events[0].loop_id;
    old_store(home.path(), &events);
    let store = Store::open(home.path()).unwrap();
    assert_eq!(store.events(id, 0, usize::MAX).unwrap(), events);
    assert_eq!(store.events(id, 300, 2).unwrap(), events[300..302]);
    let more = stamp(id, events.len() as u64, vec![text(&Place::new(1, "one"), "more")]);
    store.append(id, 1, &more, Durability::Process).unwrap();
    assert_eq!(store.events(id, events.len() as u64, 9).unwrap(), more);
    drop(store);
    assert!(Store::check(home.path()).unwrap().unwrap().is_good());
}

#[test]
fn such_a_store_can_be_mended_too() {
    let home = tempfile::tempdir().unwrap();
    let events = old_events();
    old_store(home.path(), &events);
    let path = home.path().join("windlass.db");
    let connection = Connection::open(&path).unwrap();
    let page: i64 = connection
        .query_row("SELECT max(pageno) FROM dbstat WHERE name = 'messages'", [], |row| row.get(0))
        .unwrap();
    drop(connection);
    let mut bytes = std::fs::read(&path).unwrap();
    let begin = usize::try_from(page - 1).unwrap() * 4096;
    bytes[begin..begin + 4096].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let repaired = Store::repair(home.path()).unwrap().unwrap();
    let all = events.len() as u64;
    assert_eq!(repaired.loops, 1);
    assert_eq!(repaired.events + repaired.lost_events, all);
    assert!(repaired.events > all / 2, "{repaired:?}");
    let store = Store::open(home.path()).unwrap();
    let mended = store.events(&events[0].loop_id, 0, usize::MAX).unwrap();
    let same = mended.iter().zip(&events).filter(|(mended, event)| mended == event).count();
    assert_eq!(same as u64, repaired.events);
}
