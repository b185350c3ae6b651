//! `kill -9` at any moment: what was acknowledged is there, in order and without gaps.

use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
    thread,
    time::Duration,
};

use testkit::again::{again, given_home};
use windlass_store::store::{Durability, Store};

use super::{
    damage::read_all,
    script::{iteration, new_loop, stamp, started},
};

#[test]
#[ignore = "a part of the next, in a process of its own"]
fn child_that_appends_for_ever() {
    let Some(home) = given_home() else { return };
    let store = Store::open(&home).unwrap();
    let mut new = new_loop(&store.free_name().unwrap(), &home);
    // Found again by the parent.
    new.agent = "killed".to_owned();
    store.create_loop(&new).unwrap();
    store.append(&new.id, 1, &stamp(&new.id, 0, vec![started()]), Durability::Process).unwrap();
    let mut seq = 1;
    let mut out = std::io::stdout().lock();
    for number in 1.. {
        let events = stamp(&new.id, seq, iteration(number, false));
        for portion in events.chunks(3) {
            store.append(&new.id, 1, portion, Durability::Process).unwrap();
            seq += portion.len() as u64;
            writeln!(out, "stored {seq}").unwrap();
        }
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().join("home");
    let mut random = fastrand::Rng::with_seed(9);
    let mut acknowledged = Vec::new();
    for round in 0..25 {
        let test = "store::crash::child_that_appends_for_ever";
        let mut child = again(test, "", &home).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let last = thread::spawn(move || {
            let lines = out.lines().map_while(Result::ok);
            lines.filter_map(|line| line.strip_prefix("stored ")?.parse::<u64>().ok()).last()
        });
        // The first rounds hit the creation of the store, the later ones the appends.
        thread::sleep(Duration::from_millis(random.u64(0..10 + round * 10)));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(last.join().unwrap());

        drop(Store::open(&home).unwrap());
        read_all(&home).unwrap();
        let health = Store::check(&home).unwrap().unwrap();
        assert!(health.is_good(), "round {round}: {health:?}");
    }
    assert!(acknowledged.len() > 5, "{acknowledged:?}");
    let store = Store::open(&home).unwrap();
    let mut stored: Vec<_> = store.loops(None).unwrap().iter().map(|l| l.last_seq).collect();
    stored.reverse();
    let mut stored = stored.into_iter();
    for number in acknowledged {
        // At most the portion in flight was stored and not acknowledged.
        let there = stored.find(|there| *there >= number && *there <= number + 3);
        assert!(there.is_some(), "{number} was acknowledged");
    }
}
