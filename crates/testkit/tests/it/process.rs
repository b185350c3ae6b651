//! The supervisor against processes that do what real agents do on a bad day.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use windlass::{
    ending::CancelledBy,
    ids::LoopId,
    process::{
        EndedBy, Exit, Guardian, GuardianProgram, Lines, OutputSink, ProcessSpec, StartError,
        Stream, TimeLimits, end_marked,
    },
    stop::Stop,
};

/// Collects what comes: all bytes where they are few, their number and their end otherwise.
#[derive(Default)]
pub(crate) struct Sink {
    pub(crate) stdout: Vec<u8>,
    pub(crate) bytes: [u64; 2],
    ticks: u32,
}

impl OutputSink for Sink {
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.bytes[usize::from(stream == Stream::Stderr)] += bytes.len() as u64;
        if stream == Stream::Stdout && self.stdout.len() < 64 * 1024 {
            self.stdout.extend_from_slice(bytes);
        }
    }

    fn tick(&mut self) {
        self.ticks += 1;
    }
}

pub(crate) const UNLIMITED: TimeLimits =
    TimeLimits { total: Duration::ZERO, idle: Duration::ZERO, grace: Duration::from_secs(5) };

pub(crate) fn program() -> GuardianProgram {
    GuardianProgram::At(PathBuf::from(env!("CARGO_BIN_EXE_guardian")))
}

pub(crate) fn guardian() -> Guardian {
    Guardian::start(&program(), Some(&LoopId::random()), Vec::new()).unwrap()
}

pub(crate) fn command(program: &str, args: &[&str]) -> ProcessSpec {
    ProcessSpec {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        directory: "/".into(),
        stdin: Vec::new(),
    }
}

pub(crate) fn sh(script: &str) -> ProcessSpec {
    command("sh", &["-c", script])
}

async fn run(spec: ProcessSpec) -> (Exit, Sink) {
    run_with(spec, UNLIMITED, &Stop::default()).await
}

async fn run_with(spec: ProcessSpec, limits: TimeLimits, stop: &Stop) -> (Exit, Sink) {
    let guardian = guardian();
    let mut sink = Sink::default();
    let exit = guardian.supervise(spec, limits, stop, &mut sink).await.unwrap();
    guardian.close().await;
    (exit, sink)
}

/// The processes whose command line has `word`, but for those of this test itself.
fn running(word: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers
        .filter(|pid: &i32| *pid != std::process::id() as i32)
        .filter(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(word)
        })
        .collect()
}

/// A number of seconds that no other test sleeps, to find a sleeper again.
fn odd_seconds() -> String {
    format!("{}.{:09}", 300 + std::process::id() % 1000, rand())
}

fn rand() -> u32 {
    let id = LoopId::random();
    u32::from_str_radix(&id.as_str()[..7], 16).unwrap()
}

async fn until(mut what: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it never came");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_plain_run_gives_its_code_and_every_byte() {
    let (exit, sink) = run(sh("echo out; echo err >&2; exit 7")).await;
    assert_eq!((exit.code, exit.signal, exit.ended_by), (Some(7), None, None));
    assert_eq!(sink.stdout, b"out\n");
    assert_eq!(sink.bytes, [4, 4]);
    assert_eq!((exit.leftovers, exit.survivors, exit.leaky), (vec![], 0, false));
}

#[tokio::test]
async fn a_crash_is_told_with_its_signal() {
    let (exit, _) = run(sh("kill -9 $$")).await;
    assert_eq!((exit.code, exit.signal, exit.ended_by), (None, Some(9), None));
    let (exit, _) = run(sh("kill -SEGV $$")).await;
    assert_eq!((exit.code, exit.signal), (None, Some(11)));
}

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
    assert_eq!((exit.code, exit.survivors), (Some(0), 0));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(running(chain).is_empty());
}

