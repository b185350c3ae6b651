//! What the web dashboard costs: how soon a long loop is there, and whether listeners slow one down.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use testkit::web::Web;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use windlass_core::{
    event::{ClaimFate, Event, EventKind, IterationSummary},
    evidence::Evidence,
    ids::{LoopId, Place},
    said::Said,
    step::{SessionStep, Step},
};
use windlass_store::store::{Durability, NewLoop, Owner, Store};

use crate::world::{World, best, ms, report, run, time};

const ITERATIONS: u32 = 1000;
const MESSAGES: u32 = 100;
const LISTENERS: usize = 500;

/// All that a browser asks for before it shows a loop.
const PAGE: [&str; 11] = [
    "/loops/long",
    "/assets/app.css",
    "/assets/app.js",
    "/assets/ask.js",
    "/assets/live.js",
    "/assets/loop.js",
    "/assets/output.js",
    "/assets/server.js",
    "/assets/start.js",
    "/assets/theme.js",
    "/ui/loops/long",
];

/// The page and the first data of a loop with 1,000 iterations and 100,000 messages.
pub(crate) fn first_paint(world: &World) {
    fill(world);
    let (mut server, web) = serve(world);
    let mut weight = 0;
    let paint = time(|| {
        weight = PAGE.iter().map(|path| web.get(path).expect(200).body.len()).sum::<usize>();
    });
    report("all of the page of a long loop, at first", &ms(paint), "", "≤ 300 ms");
    report("its weight", &format!("{} KiB", weight / 1024), "", "< 200 KiB");
    for path in ["", "/messages", "/iterations?after=900"] {
        let path = format!("/api/v1/loops/long{path}");
        let ask = || time(|| drop(web.get(&path).expect(200)));
        let first = ask();
        let took = best(&[(); 5].map(|()| ask()));
        report(&format!("`{path}`, at first"), &ms(first), "", "≤ 300 ms");
        report(&format!("`{path}`, 100,000 messages"), &ms(took), "", "≤ 300 ms");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

/// A loop alone, and one with 500 listeners and one that never reads.
pub(crate) fn listeners(world: &World) {
    let (mut server, web) = serve(world);
    let script = world.path("agent.sh");
    let chatter = "i=0; while [ $i -lt 50 ]; do seq 1 100; sleep 0.1; i=$((i+1)); done\n";
    std::fs::write(&script, chatter).unwrap();
    let command = format!("sh {}", script.display());
    let call = |name: &str| {
        let call = ["iterate", "-p", "go", "-c", &command, "--max-iterations", "1", "--name", name];
        run(world.windlass(&call))
    };
    let (mut alone, mut heard) = (Vec::new(), Vec::new());
    for round in 0..3 {
        alone.push(call(&format!("alone-{round}")));
        let (name, web) = (format!("heard-{round}"), web.clone());
        let theirs = name.clone();
        let crowd = thread::spawn(move || listen(&web, &theirs));
        heard.push(call(&name));
        let bytes = crowd.join().unwrap();
        assert!(bytes > 0, "nobody heard anything");
    }
    let (alone, heard) = (best(&alone), best(&heard));
    let ratio = alone.as_secs_f64() / heard.as_secs_f64();
    report("a loop that prints 1,000 lines a second, alone", &ms(alone), "1.00", "");
    report(
        "with 500 who listen and one who never reads",
        &ms(heard),
        &format!("{ratio:.2}"),
        "≥ 0.95",
    );
    server.kill().unwrap();
    server.wait().unwrap();
}

fn serve(world: &World) -> (Child, Web) {
    let mut server =
        world.windlass(&["serve", "--addr", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (server, Web::of(&line))
}

/// Listens to a loop with a crowd until it is over; gives how many bytes came.
fn listen(web: &Web, name: &str) -> usize {
    let began = Instant::now();
    while web.get(&format!("/api/v1/loops/{name}")).status != 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "the loop does not begin");
        thread::sleep(Duration::from_millis(10));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let head = format!("GET /api/v1/loops/{name}/events HTTP/1.1\r\n{}\r\n", web.own_headers());
    runtime.block_on(async {
        let mut deaf = TcpStream::connect(&web.address).await.unwrap();
        deaf.write_all(head.as_bytes()).await.unwrap();
        let mut crowd = tokio::task::JoinSet::new();
        for _ in 0..LISTENERS {
            let (address, head) = (web.address.clone(), head.clone());
            crowd.spawn(async move {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(head.as_bytes()).await.unwrap();
                let (mut buffer, mut all) = (vec![0; 16 * 1024], 0);
                loop {
                    match stream.read(&mut buffer).await.unwrap() {
                        // The chunk of length 0 ends the answer.
                        read if read == 0 || buffer[..read].ends_with(b"\r\n0\r\n\r\n") => {
                            return all + read;
                        }
                        read => all += read,
                    }
                }
            });
        }
        crowd.join_all().await.iter().sum()
    })
}

fn fill(world: &World) {
    let store = Store::open(&world.home()).unwrap();
    let id = LoopId::of_number(fastrand::u64(..));
    let new = NewLoop {
        id: id.clone(),
        name: "long".to_owned(),
        kind: "iterate".to_owned(),
        directory: world.work().canonicalize().unwrap(),
        worktree: None,
        agent: "command".to_owned(),
        options: serde_json::json!({}),
        owner: Owner::this_process(),
    };
    let epoch = store.create_loop(&new).unwrap();
    let mut seq = 0;
    for iteration in 1..=ITERATIONS {
        let events: Vec<Event> = of_iteration(iteration)
            .into_iter()
            .map(|kind| {
                seq += 1;
                Event { seq, at: windlass::now(), ran_ms: None, loop_id: id.clone(), kind }
            })
            .collect();
        store.append(&id, epoch, &events, Durability::Process).unwrap();
    }
}

fn of_iteration(iteration: u32) -> Vec<EventKind> {
    let place = Place::new(iteration, "agent");
    let session = SessionStep {
        role: "agent".into(),
        agent: "command".into(),
        prompt: "go on with it. ".repeat(100),
        lesson: None,
        task: None,
    };
    let mut kinds = vec![
        EventKind::IterationStarted { iteration },
        EventKind::StepStarted {
            place: place.clone(),
            step: Step::Session(session),
            fingerprint: String::new(),
        },
    ];
    kinds.extend((0..MESSAGES).map(|n| EventKind::AgentSaid {
        place: place.clone(),
        said: Said::Text {
            text: format!("message {n} of iteration {iteration}, some words long\n"),
        },
    }));
    kinds.push(EventKind::IterationFinished(IterationSummary {
        iteration,
        tree: None,
        head: None,
        files_changed: 3,
        lines_changed: u64::from(iteration % 40),
        files_modified: 3,
        claim: ClaimFate::None,
        failure: None,
        evidence: Evidence::default(),
        duration_ms: 1000,
    }));
    kinds
}
