//! The smallest program that has a guardian: it plays one, and it owns one, for tests.
//!
//! `guardian own LOOP SCRIPT` runs a shell script under a guardian of its own until it is killed.
//! `guardian end LOOP` ends what carries the marker of a loop, but for those who ask for it.

#![expect(clippy::disallowed_methods, reason = "it hands on what it was given")]

use std::{error::Error, path::Path, time::Duration};

use windlass_core::{ids::LoopId, process::ProcessSpec};
use windlass_system::{
    process::{
        Chunk, Guardian, GuardianProgram, OutputSink, PARTS, Stream, TimeLimits, end_marked,
        play_if_asked,
    },
    stop::Stop,
};

fn main() -> Result<(), Box<dyn Error>> {
    play_if_asked(&[PARTS]);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (id, script) = match arguments.as_slice() {
        ["own", id, script] => (LoopId::from((*id).to_owned()), *script),
        ["end", id] => {
            let survivors = end_marked(&LoopId::from((*id).to_owned()), Duration::from_secs(1));
            return if survivors == 0 { Ok(()) } else { Err("some survived".into()) };
        }
        _ => return Err("expected `own LOOP SCRIPT` or `end LOOP`".into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(own(&id, script))
}

async fn own(id: &LoopId, script: &str) -> Result<(), Box<dyn Error>> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, Some(id), Vec::new())?;
    let spec = ProcessSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: std::env::vars_os().collect(),
        directory: Path::new("/").to_owned(),
        stdin: Vec::new(),
    };
    let none = Duration::ZERO;
    let limits = TimeLimits { total: none, idle: none, grace: Duration::from_secs(5) };
    guardian.supervise(spec, limits, &Stop::default(), &mut Nothing).await?;
    guardian.close().await;
    Ok(())
}

struct Nothing;

impl OutputSink for Nothing {
    fn output(&mut self, _: Stream, _: &mut Chunk) {}

    fn tick(&mut self) {}
}
