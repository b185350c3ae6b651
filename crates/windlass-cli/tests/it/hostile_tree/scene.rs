//! A world with treasure outside of its tree, in which each call is bounded in time and memory and
//! remembered, so that in the end all of it can be looked through.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use testkit::{Background, Env, Invocation, Ran, Signal, processes, wait_until, zoo};

use super::treasure::{self, Treasure};

/// How long a call may take that has nothing to wait for but what was planted.
pub(super) const PATIENCE: Duration = Duration::from_secs(25);

/// How long windlass may take to end after one SIGINT, with a grace of one second.
const ENDING: Duration = Duration::from_secs(12);

/// How much memory windlass and each process that it starts may use, in MiB. The first snapshot of 200,000
/// files takes some 180, most of it while their ids go to git.
const MEMORY: u64 = 200;

/// A world, and what is outside of its tree.
pub(super) struct Scene {
    pub(super) env: Env,
    treasure: Treasure,
    ran: RefCell<Vec<Ran>>,
}

impl Scene {
    /// A world with a repository of one commit.
    pub(super) fn new() -> Self {
        Self::of(crate::world())
    }

    /// A world whose work tree is no repository.
    pub(super) fn outside_git() -> Self {
        Self::of(Env::outside_git(env!("CARGO_BIN_EXE_windlass")))
    }

    /// A world that is made already.
    pub(super) fn of(env: Env) -> Self {
        let beast = env.root().join("bin/zoo");
        fs::hard_link(zoo(), &beast).or_else(|_| fs::copy(zoo(), &beast).map(drop)).unwrap();
        let treasure = Treasure::bury(&env);
        Self { env, treasure, ran: RefCell::default() }
    }

    /// An agent that plants in its first session, and then does as `body` says.
    pub(super) fn planter(&self, plants: &str, body: &str) -> PathBuf {
        self.env.agent_sh(&format!("{}\n{body}", self.plant(plants)))
    }

    /// A line of a shell program that plants once.
    pub(super) fn plant(&self, plants: &str) -> String {
        let (zoo, root) = (self.env.root().join("bin/zoo"), self.env.root());
        format!(
            "if mkdir .planted 2> /dev/null; then {} tree '{plants}' {} || exit 77; fi",
            zoo.display(),
            root.display()
        )
    }

    /// Plants as an agent of an earlier loop would have.
    pub(super) fn plant_now(&self, plants: &str) {
        let (zoo, root) = (self.env.root().join("bin/zoo"), self.env.root());
        let call = self.env.other(zoo, [Path::new("tree"), Path::new(plants), root]);
        drop(call.run().success());
    }

    /// Swaps a path for a link or a pipe for as long as this is held, as an agent of another loop
    /// would, or one that got away.
    pub(super) fn swap(&self, plant: &str) -> Background {
        let (zoo, root) = (self.env.root().join("bin/zoo"), self.env.root());
        let swapping = self.env.other(zoo, [Path::new("tree"), Path::new(plant), root]).spawn();
        wait_until("it swaps", PATIENCE, || swapping.stdout().contains("swapping"));
        swapping
    }

    /// `iterate` with an agent in a sandbox, which is called twice unless it claims.
    pub(super) fn iterate(&self, sandbox: &str, agent: &Path, more: &[&str]) -> Ran {
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--max-iterations", "2"];
        let call = self.env.command(args).args(["--grace", "1s", "-c"]).arg(agent);
        self.watch(call.args(more))
    }

    /// Runs windlass.
    pub(super) fn call(&self, args: &[&str]) -> Ran {
        self.watch(self.env.command(args))
    }

    /// Runs it to its end, within bounds, and keeps what it said.
    pub(super) fn watch(&self, call: Invocation<'_>) -> Ran {
        let mut running = call.limit(PATIENCE).spawn();
        let mut most = Memory::default();
        let began = Instant::now();
        while running.is_running() && began.elapsed() < PATIENCE {
            most.look(running.pid(), &self.env);
            std::thread::sleep(Duration::from_millis(40));
        }
        let ran = running.wait();
        most.assert_bounded(&ran.line);
        self.keep(ran)
    }

    /// Sends one SIGINT as soon as `file` is there and a moment has passed; it must end soon.
    pub(super) fn interrupt(&self, call: Invocation<'_>, file: &Path) -> Ran {
        let mut running: Background = call.limit(PATIENCE * 2).spawn();
        wait_until("the agent has planted", PATIENCE, || file.exists() || !running.is_running());
        std::thread::sleep(Duration::from_millis(700));
        let began = Instant::now();
        if running.is_running() {
            running.signal(Signal::INT);
        }
        let mut most = Memory::default();
        while running.is_running() && began.elapsed() < ENDING {
            most.look(running.pid(), &self.env);
            std::thread::sleep(Duration::from_millis(40));
        }
        assert!(
            !running.is_running(),
            "one SIGINT has not ended it within {ENDING:?}\n{}{}",
            running.stdout(),
            running.stderr()
        );
        let ran = running.wait();
        most.assert_bounded(&ran.line);
        self.keep(ran)
    }

    #[track_caller]
    fn keep(&self, ran: Ran) -> Ran {
        // 101 is a panic; a signal is a crash. All else is told with a reason.
        assert!(ran.code.is_some_and(|code| code != 101), "`{}` crashed\n{ran}", ran.line);
        let is_told =
            ran.code == Some(0) || !(format!("{}{}", ran.stdout, ran.stderr)).trim().is_empty();
        assert!(is_told, "`{}` gave no reason\n{ran}", ran.line);
        self.ran.borrow_mut().push(ran.clone());
        ran
    }

    /// Nothing outside of the tree was touched.
    #[track_caller]
    pub(super) fn assert_untouched(&self, what: &str) {
        self.treasure.assert_untouched(what);
    }

    /// Nothing outside of the tree was read.
    #[track_caller]
    pub(super) fn assert_unseen(&self, what: &str) {
        treasure::assert_unseen(&self.env, &self.ran.borrow(), what);
    }
}

impl Scene {
    /// The contents of nothing outside of the tree were read; its names may be known.
    #[track_caller]
    pub(super) fn assert_canary_unseen(&self, what: &str) {
        treasure::assert_canary_unseen(&self.env, &self.ran.borrow(), what);
    }
}

/// The most memory that a process of windlass has used, in MiB, and which one.
#[derive(Default)]
struct Memory {
    most: u64,
    of: String,
}

impl Memory {
    fn look(&mut self, pid: i32, env: &Env) {
        let started = processes::descendants_of(pid).into_iter().chain(env.processes());
        let started = started.map(|process| (process.pid, process.command));
        for (pid, command) in started.chain([(pid, "windlass".to_owned())]) {
            let peak = processes::peak_memory_of(pid);
            if peak > self.most {
                (self.most, self.of) = (peak, command);
            }
        }
    }

    #[track_caller]
    fn assert_bounded(&self, line: &str) {
        let Self { most, of } = self;
        assert!(*most <= MEMORY, "`{line}`: {of} used {most} MiB");
    }
}
