//! Makes containers, counts what runs in them, and removes them.

use std::{collections::HashMap, time::Duration};

use bollard::{
    container::LogOutput,
    errors::Error,
    exec::{StartExecOptions, StartExecResults},
    models::ExecConfig,
    query_parameters::{
        AttachContainerOptions, CreateContainerOptions, InspectContainerOptions,
        ListContainersOptions, RemoveContainerOptions, StartContainerOptions, StatsOptions,
        TopOptions,
    },
};
use futures_util::StreamExt;
use tokio::time::{Instant, sleep};
use windlass_core::{ids::LoopId, options::SandboxName};

use super::{
    super::SandboxError,
    engine::{Engine, status, words},
    lifeline::{Lifeline, Tidy},
    plan::{LOOP, Plan, is_open},
};

/// How long the removal of containers may take.
const TO_REMOVE: Duration = Duration::from_secs(30);

/// How often one looks whether it is done.
const LOOK: Duration = Duration::from_millis(20);

/// A container that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) name: String,
}

impl Engine {
    /// Makes a container and starts it. Where that fails, nothing of it is left.
    pub(super) async fn make(&self, plan: &Plan) -> Result<Lifeline, SandboxError> {
        let options =
            CreateContainerOptions { name: Some(plan.name.clone()), ..Default::default() };
        let made = self.api.create_container(Some(options), plan.body()).await;
        made.map_err(|error| self.not_made(plan, &error))?;
        match self.begin(plan).await {
            Ok(lifeline) => Ok(lifeline),
            Err(error) => {
                // The first error is the one to tell.
                drop(self.remove(&plan.name).await);
                Err(error)
            }
        }
    }

    async fn begin(&self, plan: &Plan) -> Result<Lifeline, SandboxError> {
        let name = &plan.name;
        let failed = |error: Error| self.failed("the container cannot be used", &error);
        let made = self.api.inspect_container(name, None::<InspectContainerOptions>).await;
        let made = made.map_err(failed)?.host_config.unwrap_or_default();
        if let Some(why) = is_open(&made, self.name) {
            let hint = format!("change the settings of {}, or take another sandbox", self.name);
            return Err(SandboxError::Unavailable { name: self.name, why, hint });
        }
        let options = AttachContainerOptions {
            stream: true,
            stdin: true,
            stdout: true,
            ..AttachContainerOptions::default()
        };
        let not_begun = |error: Error| self.not_begun(plan, &words(&error));
        let attached = self.api.attach_container(name, Some(options)).await.map_err(not_begun)?;
        let mut lifeline = Lifeline::new(attached);
        let started = self.api.start_container(name, None::<StartContainerOptions>).await;
        started.map_err(not_begun)?;
        let answered = lifeline.ask(Tidy::Nothing).await;
        answered.map_err(|error| self.not_begun(plan, &error.to_string()))?;
        Ok(lifeline)
    }

    fn not_made(&self, plan: &Plan, error: &Error) -> SandboxError {
        let engine = self.name;
        let Plan { name, image, .. } = plan;
        let text = words(error);
        match status(error) {
            Some(404) if text.to_lowercase().contains("image") => SandboxError::Unavailable {
                name: engine,
                why: format!("the image `{image}` is not on this machine"),
                hint: format!("get it with `{engine} pull {image}`, or build it"),
            },
            Some(409) | Some(500) if text.contains("in use") => SandboxError::Unavailable {
                name: engine,
                why: format!("another container has the name `{name}`"),
                hint: format!("remove it with `{engine} rm -f {name}`"),
            },
            _ => self.failed("the container cannot be made", error),
        }
    }

    fn not_begun(&self, plan: &Plan, text: &str) -> SandboxError {
        let lower = text.to_lowercase();
        let no_shell = lower.contains("\"sh\"") || lower.contains("executable file");
        let (why, hint) = if no_shell && lower.contains("not found") {
            let why = format!("the image `{}` has no `sh`", plan.image);
            (why, "take an image with a shell, and with what the agent and the checks need".into())
        } else {
            let why = format!("the container does not start: {text}");
            (why, format!("see whether `{} run --rm {} true` works", self.name, plan.image))
        };
        SandboxError::Unavailable { name: self.name, why, hint }
    }

    /// Removes a container, and returns when it is gone.
    pub(super) async fn remove(&self, name: &str) -> Result<(), Error> {
        let begun = Instant::now();
        loop {
            let options = RemoveContainerOptions { force: true, v: true, ..Default::default() };
            match self.api.remove_container(name, Some(options)).await {
                Err(error) if status(&error) == Some(404) => return Ok(()),
                // Somebody else is at it, which comes to the same; the next look tells.
                Err(error) if status(&error).is_none() => return Err(error),
                Err(error) if begun.elapsed() > TO_REMOVE => return Err(error),
                Ok(()) | Err(_) => sleep(LOOK).await,
            }
        }
    }

    /// The containers of a loop, whoever made them.
    pub(super) async fn of_loop(&self, id: &LoopId) -> Result<Vec<Found>, Error> {
        let label = HashMap::from([("label".to_owned(), vec![format!("{LOOP}={id}")])]);
        let options =
            ListContainersOptions { all: true, filters: Some(label), ..Default::default() };
        let found = self.api.list_containers(Some(options)).await?;
        let found = found.into_iter().filter_map(|container| {
            let name = container.names.into_iter().flatten().next().unwrap_or_default();
            Some(Found { id: container.id?, name: name.trim_start_matches('/').to_owned() })
        });
        Ok(found.collect())
    }

    /// How many processes run in a container, counted from outside: what is inside cannot lie.
    pub(super) async fn count(&self, container: &str) -> Result<u64, Error> {
        if self.name == SandboxName::Podman {
            // Podman asks a `ps` inside for what runs, but reads these numbers itself.
            let options = StatsOptions { stream: false, one_shot: true };
            let stats = self.api.stats(container, Some(options)).next().await;
            let stats = stats.ok_or(Error::RequestTimeoutError)??;
            return Ok(stats.pids_stats.and_then(|pids| pids.current).unwrap_or(0));
        }
        let options = TopOptions { ps_args: "-eo pid,stat".to_owned() };
        let top = self.api.top_processes(container, Some(options)).await?;
        let processes = top.processes.unwrap_or_default();
        let live = processes.iter().filter(|row| row.get(1).is_none_or(|s| !s.starts_with('Z')));
        Ok(live.count() as u64)
    }

    /// Runs a short command in a container; gives its exit code.
    pub(super) async fn code(&self, plan: &Plan, at: &str, cmd: &[&str]) -> Result<i64, Error> {
        let config = ExecConfig {
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(cmd.iter().map(|&word| word.to_owned()).collect()),
            user: Some(plan.user.clone()),
            working_dir: Some(at.to_owned()),
            ..ExecConfig::default()
        };
        let exec = self.api.create_exec(&plan.name, config).await?.id;
        let started = self.api.start_exec(&exec, None::<StartExecOptions>).await?;
        if let StartExecResults::Attached { mut output, .. } = started {
            while let Some(said) = output.next().await {
                drop::<LogOutput>(said?);
            }
        }
        Ok(self.api.inspect_exec(&exec).await?.exit_code.unwrap_or(-1))
    }
}
