//! A helper that lives on under a guardian: it is started with the descriptors that it is given, and
//! killed with all that it started when this is dropped.

use std::{os::fd::OwnedFd, time::Duration};

use tokio::sync::mpsc::UnboundedReceiver;
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
    /// Nobody listens: whoever talks to it sees its end. The guardian keeps reports for nobody.
    _reports: UnboundedReceiver<Report>,
}

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
        Ok(Service { guardian: self.clone(), id, _reports: reports })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.guardian
            .send(&Request::End { id: self.id, all: false, grace: Duration::ZERO }, Vec::new());
        self.guardian.leave(self.id);
    }
}
