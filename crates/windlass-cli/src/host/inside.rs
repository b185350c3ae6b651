//! Whether this process is part of a loop: then it may look at the loops of that loop's home, and
//! not steer them.

use std::path::Path;

use windlass::system::{Around, loops_around};

use super::{
    environment::{Environment, Variable},
    failure::{Failure, Kind},
};

/// Refuses a command that would let what runs in a loop steer the loops of the same home. Another
/// home is free: windlass's own tests can be a check.
pub(crate) fn refuse(command: &str, environment: &Environment, home: &Path) -> Result<(), Failure> {
    match whereabouts(environment, home) {
        Place::Outside => Ok(()),
        Place::Seen(id) => Err(refusal(command)
            .hint(format!("this runs in the loop {id}; ask the people outside to do it"))
            .hint("commands that only look work here, and all of them in another WINDLASS_HOME")),
        Place::Told => Err(refusal(command)
            .hint("WINDLASS_LOOP is set, as for all that runs in a loop")
            .hint("if this is not in a loop, unset WINDLASS_LOOP")),
    }
}

/// Whether this process is part of a loop of this home, or may be.
pub(crate) fn is_inside(environment: &Environment, home: &Path) -> bool {
    whereabouts(environment, home) != Place::Outside
}

fn whereabouts(environment: &Environment, home: &Path) -> Place {
    let named = environment.get(Variable::WindlassLoop).map(|name| name.to_string_lossy());
    place(&loops_around(), named.as_deref(), |around| around.lives_in(home))
}

fn refusal(command: &str) -> Failure {
    Failure::new(
        Kind::Setup,
        format!(
            "`windlass {command}` is refused inside a loop: what runs in a loop does not steer loops"
        ),
    )
}

/// Where this process is.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// In no loop, or in one of another home.
    Outside,
    /// In a loop of this home, as a guardian among its ancestors shows.
    Seen(String),
    /// In a loop, as the variable says; its guardian is not to be seen, so it may be of any home.
    Told,
}

fn place(around: &[Around], named: Option<&str>, is_here: impl Fn(&Around) -> bool) -> Place {
    if let Some(around) = around.iter().find(|around| is_here(around)) {
        return Place::Seen(around.loop_id.to_string());
    }
    match named {
        Some(named) if around.iter().all(|around| around.loop_id.as_str() != named) => Place::Told,
        Some(_) | None => Place::Outside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guardian_decides_and_where_none_is_seen_the_variable_does() {
        let around =
            |id: &str, home: &str| Around { loop_id: id.to_owned().into(), home: home.into() };
        let here = |around: &Around| around.home == Path::new("/here");
        let seen = |id: &str| Place::Seen(id.to_owned());
        let (mine, other) = (around("a", "/here"), around("b", "/there"));
        for (loops, named, expected) in [
            (vec![], None, Place::Outside),
            (vec![], Some("a"), Place::Told),
            (vec![mine.clone()], Some("a"), seen("a")),
            // A process that drops the variable is found by its ancestors.
            (vec![mine.clone()], None, seen("a")),
            (vec![other.clone(), mine.clone()], Some("b"), seen("a")),
            (vec![other.clone()], Some("b"), Place::Outside),
            (vec![other.clone()], None, Place::Outside),
            // A guardian of some other loop says nothing of the one that is named.
            (vec![other], Some("a"), Place::Told),
        ] {
            assert_eq!(place(&loops, named, here), expected, "{loops:?} {named:?}");
        }
    }
}
