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

/// All crates but the test kit, which may do anything.
const OURS: &[&str] = &[
    "crates/windlass-agents/src",
    "crates/windlass-cli/src",
    "crates/windlass-core/src",
    "crates/windlass-proof/src",
    "crates/windlass-repo/src",
    "crates/windlass-store/src",
    "crates/windlass-system/src",
    "crates/windlass/src",
];

/// The library and its parts.
const LIBRARY: &[&str] = &[
    "crates/windlass-agents/src",
    "crates/windlass-core/src",
    "crates/windlass-proof/src",
    "crates/windlass-repo/src",
    "crates/windlass-store/src",
    "crates/windlass-system/src",
    "crates/windlass/src",
];

const PROGRAM: &[&str] = &["crates/windlass-cli/src"];

/// Crates that only compute: same input, same output, no clock. ARCHITECTURE.md lists them.
const PURE: &[&str] =
    &["crates/windlass-agents/src", "crates/windlass-core/src", "crates/windlass-proof/src"];

const WALLS: &[Wall] = &[
    Wall {
        what: "starts processes",
        signs: &[
            Path("std::process::Command"),
            Path("std::os::unix::process"),
            Path("tokio::process"),
        ],
        within: OURS,
        may: &["crates/windlass-system/src/process"],
    },
    Wall {
        what: "looks a program up where an agent may have put one",
        signs: &[
            Path("windlass_system::process::resolve::find_program"),
            Path("std::env::split_paths"),
        ],
        within: OURS,
        // What an agent's session runs, with the agent's rights; what a sandbox shows; and names only.
        may: &[
            "crates/windlass-system/src/process/mod.rs",
            "crates/windlass-system/src/process/programs.rs",
            "crates/windlass-system/src/process/resolve.rs",
            "crates/windlass-system/src/sandbox/request.rs",
            "crates/windlass-system/src/sandbox/visible.rs",
            "crates/windlass-system/src/sandbox/wrap.rs",
            "crates/windlass/src/engine/agent_programs.rs",
            "crates/windlass/src/perform/program_names.rs",
        ],
    },
    Wall {
        what: "ends the process",
        signs: &[Path("std::process::exit"), Path("std::process::abort")],
        within: OURS,
        // The roles that the program plays for itself, and the scripted agent.
        may: &[
            "crates/windlass-system/src/process/parts.rs",
            "crates/windlass/src/init/script_player.rs",
        ],
    },
    Wall {
        what: "speaks SQL",
        signs: &[Path("rusqlite")],
        within: OURS,
        may: &["crates/windlass-store/src/store"],
    },
    Wall {
        what: "makes an event",
        signs: &[Built("windlass_core::event::Event")],
        within: OURS,
        // The store gives back what the journal made.
        may: &["crates/windlass-store/src"],
    },
    Wall {
        what: "calls git",
        signs: &[Text("git")],
        within: OURS,
        // A scheme of addresses, and what is asked whether there is a git.
        may: &[
            "crates/windlass-repo/src/git",
            "crates/windlass-cli/src/commands/doctor/checks.rs",
            "crates/windlass-cli/src/github/repository.rs",
        ],
    },
    Wall {
        what: "calls Jujutsu",
        signs: &[Text("jj")],
        within: OURS,
        may: &["crates/windlass-repo/src/jj"],
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
        within: LIBRARY,
        // What runs in a process of its own has streams of its own.
        may: &[
            "crates/windlass-system/src/process/held.rs",
            "crates/windlass-system/src/sandbox/container/enter.rs",
            "crates/windlass-system/src/sandbox/inside.rs",
            "crates/windlass/src/init/script_player.rs",
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
            "crates/windlass-cli/src/host/panics.rs",
            "crates/windlass-cli/src/host/printer.rs",
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
            "crates/windlass-cli/src/host/environment.rs",
            "crates/windlass-system/src/bin/guardian.rs",
            "crates/windlass-system/src/home.rs",
            "crates/windlass-system/src/process/parts.rs",
            "crates/windlass-system/src/sandbox/container/enter.rs",
            "crates/windlass/src/engine/setup.rs",
            "crates/windlass/src/init/script_player.rs",
        ],
    },
    Wall {
        what: "opens files past `below`, the one way to a file that an agent can write",
        signs: &[
            Path("std::fs"),
            Path("tokio::fs"),
            Path("walkdir"),
            Path("rustix::fs::open"),
            Path("rustix::fs::openat"),
            Path("rustix::fs::openat2"),
            Method("read_dir"),
        ],
        within: OURS,
        may: &[
            // windlass's own home, and files of the machine.
            "crates/windlass-cli/src/commands/doctor/checks.rs",
            "crates/windlass-cli/src/commands/detach.rs",
            "crates/windlass-cli/src/control/launch.rs",
            "crates/windlass-cli/src/host/signals.rs",
            "crates/windlass-store/src/store",
            "crates/windlass-system/src/home.rs",
            "crates/windlass-system/src/leads.rs",
            "crates/windlass-system/src/ownership",
            "crates/windlass-system/src/process",
            "crates/windlass-system/src/sandbox",
            "crates/windlass-system/src/surroundings",
            "crates/windlass-system/src/worker",
            "crates/windlass/src/engine/interrupted.rs",
            "crates/windlass/src/engine/remove.rs",
            "crates/windlass/src/engine/start_report/warnings.rs",
            "crates/windlass/src/engine/sweep.rs",
            "crates/windlass/src/engine/worktree.rs",
            "crates/windlass/src/perform/check_output.rs",
            "crates/windlass/src/perform/program_names.rs",
            "crates/windlass/src/perform/session_files.rs",
            "crates/windlass/src/workplace/alternates.rs",
            "crates/windlass/src/workplace/open.rs",
            // What is made new, where the user says.
            "crates/windlass-cli/src/commands/demo/story.rs",
            "crates/windlass-cli/src/commands/init/files.rs",
            "crates/windlass-cli/src/commands/man.rs",
            "crates/windlass-cli/src/host/sign_in.rs",
            // It is that way.
            "crates/windlass-system/src/below",
            // These run in the confined helper.
            "crates/windlass-repo/src",
            "crates/windlass/src/workplace/fingerprints.rs",
            "crates/windlass/src/workplace/guard",
            "crates/windlass/src/workplace/unmatched.rs",
            // It plays an agent.
            "crates/windlass/src/init/script_player.rs",
            // A program of the tests.
            "crates/windlass-system/src/bin/guardian.rs",
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
        may: &[],
    },
];

#[test]
fn every_wall_stands() {
    let seen = see(&PACKAGES, &NAMES);
    let complaints: Vec<String> = WALLS.iter().flat_map(|wall| broken(wall, &seen)).collect();
    assert_tidy(&complaints);
}

/// Both pages say which crates only compute.
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
