//! A helper that lives on under a guardian: it is started with the descriptors that it is given, and
//! killed with all that it started when this is dropped.

use std::{os::fd::OwnedFd, path::PathBuf, time::Duration};

use tokio::{sync::mpsc::UnboundedReceiver, time::timeout};
use windlass_core::process::ProcessSpec;

use super::{
    Leader, StartError,
    guardian::Guardian,
    protocol::{Report, Request},
    resolve, supervise,
};

/// A helper that runs.
pub(crate) struct Service {
    guardian: Guardian,
    id: u64,
    path: PathBuf,
    spec: ProcessSpec,
    reports: UnboundedReceiver<Report>,
}

/// How long the guardian has to say how a helper ended whose socket is closed.
const PATIENCE: Duration = Duration::from_secs(1);

impl Guardian {
    /// Starts a helper with these as its three standard streams.
    pub(crate) fn serve(
        &self,
        spec: &ProcessSpec,
        descriptors: Vec<OwnedFd>,
    ) -> Result<Service, StartError> {
        let path = resolve::program(spec)?;
        let (id, reports) = self.enter();
        let launch = supervise::launch(self, id, &path, spec, Leader::Program);
        self.send(&Request::Start { id, launch }, descriptors);
        Ok(Service { guardian: self.clone(), id, path, spec: spec.clone(), reports })
    }
}

impl Service {
    /// Whether nothing is heard of its end for so long.
    pub(crate) async fn runs_for(&mut self, moment: Duration) -> bool {
        timeout(moment, self.reports.recv()).await.is_err()
    }

    /// Why a helper that hung up did: it could not be started, or how it ended.
    pub(crate) async fn end(&mut self) -> Result<String, StartError> {
        match timeout(PATIENCE, self.reports.recv()).await {
            Ok(Some(Report::Failed { errno, .. })) => {
                Err(resolve::explain(errno, &self.path, &self.spec))
            }
            Ok(Some(Report::Exited { signal: Some(signal), .. })) => {
                Ok(format!("signal {signal} ended it"))
            }
            Ok(Some(Report::Exited { code, .. })) => {
                Ok(format!("it ended with exit code {}", code.unwrap_or_default()))
            }
            Ok(Some(Report::Ended { .. }) | None) | Err(_) => Ok("it hung up".to_owned()),
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.guardian
            .send(&Request::End { id: self.id, all: false, grace: Duration::ZERO }, Vec::new());
        self.guardian.leave(self.id);
    }
}
