//! An agent that lays traps in its work tree for programs that read, write or walk it later: links,
//! pipes, endless files, endless names. What it plants is harmless to a test's own world.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Component, Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::{
    fs::{
        CWD, Mode, OFlags, RenameFlags, mkdirat, mkfifoat, open, openat, renameat_with, symlinkat,
    },
    io::Errno,
};

use super::{Args, Behaviour, Done, files::own_world, print};

pub(super) const ALL: &[Behaviour] = &[Behaviour {
    name: "tree",
    takes: "PLANTS ROOT",
    does: "plants traps where it stands, as in `link a ~/b; fifo .git/HEAD`; ~ is ROOT/home",
    act: |args| {
        own_world()?;
        plant_all(args)
    },
}];

/// As large as no disk is.
const ENDLESS: u64 = 8 << 40;

/// How long what goes on and on goes on.
const RESTLESS: Duration = Duration::from_secs(20);

/// One kind of trap: its name, and what lays it.
type Trap = fn(&Plant<'_>) -> Result<(), Box<dyn std::error::Error>>;

/// What is to be planted: a kind, a path, and more words.
struct Plant<'a> {
    root: &'a Path,
    path: &'a Path,
    more: &'a [&'a str],
}

const TRAPS: &[(&str, Trap)] = &[
    ("link", |plant| Ok(symlink(plant.target()?, plant.cleared()?)?)),
    ("way", |plant| Ok(symlink(plant.way()?, plant.cleared()?)?)),
    ("hard", |plant| Ok(fs::hard_link(plant.target()?, plant.cleared()?)?)),
    ("fifo", |plant| Ok(mkfifoat(CWD, plant.cleared()?, Mode::RUSR | Mode::WUSR)?)),
    ("sparse", |plant| {
        let size = plant.number().unwrap_or(ENDLESS);
        let file = fs::File::create(plant.cleared()?)?;
        // No file system here has room for the largest: then as much as it takes.
        let sizes = [size, size.min(15 << 40), size.min(4 << 40), size.min(1 << 40)];
        if sizes.iter().any(|size| file.set_len(*size).is_ok()) {
            return Ok(());
        }
        Err("no file can be so large here".into())
    }),
    ("text", |plant| Ok(fs::write(plant.cleared()?, plant.more.join(" ").replace("\\n", "\n"))?)),
    ("append", |plant| {
        let old = fs::read(plant.path).unwrap_or_default();
        let text = [old, plant.more.join(" ").replace("\\n", "\n").into_bytes()].concat();
        Ok(fs::write(plant.path, text)?)
    }),
    ("lines", |plant| {
        let line = format!("{}\n", plant.more.get(1..).unwrap_or_default().join(" "));
        let count = usize::try_from(plant.number().unwrap_or(1))?;
        Ok(fs::write(plant.cleared()?, line.repeat(count))?)
    }),
    ("dir", |plant| {
        fs::create_dir_all(plant.cleared()?)?;
        Ok(fs::write(plant.path.join("inside"), "x")?)
    }),
    ("gone", |plant| plant.cleared().map(drop)),
    ("move", |plant| Ok(fs::rename(plant.path, plant.more.first().ok_or("where to?")?)?)),
    ("mode", |plant| {
        let mode = u32::from_str_radix(plant.more.first().ok_or("which mode?")?, 8)?;
        Ok(fs::set_permissions(plant.path, fs::Permissions::from_mode(mode))?)
    }),
    ("deep", |plant| chain(plant, "d")),
    ("long", |plant| chain(plant, &"l".repeat(200))),
    ("wide", |plant| {
        fs::create_dir_all(plant.path)?;
        for number in 0..plant.number().unwrap_or(1000) {
            // A link takes no disk space, and is the fastest to make.
            symlink("x", plant.path.join(number.to_string()))?;
        }
        Ok(())
    }),
    ("pipes", |plant| {
        fs::create_dir_all(plant.path)?;
        for number in 0..plant.number().unwrap_or(1000) {
            mkfifoat(CWD, plant.path.join(number.to_string()), Mode::RUSR | Mode::WUSR)?;
        }
        Ok(())
    }),
    ("modules", |plant| {
        for number in 0..plant.number().unwrap_or(1000) {
            let module = plant.path.join(format!("m{number}"));
            fs::create_dir_all(&module)?;
            fs::write(module.join("HEAD"), "ref: refs/heads/main\n")?;
        }
        Ok(())
    }),
    ("refs", |plant| {
        let id = plant.more.get(1).ok_or("which commit?")?;
        fs::create_dir_all(plant.path)?;
        for number in 0..plant.number().unwrap_or(1000) {
            fs::write(plant.path.join(format!("r{number}")), format!("{id}\n"))?;
        }
        Ok(())
    }),
    ("swap", swap),
];

