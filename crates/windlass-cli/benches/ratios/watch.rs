//! What the terminal dashboard costs while an agent talks: part of one core, in a terminal of tmux.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::world::{World, report};

/// How long it is looked at.
const LOOK: Duration = Duration::from_secs(10);
/// The clock ticks of a second, as `/proc` counts them.
const TICKS: f64 = 100.0;

/// `watch` beside an agent that prints 1,000 and 10,000 lines a second.
pub(crate) fn watch(world: &World) {
    if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
        return report("`watch`", "no tmux", "", "");
    }
    for (lines, target) in [(1_000, "< 5 %"), (10_000, "")] {
        let cores = cores(world, lines);
        let what = format!("`watch` while the agent prints {lines} lines a second");
        report(&what, &format!("{:.1} %", cores * 100.0), &format!("{cores:.3}"), target);
    }
}

/// The part of one core that the dashboard takes.
fn cores(world: &World, lines: u32) -> f64 {
    let script = world.path("talk.sh");
    let line = "a line of what an agent says, about as long as lines are";
    let talk = format!(
        "for i in $(seq 400); do seq -f 'line %g: {line}' {}; sleep 0.1; done\n",
        lines / 10
    );
    std::fs::write(&script, talk).unwrap();
    let command = format!("sh {}", script.display());
    let call = ["iterate", "-p", "go", "-c", &command, "--max-iterations", "1", "--grace", "1s"];
    let mut talking = world.windlass(&call).spawn().unwrap();
    thread::sleep(Duration::from_secs(1));
    let socket = world.path("tmux");
    let tmux = |args: &[&str]| {
        let mut tmux = Command::new("tmux");
        tmux.arg("-S").arg(&socket).args(args).env("WINDLASS_HOME", world.home());
        String::from_utf8(tmux.output().unwrap().stdout).unwrap()
    };
    let program = env!("CARGO_BIN_EXE_windlass");
    tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "140", "-y", "40", program, "watch"]);
    thread::sleep(Duration::from_secs(2));
    let pid = tmux(&["display-message", "-p", "#{pane_pid}"]).trim().to_owned();
    let before = ticks(&pid);
    thread::sleep(LOOK);
    let used = ticks(&pid) - before;
    tmux(&["kill-server"]);
    world.windlass(&["cancel"]).status().unwrap();
    talking.wait().unwrap();
    used / TICKS / LOOK.as_secs_f64()
}

/// The ticks that a process has used, in itself and in the system.
fn ticks(pid: &str) -> f64 {
    let stat = std::fs::read_to_string(PathBuf::from("/proc").join(pid).join("stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()
}
