//! What it costs to capture, decode and store what an agent prints.

use std::process::{Command, Stdio};

use crate::world::{World, best, peak_kib, report, run};

const GIB: u64 = 1 << 30;

/// How often each is run: what else the machine does costs the one or the other.
const ROUNDS: usize = 15;

/// 1 GiB of lines, against `agent | cat > file`.
pub(crate) fn lines(world: &World) {
    let agent =
        format!("yes 'a line of what an agent says, about as long as lines are' | head -c {GIB}");
    compare(world, "1 GiB of lines", &agent, GIB, "≥ 0.8");
}

/// 64 MiB without a newline.
pub(crate) fn one_line(world: &World) {
    let size = 64 << 20;
    let agent = format!("head -c {size} /dev/zero | tr '\\0' a");
    compare(world, "64 MiB in one line", &agent, size, "≥ 0.8");
}

fn compare(world: &World, what: &str, agent: &str, size: u64, target: &str) {
    let script = world.path("agent.sh").to_string_lossy().into_owned();
    let command = format!("sh {script}");
    let call = ["iterate", "-p", "go", "-c", &command, "--max-iterations", "1"];
    compare_agent(world, what, agent, &call, size, (target, "< 32 MiB"));
}

/// Runs `agent.sh`, which does what `agent` says, beside `call`, which is windlass with that agent.
pub(crate) fn compare_agent(
    world: &World,
    what: &str,
    agent: &str,
    call: &[&str],
    size: u64,
    (speed, memory): (&str, &str),
) {
    let script = world.path("agent.sh");
    std::fs::write(&script, format!("{agent}\n")).unwrap();
    let (mut cat, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut piped = Command::new("sh");
        let out = world.path("out");
        // To make a file empty takes time as well.
        drop(std::fs::remove_file(&out));
        let line = format!("sh {} | cat > {}", script.display(), out.display());
        piped.args(["-c", &line]).stdout(Stdio::null());
        cat.push(run(piped));
        ours.push(run(world.windlass(call)));
    }
    let peak = peak_kib(&mut world.windlass(call));
    // Starting and ending windlass is no cost of the output.
    let nothing = ["iterate", "-p", "go", "-c", "true", "--max-iterations", "1"];
    let start = best(&[(); ROUNDS].map(|()| run(world.windlass(&nothing))));
    let (cat, ours) = (best(&cat).as_secs_f64(), (best(&ours) - start).as_secs_f64());
    let rate = |seconds: f64| format!("{:.2} GiB/s", size as f64 / GIB as f64 / seconds);
    report(&format!("{what}, `agent | cat > file`"), &rate(cat), "1.00", "");
    report(&format!("{what}, windlass"), &rate(ours), &format!("{:.2}", cat / ours), speed);
    report(&format!("{what}, most memory"), &format!("{} MiB", peak / 1024), "", memory);
}