fn plant_all(args: &Args) -> Done {
    let root = PathBuf::from(args.text(1)?);
    for plant in args.text(0)?.split(';').map(str::trim).filter(|plant| !plant.is_empty()) {
        let words: Vec<&str> = plant.split(' ').collect();
        let [kind, path, more @ ..] = words.as_slice() else {
            return Err(format!("`{plant}` needs a path").into());
        };
        let trap = TRAPS.iter().find(|(name, _)| name == kind);
        let (_, lay) = trap.ok_or_else(|| format!("there is no trap `{kind}`"))?;
        let laid = lay(&Plant { root: &root, path: Path::new(path), more });
        laid.map_err(|error| format!("`{plant}`: {error}"))?;
    }
    print(b"planted\n").map(|()| 0)
}

impl Plant<'_> {
    /// Its path, with nothing there, and its parent.
    fn cleared(&self) -> Result<&Path, Box<dyn std::error::Error>> {
        match self.path.symlink_metadata() {
            Ok(found) if found.is_dir() => fs::remove_dir_all(self.path)?,
            Ok(_) => fs::remove_file(self.path)?,
            Err(_) => {
                if let Some(parent) = self.path.parent() {
                    fs::create_dir_all(parent)?;
                }
            }
        }
        Ok(self.path)
    }

    /// Where it leads: `~` is the user's home, which may not be there for the agent.
    fn target(&self) -> Result<PathBuf, Box<dyn std::error::Error>> {
        let target = self.more.first().ok_or("where to?")?;
        Ok(match target.strip_prefix('~') {
            Some(inner) => self.root.join("home").join(inner.trim_start_matches('/')),
            None => PathBuf::from(target),
        })
    }

    /// The same, as the way from where the link stands.
    fn way(&self) -> Result<PathBuf, Box<dyn std::error::Error>> {
        let from = env::current_dir()?.join(self.path);
        let up = from.parent().unwrap_or(Path::new("/")).components();
        let up = up.filter(|part| matches!(part, Component::Normal(_))).map(|_| "..");
        Ok(up.collect::<PathBuf>().join(self.target()?.strip_prefix("/")?))
    }

    fn number(&self) -> Option<u64> {
        self.more.first()?.parse().ok()
    }
}

/// Nested directories, until their path has the given number of bytes, with a file in the last one.
fn chain(plant: &Plant<'_>, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(plant.path)?;
    let mut at = open(plant.path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    for _ in 0..plant.number().unwrap_or(6000) / (name.len() as u64 + 1) {
        match mkdirat(&at, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => (),
            Err(error) => return Err(error.into()),
        }
        at = openat(&at, name, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    }
    let file = openat(&at, "file", OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::RUSR);
    file.map(drop)?;
    Ok(symlinkat("nowhere", &at, "link")?)
}

/// Has a path be what it was and a link, or a pipe, by turns, as fast as it can.
fn swap(plant: &Plant<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let mut name = plant.path.file_name().unwrap_or_default().to_owned();
    name.push(".swapped");
    let other = plant.path.with_file_name(name);
    let make = || match plant.more {
        ["pipe", ..] => Ok(mkfifoat(CWD, &other, Mode::RUSR | Mode::WUSR)?),
        _ => symlink(plant.target()?, &other).map_err(Into::into),
    };
    let made: Result<(), Box<dyn std::error::Error>> = make();
    made?;
    print(b"swapping\n")?;
    let began = Instant::now();
    while began.elapsed() < RESTLESS {
        // It may be replaced or removed meanwhile; then there is one of them, and it goes on.
        if renameat_with(CWD, plant.path, CWD, &other, RenameFlags::EXCHANGE).is_err() {
            drop(fs::rename(&other, plant.path));
            drop(make());
        }
    }
    Ok(())
}
