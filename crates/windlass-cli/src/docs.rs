//! Writes `docs/cli.md`, `docs/config.md` and `docs/events.md` from the program itself, and fails where
//! they are not what it would write. `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-cli docs` writes them.

mod commands;
mod events;
mod proofs;
mod sessions;

use std::{ffi::OsStr, fmt::Write as _, fs, path::Path};

use clap::CommandFactory;

use crate::{
    args::{self, Cli},
    commands::exit_codes::EXIT_CODES,
    config::DEFAULT_TOML,
    host::environment::{Environment, Variable},
    web::api::openapi,
};

fn holds(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if Environment::read().all().contains_key(OsStr::new("WINDLASS_UPDATE_DOCS")) {
        fs::create_dir_all(path.parent().expect("it is in docs")).unwrap();
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "docs/{name} is stale: `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-cli docs` \
         writes it"
    );
}

#[test]
fn the_description_of_the_api_is_what_the_server_says() {
    holds("openapi.json", &format!("{}\n", openapi::document()));
}

#[test]
fn the_page_on_commands_is_what_help_says() {
    let mut page = String::from(
        "# Commands\n\nWhat `windlass --help` and `windlass COMMAND --help` say. This page is \
         generated.\n",
    );
    let mut command = args::command().term_width(100);
    command.build();
    help(&mut page, &mut command, "windlass");
    page.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in EXIT_CODES {
        let _ = writeln!(page, "| {code} | {meaning} |");
    }
    holds("cli.md", &page);
}

fn help(page: &mut String, command: &mut clap::Command, name: &str) {
    let text = command.clone().term_width(100).render_long_help().to_string();
    let _ = write!(page, "\n## `{name}`\n\n```text\n{}\n```\n", plain(&text));
    // In the order of the list of commands, which the defaults for loops have upset.
    for listed in Cli::command().get_subcommands() {
        let inner = listed.get_name();
        if let Some(command) = command.find_subcommand_mut(inner).filter(|c| !c.is_hide_set()) {
            help(page, command, &format!("{name} {inner}"));
        }
    }
}

/// Help without the spaces that clap leaves at the ends of lines.
fn plain(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[test]
fn the_page_on_settings_is_what_default_toml_says() {
    let mut page = String::from("# Settings\n\nThis page is generated.\n");
    let mut block = String::new();
    for line in DEFAULT_TOML.lines() {
        match line.strip_prefix("## ") {
            Some(heading) => {
                section(&mut page, &mut block);
                let _ = write!(page, "\n## {heading}\n");
            }
            None => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    section(&mut page, &mut block);
    page.push_str("\n## Variables\n\n| variable | what it is for |\n|---|---|\n");
    for variable in Variable::ALL {
        let _ = writeln!(page, "| `{}` | {} |", variable.name(), variable.meaning());
    }
    page.push_str(
        "| `WINDLASS_…` | Any setting, by its name in capitals, such as `WINDLASS_MAX_ITERATIONS=5`. A \
         list is one item, or a list in TOML: `WINDLASS_CHECKS='[\"make\", \"make test\"]'`. |\n",
    );
    holds("config.md", &page);
}

fn section(page: &mut String, block: &mut String) {
    let text = block.trim();
    if !text.is_empty() {
        let _ = write!(page, "\n```toml\n{text}\n```\n");
    }
    block.clear();
}
