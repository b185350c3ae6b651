//! A terminal: what is on it, and keys that are pressed.

use std::time::Duration;

use testkit::{Env, has};

const SOON: Duration = Duration::from_secs(10);

#[test]
fn what_a_person_sees_and_presses() {
    if !has("tmux") {
        return;
    }
    let env = Env::new("/bin/sh");
    let terminal =
        env.terminal(["-c", "test -t 1 && echo \"a terminal\"; read line; echo got $line; exit 3"]);
    terminal.wait_for("a terminal", SOON);
    terminal.press("x");
    terminal.press("Enter");
    let screen = terminal.wait_for("[exit 3]", SOON);
    assert_eq!(screen, "a terminal\nx\ngot x\n[exit 3]\n");
}
