//! `windlass completions`: a script that teaches a shell what can be typed.

use clap_complete::Shell;

use crate::{
    args,
    host::{failure::Failure, printer::Printer},
};

/// Print a completion script for your shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Shell to complete in
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  windlass completions bash > ~/.local/share/bash-completion/completions/windlass
  windlass completions fish > ~/.config/fish/completions/windlass.fish
  windlass completions zsh > ~/.zfunc/_windlass";

pub(crate) fn run(printer: Printer, args: &Args) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "windlass", &mut script);
    printer.data(&String::from_utf8_lossy(&script))?;
    Ok(0)
}
