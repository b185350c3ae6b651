//! The confined helper: what it cannot do, and that nothing it does holds its owner up.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use windlass_system::{
    process::{Guardian, GuardianProgram},
    worker::{Frame, Rights, Worker, WorkerError, WorkerStart},
};

const LIMIT: Duration = Duration::from_secs(20);

/// A place with one directory that the helper may write, and one that it may not see.
struct World {
    folder: tempfile::TempDir,
    program: GuardianProgram,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "secret"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("secret/key"), "canary").unwrap();
        fs::write(folder.path().join("work/file"), "content").unwrap();
        let program = GuardianProgram::At(env!("CARGO_BIN_EXE_guardian").into());
        Self { folder, program }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn path(&self, path: &str) -> String {
        self.at(path).display().to_string()
    }

    async fn worker(&self) -> Worker {
        self.worker_with(&["work"]).await
    }

    async fn worker_with(&self, places: &[&str]) -> Worker {
        let guardian = Guardian::start(&self.program, None, Vec::new()).unwrap();
        let read = match &self.program {
            GuardianProgram::At(path) => vec![path.clone()],
            GuardianProgram::ThisProgram => Vec::new(),
        };
        let start = WorkerStart {
            program: self.program.clone(),
            role: "__test-helper",
            orders: b"\"anything\"".to_vec(),
            rights: Rights {
                read,
                write: places.iter().map(|place| self.at(place)).collect(),
                directories: Vec::new(),
            },
        };
        let (worker, told) = Worker::start(guardian, start, LIMIT).await.unwrap();
        assert_eq!(told.text, b"ready for anything");
        worker
    }
}

async fn ask(worker: &Worker, request: &[&str]) -> String {
    try_ask(worker, request, LIMIT).await.unwrap()
}

async fn try_ask(
    worker: &Worker,
    request: &[&str],
    limit: Duration,
) -> Result<String, WorkerError> {
    let text = serde_json::to_vec(request).unwrap();
    let answer = worker.ask(&Frame { text, bytes: Vec::new() }, limit).await?;
    Ok(String::from_utf8(answer.text).unwrap())
}

/// The processes that play the helper under the guardian of a worker of this test.
fn helpers(folder: &Path) -> Vec<i32> {
    let is_it = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let is_helper = line.split(|byte| *byte == 0).any(|word| word == b"__test-helper");
        is_helper && fs::read_link(format!("/proc/{pid}/cwd")).is_ok() && folder.exists()
    };
    let me = std::process::id();
    let mut found = Vec::new();
    let mut todo = vec![i32::try_from(me).unwrap()];
    while let Some(parent) = todo.pop() {
        let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
            todo.extend(children.inspect(|pid| found.push(*pid)));
        }
    }
    found.retain(is_it);
    found
}

