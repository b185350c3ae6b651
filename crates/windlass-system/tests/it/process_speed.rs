//! How fast the supervisor is, as ratios measured side by side. Run with `--ignored --nocapture`.

use std::{
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use windlass_core::ending::CancelledBy;
use windlass_system::stop::Stop;

use crate::process::{Sink, UNLIMITED, command, guardian};

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn speed() {
    let guardian = guardian();
    let (mut bare, mut ours) = (Duration::ZERO, Duration::ZERO);
    let mut sink = Sink::default();
    for _ in 0..10 {
        let begun = Instant::now();
        for _ in 0..100 {
            let mut child = Command::new("/bin/true")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .process_group(0)
                .spawn()
                .unwrap();
            child.wait().unwrap();
        }
        bare += begun.elapsed();
        let begun = Instant::now();
        for _ in 0..100 {
            let spec = command("/bin/true", &[]);
            guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
        }
        ours += begun.elapsed();
    }
    eprintln!(
        "spawn and wait: bare {:?}, ours {:?}: {:.2}",
        bare / 1000,
        ours / 1000,
        ratio(ours, bare)
    );

    let mut latest = Vec::new();
    for _ in 0..100 {
        let mut sink = Sink::default();
        let spec = command("date", &["+%s%N"]);
        guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let then: u64 = String::from_utf8(sink.stdout).unwrap().trim().parse().unwrap();
        latest.push(now - Duration::from_nanos(then));
    }
    latest.sort_unstable();
    eprintln!("last word to the return, with the exit of `date` in it: median {:?}", latest[50]);

    let script = "head -c 1073741824 /dev/zero";
    let begun = Instant::now();
    Command::new("sh").args(["-c", &format!("{script} | cat >/dev/null")]).status().unwrap();
    let cat = begun.elapsed();
    let begun = Instant::now();
    let spec = command("sh", &["-c", script]);
    guardian.supervise(spec, UNLIMITED, &Stop::default(), &mut sink).await.unwrap();
    eprintln!("1 GiB: cat {cat:?}, ours {:?}: {:.2}", begun.elapsed(), ratio(begun.elapsed(), cat));

    for (script, what) in
        [("sleep 305 & sleep 305", "obedient"), ("trap '' TERM; sleep 305; sleep 305", "deaf")]
    {
        let stop = Stop::default();
        let limits =
            windlass_system::process::TimeLimits { grace: Duration::from_millis(500), ..UNLIMITED };
        let watch = guardian.supervise(command("sh", &["-c", script]), limits, &stop, &mut sink);
        let press = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            stop.press(CancelledBy::Sigint);
            Instant::now()
        };
        let (_, pressed) = tokio::join!(watch, press);
        eprintln!("cancel, {what}: {:?}", pressed.elapsed());
    }
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}
