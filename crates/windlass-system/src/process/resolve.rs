//! Finds the program of a spec, and says in words why one could not be started.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, access},
    io::Errno,
};
use windlass_core::process::ProcessSpec;

use super::StartError;

/// Where programs are looked for when the environment has no `PATH`.
pub(super) const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Looks for a program as a process in `directory` with that `PATH` would find it.
pub fn find_program(
    program: &OsStr,
    path: &OsStr,
    directory: &Path,
) -> Result<PathBuf, StartError> {
    let found = self::program(&ProcessSpec {
        program: program.to_owned(),
        env: vec![("PATH".into(), path.to_owned())],
        directory: directory.to_owned(),
        ..ProcessSpec::default()
    })?;
    let program = program.to_string_lossy().into_owned();
    if !found.is_file() {
        return Err(StartError::NotFound { program });
    }
    match access(&found, Access::EXEC_OK) {
        Ok(()) => Ok(found),
        Err(_) => Err(StartError::NotExecutable { program }),
    }
}

/// The file to execute. Looked up here and not by the standard library, whose own lookup in
/// another `PATH` is slow, and says less when it fails.
pub(super) fn program(spec: &ProcessSpec) -> Result<PathBuf, StartError> {
    let name = spec.program.to_string_lossy().into_owned();
    if !spec.directory.is_dir() {
        return Err(StartError::NoDirectory { directory: spec.directory.clone() });
    }
    if let Some(what) = with_nul(spec) {
        let why = format!("{what} has a NUL byte in it");
        return Err(StartError::Other { program: name, why });
    }
    if spec.program.is_empty() {
        return Err(StartError::NotFound { program: name });
    }
    if spec.program.as_bytes().contains(&b'/') {
        return Ok(spec.directory.join(&spec.program));
    }
    let path = spec.env.iter().rev().find(|(key, _)| key == "PATH").map(|(_, value)| value);
    let path = path.map_or(OsStr::new(DEFAULT_PATH), |path| path.as_os_str());
    let mut forbidden = false;
    for directory in std::env::split_paths(path) {
        // An empty or relative entry is meant from where the program runs.
        let candidate = spec.directory.join(directory).join(&spec.program);
        if candidate.is_file() {
            if access(&candidate, Access::EXEC_OK).is_ok() {
                return Ok(candidate);
            }
            forbidden = true;
        }
    }
    Err(if forbidden {
        StartError::NotExecutable { program: name }
    } else {
        StartError::NotFound { program: name }
    })
}

/// What the error number of a failed start means.
pub(super) fn explain(errno: i32, program: &Path, spec: &ProcessSpec) -> StartError {
    let name = spec.program.to_string_lossy().into_owned();
    let errno = Errno::from_raw_os_error(errno);
    let other = |why: String| StartError::Other { program: name.clone(), why };
    match errno {
        // The system says the same of a missing directory, program and interpreter.
        Errno::NOENT | Errno::NOTDIR if !spec.directory.is_dir() => {
            StartError::NoDirectory { directory: spec.directory.clone() }
        }
        Errno::NOENT | Errno::NOTDIR if program.exists() => match interpreter(program) {
            Some(interpreter) => other(format!("its interpreter `{interpreter}` is not there")),
            None => other("the loader that it needs is not there".to_owned()),
        },
        Errno::NOENT | Errno::NOTDIR => StartError::NotFound { program: name },
        Errno::ACCESS | Errno::PERM | Errno::ISDIR => StartError::NotExecutable { program: name },
        Errno::TOOBIG => StartError::TooLong { program: name },
        Errno::NOEXEC => other(
            "it is no program for this system; a script needs a first line such as `#!/bin/sh`"
                .to_owned(),
        ),
        errno => out_of(errno).unwrap_or_else(|| other(said(errno))),
    }
}

/// The limit that an error number speaks of.
pub(super) fn out_of(errno: Errno) -> Option<StartError> {
    let what = match errno {
        Errno::MFILE | Errno::NFILE => "open files",
        Errno::AGAIN => "processes",
        Errno::NOMEM => "memory",
        _ => return None,
    };
    Some(StartError::OutOf { what: what.into() })
}

/// The system's own words.
pub(super) fn said(errno: Errno) -> String {
    std::io::Error::from(errno).to_string()
}

fn with_nul(spec: &ProcessSpec) -> Option<&'static str> {
    let nul = |text: &OsStr| text.as_bytes().contains(&0);
    if nul(&spec.program) {
        Some("its name")
    } else if spec.args.iter().any(|arg| nul(arg)) {
        Some("an argument")
    } else if spec.env.iter().any(|(key, value)| nul(key) || nul(value)) {
        Some("its environment")
    } else {
        None
    }
}

/// The program that a script's first line asks for.
fn interpreter(program: &Path) -> Option<String> {
    let mut line = Vec::new();
    let file = fs::File::open(program).ok()?.take(256);
    BufReader::new(file).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?).into_owned();
    line.split_whitespace().next().map(str::to_owned)
}
