//! What every command gets: where windlass lives, where the user stands, and how to print.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use windlass::system::Programs;

use crate::{
    config::Layers,
    host::{
        environment::{Environment, Variable},
        failure::{Failure, Kind},
        inside,
        printer::Printer,
    },
};

/// The program's surroundings, all decided.
#[derive(Clone, Debug)]
pub(crate) struct App {
    /// `$WINDLASS_HOME`, or the default. It need not be there yet.
    pub(crate) home: PathBuf,
    /// The directory that the user stands in or named with `--directory`, canonical.
    pub(crate) directory: PathBuf,
    /// How to print.
    pub(crate) printer: Printer,
    /// What the program was started with.
    pub(crate) environment: Environment,
    /// The programs that windlass itself may start, once they are looked for.
    pub(crate) programs: Arc<OnceLock<Programs>>,
}

impl App {
    /// Decides where windlass lives and where the user stands.
    pub(crate) fn new(
        environment: Environment,
        printer: Printer,
        directory: Option<&Path>,
    ) -> Result<Self, Failure> {
        let home = home(&environment)?;
        let directory = canonical(directory.unwrap_or(Path::new(".")))?;
        let programs = Arc::default();
        Ok(Self { home, directory, printer, environment, programs })
    }

    /// The user's config file, whether it is there or not.
    pub(crate) fn user_config(&self) -> Option<PathBuf> {
        xdg(&self.environment, Variable::XdgConfigHome, ".config")
            .map(|base| base.join("windlass/config.toml"))
    }

    /// The config, read from all its layers.
    pub(crate) fn layers(&self) -> Result<Layers, Failure> {
        Layers::load(self)
    }

    /// Whether this runs in a loop of this home, or may.
    pub(crate) fn is_inside_a_loop(&self) -> bool {
        inside::is_inside(&self.environment, &self.home)
    }

    /// Refuses what would let an agent steer the loops that it is among.
    pub(crate) fn refuse_inside_a_loop(&self, command: &str) -> Result<(), Failure> {
        inside::refuse(command, &self.environment, &self.home)
    }
}

fn home(environment: &Environment) -> Result<PathBuf, Failure> {
    let home = match environment.get(Variable::WindlassHome) {
        Some(home) => Some(PathBuf::from(home)),
        None => xdg(environment, Variable::XdgStateHome, ".local/state")
            .map(|base| base.join("windlass")),
    };
    let home = home.ok_or_else(|| {
        Failure::usage(
            "there is no place for the store: none of WINDLASS_HOME, XDG_STATE_HOME and HOME is set",
        )
        .hint("set WINDLASS_HOME to a directory of yours")
    })?;
    std::path::absolute(&home).map_err(|error| Failure::new(Kind::Setup, error))
}

/// A base directory as the XDG specification has it: relative paths do not count.
fn xdg(environment: &Environment, variable: Variable, below_home: &str) -> Option<PathBuf> {
    let set = environment.get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| {
        let home = environment.get(Variable::Home).map(PathBuf::from)?;
        home.is_absolute().then(|| home.join(below_home))
    })
}

fn canonical(directory: &Path) -> Result<PathBuf, Failure> {
    let found = directory.canonicalize().and_then(|path| {
        if path.is_dir() { Ok(path) } else { Err(std::io::ErrorKind::NotADirectory.into()) }
    });
    found.map_err(|error| {
        if directory == Path::new(".") {
            Failure::new(Kind::Setup, Unusable("the directory that you stand in", error))
        } else {
            Failure::usage(format!("there is no directory `{}`", directory.display()))
        }
    })
}

#[derive(Debug, thiserror::Error)]
#[error("{0} cannot be used")]
struct Unusable(&'static str, #[source] std::io::Error);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_what_the_environment_says_first() {
        for (vars, expect) in [
            ([("WINDLASS_HOME", "/w"), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")], "/w"),
            ([("WINDLASS_HOME", ""), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")], "/x/windlass"),
            (
                [("WINDLASS_HOME", ""), ("XDG_STATE_HOME", "x"), ("HOME", "/h")],
                "/h/.local/state/windlass",
            ),
        ] {
            let home = home(&Environment::of(vars)).expect("one of them is set");
            assert_eq!(home, Path::new(expect));
        }
    }

    #[test]
    fn a_relative_home_is_made_absolute() {
        let home = home(&Environment::of([("WINDLASS_HOME", "state")])).expect("it is set");
        assert!(home.is_absolute() && home.ends_with("state"), "{}", home.display());
    }
}
