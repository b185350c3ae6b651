//! A command of the user's own, such as a hook, and which of the files that it runs an agent can
//! write.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use super::{Programs, StartError};
use crate::home::create_private;

/// What runs the file that its first argument names; numbers at the end do not count.
const INTERPRETERS: &[&str] = &[
    "ash", "bash", "bun", "dash", "deno", "fish", "ksh", "lua", "node", "nodejs", "perl", "php",
    "python", "ruby", "sh", "ts-node", "tsx", "uv", "zsh",
];

/// Programs that run the one that comes after them.
const WRAPPERS: &[&str] = &["env", "nice", "nohup", "setsid", "stdbuf", "timeout", "time"];

/// A script is no larger than this.
const LARGEST: u64 = 4 << 20;

/// A command of the user's own, whose program is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCommand {
    /// Its program, by its whole path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What it runs that an agent can write: the place in the command, 0 for the program, and the
    /// file.
    planted: Vec<(usize, PathBuf)>,
}

impl OwnCommand {
    /// Finds the program of a command that is to run in `directory`.
    pub fn find(
        programs: &Programs,
        words: &[String],
        directory: &Path,
    ) -> Result<Self, StartError> {
        let first = words.first().map_or("", String::as_str);
        let named = if first.contains('/') {
            programs.find(directory.join(first).as_os_str())
        } else {
            programs.find(OsStr::new(first))
        };
        let mut planted = Vec::new();
        let program = match named {
            Err(StartError::OfAnAgent { directory: place, .. }) => {
                let name = Path::new(first).file_name().unwrap_or_default();
                let program = place.join(name);
                planted.push((0, program.clone()));
                program
            }
            Err(StartError::NotFound { .. }) => {
                return Err(StartError::NotFound { program: first.to_owned() });
            }
            found => found?,
        };
        planted.extend(scripts(words, directory).filter(|(_, file)| programs.is_an_agents(file)));
        let args = words.iter().skip(1).map(Into::into).collect();
        Ok(Self { program, args, planted })
    }

    /// The first file that it runs and an agent can write.
    pub fn planted(&self) -> Option<&Path> {
        self.planted.first().map(|(_, file)| file.as_path())
    }

    /// The same with copies of all that an agent can write. What was copied before stays as it was.
    pub fn kept_in(mut self, folder: &Path) -> io::Result<Self> {
        for (at, file) in std::mem::take(&mut self.planted) {
            let copy = folder.join(at.to_string()).join(file.file_name().unwrap_or_default());
            if !copy.exists() {
                keep(&file, &copy)?;
            }
            match at {
                0 => self.program = copy,
                at => self.args[at - 1] = copy.into(),
            }
        }
        Ok(self)
    }
}

/// The words of a command that name files which it would run, by their places in it.
fn scripts<'a>(
    words: &'a [String],
    directory: &'a Path,
) -> impl Iterator<Item = (usize, PathBuf)> + 'a {
    let mut at = 0;
    // What stands before an interpreter says how it is run.
    while words.get(at).is_some_and(|word| is_one_of(word, WRAPPERS)) {
        at += 1;
        while words.get(at).is_some_and(|word| is_for_a_wrapper(word)) {
            at += 1;
        }
    }
    let is_run = words.get(at).is_some_and(|word| is_one_of(word, INTERPRETERS));
    let script = words.iter().enumerate().skip(at + 1).find(|(_, word)| is_file(directory, word));
    let script = script.filter(|_| is_run).map(|(at, _)| at);
    let files = words.iter().enumerate().skip(1);
    let files = files.map(move |(at, word)| (at, directory.join(word)));
    files.filter(move |(at, file)| file.is_file() && (Some(*at) == script || is_executable(file)))
}

fn is_file(directory: &Path, word: &str) -> bool {
    !word.is_empty() && directory.join(word).is_file()
}

/// `-n`, `5`, `10s`, `NAME=value`.
fn is_for_a_wrapper(word: &str) -> bool {
    word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) || word.contains('=')
}

fn is_one_of(word: &str, names: &[&str]) -> bool {
    let name = Path::new(word).file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    names.contains(&name)
}

/// Whether it could be run as it is.
fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|known| known.permissions().mode() & 0o111 != 0)
}

fn keep(file: &Path, copy: &Path) -> io::Result<()> {
    let bytes = read(file)?;
    let mode = fs::metadata(file)?.permissions().mode() & 0o777;
    create_private(copy.parent().unwrap_or(Path::new("/")))?;
    fs::write(copy, bytes)?;
    fs::set_permissions(copy, fs::Permissions::from_mode(mode | 0o400))
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let opened: File = OpenOptions::new().read(true).custom_flags(flags).open(file)?;
    let known = opened.metadata()?;
    if !known.is_file() || known.len() > LARGEST {
        let why = format!("`{}` is no script, or too large for one", file.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    let mut bytes = Vec::new();
    opened.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn scripts_of_a_tree_are_told_from_what_is_only_read() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().canonicalize().unwrap().join("tree");
        fs::create_dir_all(&tree).unwrap();
        for (name, mode) in [("hook.sh", 0o644), ("tool", 0o755), ("report.txt", 0o644)] {
            fs::write(tree.join(name), "true\n").unwrap();
            fs::set_permissions(tree.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let env = BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]);
        let programs = Programs::new(&env, &[&tree], &[]);
        let find = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            OwnCommand::find(&programs, &words, &tree)
        };
        for line in [
            "sh hook.sh",
            "sh -e hook.sh report.txt",
            "env A=b sh hook.sh",
            "nice -n 5 /bin/sh hook.sh",
            "timeout 5 sh hook.sh",
        ] {
            assert_eq!(find(line).unwrap().planted(), Some(&*tree.join("hook.sh")), "{line}");
        }
        for line in ["./tool", "env ./tool", "sh tool", "cat tool"] {
            assert!(find(line).unwrap().planted().unwrap().ends_with("tool"), "{line}");
        }
        for line in ["cat report.txt", "sh -c hook", "sh", "ls report.txt hook.sh"] {
            assert_eq!(find(line).unwrap().planted(), None, "{line}");
        }
        assert!(matches!(find("./none"), Err(StartError::NotFound { .. })));
        let place = folder.path().join("kept");
        let kept = find("sh hook.sh").unwrap().kept_in(&place).unwrap();
        fs::write(tree.join("hook.sh"), "false\n").unwrap();
        assert_eq!(fs::read_to_string(&kept.args[0]).unwrap(), "true\n");
        assert_eq!(kept.planted(), None);
        // A loop that is taken up again has what it began with.
        let again = find("sh hook.sh").unwrap().kept_in(&place).unwrap();
        assert_eq!(fs::read_to_string(&again.args[0]).unwrap(), "true\n");
    }
}
