//! A program that embeds windlass: the example of the library, run as it is.

use std::{env, path::PathBuf};

use crate::world;

/// The example of the library, where the workspace's tests were built; a doc test holds the rest.
fn embed() -> Option<PathBuf> {
    let test = env::current_exe().expect("a test knows its own file");
    // target/debug/deps/it-0123 → target/debug/examples/embed
    let target = test.ancestors().nth(2)?;
    Some(target.join("examples/embed")).filter(|path| path.is_file())
}

#[test]
fn a_program_that_embeds_windlass_runs_a_loop_to_its_proof() {
    let Some(embed) = embed() else { return };
    let env = world();
    let ran = env.other(embed, [] as [&str; 0]).run().success();
    let done = "{\"type\":\"done\",\"by\":\"promise\"} after 3 iterations\n";
    assert!(ran.stdout.contains(": wrote 1\n") && ran.stdout.ends_with(done), "{ran}");
    assert!(!env.windlass_home().exists(), "it said where its own home is");
}
