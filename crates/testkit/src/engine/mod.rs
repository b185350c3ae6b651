//! Real engines for containers, Docker and Podman, each started for one test with a place, a socket
//! and an image of its own, and taken down with all that it mounted. They need root.

mod ask;
mod image;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::Value;

use crate::{has, pass_by, waiting::holds_within};

/// How long an engine may take to answer, or to go.
const PATIENCE: Duration = Duration::from_secs(30);

/// The image that has what tests need: a shell, git and the zoo.
pub const IMAGE: &str = "windlass-test:latest";

/// An image without a shell.
pub const BARE_IMAGE: &str = "windlass-bare:latest";

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Docker.
    Docker,
    /// Podman.
    Podman,
}

/// An engine that runs.
#[derive(Debug)]
pub struct Engine {
    kind: Kind,
    folder: PathBuf,
    child: Option<Child>,
    /// Removed last.
    _place: tempfile::TempDir,
}

impl Engine {
    /// Both engines, one after the other; those that cannot be had here are told and left out.
    pub fn each(test: impl Fn(&Self)) {
        for kind in [Kind::Docker, Kind::Podman] {
            if let Some(engine) = Self::start(kind) {
                test(&engine);
            }
        }
    }

    /// Starts one, with its images; `None` where this machine cannot.
    #[track_caller]
    pub fn start(kind: Kind) -> Option<Self> {
        let program = match kind {
            Kind::Docker => "dockerd",
            Kind::Podman => "podman",
        };
        if !geteuid().is_root() {
            pass_by(&format!("only root can start `{program}` for a test"));
            return None;
        }
        if ![program, "runc", "busybox"].into_iter().all(has) {
            return None;
        }
        let place = tempfile::Builder::new().prefix("engine-").tempdir_in("/tmp");
        let place = place.expect("there is room below /tmp");
        let folder = place.path().to_owned();
        let mut engine = Self { kind, folder, child: None, _place: place };
        engine.restart();
        engine.import(IMAGE, &image::full());
        engine.import(BARE_IMAGE, &image::bare());
        Some(engine)
    }

