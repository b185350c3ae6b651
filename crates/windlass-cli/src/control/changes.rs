//! What a loop or one of its iterations changed: as it is for programs, so that it can be applied,
//! and without secrets for whoever looks at it.

use windlass::{diff, system::GuardianProgram};
use windlass_core::secrets::Secrets;
use windlass_store::store::{LoopRecord, Store};

use crate::{
    commands::block_on,
    host::{app::App, failure::Failure},
};

/// A unified diff.
pub(crate) struct Changes {
    exact: Vec<u8>,
    secrets: Secrets,
}

impl Changes {
    /// Those of an iteration, or of the whole loop.
    pub(crate) fn of(
        app: &App,
        store: &Store,
        record: &LoopRecord,
        iteration: Option<u32>,
    ) -> Result<Self, Failure> {
        let host = app.environment.all().clone();
        let secrets = Secrets::of_environment(host.clone());
        let program = GuardianProgram::ThisProgram;
        let exact = block_on(diff(&program, &app.home, host, store, record, iteration))??;
        Ok(Self { exact, secrets })
    }

    /// As it is.
    pub(crate) fn exact(&self) -> &[u8] {
        &self.exact
    }

    /// As it is shown: what is not text is replaced, and so are secrets.
    pub(crate) fn shown(&self) -> String {
        self.secrets.redact(&String::from_utf8_lossy(&self.exact)).into_owned()
    }
}
