//! One call of a program in a test's world.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use crate::{Background, Env, Masks, Ran};

/// How long a call may take unless the test says otherwise. It fails loudly after that.
const LIMIT: Duration = Duration::from_secs(60);

/// One call, not yet made.
#[derive(Debug)]
#[must_use = "it does nothing before `run` or `spawn`"]
pub struct Invocation<'a> {
    env: &'a Env,
    argv: Vec<OsString>,
    variables: Vec<(OsString, Option<OsString>)>,
    directory: PathBuf,
    stdin: Option<Vec<u8>>,
    limit: Duration,
}

impl<'a> Invocation<'a> {
    pub(crate) fn new<S: AsRef<OsStr>>(
        env: &'a Env,
        program: &OsStr,
        args: impl IntoIterator<Item = S>,
    ) -> Self {
        let mut argv = vec![program.to_owned()];
        argv.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        let directory = env.work();
        Self { env, argv, variables: Vec::new(), directory, stdin: None, limit: LIMIT }
    }

    /// With one more argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.argv.push(arg.as_ref().to_owned());
        self
    }

    /// With more arguments.
    pub fn args<S: AsRef<OsStr>>(self, args: impl IntoIterator<Item = S>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    /// With a variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Without a variable.
    pub fn without_env(mut self, name: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), None));
        self
    }

    /// In another directory.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// With something on standard input, which is empty otherwise.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// With another time limit.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Started by another program, such as `strace -f -o log`.
    pub fn under<S: AsRef<OsStr>>(mut self, argv: impl IntoIterator<Item = S>) -> Self {
        let before = argv.into_iter().map(|arg| arg.as_ref().to_owned());
        self.argv.splice(0..0, before);
        self
    }

    /// Runs it to its end.
    #[must_use = "say how it should have ended: `success()` or `code(n)`"]
    #[track_caller]
    pub fn run(self) -> Ran {
        self.spawn().wait()
    }

    /// Starts it and gives it into the test's hands.
    #[track_caller]
    pub fn spawn(self) -> Background {
        static CALLS: AtomicU32 = AtomicU32::new(1);
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        let file = |what| self.env.root().join("runs").join(format!("{number}.{what}"));
        let (out, err) = (file("out"), file("err"));

        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).current_dir(&self.directory);
        command.env_clear().envs(self.env.variables());
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        // Files and not pipes: what was printed can be read while it runs, and nothing that holds
        // them open can make a test hang.
        command.stdout(File::create(&out).expect("the folder is ours"));
        command.stderr(File::create(&err).expect("the folder is ours"));
        command.stdin(self.stdin.as_ref().map_or_else(Stdio::null, |bytes| {
            let path = file("in");
            let written = File::create(&path).and_then(|mut file| file.write_all(bytes));
            written.and_then(|()| File::open(&path)).expect("the folder is ours").into()
        }));
        let line = self.argv.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let child = command.spawn().unwrap_or_else(|error| panic!("`{line}`: {error}"));
        let masks = Masks::new(self.env.root(), &self.env.windlass_home());
        Background::new(child, line, out, err, self.limit, masks)
    }
}
