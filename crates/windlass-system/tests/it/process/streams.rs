//! What goes into a process, and what comes out of it.

use super::*;

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
async fn a_word_after_a_flood_is_heard_at_once_and_so_is_the_next_flood() {
    struct Heard(Instant, Vec<(u64, Duration)>);
    impl OutputSink for Heard {
        fn output(&mut self, _: Stream, chunk: &mut Chunk) {
            let before = self.1.last().map_or(0, |(bytes, _)| *bytes);
            self.1.push((before + chunk.bytes().len() as u64, self.0.elapsed()));
        }
        fn tick(&mut self) {}
    }
    const FLOOD: u64 = 33_554_432;
    let flood = format!("head -c {FLOOD} /dev/zero; printf word; sleep 3");
    let mut sink = Heard(Instant::now(), Vec::new());
    let guardian = guardian();
    let spec = sh(&format!("{flood}; {flood}"));
    guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
    let all = 2 * (FLOOD + 4);
    let came = |bytes: u64| sink.1.iter().find(|(so_far, _)| *so_far >= bytes).unwrap().1;
    let first_pause = came(FLOOD + 5) - came(FLOOD + 4);
    let second_pause = sink.0.elapsed() - came(all);
    assert!(first_pause.min(second_pause) > Duration::from_secs(2), "{:?}", sink.1.last());
    assert_eq!(sink.1.last().unwrap().0, all);
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
async fn a_short_command_is_cut_and_timed_out() {
    let guardian = guardian();
    let output =
        guardian.output(sh("yes | head -c 100000"), Duration::from_secs(5), 10).await.unwrap();
    assert_eq!((output.code, output.stdout.len(), output.cut), (Some(0), 10, true));
    let output = guardian.output(sh("sleep 303"), Duration::from_millis(50), 10).await.unwrap();
    assert_eq!((output.timed_out, output.signal), (true, Some(15)));
}

#[tokio::test]
async fn a_short_command_is_not_looked_up() {
    let refused = guardian().output(command("sh", &[]), Duration::from_secs(5), 10).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`sh` could not be started: windlass starts programs by their whole path"
    );
}

#[tokio::test]
async fn a_line_of_64_mib_is_cut_in_bounded_memory_and_the_next_is_whole() {
    #[derive(Default)]
    struct Cut(Lines, Vec<(usize, bool)>);
    impl OutputSink for Cut {
        fn output(&mut self, _: Stream, chunk: &mut Chunk) {
            let found = &mut self.1;
            self.0.push(chunk.bytes(), |line| found.push((line.bytes.len(), line.cut)));
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
