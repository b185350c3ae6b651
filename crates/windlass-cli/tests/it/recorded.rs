//! Recorded sessions of real agents, played by a fake of their name.

use std::{fs, path::PathBuf};

use testkit::Env;

/// What a real agent printed.
pub(crate) fn recorded(agent: &str, case: &str) -> String {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../windlass-agents/tests/transcripts");
    let path = folder.join(agent).join(format!("{case}.stdout"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Makes `agent` a program that plays one of these in each session, the last one for ever, and keeps
/// its prompts. `before` runs first.
pub(crate) fn play(env: &Env, agent: &str, sessions: &[&str], before: &str) {
    let folder = env.root().join("tmp").join(agent);
    fs::create_dir_all(&folder).expect("the folder is ours");
    for (number, session) in (1..).zip(sessions) {
        fs::write(folder.join(number.to_string()), session).expect("the folder is ours");
    }
    let (folder, last) = (folder.display(), sessions.len());
    env.install(
        agent,
        &format!(
            "n=$(($(ls {folder}/prompt.* 2>/dev/null | wc -l) + 1))\n\
             {{ cat; echo \"$@\"; }} > {folder}/prompt.$n\n{before}\n\
             [ $n -le {last} ] || n={last}\ncat {folder}/$n"
        ),
    );
}

/// What it was asked in that session: its standard input and its arguments.
pub(crate) fn asked(env: &Env, agent: &str, session: u32) -> String {
    let path = env.root().join("tmp").join(agent).join(format!("prompt.{session}"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
