//! Runs a coding agent in a loop until the work is *proven* done, and stops with a reason when it is
//! not getting there.
//!
//! ```standalone_crate
//! use windlass::{Loop, kind::iterate};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // First of all: a loop starts this program once more, as the guardian of its processes.
//!     windlass::init();
//!
//!     let place = tempfile::tempdir()?;
//!     let the_loop = Loop::iterate(iterate::Options::new("Write done.txt."))
//!         .home(place.path().join("state"))
//!         .directory(place.path())
//!         .command(r#"sh -c 'touch done.txt; echo "<promise>COMPLETE</promise>"'"#)
//!         .check("test -f done.txt");
//!
//!     let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//!     let result = runtime.block_on(the_loop.run())?;
//!     assert!(result.success && result.verified);
//!     assert_eq!(result.iterations, 1);
//!     Ok(())
//! }
//! ```
//!
//! `ARCHITECTURE.md` in the repository follows one prompt through the modules. The library never
//! prints, parses arguments or reads the environment: it is told.

#![forbid(unsafe_code)]

pub mod agent;
pub mod forge;
pub mod kind;
pub mod system;

mod ask;
mod backoff;
mod course;
mod engine;
mod every_kind;
mod halt;
mod identity;
mod init;
mod limits;
mod pace;
mod perform;
mod proof;
mod run;
mod workplace;

pub use windlass_core::{
    ask::Choice,
    ending::{CancelledBy, ClaimedBy, Ending},
    event, options,
    result::LoopResult,
    stop::{StopLevel, StopReason, StopState},
};
pub use windlass_proof::globs;
pub use windlass_repo::tree::{CommitLine, Restored, TreeError, Worked};
pub use windlass_store::{
    report::Reporter,
    store::{LoopRecord, Request, Store, StoreError},
};
pub use windlass_system::{clock::now, stop::Stop};

pub use ask::Asker;
pub use engine::{
    AgentConfig, Basis, CancelError, Cancelled, Garbage, KeptWorktree, Loop, LoopError, MergePlace,
    MergeRequest, Planned, ResumeOptions, Settled, Swept, Trial, Work, accept, acceptable, cancel,
    changed_options, collect_garbage, diff, found_repository, free_snapshots, old_loops, origin_of,
    places_of_repository, plan_merge, release_refs, remove, rollback, settle_left, sweep_worktree,
    sweep_worktrees, take_down, tell_left_behind, where_agents_write, work_of,
};
pub use init::init;
