//! What a hostile agent does to files.

use std::{
    env, fs,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::{Behaviour, Done, print};

const CLAIM: &[u8] = b"<promise>COMPLETE</promise>\n";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "touch",
        takes: "FILE",
        does: "adds a line to a file",
        act: |args| {
            let mut file = fs::File::options().append(true).create(true).open(args.text(0)?)?;
            file.write_all(b"touched\n")?;
            Ok(0)
        },
    },
    Behaviour {
        name: "count",
        takes: "FILE",
        does: "adds one to the number in a file, and prints it",
        act: |args| {
            let path = args.text(0)?;
            let old = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
            let number = old.unwrap_or(0_u64) + 1;
            fs::write(path, format!("{number}\n"))?;
            print(format!("{number}\n").as_bytes()).map(|()| 0)
        },
    },
    Behaviour {
        name: "rewrite-check",
        takes: "FILE",
        does: "makes a check pass by rewriting it, and claims",
        act: |args| {
            fs::write(args.text(0)?, "#!/bin/sh\nexit 0\n")?;
            print(CLAIM).map(|()| 0)
        },
    },
    Behaviour {
        name: "replace-check-by-link",
        takes: "FILE",
        does: "makes a check a link to /bin/true, and claims",
        act: |args| {
            fs::remove_file(args.text(0)?)?;
            symlink("/bin/true", args.text(0)?)?;
            print(CLAIM).map(|()| 0)
        },
    },
    Behaviour {
        name: "delete-cwd",
        takes: "",
        does: "removes the directory that it stands in",
        act: |_| {
            fs::remove_dir_all(own_world()?)?;
            print(b"deleted\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "delete-git",
        takes: "",
        does: "removes the repository",
        act: |_| {
            fs::remove_dir_all(own_world()?.join(".git"))?;
            print(b"deleted\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "leave-index-lock",
        takes: "",
        does: "leaves git's index locked",
        act: |_| {
            fs::write(own_world()?.join(".git/index.lock"), "")?;
            print(b"locked\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "git-config",
        takes: "NAME COMMAND",
        does: "plants hooks, filters and an fsmonitor that run COMMAND",
        act: |args| plant(&own_world()?, args.text(0)?, args.text(1)?),
    },
    Behaviour {
        name: "many-files",
        takes: "N",
        does: "writes N small files",
        act: |args| {
            fs::create_dir_all("many")?;
            for n in 0..args.number(0, 1000_u32) {
                fs::write(format!("many/{n}"), n.to_string())?;
            }
            Ok(0)
        },
    },
    Behaviour {
        name: "big-file",
        takes: "BYTES",
        does: "writes one file of that size",
        act: |args| {
            fs::File::create("big")?.set_len(args.number(0, 64 << 20))?;
            Ok(0)
        },
    },
    Behaviour {
        name: "odd-names",
        takes: "",
        does: "writes files whose names are hard to handle",
        act: |_| {
            for name in
                ["-rf", "a b", "new\nline", "\u{202e}txt.exe", "$(touch canary)", "quo\"te", "é"]
            {
                fs::write(Path::new(".").join(name), "odd\n")?;
            }
            Ok(0)
        },
    },
    Behaviour {
        name: "link-out",
        takes: "TARGET",
        does: "leaves a link that leads out of the tree",
        act: |args| {
            symlink(args.text(0)?, "out")?;
            Ok(0)
        },
    },
    Behaviour {
        name: "unreadable",
        takes: "",
        does: "leaves a file that nobody may read",
        act: |_| {
            use std::os::unix::fs::PermissionsExt;
            fs::write("secret", "x")?;
            fs::set_permissions("secret", fs::Permissions::from_mode(0o000))?;
            Ok(0)
        },
    },
    Behaviour {
        name: "fill-disk",
        takes: "BYTES",
        does: "writes so many bytes, or until there is no room",
        act: |args| {
            let mut file = fs::File::create("filler")?;
            let block = [0; 1 << 16];
            for _ in 0..args.number(0, 64_usize << 20) / block.len() {
                if file.write_all(&block).is_err() {
                    return print(b"full\n").map(|()| 0);
                }
            }
            Ok(0)
        },
    },
];

/// Where it stands, if that is a test's world: run by hand, it must not destroy anything.
pub(super) fn own_world() -> Result<PathBuf, String> {
    let here = env::current_dir().map_err(|error| error.to_string())?;
    match here.starts_with("/tmp") && here.components().count() > 2 {
        true => Ok(here),
        false => Err(format!("{} is no test's folder below /tmp", here.display())),
    }
}

/// Plants every way in which git itself would run a command of the repository's config.
fn plant(world: &Path, name: &str, command: &str) -> Done {
    let git = world.join(".git");
    let mut config = fs::File::options().append(true).open(git.join("config"))?;
    write!(
        config,
        "[core]\n\tfsmonitor = {command}\n\thooksPath = {hooks}\n\tpager = {command}\n\
         [diff]\n\texternal = {command}\n\
         [diff \"{name}\"]\n\tcommand = {command}\n\ttextconv = {command}\n\
         [filter \"{name}\"]\n\tclean = {command}\n\tsmudge = {command}\n\trequired = true\n",
        hooks = git.join("planted").display(),
    )?;
    fs::create_dir_all(git.join("planted"))?;
    for hook in
        ["pre-commit", "post-commit", "post-checkout", "post-index-change", "reference-transaction"]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = git.join("planted").join(hook);
        fs::write(&path, format!("#!/bin/sh\n{command}\n"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    fs::write(world.join(".gitattributes"), format!("* filter={name} diff={name}\n"))?;
    print(b"planted\n").map(|()| 0)
}
