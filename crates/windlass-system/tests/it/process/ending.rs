//! How sessions end, with every process of theirs.

use super::*;

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_is_ended_and_no_byte_is_lost() {
    let seconds = odd_seconds();
    let script = format!("sleep {seconds} & head -c 300000 /dev/zero; echo done");
    let begun = Instant::now();
    let (exit, sink) = run(sh(&script)).await;
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(exit.code, Some(0));
    assert_eq!(sink.bytes[0], 300_005);
    assert_eq!((exit.leaky, exit.leftovers), (true, vec!["sleep".to_owned()]));
    assert!(running(&seconds).is_empty());
}

#[tokio::test]
async fn a_grandchild_that_goes_on_writing_is_heard_and_then_ended() {
    let script =
        "(i=0; while [ $i -lt 10 ]; do echo $i; sleep 0.03; i=$((i+1)); done; sleep 301) & exit 0";
    let (exit, sink) = run(sh(script)).await;
    assert_eq!(sink.stdout, b"0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    assert!(exit.leaky);
}

#[tokio::test]
async fn a_chain_of_processes_that_forks_away_from_every_signal_is_caught() {
    let directory = tempfile::tempdir().unwrap();
    let chain = directory.path().join("chain");
    fs::write(&chain, "#!/bin/sh\ntrap '' TERM\n\"$0\" >/dev/null 2>&1 &\n").unwrap();
    fs::set_permissions(&chain, fs::Permissions::from_mode(0o755)).unwrap();
    let chain = chain.to_str().unwrap();
    let begun = Instant::now();
    let (exit, _) = run(command(chain, &[])).await;
    assert_eq!((exit.code, exit.survivors), (Some(0), vec![]));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(running(chain).is_empty());
}

#[tokio::test]
async fn an_escapee_with_a_session_of_its_own_is_ended() {
    let seconds = odd_seconds();
    let script = format!(
        "setsid sh -c 'setsid sleep {seconds} >/dev/null 2>&1 & sleep {seconds}' >/dev/null 2>&1 & \
         while ! pgrep -f '^sleep {seconds}' >/dev/null; do sleep 0.01; done; echo done"
    );
    let (exit, sink) = run(sh(&script)).await;
    assert_eq!(sink.stdout, b"done\n");
    assert!(!exit.leaky, "it let go of its pipes");
    assert!(exit.leftovers.contains(&"sleep".to_owned()), "{:?}", exit.leftovers);
    assert!(running(&seconds).is_empty());
}

#[tokio::test]
async fn a_tree_that_ignores_term_is_killed_after_its_grace() {
    let seconds = odd_seconds();
    let script = format!("trap '' TERM INT; sleep {seconds} & sleep {seconds}; sleep {seconds}");
    let limits = TimeLimits { grace: Duration::from_millis(300), ..UNLIMITED };
    let stop = Stop::default();
    let guardian = guardian();
    let mut sink = Sink::default();
    let watch = guardian.supervise(sh(&script), limits, &stop, &mut sink);
    let cancel = async {
        until(|| running(&seconds).len() >= 3).await;
        stop.press(CancelledBy::Sigint);
        Instant::now()
    };
    let (exit, pressed) = tokio::join!(watch, cancel);
    let (exit, took) = (exit.unwrap(), pressed.elapsed());
    assert_eq!((exit.signal, exit.ended_by), (Some(9), Some(EndedBy::Stop)));
    assert!(running(&seconds).is_empty());
    assert!((Duration::from_millis(300)..Duration::from_millis(600)).contains(&took), "{took:?}");
}

#[tokio::test]
async fn the_second_press_kills_at_once() {
    let seconds = odd_seconds();
    let script = format!("trap '' TERM INT; sleep {seconds}; sleep {seconds}");
    let stop = Stop::default();
    let guardian = guardian();
    let mut sink = Sink::default();
    let watch = guardian.supervise(sh(&script), UNLIMITED, &stop, &mut sink);
    let cancel = async {
        until(|| running(&seconds).len() >= 2).await;
        stop.press(CancelledBy::Sigint);
        tokio::time::sleep(Duration::from_millis(50)).await;
        stop.press(CancelledBy::Sigint);
        Instant::now()
    };
    let (exit, pressed) = tokio::join!(watch, cancel);
    assert_eq!(exit.unwrap().ended_by, Some(EndedBy::Stop));
    assert!(pressed.elapsed() < Duration::from_millis(300), "{:?}", pressed.elapsed());
    assert!(running(&seconds).is_empty());
}

#[tokio::test]
async fn a_stopped_child_can_be_cancelled() {
    let stop = Stop::default();
    let guardian = guardian();
    let mut sink = Sink::default();
    let seconds = odd_seconds();
    let script = format!(": {seconds}; trap 'echo bye; exit 3' TERM; kill -STOP $$; sleep 1");
    let watch = guardian.supervise(sh(&script), UNLIMITED, &stop, &mut sink);
    let cancel = async {
        let stopped = |pid: &i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.contains(") T ")
        };
        until(|| running(&seconds).iter().any(stopped)).await;
        stop.press(CancelledBy::Request);
    };
    let (exit, ()) = tokio::join!(watch, cancel);
    let exit = exit.unwrap();
    assert_eq!((exit.code, exit.ended_by), (Some(3), Some(EndedBy::Stop)));
    assert_eq!(sink.stdout, b"bye\n");
}

