//! The hidden sub-commands of the program, which `main` must look for first. A new one is a row in a
//! table.

mod script_player;

use windlass_agents::script;
use windlass_system::{
    process::{self, Part, play_if_asked},
    sandbox,
};

use crate::workplace;

/// The parts of this crate, by the first argument that asks for them.
const PARTS: &[(&str, Part)] = &[(script::PART, script_player::main)];

/// Becomes a helper process of windlass if this process was started as one; returns otherwise.
///
/// Call it first thing in `main`: a loop starts this same program once more as its guardian. It also
/// marks every descriptor but the standard streams as one that no started program inherits: an agent
/// must not find what the user's shell happened to have open.
pub fn init() {
    play_if_asked(&[process::PARTS, sandbox::PARTS, workplace::ROLES, PARTS]);
}