#[tokio::test]
async fn it_reaches_what_it_was_given_and_nothing_else() {
    let world = World::new();
    let worker = world.worker().await;
    assert_eq!(ask(&worker, &["read", &world.path("work/file")]).await, "content");
    assert_eq!(ask(&worker, &["write", &world.path("work/new")]).await, "written");
    std::os::unix::fs::symlink(world.at("secret/key"), world.at("work/link")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    for refused in [
        ["read", &world.path("secret/key")],
        ["read", &world.path("work/link")],
        ["write", &world.path("secret/key")],
        ["write", &world.path("work/link")],
        ["read", "/etc/shadow"],
        ["read", "/proc/self/environ"],
        ["read", "/dev/zero"],
        ["connect", &address],
    ] {
        assert_eq!(ask(&worker, &refused).await, "refused: PermissionDenied", "{refused:?}");
    }
    assert_eq!(fs::read_to_string(world.at("secret/key")).unwrap(), "canary");
}

#[tokio::test]
async fn it_can_move_a_file_from_one_place_that_it_was_given_to_another_and_back() {
    let world = World::new();
    fs::create_dir(world.at("aside")).unwrap();
    let worker = world.worker_with(&["work", "aside"]).await;
    let (here, there) = (world.path("work/file"), world.path("aside/1"));
    assert_eq!(ask(&worker, &["move", &here, &there]).await, "moved");
    assert_eq!(fs::read_to_string(world.at("aside/1")).unwrap(), "content");
    assert_eq!(ask(&worker, &["move", &there, &here]).await, "moved");
    let out = world.path("secret/file");
    assert!(ask(&worker, &["move", &here, &out]).await.starts_with("refused"));
}

#[tokio::test]
async fn it_has_no_network_of_any_protocol() {
    let world = World::new();
    let worker = world.worker().await;
    for family in ["udp", "udp6", "tcp", "netlink", "packet", "vsock"] {
        let told = ask(&worker, &["socket", family]).await;
        assert_eq!(told, "refused: PermissionDenied", "{family}");
    }
    assert_eq!(ask(&worker, &["socket", "local"]).await, "made");
    assert_eq!(ask(&worker, &["pair"]).await, "made");

    // What it starts has none either; the same command works outside.
    let udp = "exec 3<>/dev/udp/127.0.0.1/9 || exit 7";
    let outside = std::process::Command::new("/bin/bash").args(["-c", udp]).status().unwrap();
    assert!(outside.success());
    assert_eq!(ask(&worker, &["run", "/bin/bash", "-c", udp]).await, "Some(7) ");
}

#[tokio::test]
async fn it_has_nothing_open_and_takes_no_more_memory_than_it_may() {
    let world = World::new();
    let worker = world.worker().await;
    assert_eq!(ask(&worker, &["descriptors"]).await, "[]");
    assert_eq!(ask(&worker, &["hoard", "16"]).await, "taken");
    assert_eq!(ask(&worker, &["hoard", "16384"]).await, "refused: OutOfMemory");
}

#[tokio::test]
async fn what_it_starts_has_its_rights_and_its_input() {
    let world = World::new();
    let worker = world.worker().await;
    assert_eq!(ask(&worker, &["run", "/bin/cat"]).await, "Some(0) handed on");
    let mine = world.at("work/program");
    fs::copy("/bin/true", &mine).unwrap();
    let told = ask(&worker, &["run", mine.to_str().unwrap()]).await;
    assert!(told.starts_with("refused"), "a file of the work tree was run: {told}");
}

#[tokio::test]
async fn one_that_hangs_is_not_waited_for_and_the_next_request_has_another() {
    let world = World::new();
    let worker = world.worker().await;
    let fifo = world.at("work/fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).unwrap();
    let begun = Instant::now();
    let short = Duration::from_millis(300);
    let hung = try_ask(&worker, &["read", &world.path("work/fifo")], short).await;
    assert_eq!(hung, Err(WorkerError::TimedOut { seconds: 0 }));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(worker.is_silent());
    assert_eq!(ask(&worker, &["read", &world.path("work/file")]).await, "content");
    assert!(!worker.is_silent());
}

#[tokio::test]
async fn one_that_is_killed_or_stopped_or_panics_is_replaced() {
    let world = World::new();
    let worker = world.worker().await;
    assert_eq!(ask(&worker, &["panic"]).await, "broken");
    let after = try_ask(&worker, &["read", &world.path("work/file")], LIMIT).await;
    assert!(matches!(after, Ok(_) | Err(WorkerError::Gone { .. })), "{after:?}");
    assert_eq!(ask(&worker, &["read", &world.path("work/file")]).await, "content");
    for signal in [Signal::KILL, Signal::STOP] {
        for pid in helpers(world.folder.path()) {
            kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
        }
        let hung = try_ask(&worker, &["read", "/x"], Duration::from_millis(500)).await;
        assert!(hung.is_err(), "{signal:?}: {hung:?}");
        assert_eq!(ask(&worker, &["read", &world.path("work/file")]).await, "content");
    }
}

#[tokio::test]
async fn it_goes_with_its_owner() {
    let world = World::new();
    let worker = world.worker().await;
    assert_eq!(helpers(world.folder.path()).len(), 1);
    drop(worker);
    let begun = Instant::now();
    while !helpers(world.folder.path()).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(5), "it is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
