//! Embeds a loop in a program of your own: an agent of your own, events as they come, and a knob
//! that stops it.
//!
//! `cargo run -p windlass --example embed`

#![expect(clippy::print_stdout, reason = "an example may talk")]

use std::{error::Error, time::Duration};

use windlass::{
    CancelledBy, Loop, Stop,
    agent::{Agent, Ask, Decoder, ProcessSpec, TextDecoder},
    event::EventKind,
    kind::iterate,
};

/// An agent that counts to three, one number a session, and then claims to be done.
struct Counter;

impl Agent for Counter {
    fn name(&self) -> &str {
        "counter"
    }

    fn command(&self, ask: &Ask<'_>) -> ProcessSpec {
        let script = "echo $1 >> numbers.txt; echo \"wrote $1\"; \
                      if [ $1 -ge 3 ]; then echo '<promise>COMPLETE</promise>'; fi";
        ProcessSpec {
            program: "sh".into(),
            args: ["-c", script, "counter", &ask.iteration.to_string()].map(Into::into).to_vec(),
            env: ask.env.clone().into_iter().collect(),
            directory: ask.directory.to_owned(),
            stdin: Vec::new(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(TextDecoder::new(ask))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    windlass::init();
    let place = tempfile::tempdir()?;
    let stop = Stop::default();
    let the_loop = Loop::iterate(iterate::Options::new("Count to three in numbers.txt."))
        .home(place.path().join("state"))
        .directory(place.path())
        .agent(Counter)
        .check("test \"$(tail -n 1 numbers.txt)\" = 3")
        .stop(&stop)
        .on_event(|event| {
            if let EventKind::AgentSaid { said, .. } = &event.kind {
                print!("{}: {}", event.seq, said.content());
            }
        });

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        // Whoever holds a clone of the knob can call the loop off: here, after a minute.
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(60)).await;
            stop.press(CancelledBy::Request);
        });
        the_loop.run().await
    })?;
    println!("{} after {} iterations", result.ending, result.iterations);
    Ok(())
}