#[tokio::test]
async fn a_guardian_goes_by_its_name() {
    let guardian = guardian();
    guardian.output(sh("true"), Duration::from_secs(5), 10).await.unwrap();
    let name = fs::read_to_string(format!("/proc/{}/comm", guardian.pid())).unwrap();
    assert_eq!(name, "windlass-guard\n");
    let line = fs::read(format!("/proc/{}/cmdline", guardian.pid())).unwrap();
    assert!(line.starts_with(b"windlass\0__windlass-guardian\0"));
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
async fn nothing_is_started_for_a_loop_that_is_stopped() {
    let stop = Stop::default();
    stop.press(CancelledBy::Sigterm);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ran");
    let (exit, _) = run_with(sh(&format!("touch {}", file.display())), UNLIMITED, &stop).await;
    assert_eq!((exit.code, exit.ended_by), (None, Some(EndedBy::Stop)));
    assert!(!file.exists());
}

#[tokio::test]
async fn what_cannot_be_started_is_told_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str, mode: u32| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let guardian = guardian();
    let fail = async |spec: ProcessSpec| {
        let mut sink = Sink::default();
        guardian
            .supervise(spec, UNLIMITED, &Stop::default(), &mut sink)
            .await
            .unwrap_err()
            .to_string()
    };
    assert_eq!(fail(command("no-such-agent", &[])).await, "no program `no-such-agent` was found");
    assert_eq!(fail(command("/no/such", &[])).await, "no program `/no/such` was found");
    let lost = ProcessSpec { directory: "/no/such/place".into(), ..command("true", &[]) };
    assert_eq!(fail(lost).await, "the directory `/no/such/place` is not there");
    let plain = write("plain", "hello", 0o644);
    assert_eq!(fail(command(&plain, &[])).await, format!("`{plain}` may not be executed"));
    let script = write("script", "#!/no/such/sh\n", 0o755);
    assert_eq!(
        fail(command(&script, &[])).await,
        format!("`{script}` could not be started: its interpreter `/no/such/sh` is not there")
    );
    let text = write("text", "hello", 0o755);
    let said = fail(command(&text, &[])).await;
    assert!(said.ends_with("a script needs a first line such as `#!/bin/sh`"), "{said}");
    let long = "x".repeat(131_072);
    let said = fail(command("true", &[&long])).await;
    assert_eq!(said, "the arguments of `true` are too long for the system");
    let said = fail(command("true", &["a\0b"])).await;
    assert_eq!(said, "`true` could not be started: an argument has a NUL byte in it");
    // And after all that it still works.
    let mut sink = Sink::default();
    let exit = guardian.supervise(sh("exit 0"), UNLIMITED, &Stop::default(), &mut sink).await;
    assert_eq!(exit.unwrap().code, Some(0));
}

#[tokio::test]
async fn a_program_that_is_just_being_written_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("agent");
    fs::copy("/bin/true", &path).unwrap();
    let writer = fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        drop(writer);
    });
    let (exit, _) = run(command(path.to_str().unwrap(), &[])).await;
    assert_eq!(exit.code, Some(0));
}

#[tokio::test]
async fn arguments_and_environment_of_a_megabyte_arrive_whole() {
    let argument = "x".repeat(131_071);
    let mut spec = command("sh", &["-c", "echo ${#0} ${#1} ${#A} ${#B}", &argument, &argument]);
    spec.env.extend(["A", "B", "C", "D"].map(|key| (key.into(), "y".repeat(131_000).into())));
    let (exit, sink) = run(spec).await;
    assert_eq!(exit.code, Some(0));
    assert_eq!(sink.stdout, b"131071 131071 131000 131000\n");
}

#[tokio::test]
async fn only_the_given_environment_and_the_markers_arrive() {
    let id = LoopId::random();
    let guardian = Guardian::start(&program(), Some(&id), Vec::new()).unwrap();
    let mut spec = command("env", &[]);
    spec.env.push(("WINDLASS_LOOP".into(), "of somebody else".into()));
    let output = guardian.output(spec, Duration::from_secs(5), 10_000).await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = format!(
        "PATH=/usr/local/bin:/usr/bin:/bin\nWINDLASS_LOOP={id}\nWINDLASS_SESSION={}.1\n",
        guardian.pid()
    );
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_reader_of_stdin_gets_its_end_at_once() {
    let (exit, sink) = run(command("cat", &[])).await;
    assert_eq!((exit.code, sink.bytes), (Some(0), [0, 0]));
}

#[tokio::test]
async fn a_prompt_of_two_megabytes_goes_through_while_the_answer_comes() {
    let spec = ProcessSpec { stdin: vec![b'p'; 2_000_000], ..command("cat", &[]) };
    let (exit, sink) = run(spec).await;
    assert_eq!((exit.code, sink.bytes), (Some(0), [2_000_000, 0]));
}

#[tokio::test]
async fn a_prompt_that_nobody_reads_holds_nothing_up() {
    let stdin = vec![b'p'; 2_000_000];
    let spec = ProcessSpec { stdin: stdin.clone(), ..sh("sleep 0.1; echo done") };
    let (exit, sink) = run(spec).await;
    assert_eq!((exit.code, sink.stdout), (Some(0), b"done\n".to_vec()));
    let (exit, sink) = run(ProcessSpec { stdin, ..sh("exec 0<&-; echo done; sleep 0.1") }).await;
    assert_eq!((exit.code, sink.stdout), (Some(0), b"done\n".to_vec()));
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
async fn a_process_that_closes_its_output_and_lives_on_is_waited_for() {
    let (exit, _) = run(sh("exec >&- 2>&-; sleep 0.3; exit 5")).await;
    assert_eq!(exit.code, Some(5));
    assert!(exit.duration >= Duration::from_millis(300));
}

#[tokio::test]
async fn a_flood_goes_through_in_bounded_memory() {
    let before = resident();
    let (exit, sink) = run(sh("yes | head -c 268435456")).await;
    assert_eq!((exit.code, sink.bytes), (Some(0), [268_435_456, 0]));
    assert!(resident() < before + 16 * 1024, "{} kB, {before} before", resident());
}

#[tokio::test]
async fn a_flood_on_stderr_with_an_idle_stdout_does_not_lock_up() {
    let limits = TimeLimits { idle: Duration::from_secs(2), ..UNLIMITED };
    let (exit, sink) =
        run_with(sh("head -c 268435456 /dev/zero >&2"), limits, &Stop::default()).await;
    assert_eq!((exit.code, sink.bytes), (Some(0), [0, 268_435_456]));
}

#[tokio::test]
async fn bytes_that_are_no_text_come_as_they_are() {
    let (_, sink) = run(command("printf", &[r"\377\376\000a\r\n\303"])).await;
    assert_eq!(sink.stdout, b"\xff\xfe\0a\r\n\xc3");
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
        assert_eq!((exit.code, exit.survivors), (Some(0), 0));
        assert!(running(&second).is_empty());
        assert!(running(&first).len() >= 3, "the other session goes on");
        stop.press(CancelledBy::Request);
    };
    let (exit, ()) = tokio::join!(staying, leaving);
    assert_eq!(exit.unwrap().ended_by, Some(EndedBy::Stop));
    assert!(running(&first).is_empty());
}

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
        assert_eq!(guardian.end_all(Duration::from_secs(2)).await, 0);
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
    let id = LoopId::random();
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
async fn a_short_command_is_cut_and_timed_out() {
    let guardian = guardian();
    let output =
        guardian.output(sh("yes | head -c 100000"), Duration::from_secs(5), 10).await.unwrap();
    assert_eq!((output.code, output.stdout.len(), output.cut), (Some(0), 10, true));
    let output = guardian.output(sh("sleep 303"), Duration::from_millis(50), 10).await.unwrap();
    assert_eq!((output.timed_out, output.signal), (true, Some(15)));
}

#[tokio::test]
async fn this_program_plays_the_guardian_only_after_init() {
    let error = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new()).err().unwrap();
    assert!(error.to_string().contains("call `windlass::init()`"), "{error}");
}

