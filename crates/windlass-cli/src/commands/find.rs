//! Finds the loop that a command is about.

use windlass::store::{FindError, LoopRecord, Store};

use crate::{app::App, failure::Failure};

/// How to start a first loop, for those who have none.
pub(crate) const FIRST_LOOP: &str =
    "windlass iterate -p 'Make the tests pass' -c 'my-agent --print' --check 'cargo test'";

/// The loop that a command is about.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LoopArg {
    /// Its name, its id or the beginning of one; the newest loop of this directory if left out
    #[arg(value_name = "LOOP")]
    pub(crate) the_loop: Option<String>,
}

impl LoopArg {
    /// Finds it in the store.
    pub(crate) fn find(&self, app: &App) -> Result<(Store, LoopRecord), Failure> {
        find(app, self.the_loop.as_deref())
    }
}

/// The loop of that name, id or unique prefix; the newest of the user's directory if left out.
pub(crate) fn find(app: &App, reference: Option<&str>) -> Result<(Store, LoopRecord), Failure> {
    let Some(store) = Store::open_existing(&app.home)? else {
        let error = match reference {
            Some(reference) => {
                FindError::Unknown { reference: reference.to_owned(), nearest: None }
            }
            None => FindError::NoneHere { directory: app.directory.clone() },
        };
        return Err(Failure::usage(error)
            .hint(format!("there are no loops yet; start one with: {FIRST_LOOP}")));
    };
    let record = store.find(reference, &app.directory)?;
    Ok((store, record))
}
