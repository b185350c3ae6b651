//! Plays a script: the inside of the process that the scripted agent is. It never runs in the process
//! of a loop.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    path::Path,
    thread,
    time::Duration,
};

use windlass_agents::script::{Action, Line, Script};

/// Where a script is played, all of it handed in.
pub(super) struct Stage<'a> {
    /// The work tree; paths of the script are relative to it.
    pub directory: &'a Path,
    /// Where the prompt comes from. It is read whole before the first action.
    pub prompt: &'a mut dyn Read,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Gives a variable of the environment.
    pub env: &'a dyn Fn(&str) -> Option<OsString>,
}

/// How the play ended, and so how the process must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// With that exit code.
    Exit(u8),
    /// By a signal: the process must abort.
    Crash,
}

/// The whole of a process that plays a script: `SCRIPT ITERATION ROLE`, with the prompt on standard input.
#[expect(clippy::disallowed_methods, reason = "it is the agent, and this is its environment")]
pub(super) fn main(arguments: Vec<OsString>) -> i32 {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let session = arguments.get(1).and_then(|n| n.to_str()?.parse().ok()).unwrap_or(1);
    let role = arguments.get(2).and_then(|role| role.to_str()).unwrap_or("agent").to_owned();
    let script = match arguments.first() {
        Some(path) => fs::read_to_string(path).map_err(|error| error.to_string()),
        None => Err("no script was given".to_owned()),
    };
    let script = script.and_then(|text| Script::parse(&text).map_err(|error| error.to_string()));
    let script = match script {
        Ok(script) => script,
        Err(why) => {
            // Whoever started it reads this, or nobody does.
            drop(writeln!(err, "the script cannot be played: {why}"));
            return 2;
        }
    };
    let mut stage = Stage {
        directory: Path::new("."),
        prompt: &mut io::stdin().lock(),
        out: &mut out,
        err: &mut err,
        env: &|name| std::env::var_os(name),
    };
    match play(&script.part(session, &role), &mut stage) {
        Ended::Exit(code) => code.into(),
        Ended::Crash => std::process::abort(),
    }
}

/// Plays one part of a script. What cannot be done is told on standard error, and ends it with 1.
pub(super) fn play(part: &[Line], stage: &mut Stage<'_>) -> Ended {
    // An agent that leaves its prompt unread could meet a broken pipe in whoever wrote it.
    let mut prompt = Vec::new();
    if let Err(error) = stage.prompt.read_to_end(&mut prompt) {
        return failed(stage, "the prompt could not be read", &error);
    }
    for line in part {
        match act(&line.action, &prompt, stage) {
            Ok(None) => {}
            Ok(Some(ended)) => return ended,
            Err(error) => return failed(stage, &format!("script line {}", line.number), &error),
        }
    }
    Ended::Exit(0)
}

/// Does one thing; gives how the play ended, if it did.
fn act(action: &Action, prompt: &[u8], stage: &mut Stage<'_>) -> io::Result<Option<Ended>> {
    let at = |path: &String| stage.directory.join(path);
    match action {
        Action::Say(text) => line(stage.out, text.as_bytes())?,
        Action::Warn(text) => line(stage.err, text.as_bytes())?,
        Action::Write(path, text) => write(&at(path), text)?,
        Action::Append(path, text) => {
            make_parent(&at(path))?;
            let mut file = fs::File::options().append(true).create(true).open(at(path))?;
            file.write_all(text.as_bytes())?;
        }
        Action::Replace(path, old, new) => replace(&at(path), old, new)?,
        Action::Delete(path) => delete(&at(path))?,
        Action::Move(from, to) => {
            make_parent(&at(to))?;
            fs::rename(at(from), at(to))?;
        }
        Action::Sleep(duration) => thread::sleep(*duration),
        Action::Prompt => line(stage.out, prompt.trim_ascii_end())?,
        Action::Env(name) => {
            let text = match (stage.env)(name) {
                Some(value) => format!("{name}={}", value.to_string_lossy()),
                None => format!("{name} is not set"),
            };
            line(stage.out, text.as_bytes())?;
        }
        Action::Flood(bytes) => flood(stage.out, *bytes)?,
        Action::Hang => loop {
            thread::sleep(Duration::from_secs(3600));
        },
        Action::Crash => return Ok(Some(Ended::Crash)),
        Action::Exit(code) => return Ok(Some(Ended::Exit(*code))),
    }
    Ok(None)
}

