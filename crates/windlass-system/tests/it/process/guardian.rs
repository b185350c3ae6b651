//! The guardian: what it sees to when everybody else is gone.

use super::*;

#[tokio::test]
async fn end_all_ends_everything_and_close_sees_the_guardian_off() {
    let guardian = guardian();
    let seconds = odd_seconds();
    let stop = Stop::default();
    let mut sink = Sink::default();
    let script = format!("setsid sleep {seconds} & sleep {seconds}");
    let watch = guardian.supervise(sh(&script), UNLIMITED, &stop, &mut sink);
    let end = async {
        until(|| running(&seconds).len() >= 2).await;
        assert_eq!(guardian.end_all(Duration::from_secs(2)).await, []);
        assert!(running(&seconds).is_empty());
    };
    let (exit, ()) = tokio::join!(watch, end);
    assert_eq!(exit.unwrap().signal, Some(15));
    let pid = Pid::from_raw(guardian.pid() as i32).unwrap();
    assert!(test_kill_process(pid).is_ok());
    let begun = Instant::now();
    guardian.close().await;
    assert!(test_kill_process(pid).is_err());
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_killed_guardian_is_an_error_and_leaves_nothing() {
    let guardian = guardian();
    let seconds = odd_seconds();
    let stop = Stop::default();
    let mut sink = Sink::default();
    let script = format!("setsid sleep {seconds} & sleep {seconds}");
    let watch = guardian.supervise(sh(&script), UNLIMITED, &stop, &mut sink);
    let kill = async {
        until(|| running(&seconds).len() >= 3).await;
        kill_process(Pid::from_raw(guardian.pid() as i32).unwrap(), Signal::KILL).unwrap();
    };
    let (exit, ()) = tokio::join!(watch, kill);
    assert!(matches!(exit, Err(StartError::Guardian { .. })), "{exit:?}");
    assert!(running(&seconds).is_empty());
    let again = guardian.supervise(sh("true"), UNLIMITED, &stop, &mut sink).await;
    assert!(matches!(again, Err(StartError::Guardian { .. })), "{again:?}");
}

#[tokio::test]
async fn kill_9_of_the_owner_leaves_nothing_within_a_second() {
    let seconds = odd_seconds();
    let id = LoopId::of_number(fastrand::u64(..));
    // One obeys, one ignores TERM, one left its session, and one left the family for good.
    let script = format!(
        "sh -c \"trap '' TERM; sleep {seconds}; sleep {seconds}\" & \
         setsid sh -c 'sleep {seconds} & sleep {seconds}' & sleep {seconds}"
    );
    let mut owner = Command::new(env!("CARGO_BIN_EXE_guardian"))
        .args(["own", id.as_str(), &script])
        .spawn()
        .unwrap();
    let mut daemon =
        Command::new("sleep").arg(&seconds).env("WINDLASS_LOOP", id.as_str()).spawn().unwrap();
    until(|| running(&format!("sleep\0{seconds}")).len() >= 5).await;
    owner.kill().unwrap();
    let killed = Instant::now();
    owner.wait().unwrap();
    until(|| {
        drop(daemon.try_wait());
        running(&seconds).is_empty() && running(id.as_str()).is_empty()
    })
    .await;
    assert!(killed.elapsed() < Duration::from_secs(1), "{:?}", killed.elapsed());
}

#[tokio::test]
async fn a_stranger_with_the_number_of_a_dead_leader_is_spared() {
    // The leader is gone and its leftover chatters for a second; a stranger gets the leader's
    // number meanwhile. Where the system lets us make no namespace, there is nothing to see.
    let script = r#"
        D=$1; G=$2
        "$G" own abc "echo \$\$ > $D/leader; setsid sh -c 'i=0; while [ \$i -lt 20 ]; do
            echo x; sleep 0.05; i=\$((i+1)); done; sleep 307' & exit 0" &
        OWNER=$!
        while [ ! -s $D/leader ]; do sleep 0.01; done
        LEADER=$(cat $D/leader)
        while [ -d /proc/$LEADER ]; do sleep 0.01; done
        STRANGER=0
        while [ $STRANGER != $LEADER ]; do
            echo $((LEADER - 1)) > /proc/sys/kernel/ns_last_pid || exit
            sleep 308 & STRANGER=$!
            [ $STRANGER = $LEADER ] || kill $STRANGER
        done
        wait $OWNER
        pgrep -x -f 'sleep 307' >/dev/null && echo leftover lives
        kill -0 $LEADER && echo stranger lives
    "#;
    let directory = tempfile::tempdir().unwrap();
    let namespace = ["-pf", "--mount-proc", "--kill-child", "sh", "-c", script, "sh"];
    let possible = Command::new("unshare").args(&namespace[..3]).arg("true").output();
    if !possible.is_ok_and(|output| output.status.success()) {
        return;
    }
    let output = Command::new("unshare")
        .args(namespace)
        .arg(directory.path())
        .arg(env!("CARGO_BIN_EXE_guardian"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "stranger lives\n", "{output:?}");
}

#[tokio::test]
async fn locks_are_free_only_when_the_guardian_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lock");
    let lock = fs::File::create(&path).unwrap();
    lock.try_lock().unwrap();
    let other = fs::File::open(&path).unwrap();
    let guardian = Guardian::start(&program(), None, vec![lock.into()]).unwrap();
    let output = guardian.output(sh("exit 0"), Duration::from_secs(5), 10).await.unwrap();
    assert_eq!(output.code, Some(0));
    assert!(other.try_lock().is_err());
    guardian.close().await;
    other.try_lock().unwrap();
}

#[tokio::test]
async fn processes_of_a_dead_loop_are_ended_by_their_marker_and_the_caller_is_spared() {
    let (mine, other) =
        (LoopId::of_number(fastrand::u64(..)), LoopId::of_number(fastrand::u64(..)));
    let sleeper = |id: &LoopId| {
        Command::new("sleep").arg("304").env("WINDLASS_LOOP", id.as_str()).spawn().unwrap()
    };
    let (mut one, mut two) = (sleeper(&mine), sleeper(&other));
    let id = mine.clone();
    let waiting = std::thread::spawn(move || one.wait().unwrap());
    let survivors =
        tokio::task::spawn_blocking(move || end_marked(&id, Duration::from_secs(2))).await.unwrap();
    assert_eq!(survivors, []);
    assert!(!waiting.join().unwrap().success());
    assert!(two.try_wait().unwrap().is_none(), "the process of another loop goes on");
    two.kill().unwrap();
    two.wait().unwrap();
}

#[tokio::test]
async fn an_agent_that_ends_its_own_loop_by_the_marker_does_not_end_itself() {
    let id = LoopId::of_number(fastrand::u64(..));
    let seconds = odd_seconds();
    let guardian = Guardian::start(&program(), Some(&id), Vec::new()).unwrap();
    let end = env!("CARGO_BIN_EXE_guardian");
    let script = format!("setsid sleep {seconds} & {end} end {id} && echo still here");
    let output = guardian.output(sh(&script), Duration::from_secs(5), 100).await.unwrap();
    assert_eq!((output.code, output.stdout), (Some(0), b"still here\n".to_vec()));
    assert!(running(&seconds).is_empty());
    let again = guardian.output(sh("true"), Duration::from_secs(5), 100).await.unwrap();
    assert_eq!(again.code, Some(0), "the guardian is spared, too");
}
