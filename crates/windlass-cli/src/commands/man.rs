//! `windlass man`: the manual pages, made from the same words as `--help`.

use std::path::PathBuf;

use clap_mangen::Man;

use crate::{
    args,
    host::{
        failure::{Failure, Kind},
        printer::Printer,
    },
};

/// Print the manual page, or write the pages of all commands to a directory
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Directory for the pages [default: print the main page]
    #[arg(value_name = "DIR")]
    to: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  windlass man | man -l -
  windlass man ~/.local/share/man/man1";

pub(crate) fn run(printer: Printer, args: &Args) -> Result<u8, Failure> {
    match &args.to {
        None => {
            let mut page = Vec::new();
            Man::new(unabridged()).render(&mut page).map_err(Failure::output)?;
            printer.data(&String::from_utf8_lossy(&page))?;
        }
        Some(directory) => {
            let written = std::fs::create_dir_all(directory)
                .and_then(|()| clap_mangen::generate_to(unabridged(), directory));
            written.map_err(|error| {
                let what = format!("the pages could not be written to `{}`", directory.display());
                Failure::because(Kind::Usage, what, error)
            })?;
        }
    }
    Ok(0)
}

/// The command line with the words of every flag: a page leaves out those that `-h` does not show.
fn unabridged() -> clap::Command {
    let show = |arg: clap::Arg| arg.hide_short_help(false);
    args::command().mut_args(show).mut_subcommands(|command| command.mut_args(show))
}
