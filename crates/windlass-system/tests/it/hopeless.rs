//! A process whose output leaves no hope is ended, and what it printed until then is kept.

use std::time::Duration;

use windlass_core::process::EndedBy;
use windlass_system::{
    process::{Chunk, OutputSink, Stream},
    stop::Stop,
};

use crate::process::{Sink, UNLIMITED, guardian, sh};

/// Gives up hope at a word.
#[derive(Default)]
struct Listening(Sink);

impl OutputSink for Listening {
    fn output(&mut self, stream: Stream, chunk: &mut Chunk) {
        self.0.output(stream, chunk);
    }

    fn tick(&mut self) {
        self.0.tick();
    }

    fn is_hopeless(&self) -> bool {
        String::from_utf8_lossy(&self.0.stdout).contains("refused")
    }
}

#[tokio::test]
async fn a_process_whose_output_leaves_no_hope_is_ended() {
    let guardian = guardian();
    let mut sink = Listening::default();
    let spec = sh("echo trying; echo refused; sleep 303");
    let exit = guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
    guardian.close().await;
    assert_eq!((exit.signal, exit.ended_by), (Some(15), Some(EndedBy::Hopeless)));
    assert!(exit.duration < Duration::from_secs(3), "{:?}", exit.duration);
    assert_eq!(sink.0.stdout, b"trying\nrefused\n");
}

#[tokio::test]
async fn one_that_is_gone_already_was_not_ended() {
    let guardian = guardian();
    let mut sink = Listening::default();
    let spec = sh("echo trying");
    let exit = guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
    guardian.close().await;
    assert_eq!((exit.code, exit.ended_by), (Some(0), None));
}
