//! File systems that tests mount, as far as this machine lets them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use testkit::{Env, pass_by};

/// What makes a file system that can share blocks; it is in no user's `PATH`.
const MKFS: &str = "/usr/sbin/mkfs.xfs";

/// A file system of its own on a folder, for as long as it lives.
pub(crate) struct Mount<'a> {
    env: &'a Env,
    folder: PathBuf,
}

impl<'a> Mount<'a> {
    /// A small one; `None` where nothing may be mounted, which is said aloud.
    pub(crate) fn tmpfs(env: &'a Env, folder: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir_all(&folder).expect("the folder is ours");
        let options = format!("size={size},mode=700");
        Self::at(env, folder, &["-t", "tmpfs", "-o", &options, "none"])
    }

    /// One that can share blocks between files; `None` where there is none, which is said aloud.
    pub(crate) fn xfs(env: &'a Env, folder: PathBuf) -> Option<Self> {
        if !Path::new(MKFS).is_file() {
            pass_by(&format!("`{MKFS}` is not installed"));
            return None;
        }
        fs::create_dir_all(&folder).expect("the folder is ours");
        let image = env.root().join("xfs");
        let made = fs::File::create(&image).and_then(|image| image.set_len(400 << 20));
        made.expect("the folder is ours");
        let image = image.display().to_string();
        env.other(MKFS, ["-q", "-m", "reflink=1", &image]).run().success();
        Self::at(env, folder, &["-o", "loop", &image])
    }

    fn at(env: &'a Env, folder: PathBuf, what: &[&str]) -> Option<Self> {
        let target = folder.display().to_string();
        let mounted = env.other("mount", what.iter().copied().chain([target.as_str()])).run();
        if mounted.code != Some(0) {
            pass_by(&format!("nothing may be mounted here: {}", mounted.stderr.trim()));
            return None;
        }
        Some(Self { env, folder })
    }

    /// Mounts it again, with other options.
    pub(crate) fn again(&self, options: &str) {
        let (options, target) = (format!("remount,{options}"), self.folder.display().to_string());
        drop(self.env.other("mount", ["-o", &options, &target]).run().success());
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let target = self.folder.display().to_string();
        drop(self.env.other("umount", ["--lazy", &target]).run());
    }
}
