//! Finds the loop that a command is about.

use windlass_store::store::{FindError, LoopRecord, Store};

use crate::host::{app::App, failure::Failure};

/// How to start a first loop, for those who have none.
pub(crate) const FIRST_LOOP: &str = "windlass init && windlass iterate -p 'Make the tests pass.'";

/// The loop that a command is about.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LoopArg {
    /// Loop name, ID or prefix [default: newest loop in this directory]
    #[arg(value_name = "LOOP")]
    pub(crate) the_loop: Option<String>,
}

impl LoopArg {
    /// Finds it in the store.
    pub(crate) fn find(&self, app: &App) -> Result<(Store, LoopRecord), Failure> {
        find(app, self.the_loop.as_deref())
    }
}

/// The loop and the iteration that are meant by `[LOOP] [N]`. A number alone is an iteration of the
/// newest loop of the directory, unless a loop has that very name.
pub(crate) fn find_iteration(
    app: &App,
    reference: Option<&str>,
    iteration: Option<u32>,
) -> Result<(Store, LoopRecord, Option<u32>), Failure> {
    let alone = reference.filter(|_| iteration.is_none()).and_then(|text| text.parse().ok());
    if let (Some(number), Some(name)) = (alone, reference) {
        let is_name = Store::open_existing(&app.home)?.map(|store| store.has_name(name));
        if !is_name.transpose()?.unwrap_or(false) {
            let (store, record) = find(app, None)?;
            return Ok((store, record, Some(number)));
        }
    }
    let (store, record) = find(app, reference)?;
    Ok((store, record, iteration))
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
