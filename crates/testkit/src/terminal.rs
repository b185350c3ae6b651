//! windlass at a terminal, by tmux: what a person would see, and the keys that they press.

use std::{
    ffi::{OsStr, OsString},
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use crate::{Env, Masks, waiting::holds_within};

/// A terminal of 100 by 30 that runs windlass. Check `testkit::has("tmux")` first.
#[derive(Debug)]
pub struct Terminal<'a> {
    env: &'a Env,
    socket: OsString,
}

impl<'a> Terminal<'a> {
    #[track_caller]
    pub(crate) fn new<S: AsRef<OsStr>>(env: &'a Env, args: impl IntoIterator<Item = S>) -> Self {
        // A server of its own for each: that of an earlier terminal may just be ending.
        let number = (0..).find(|n| !env.root().join(format!("tmux-{n}")).exists()).unwrap_or(0);
        fs::write(env.root().join(format!("tmux-{number}")), "").expect("the folder is ours");
        let socket = env.root().join(format!("tmux-{number}.socket")).into_os_string();
        let terminal = Self { env, socket };
        // Colours and sizes are the terminal's business here.
        let mut argv: Vec<OsString> = vec!["env".into(), "-u".into(), "COLUMNS".into()];
        argv.extend(["-u".into(), "NO_COLOR".into(), env.program().into()]);
        argv.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        let mut start: Vec<OsString> =
            ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30"]
                .map(OsString::from)
                .to_vec();
        // The pane stays when windlass has ended, so that its last words can be read; the trap
        // is for Ctrl-C, which reaches this shell too.
        start.extend(
            ["--", "sh", "-c", "trap : INT; \"$@\"; echo \"[exit $?]\"; exec sleep 120", "sh"]
                .map(OsString::from),
        );
        start.extend(argv);
        terminal.tmux(start);
        terminal
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        let screen = self.tmux(["capture-pane", "-p"]);
        let lines: Vec<_> = screen.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned() + "\n"
    }

    /// What is on the screen, with everything masked that differs from run to run.
    pub fn snapshot(&self) -> String {
        Masks::new(self.env.root(), &self.env.windlass_home()).learn().apply(&self.screen())
    }

    /// Whether the cursor is to be seen.
    pub fn shows_cursor(&self) -> bool {
        self.tmux(["display-message", "-p", "#{cursor_flag}"]).trim() == "1"
    }

    /// Whether a program has taken the whole screen, as dashboards do.
    pub fn is_taken(&self) -> bool {
        self.tmux(["display-message", "-p", "#{alternate_on}"]).trim() == "1"
    }

    /// Presses keys as tmux names them: `q`, `C-c`, `Enter`.
    pub fn press(&self, key: &str) {
        self.tmux(["send-keys", key]);
    }

    /// Makes the window another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.tmux(["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// Waits until the screen shows `text`; fails the test when it does not within `limit`.
    #[track_caller]
    pub fn wait_for(&self, text: &str, limit: Duration) -> String {
        let mut screen = String::new();
        let shown = holds_within(limit, || {
            screen = self.screen();
            screen.contains(text)
        });
        assert!(shown, "`{text}` was not shown within {limit:?}:\n{screen}");
        screen
    }

    /// Runs one command of tmux; gives what it prints.
    #[track_caller]
    fn tmux<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let mut tmux = Command::new("tmux");
        tmux.arg("-S").arg(&self.socket).args(args);
        tmux.current_dir(self.env.work()).env_clear().envs(self.env.variables());
        tmux.env("TERM", "xterm-256color").env("SHELL", "/bin/sh").stdin(Stdio::null());
        let output = tmux.output().expect("tmux is installed");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{tmux:?} failed: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let mut tmux = Command::new("tmux");
        tmux.arg("-S").arg(&self.socket).arg("kill-server").stderr(Stdio::null());
        drop(tmux.status());
    }
}
