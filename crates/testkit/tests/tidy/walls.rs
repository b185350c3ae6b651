//! Who may do what. A row names what is done, how it is told, where it is forbidden, and who may
//! nevertheless; a row whose exceptions are not needed any more fails too.

use testkit::{
    house::{
        assert_tidy, cargo, documents,
        walls::{
            Sign::{Built, Macro, Method, Path, Text},
            Wall, broken, see, unheld,
        },
    },
    source,
};

use crate::{NAMES, PACKAGES};

/// The engine and the program; the test kit may do anything.
const OURS: &[&str] = &["crates/windlass/src", "crates/windlass-cli/src"];
const ENGINE: &[&str] = &["crates/windlass/src"];
const PROGRAM: &[&str] = &["crates/windlass-cli/src"];

/// Modules that only compute: same input, same output, no clock. ARCHITECTURE.md lists them.
const PURE: &[&str] = &[
    "crates/windlass/src/agent",
    "crates/windlass/src/claim",
    "crates/windlass/src/fence",
    "crates/windlass/src/findings",
    "crates/windlass/src/forge",
    "crates/windlass/src/patch",
    "crates/windlass/src/prose",
    "crates/windlass/src/rules",
    "crates/windlass/src/sanitise",
    "crates/windlass/src/secrets",
    "crates/windlass/src/verdict",
    "crates/windlass/src/view",
];