#[tokio::test]
async fn processes_of_a_dead_loop_are_ended_by_their_marker_and_the_caller_is_spared() {
    let (mine, other) = (LoopId::random(), LoopId::random());
    let sleeper = |id: &LoopId| {
        Command::new("sleep").arg("304").env("WINDLASS_LOOP", id.as_str()).spawn().unwrap()
    };
    let (mut one, mut two) = (sleeper(&mine), sleeper(&other));
    let id = mine.clone();
    let waiting = std::thread::spawn(move || one.wait().unwrap());
    let survivors =
        tokio::task::spawn_blocking(move || end_marked(&id, Duration::from_secs(2))).await.unwrap();
    assert_eq!(survivors, 0);
    assert!(!waiting.join().unwrap().success());
    assert!(two.try_wait().unwrap().is_none(), "the process of another loop goes on");
    two.kill().unwrap();
    two.wait().unwrap();
}

#[tokio::test]
async fn an_agent_that_ends_its_own_loop_by_the_marker_does_not_end_itself() {
    let id = LoopId::random();
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

#[tokio::test]
async fn a_line_of_64_mib_is_cut_in_bounded_memory_and_the_next_is_whole() {
    #[derive(Default)]
    struct Cut(Lines, Vec<(usize, bool)>);
    impl OutputSink for Cut {
        fn output(&mut self, _: Stream, bytes: &[u8]) {
            let found = &mut self.1;
            self.0.push(bytes, |line| found.push((line.bytes.len(), line.cut)));
        }
        fn tick(&mut self) {}
    }
    let before = resident();
    let guardian = guardian();
    let mut sink = Cut::default();
    let spec = sh("head -c 67108864 /dev/zero; echo; echo next");
    let exit = guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
    assert_eq!(exit.code, Some(0));
    assert_eq!(sink.1, [(4 * 1024 * 1024, true), (4, false)]);
    assert!(resident() < before + 16 * 1024, "{} kB, {before} before", resident());
}

#[tokio::test]
async fn a_limit_on_open_files_is_told_as_such() {
    let pid = {
        let guardian = guardian();
        let warm = guardian.output(sh("true"), Duration::from_secs(5), 10).await.unwrap();
        assert_eq!(warm.code, Some(0));
        let limited = Command::new("prlimit")
            .args(["--nofile=5:5", "--pid", &guardian.pid().to_string()])
            .status();
        if !limited.is_ok_and(|status| status.success()) {
            return;
        }
        let failed = guardian.output(sh("true"), Duration::from_secs(5), 10).await;
        assert_eq!(failed, Err(StartError::OutOf { what: "open files" }));
        guardian.pid()
    };
    until(|| !Path::new(&format!("/proc/{pid}")).exists()).await;
}

fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