    /// Starts it again after [`Engine::kill`].
    pub fn restart(&mut self) {
        let mut command = match self.kind {
            Kind::Docker => self.docker(),
            Kind::Podman => self.podman(),
        };
        let log = File::create(self.folder.join("log")).expect("the folder is ours");
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").current_dir("/");
        command.env("CONTAINERS_CONF", self.folder.join("containers.conf"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().expect("the program is installed"));
        let answers = || ask::get(&self.socket(), "/_ping").is_some();
        if !holds_within(PATIENCE, answers) {
            let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            panic!("{:?} does not answer:\n{log}", self.kind);
        }
    }

    /// Its name, as `--sandbox` has it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Docker => "docker",
            Kind::Podman => "podman",
        }
    }

    /// The variable that says where it is.
    pub fn variable(&self) -> (&'static str, String) {
        let name = match self.kind {
            Kind::Docker => "DOCKER_HOST",
            Kind::Podman => "CONTAINER_HOST",
        };
        (name, format!("unix://{}", self.socket().display()))
    }

    /// Its socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    /// The names of all containers, running or not.
    pub fn containers(&self) -> Vec<String> {
        let found = ask::get(&self.socket(), "/v1.41/containers/json?all=1").unwrap_or_default();
        let found = found.as_array().cloned().unwrap_or_default();
        let names = found.iter().filter_map(|container| container["Names"][0].as_str());
        names.map(|name| name.trim_start_matches('/').to_owned()).collect()
    }

    /// What the engine knows of a container.
    #[track_caller]
    pub fn inspect(&self, container: &str) -> Value {
        let path = format!("/v1.41/containers/{container}/json");
        ask::get(&self.socket(), &path).expect("the engine answers")
    }

    /// Makes a container that has nothing to do with windlass, and does not start it.
    #[track_caller]
    pub fn make(&self, name: &str, labels: &Value) {
        let body = serde_json::json!({"Image": IMAGE, "Cmd": ["sh"], "Labels": labels});
        let path = format!("/v1.41/containers/create?name={name}");
        ask::post(&self.socket(), &path, "application/json", body.to_string().as_bytes());
    }

    /// Removes a container.
    #[track_caller]
    pub fn remove(&self, name: &str) {
        ask::delete(&self.socket(), &format!("/v1.41/containers/{name}?force=1"));
    }

    /// Kills the engine itself, not what it runs, and leaves its socket.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().and_then(|()| child.wait()).expect("it is our child");
        }
    }

    fn import(&self, name: &str, tar: &[u8]) {
        let (name, tag) = name.split_once(':').expect("it has a tag");
        let path = format!("/v1.41/images/create?fromSrc=-&repo={name}&tag={tag}");
        ask::post(&self.socket(), &path, "application/x-tar", tar);
    }

    fn docker(&self) -> Command {
        let at = |inner: &str| self.folder.join(inner);
        let config = serde_json::json!({
            "data-root": at("data"),
            "exec-root": at("exec"),
            "pidfile": at("pid"),
            "hosts": [format!("unix://{}", self.socket().display())],
            "default-ulimits": {"nofile": {"Name": "nofile", "Hard": 20000, "Soft": 20000}},
            // The machine's own network is left as it is.
            "bridge": "none",
            "iptables": false,
            "ip6tables": false,
            "ip-forward": false,
            "ip-masq": false,
        });
        fs::write(at("docker.json"), config.to_string()).expect("the folder is ours");
        let mut command = Command::new("dockerd");
        command.arg("--config-file").arg(at("docker.json"));
        command
    }

    fn podman(&self) -> Command {
        let at = |inner: &str| self.folder.join(inner);
        let config = "[containers]\n\
                      default_ulimits = [\"nofile=20000:20000\", \"nproc=30000:30000\"]\n\
                      [engine]\nruntime = \"runc\"\ncgroup_manager = \"cgroupfs\"\n\
                      events_logger = \"file\"\n";
        fs::write(at("containers.conf"), config).expect("the folder is ours");
        let mut command = Command::new("podman");
        for (flag, inner) in [("--root", "data"), ("--runroot", "exec"), ("--tmpdir", "tmp")] {
            command.arg(flag).arg(at(inner));
        }
        command.args(["system", "service", "-t", "0"]);
        command.arg(format!("unix://{}", self.socket().display()));
        command
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let pid = Pid::from_raw(child.id().cast_signed()).expect("a child has a number");
            // It may have gone by itself; what is left is killed.
            kill_process(pid, Signal::TERM).ok();
            if !holds_within(PATIENCE, || !matches!(child.try_wait(), Ok(None))) {
                child.kill().and_then(|()| child.wait()).ok();
            }
        }
        end_what_is_left(&self.folder);
        for mount in mounts_below(&self.folder) {
            // One that is busy still goes when its last user does.
            Command::new("umount").arg("-l").arg(mount).status().ok();
        }
    }
}

/// Ends what an engine that was killed left: its own helpers name its folder in their arguments.
fn end_what_is_left(folder: &Path) {
    let folder = folder.to_string_lossy();
    for process in crate::processes::all() {
        if process.command.contains(&*folder)
            && process.pid.cast_unsigned() != std::process::id()
            && let Some(pid) = Pid::from_raw(process.pid)
        {
            kill_process(pid, Signal::KILL).ok();
        }
    }
}

/// What is mounted below a folder, the innermost first.
pub fn mounts_below(folder: &Path) -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let paths = mounts.lines().filter_map(|line| line.split(' ').nth(1).map(PathBuf::from));
    let mut below: Vec<PathBuf> = paths.filter(|path| path.starts_with(folder)).collect();
    below.reverse();
    below
}
