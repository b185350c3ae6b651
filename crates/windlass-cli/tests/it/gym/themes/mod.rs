//! The agents of the gym by class. Each hopeless kind has an honest mirror image in the same class.
//!
//! What is true of each is what a wise person would say who sees what windlass sees, and was written down
//! before it was tried:
//!
//! - Nothing at all, or only noise: the third time is a pattern.
//! - Something new each time that is no work, such as reading: four times may come before work.
//! - Edits that look like work and help nothing: three to six times, the longer the more they look like it.
//! - Back where it was: the second return is a pattern, or the third where all else differs.
//! - What gets better by any measure goes on, also where it is slow, claims too early, or is clumsy.

mod alike;
mod branches;
mod circling;
mod denied;
mod failing;
mod figures;
mod honest;
mod ignored;
mod lying;
mod noise;
mod planning;
mod program;
mod prose;
mod reading;
mod renames;
mod reports;
mod reviewed;
mod sets;
mod shown;
mod silent;
mod standing;
mod submodules;
mod tasks;
mod tuning;

use super::{agent::Agent, language::Language, suite::Suite, words};

/// The agents of a class, under its name.
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) agents: Vec<Agent>,
}

/// The agents of all classes.
pub(super) fn classes() -> Vec<Class> {
    let class =
        |name, of: Vec<Vec<Agent>>| Class { name, agents: of.into_iter().flatten().collect() };
    vec![
        class("Work at its own pace", vec![honest::all()]),
        class("Talking and reading", vec![standing::all(), reading::all()]),
        class("Figures", vec![figures::all(), tuning::all()]),
        class("Silent checks", vec![silent::all()]),
        class("Claims", vec![lying::all(), shown::all(), program::all()]),
        class("Other places", vec![ignored::all(), submodules::all(), branches::all()]),
        class("Prose", vec![prose::all()]),
        class("Renames and styles", vec![renames::all()]),
        class("Circles", vec![circling::all(), sets::all()]),
        class("Noise", vec![noise::all()]),
        class("Troubles and reports", vec![failing::all(), denied::all(), reports::all()]),
        class("Task files", vec![tasks::all(), planning::all()]),
        class("Reviewers", vec![reviewed::all()]),
    ]
}
