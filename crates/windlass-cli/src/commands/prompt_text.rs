//! What an agent is asked, as it was typed, or as a file or standard input has it.

use std::{
    io::{self, Read},
    path::Path,
};

use windlass::system::{TextError, read_named};
use windlass_core::task_file::{LARGEST, without_mark};

use crate::{
    args,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
};

/// A prompt that was typed after `flag`. It may begin with `-`; but what is a flag was not meant.
pub(crate) fn typed(kind: &str, flag: &str, text: &str) -> Result<String, Failure> {
    let command = args::command();
    let command = command.find_subcommand(kind).expect("a loop kind has a command of its name");
    if command.get_arguments().any(|argument| is(argument, text)) {
        return Err(Failure::usage(format!("`{flag}` is given no text: `{text}` is a flag")));
    }
    Ok(without_mark(text).to_owned())
}

/// Whether a text is this flag, maybe with its value.
fn is(argument: &clap::Arg, text: &str) -> bool {
    let long = text.strip_prefix("--").map(|text| text.split('=').next().unwrap_or_default());
    let mut names = argument.get_long_and_visible_aliases().unwrap_or_default().into_iter();
    let is_long = long.is_some_and(|long| names.any(|name| name == long));
    let short = text.strip_prefix('-').filter(|short| short.chars().count() == 1);
    let is_short = short.is_some_and(|short| argument.get_short() == short.chars().next());
    is_long || is_short
}

/// The text of a prompt file; `-` is standard input.
pub(crate) fn read(app: &App, path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        return read_input();
    }
    let whole = app.directory.join(path);
    let shown = whole.display();
    match read_named(&app.directory, path) {
        Err(TextError::Missing) => {
            Err(Failure::usage(format!("there is no prompt file `{shown}`")))
        }
        Err(error) => {
            let what = format!("the prompt file `{shown}` cannot be read");
            Err(Failure::because(Kind::Usage, what, error))
        }
        Ok(text) if without_mark(&text).trim().is_empty() => {
            Err(Failure::usage(format!("the prompt file `{shown}` is empty")))
        }
        Ok(text) => Ok(without_mark(&text).to_owned()),
    }
}

/// Where a prompt file is, so that it can be looked at again; nowhere for standard input.
pub(crate) fn place(app: &App, path: &Path) -> Option<String> {
    let whole = app.directory.join(path);
    (path != Path::new("-")).then(|| whole.to_str().map(str::to_owned)).flatten()
}

fn read_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        Failure::because(Kind::Usage, "the prompt cannot be read from standard input", error)
    })?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST {
        return Err(Failure::usage("the prompt on standard input is larger than 1 MiB"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage("the prompt on standard input is not UTF-8"))?;
    match without_mark(&text) {
        text if text.trim().is_empty() => {
            Err(Failure::usage("the prompt on standard input is empty"))
        }
        text => Ok(text.to_owned()),
    }
}
