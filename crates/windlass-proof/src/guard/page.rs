//! `docs/guarded.md`, from the tables; a test fails where it is not what they say, and
//! `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-proof page` writes it.

use std::fmt::Write as _;

use super::{
    keys::Kind,
    table::{INSTALLED, INSTALLED_RUNNERS, LANGUAGES},
};

const START: &str = "\
# What is guarded

This page is generated from the tables of `windlass-proof`.

For every claim of a loop with checks, the checks must also pass with the files below as they were when the loop began. The agent may
change them and add others: while the checks run on the originals, its versions are set aside, and they are put back afterwards.
`--guard GLOB` adds files, `--unguard GLOB` releases files, and `--test-policy free` guards nothing.

- **Tests** and **runner configuration** are put back as a whole; runner configuration that the agent added is set aside.
- **Programs** are those that a check may find before the ones of the machine, also in `PATH` directories inside the tree.
- Of **shared files** only the keys named here are put back; the rest of the file stays as the agent wrote it. In a makefile or justfile these are the
  targets that a check calls with all that they need, and variables, includes, settings and special targets. A shared file that cannot be
  read is put back as a whole.
- **Watched** files may change: a change is noted as a doubt. Snapshots and fixtures are watched also where a pattern for tests fits. Build
  scripts that windlass cannot take apart are watched, too.
- **If added**: files that count only if the agent added them.

Originals are put in place with a modification time that is later than that of every file in the tree, so that build tools and caches do not
take them for what they built before; Python reads and writes no compiled files in such a run. Where the checks fail on the originals, they run
once more without the agent's new tests. New tests that run in one process with tests that were there (in Go those of the same package;
with pytest, unittest, RSpec, minitest, PHPUnit, mocha, jasmine, tape and bun all) could change what those do: they are set aside at once. If windlass is killed meanwhile, its next command in this directory puts the agent's files back. A file
that somebody else writes while the checks run is left alone; the agent's version of it is kept, and the claim is rejected.

Originals come from the loop's snapshots. Files that snapshots do not have (ignored ones, and all files outside git) are copied when the loop
begins, up to 64 MiB; a change of what is beyond that is noted as a doubt. Guarded files that are not in git and larger than 10 MiB, and those in
submodules and other repositories inside the tree, cannot be restored: any change of them rejects the claim.

The task file and windlass's own files are never guarded. Scripts that are themselves a check (`sh check.sh`) are, and so is what a guarded
file names at the start: scripts in the recipes that a check calls and in the scripts of package.json (`sh ci/all.sh`, `node scripts/test.mjs`), files
that a runner is given (`--config`, `--require`, `--import`), and those that its configuration loads (`setupFiles`, `globalSetup`, `require`).

| when several fit, the first decides | |
|---|---|
| 1 | the task file, windlass's own files: not guarded |
| 2 | `--unguard` |
| 3 | scripts that are a check, what guarded files name, and tests that a check names |
| 4 | runner configuration, then programs |
| 5 | `--guard` |
| 6 | installed files, below: not guarded |
| 7 | snapshots and fixtures: watched |
| 8 | tests |
| 9 | shared files |
| 10 | build scripts: watched |
";

/// The page for users on what is guarded.
pub fn page() -> String {
    let mut page = START.to_owned();
    let _ = write!(
        page,
        "\nOf what is installed in the tree ({}), only programs and {} are guarded. An environment that the agent made as a \
         whole is not set aside, but for programs and packages that hide others, and a `vendor` where Go built without one.\n",
        code(&INSTALLED),
        code(&INSTALLED_RUNNERS),
    );
    for language in LANGUAGES {
        let _ = write!(page, "\n## {}\n\n| | |\n|---|---|\n", capitalised(language.name));
        let mut row = |title: &str, patterns: &[&str]| {
            if !patterns.is_empty() {
                let _ = writeln!(page, "| {title} | {} |", code(patterns));
            }
        };
        row("tests", language.tests);
        row("runner configuration", language.runners);
        row("programs", language.programs);
        row("watched", language.watched);
        row("build scripts (watched)", language.builds);
        for shared in language.shared {
            let keys = match shared.kind {
                Kind::Make | Kind::Just => "what checks call, and all that is no plain rule".into(),
                Kind::GoMod => format!("{} of modules that the original names", code(shared.keys)),
                Kind::Toml | Kind::Json | Kind::Ini | Kind::Env => code(shared.keys),
            };
            let _ = writeln!(page, "| shared: {} | {keys} |", code(shared.files));
        }
        for (glob, why) in language.added {
            let _ = writeln!(page, "| if added: {} | {why} |", code(&[glob]));
        }
    }
    page
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn code(patterns: &[&str]) -> String {
    let patterns: Vec<String> = patterns.iter().map(|it| format!("`{it}`")).collect();
    patterns.join(", ")
}
