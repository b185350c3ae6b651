//! The engine of windlass: runs a coding agent in a loop until the work is proven done.

pub mod agent;
pub mod claim;
pub mod ending;
pub mod event;
pub mod git;
pub mod home;
pub mod ids;
pub mod options;
pub mod outcome;
pub mod ownership;
pub mod process;
pub mod protect;
pub mod result;
pub mod said;
pub mod sanitise;
pub mod step;
pub mod stop;
pub mod store;
pub mod time;
pub mod tree;
pub mod view;