/// Writes a line and pushes it out: whoever looks must see it before the next action.
fn line(to: &mut dyn Write, text: &[u8]) -> io::Result<()> {
    to.write_all(&[text, b"\n"].concat())?;
    to.flush()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    make_parent(path)?;
    fs::write(path, text)
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn replace(path: &Path, old: &str, new: &str) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    if !text.contains(old) {
        return Err(io::Error::other(format!("`{old}` is not in `{}`", path.display())));
    }
    fs::write(path, text.replace(old, new))
}

fn delete(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// Writes exactly `bytes` bytes, in lines of 80.
fn flood(to: &mut dyn Write, bytes: u64) -> io::Result<()> {
    let line = [&[b'x'; 79][..], b"\n"].concat();
    let block = line.repeat(800);
    let mut left = bytes;
    while left > 0 {
        let next = usize::try_from(left).unwrap_or(block.len()).min(block.len());
        to.write_all(&block[..next])?;
        left -= next as u64;
    }
    to.flush()
}

fn failed(stage: &mut Stage<'_>, what: &str, error: &io::Error) -> Ended {
    // Where standard error is gone too, the exit code is all that is left to say it with.
    drop(line(stage.err, format!("{what}: {error}").as_bytes()));
    Ended::Exit(1)
}

#[cfg(test)]
mod tests {
    use windlass_agents::script::Script;

    use super::*;

    struct Played {
        ended: Ended,
        out: String,
        err: String,
        directory: tempfile::TempDir,
    }

    fn played(script: &str) -> Played {
        let directory = tempfile::tempdir().unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let ended = play(
            &Script::parse(script).unwrap().part(1, "agent"),
            &mut Stage {
                directory: directory.path(),
                prompt: &mut b"mend it\n".as_slice(),
                out: &mut out,
                err: &mut err,
                env: &|name| (name == "LANG").then(|| "C".into()),
            },
        );
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Played { ended, out: text(out), err: text(err), directory }
    }

    #[test]
    fn words_go_where_they_belong() {
        let played = played("say a\\nb\nwarn c\nprompt\nenv LANG\nenv NONE\nexit 4\nsay never");
        assert_eq!(played.out, "a\nb\nmend it\nLANG=C\nNONE is not set\n");
        assert_eq!(played.err, "c\n");
        assert_eq!(played.ended, Ended::Exit(4));
    }

    #[test]
    fn files_are_written_changed_moved_and_removed() {
        let played = played(concat!(
            "write a/b.txt one\\n\nappend a/b.txt two\\n\nreplace a/b.txt one => 1\n",
            "move a/b.txt c/d.txt\ndelete a\nappend new.txt x\n",
        ));
        let at = |path| played.directory.path().join(path);
        assert_eq!((played.ended, played.err.as_str()), (Ended::Exit(0), ""));
        assert_eq!(fs::read_to_string(at("c/d.txt")).unwrap(), "1\ntwo\n");
        assert_eq!(fs::read_to_string(at("new.txt")).unwrap(), "x");
        assert!(!at("a").exists());
    }

    #[test]
    fn what_cannot_be_done_is_told_with_its_line() {
        let played = played("say a\nreplace none.txt a => b\nsay never");
        assert_eq!(played.ended, Ended::Exit(1));
        assert_eq!(played.out, "a\n");
        assert!(played.err.starts_with("script line 2: No such file"), "{}", played.err);
    }

    #[test]
    fn a_flood_has_exactly_its_size() {
        assert_eq!(played("flood 200001").out.len(), 200_001);
        assert_eq!(played("flood 0").out, "");
    }

    #[test]
    fn a_crash_ends_the_play() {
        let played = played("crash\nsay never");
        assert_eq!((played.ended, played.out.as_str()), (Ended::Crash, ""));
    }
}
