//! What a loop and its guardian say to each other, as bytes. Nothing here does I/O.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
    time::Duration,
};

use windlass_core::process::Survivor;

/// A loop to its guardian.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Keep the descriptors that come along open until the end.
    Hold,
    /// Start a process; its three standard descriptors come along.
    Start { id: u64, launch: Launch },
    /// End all processes of a session, or of the whole loop when `id` is not a session's.
    End { id: u64, all: bool, grace: Duration },
}

/// A process to start, with its program found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) path: PathBuf,
    pub(super) name: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) directory: PathBuf,
    /// Whether it only holds the real program: a TERM is not for it.
    pub(super) holds_another: bool,
}

/// A guardian to its loop. Every report answers a request, by its id.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// The process could not be started, and nothing ran.
    Failed { id: u64, errno: i32 },
    /// The process ended; `alone` when it left no descendant behind.
    Exited { id: u64, code: Option<i32>, signal: Option<i32>, alone: bool },
    /// What was to be ended is gone, but for the survivors.
    Ended { id: u64, survivors: Vec<Survivor>, names: Vec<String> },
}

impl Request {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Self::Hold => writer.byte(0),
            Self::Start { id, launch } => {
                writer.byte(1);
                writer.long(*id);
                writer.text(launch.path.as_os_str());
                writer.text(&launch.name);
                writer.text(launch.directory.as_os_str());
                writer.byte(u8::from(launch.holds_another));
                writer.long(launch.args.len() as u64);
                launch.args.iter().for_each(|arg| writer.text(arg));
                for (key, value) in &launch.env {
                    writer.text(key);
                    writer.text(value);
                }
            }
            Self::End { id, all, grace } => {
                writer.byte(2);
                writer.long(*id);
                writer.byte(u8::from(*all));
                writer.long(u64::try_from(grace.as_millis()).unwrap_or(u64::MAX));
            }
        }
        writer.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        match reader.byte()? {
            0 => Some(Self::Hold),
            1 => {
                let id = reader.long()?;
                let (path, name) = (PathBuf::from(reader.text()?), reader.text()?);
                let directory = PathBuf::from(reader.text()?);
                let holds_another = reader.byte()? == 1;
                let count = reader.long()?;
                let args = (0..count).map(|_| reader.text()).collect::<Option<_>>()?;
                let mut env = Vec::new();
                while !reader.0.is_empty() {
                    env.push((reader.text()?, reader.text()?));
                }
                let launch = Launch { path, name, args, env, directory, holds_another };
                Some(Self::Start { id, launch })
            }
            2 => Some(Self::End {
                id: reader.long()?,
                all: reader.byte()? == 1,
                grace: Duration::from_millis(reader.long()?),
            }),
            _ => None,
        }
    }
}

impl Report {
    pub(super) fn id(&self) -> u64 {
        match self {
            Self::Failed { id, .. } | Self::Exited { id, .. } | Self::Ended { id, .. } => *id,
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Self::Failed { id, errno } => {
                writer.byte(0);
                writer.long(*id);
                writer.number(Some(*errno));
            }
            Self::Exited { id, code, signal, alone } => {
                writer.byte(1);
                writer.long(*id);
                writer.number(*code);
                writer.number(*signal);
                writer.byte(u8::from(*alone));
            }
            Self::Ended { id, survivors, names } => {
                writer.byte(2);
                writer.long(*id);
                writer.long(survivors.len() as u64);
                for Survivor { pid, command } in survivors {
                    writer.number(Some(*pid));
                    writer.text(OsStr::new(command));
                }
                names.iter().for_each(|name| writer.text(OsStr::new(name)));
            }
        }
        writer.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let kind = reader.byte()?;
        let id = reader.long()?;
        match kind {
            0 => Some(Self::Failed { id, errno: reader.number()?? }),
            1 => Some(Self::Exited {
                id,
                code: reader.number()?,
                signal: reader.number()?,
                alone: reader.byte()? == 1,
            }),
            2 => {
                let count = reader.long()?;
                let survivors = (0..count).map(|_| reader.survivor()).collect::<Option<_>>()?;
                let mut names = Vec::new();
                while !reader.0.is_empty() {
                    names.push(reader.text()?.to_string_lossy().into_owned());
                }
                Some(Self::Ended { id, survivors, names })
            }
            _ => None,
        }
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn long(&mut self, long: u64) {
        self.0.extend(long.to_le_bytes());
    }

    fn number(&mut self, number: Option<i32>) {
        self.byte(u8::from(number.is_some()));
        self.0.extend(number.unwrap_or(0).to_le_bytes());
    }

    fn text(&mut self, text: &OsStr) {
        self.long(text.len() as u64);
        self.0.extend(text.as_bytes());
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn number(&mut self) -> Option<Option<i32>> {
        let known = self.byte()? == 1;
        let number = i32::from_le_bytes(self.take(4)?.try_into().ok()?);
        Some(known.then_some(number))
    }

    fn survivor(&mut self) -> Option<Survivor> {
        let pid = self.number()??;
        Some(Survivor { pid, command: self.text()?.to_string_lossy().into_owned() })
    }

    fn text(&mut self) -> Option<OsString> {
        let length = usize::try_from(self.long()?).ok()?;
        Some(OsString::from_vec(self.take(length)?.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_what_is_heard() {
        let launch = Launch {
            path: "/bin/ag\u{fc}nt".into(),
            name: OsString::from_vec(vec![0xff, b'a']),
            args: vec!["".into(), "-p".into()],
            env: vec![("A".into(), "".into()), ("B".into(), "x=y".into())],
            directory: "/tmp".into(),
            holds_another: true,
        };
        for request in [
            Request::Hold,
            Request::Start { id: 7, launch },
            Request::End { id: 7, all: true, grace: Duration::from_millis(1500) },
        ] {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
        for report in [
            Report::Failed { id: 1, errno: 2 },
            Report::Exited { id: 1, code: None, signal: Some(9), alone: false },
            Report::Ended { id: 1, survivors: Vec::new(), names: vec!["sleep".into(), "".into()] },
            Report::Ended {
                id: 1,
                survivors: vec![Survivor { pid: 42, command: "sleep".into() }],
                names: Vec::new(),
            },
        ] {
            assert_eq!(Report::decode(&report.encode()), Some(report));
        }
    }

    #[test]
    fn half_a_word_is_no_word() {
        let whole = Report::Exited { id: 1, code: Some(0), signal: None, alone: true }.encode();
        assert!((0..whole.len()).all(|cut| Report::decode(&whole[..cut]).is_none()));
    }
}