const WALLS: &[Wall] = &[
    Wall {
        what: "starts processes",
        signs: &[
            Path("std::process::Command"),
            Path("std::os::unix::process"),
            Path("tokio::process"),
        ],
        within: OURS,
        may: &["crates/windlass/src/process"],
    },
    Wall {
        what: "ends the process",
        signs: &[Path("std::process::exit"), Path("std::process::abort")],
        within: OURS,
        // The roles that the program plays for itself, and the scripted agent.
        may: &["crates/windlass/src/process/init.rs", "crates/windlass/src/agent/script/player.rs"],
    },
    Wall {
        what: "speaks SQL",
        signs: &[Path("rusqlite")],
        within: OURS,
        may: &["crates/windlass/src/store"],
    },
    Wall {
        what: "makes an event",
        signs: &[Built("windlass::event::Event")],
        within: OURS,
        // The store gives back what the journal made.
        may: &["crates/windlass/src/journal", "crates/windlass/src/store"],
    },
    Wall {
        what: "calls git",
        signs: &[Text("git")],
        within: OURS,
        // A scheme of addresses, and what is asked whether there is a git.
        may: &[
            "crates/windlass/src/git",
            "crates/windlass-cli/src/commands/doctor/checks.rs",
            "crates/windlass-cli/src/github/repository.rs",
        ],
    },
    Wall {
        what: "calls Jujutsu",
        signs: &[Text("jj")],
        within: OURS,
        may: &["crates/windlass/src/jj"],
    },
    Wall {
        what: "prints",
        signs: &[
            Macro("print"),
            Macro("println"),
            Macro("eprint"),
            Macro("eprintln"),
            Macro("dbg"),
            Path("std::io::stdout"),
            Path("std::io::stderr"),
        ],
        within: ENGINE,
        // What runs in a process of its own has streams of its own.
        may: &[
            "crates/windlass/src/agent/script/player.rs",
            "crates/windlass/src/process/held.rs",
            "crates/windlass/src/sandbox/container/enter.rs",
            "crates/windlass/src/sandbox/inside.rs",
        ],
    },
    Wall {
        what: "prints past the printer",
        signs: &[
            Macro("print"),
            Macro("println"),
            Macro("eprint"),
            Macro("eprintln"),
            Macro("dbg"),
            Path("std::io::stdout"),
            Path("std::io::stderr"),
        ],
        within: PROGRAM,
        may: &[
            "crates/windlass-cli/src/panics.rs",
            "crates/windlass-cli/src/printer.rs",
            "crates/windlass-cli/src/report/live.rs",
            "crates/windlass-cli/src/report/streams.rs",
            "crates/windlass-cli/src/tui/terminal.rs",
        ],
    },
    Wall {
        what: "reads its surroundings",
        signs: &[
            Path("std::env::var"),
            Path("std::env::var_os"),
            Path("std::env::vars"),
            Path("std::env::vars_os"),
            Path("std::env::args"),
            Path("std::env::args_os"),
            Path("std::env::current_dir"),
            Path("std::env::current_exe"),
            Path("std::env::home_dir"),
            Path("std::env::temp_dir"),
            Path("std::env::set_current_dir"),
            Path("std::env::set_var"),
            Path("std::env::remove_var"),
        ],
        within: OURS,
        // Embedders may leave the choice to windlass; the others run in a process of their own.
        may: &[
            "crates/windlass-cli/src/environment.rs",
            "crates/windlass/src/agent/script/player.rs",
            "crates/windlass/src/engine/setup.rs",
            "crates/windlass/src/home.rs",
            "crates/windlass/src/process/init.rs",
            "crates/windlass/src/sandbox/container/enter.rs",
        ],
    },
    Wall { what: "uses anyhow", signs: &[Path("anyhow")], within: OURS, may: &[] },
    Wall {
        what: "does I/O or has a clock",
        signs: &[
            Path("std::fs"),
            Path("std::net"),
            Path("std::os"),
            Path("std::process"),
            Path("std::env"),
            Path("std::thread"),
            Path("std::io::stdin"),
            Path("std::io::stdout"),
            Path("std::io::stderr"),
            Path("std::time::SystemTime"),
            Path("std::time::Instant"),
            Path("jiff::Timestamp::now"),
            Path("jiff::Zoned::now"),
            Path("windlass::time::Timestamp::now"),
            Path("tokio"),
            Path("rustix"),
            Path("fastrand"),
            Path("reqwest"),
            Path("walkdir"),
            Path("tempfile"),
            Method("exists"),
            Method("try_exists"),
            Method("is_file"),
            Method("is_dir"),
            Method("is_symlink"),
            Method("canonicalize"),
            Method("metadata"),
            Method("symlink_metadata"),
            Method("read_dir"),
            Method("read_link"),
            Method("elapsed"),
        ],
        within: PURE,
        // The scripted agent's other half, which runs in a process of its own.
        may: &["crates/windlass/src/agent/script/player"],
    },
    Wall {
        what: "reaches what acts",
        signs: &[
            Path("windlass::course"),
            Path("windlass::engine"),
            Path("windlass::git"),
            Path("windlass::home"),
            Path("windlass::jj"),
            Path("windlass::journal"),
            Path("windlass::ownership"),
            Path("windlass::perform"),
            Path("windlass::run"),
            Path("windlass::sandbox"),
            Path("windlass::store"),
            Path("windlass::tree"),
        ],
        within: PURE,
        may: &[],
    },
];

#[test]
fn every_wall_stands() {
    let seen = see(&PACKAGES, &NAMES);
    let complaints: Vec<String> = WALLS.iter().flat_map(|wall| broken(wall, &seen)).collect();
    assert_tidy(&complaints);
}

/// Both pages say which modules only compute.
#[test]
fn the_documents_list_what_only_computes() {
    let name = |place: &str| {
        let place = place.trim_end_matches("/src");
        place.rsplit('/').next().unwrap_or(place).to_owned()
    };
    let pure: Vec<String> = PURE.iter().map(|place| name(place)).collect();
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = source::text(page);
        assert_eq!(documents::listed_before(&text, "do no I/O"), pure, "{page}");
    }
}

/// A door of `clippy.toml` that clippy cannot find (`allow-invalid`) guards nothing there.
#[test]
fn a_door_that_clippy_cannot_see_is_a_wall_here() {
    assert_tidy(&unheld(&cargo::toml("clippy.toml"), WALLS, OURS));
}
