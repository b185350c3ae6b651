//! windlass as an ordinary user, for what does not hold for root.

use std::{path::Path, process::Command};

use testkit::{Env, Invocation, pass_by};

/// A user and group that no machine has, so that nothing else runs as them. Each test that signals
/// all processes of its user takes a different one.
const FIRST_USER: u32 = 54_321;

/// Someone who is not root, and whose world it is.
pub(crate) struct User(Option<u32>);

impl User {
    /// Gives the world to an ordinary user; `None`, and a word why, where this machine cannot.
    #[expect(clippy::disallowed_methods, reason = "the test asks the system itself")]
    pub(crate) fn of(env: &Env, number: u32) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return Some(Self(None));
        }
        let user = FIRST_USER + number;
        give(env.root(), user);
        let this = Self(Some(user));
        let tries = [env.program(), testkit::zoo().as_path()].into_iter().all(|program| {
            let mut call = Command::new("setpriv");
            call.args(this.words()).arg("test").arg("-x").arg(program);
            call.status().is_ok_and(|status| status.success())
        });
        if !tries {
            pass_by("another user cannot run windlass here, or there is no `setpriv`");
            return None;
        }
        Some(this)
    }

    /// A call of windlass as this user.
    pub(crate) fn windlass<'a>(&self, env: &'a Env, args: &[&str]) -> Invocation<'a> {
        let call = env.command(args);
        match self.0 {
            Some(_) => call.under(["setpriv".to_owned()].into_iter().chain(self.words())),
            None => call,
        }
    }

    /// The number that the test has given it; `None` where the test itself runs as it.
    pub(crate) fn number(&self) -> Option<u32> {
        self.0
    }

    fn words(&self) -> Vec<String> {
        let Some(user) = self.0 else { return Vec::new() };
        vec![format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]
    }
}

/// Gives a directory, and all that is in it, to a user.
pub(crate) fn give(path: &Path, user: u32) {
    rustix::fs::chownat(
        rustix::fs::CWD,
        path,
        Some(rustix::fs::Uid::from_raw(user)),
        Some(rustix::fs::Gid::from_raw(user)),
        rustix::fs::AtFlags::SYMLINK_NOFOLLOW,
    )
    .expect("root may give it away");
    if path.is_dir() && !path.is_symlink() {
        for entry in path.read_dir().expect("it is a directory") {
            give(&entry.expect("it is there").path(), user);
        }
    }
}
