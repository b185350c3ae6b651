//! How processes are started, and what they find.

use super::*;

#[tokio::test]
async fn a_plain_run_gives_its_code_and_every_byte() {
    let (exit, sink) = run(sh("echo out; echo err >&2; exit 7")).await;
    assert_eq!((exit.code, exit.signal, exit.ended_by), (Some(7), None, None));
    assert_eq!(sink.stdout, b"out\n");
    assert_eq!(sink.bytes, [4, 4]);
    assert_eq!((exit.leftovers, exit.survivors, exit.leaky), (vec![], vec![], false));
}

#[tokio::test]
async fn a_crash_is_told_with_its_signal() {
    let (exit, _) = run(sh("kill -9 $$")).await;
    assert_eq!((exit.code, exit.signal, exit.ended_by), (None, Some(9), None));
    let (exit, _) = run(sh("kill -SEGV $$")).await;
    assert_eq!((exit.code, exit.signal), (None, Some(11)));
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
    let id = LoopId::of_number(fastrand::u64(..));
    let guardian = Guardian::start(&program(), Some(&id), Vec::new()).unwrap();
    let mut spec = command("/usr/bin/env", &[]);
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
async fn this_program_plays_the_guardian_only_after_init() {
    let error = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new()).err().unwrap();
    assert!(error.to_string().contains("call `windlass::init()`"), "{error}");
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
        assert_eq!(failed, Err(StartError::OutOf { what: "open files".into() }));
        guardian.pid()
    };
    until(|| !Path::new(&format!("/proc/{pid}")).exists()).await;
}