#[tokio::test]
async fn a_silent_process_runs_into_the_idle_limit() {
    let limits = TimeLimits { idle: Duration::from_millis(200), ..UNLIMITED };
    let (exit, sink) =
        run_with(sh("echo one; sleep 0.1; echo two; sleep 302"), limits, &Stop::default()).await;
    assert_eq!((exit.signal, exit.ended_by), (Some(15), Some(EndedBy::IdleLimit)));
    assert_eq!(sink.stdout, b"one\ntwo\n");
    assert!(exit.duration >= Duration::from_millis(300) && exit.duration < Duration::from_secs(1));
}

#[tokio::test]
async fn a_busy_process_runs_into_the_total_limit() {
    let limits =
        TimeLimits { total: Duration::from_millis(300), idle: Duration::from_secs(5), ..UNLIMITED };
    let (exit, sink) =
        run_with(sh("while :; do echo x; sleep 0.01; done"), limits, &Stop::default()).await;
    assert_eq!(exit.ended_by, Some(EndedBy::TotalLimit));
    assert!(sink.ticks >= 1);
    assert!(exit.duration < Duration::from_secs(1), "{:?}", exit.duration);
}

#[tokio::test]
async fn dropping_the_future_kills_the_tree() {
    let seconds = odd_seconds();
    let guardian = guardian();
    let mut sink = Sink::default();
    {
        let script = format!("trap '' TERM; setsid sleep {seconds} & sleep {seconds}; sleep 1");
        let stop = Stop::default();
        let watch = guardian.supervise(sh(&script), UNLIMITED, &stop, &mut sink);
        tokio::select! {
            _ = watch => panic!("it should be running"),
            () = until(|| running(&seconds).len() >= 3) => {}
        }
    }
    let dropped = Instant::now();
    until(|| running(&seconds).is_empty()).await;
    assert!(dropped.elapsed() < Duration::from_millis(500), "{:?}", dropped.elapsed());
}

#[tokio::test]
async fn sessions_side_by_side_are_ended_one_by_one() {
    let guardian = guardian();
    let (first, second) = (odd_seconds(), odd_seconds());
    let stay = format!("setsid sleep {first} >/dev/null 2>&1 & sleep {first}");
    let leave = format!("setsid sleep {second} >/dev/null 2>&1 & exit 0");
    let stop = Stop::default();
    let (mut one, mut two) = (Sink::default(), Sink::default());
    let staying = guardian.supervise(sh(&stay), UNLIMITED, &stop, &mut one);
    let leaving = async {
        until(|| running(&first).len() >= 3).await;
        let none = Stop::default();
        let exit = guardian.supervise(sh(&leave), UNLIMITED, &none, &mut two).await.unwrap();
        assert_eq!((exit.code, exit.survivors), (Some(0), vec![]));
        assert!(running(&second).is_empty());
        assert!(running(&first).len() >= 3, "the other session goes on");
        stop.press(CancelledBy::Request);
    };
    let (exit, ()) = tokio::join!(staying, leaving);
    assert_eq!(exit.unwrap().ended_by, Some(EndedBy::Stop));
    assert!(running(&first).is_empty());
}
