//! What `windlass doctor` looks at, one function each.

use std::{ffi::OsStr, fs, os::unix::fs::MetadataExt, path::Path};

use windlass::{
    Settled,
    agent::Billing,
    system::{StartError, look_for_engine},
};
use windlass_core::options::SandboxName;
use windlass_store::store::{Health, Store};

use super::{Look, sleep};
use crate::{
    commands::{agents, block_on, cancel::settle},
    config::{Layers, Origin, user_document},
    control::astray,
    host::{app::App, failure::Kind, program, sign_in},
    text::{bytes, count},
};

/// The one check that has an exit code of its own.
pub(super) const STORE: &str = "store";

/// What is said of agents' accounts.
const SIGN_IN: &str = "sign-in";

/// Less free space than this is worth a word.
const LITTLE_SPACE: u64 = 512 * 1024 * 1024;

/// Looks at everything.
pub(super) fn all(app: &App, repair: bool) -> Vec<Look> {
    let mut looks = vec![git(app)];
    looks.extend(sandbox(app));
    looks.extend(containers(app));
    looks.push(home(app));
    looks.extend(file_system(app));
    looks.extend(sleep::looks(app));
    looks.extend(store(app, repair));
    looks.extend(settled(app));
    looks.extend(processes(app));
    looks.extend(config(app));
    looks
}

fn git(app: &App) -> Look {
    let path = match program::trusted(app).find(OsStr::new("git")) {
        Ok(path) => path,
        Err(error @ StartError::OfAnAgent { .. }) => {
            return Look::broken("git", error.to_string(), "install git");
        }
        Err(_) => {
            let text = "`git` was not found in PATH, so progress cannot be measured";
            return Look::broken("git", text, "install git");
        }
    };
    let said = match block_on(program::versions(app, vec![path.clone()])) {
        Ok(said) => said.and_then(|mut said| said.pop().unwrap_or_else(|| Err(String::new()))),
        Err(failure) => return Look::failed("git", &failure),
    };
    match said {
        Ok(version) => Look::good("git", format!("{version}, {}", path.display())),
        Err(why) => Look::broken("git", format!("{}: {why}", path.display()), "reinstall git"),
    }
}

/// What can confine agents here. A machine that cannot is none that is broken.
fn sandbox(app: &App) -> Vec<Look> {
    let machine = match block_on(program::machine(app)) {
        Ok(Ok(machine)) => machine,
        Ok(Err(why)) => return vec![Look::notable("sandbox", why, "try again")],
        Err(failure) => return vec![Look::failed("sandbox", &failure)],
    };
    let open = machine.private_git_missing();
    let open = open.map(|missing| Look::notable("sandbox", missing.why, missing.hint));
    let landlock = match machine.landlock {
        0 => {
            let weaker =
                "no landlock: what windlass does in a work tree is not confined by the kernel";
            weaker.to_owned()
        }
        version if machine.has_landlock() => format!("landlock version {version}"),
        version => format!("landlock version {version}, which is too old"),
    };
    let walls = match machine.bwrap {
        Ok(bwrap) => Look::good("sandbox", format!("bwrap ({}), {landlock}", bwrap.version)),
        Err(missing) => {
            Look::notable("sandbox", format!("{landlock}; {}", missing.why), missing.hint)
        }
    };
    [walls].into_iter().chain(open).collect()
}

/// Which engines for containers answer. Nobody needs one, so one that is not there is not told.
fn containers(app: &App) -> Vec<Look> {
    let host = app.environment.all().clone().into_iter().collect();
    let looked = block_on(async {
        let mut found = Vec::new();
        for name in [SandboxName::Docker, SandboxName::Podman] {
            found.push((name, look_for_engine(name, &host).await));
        }
        found
    });
    let looked = match looked {
        Ok(looked) => looked,
        Err(failure) => return vec![Look::failed("container", &failure)],
    };
    let answering = looked.iter().filter_map(|(_, found)| found.as_deref().ok());
    let answering: Vec<&str> = answering.collect();
    if !answering.is_empty() {
        return vec![Look::good("container", answering.join(", "))];
    }
    let why: Vec<_> = looked.iter().filter_map(|(_, found)| found.as_ref().err()).collect();
    // A socket that is there and does not answer is worth a word; none at all is how most machines are.
    let refused: Vec<_> = why.iter().filter(|missing| !missing.is_absent).collect();
    if refused.is_empty() {
        return vec![Look::good("container", "Docker and Podman not found (optional)".to_owned())];
    }
    let text = refused.iter().map(|missing| missing.why.as_str()).collect::<Vec<_>>().join("; ");
    vec![Look::good("container", format!("not available (optional): {text}"))]
}

/// What killed processes had begun in work trees is brought to its end. Where there is nothing, nothing is
/// said. What runs in a loop does not touch the trees of others.
fn settled(app: &App) -> Vec<Look> {
    if app.refuse_inside_a_loop("doctor").is_err() {
        return Vec::new();
    }
    let Ok(Some(store)) = Store::open_existing(&app.home) else { return Vec::new() };
    match settle(app, &store) {
        Ok(Settled { told, troubles }) => {
            let told = told
                .into_iter()
                .map(|text| Look { hints: Vec::new(), ..Look::notable("tree", text, "") });
            let hint = "`windlass gc` tries again";
            told.chain(troubles.into_iter().map(|text| Look::notable("tree", text, hint))).collect()
        }
        Err(failure) => vec![Look::failed("tree", &failure)],
    }
}

/// Loops whose processes are stopped, or outlive the one that ran them. Where there are none, nothing
/// is said.
fn processes(app: &App) -> Vec<Look> {
    let Ok(Some(store)) = Store::open_existing(&app.home) else { return Vec::new() };
    let found = astray::astray(app, &store.loops(None).unwrap_or_default());
    found.into_iter().map(|one| Look::notable("processes", one.what, one.hint)).collect()
}

fn home(app: &App) -> Look {
    let shown = app.home.display();
    let Ok(metadata) = fs::metadata(&app.home) else {
        return Look::good(
            "home",
            format!("{shown} does not exist yet; the first loop creates it"),
        );
    };
    if !metadata.is_dir() {
        let hint = "move it away, or set WINDLASS_HOME to another place";
        return Look::broken("home", format!("{shown} is not a directory"), hint);
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        let hint = "set WINDLASS_HOME to a directory of your own";
        return Look::broken("home", format!("{shown} belongs to another user"), hint);
    }
    match metadata.mode() & 0o777 {
        0o700 => Look::good("home", format!("{shown}, for you only")),
        mode => {
            let text = format!("{shown} has mode {mode:o}, and others may look into it");
            let path = app.home.to_string_lossy();
            Look::notable("home", text, format!("chmod 700 {}", shell_words::quote(&path)))
        }
    }
}

/// What the home stands on: its space, and whether locks work there.
fn file_system(app: &App) -> Vec<Look> {
    let there = app.home.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"));
    let mut looks = Vec::new();
    if let Ok(stat) = rustix::fs::statvfs(there) {
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        let text = format!("{} free", bytes(free));
        looks.push(if free < LITTLE_SPACE {
            Look::notable("space", text, "make room: a loop ends when its store is full")
        } else {
            Look::good("space", text)
        });
    }
    if let Some(name) = network(there) {
        let text = format!("{} is on {name}, where SQLite is not safe", app.home.display());
        looks.push(Look::broken("disk", text, "set WINDLASS_HOME to a place on a local disk"));
    }
    looks
}

/// The name of the network file system that a path is on, if it is on one.
#[cfg(target_os = "linux")]
fn network(path: &Path) -> Option<&'static str> {
    let kind = rustix::fs::statfs(path).ok()?.f_type;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the kernel's numbers have 32 bits"
    )]
    let kind = kind as u32;
    match kind {
        0x6969 => Some("NFS"),
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => Some("SMB"),
        0x0102_1997 => Some("9P"),
        0x00c3_6400 => Some("Ceph"),
        0x5346_414f => Some("AFS"),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn network(_path: &Path) -> Option<&'static str> {
    None
}

fn store(app: &App, repair: bool) -> Vec<Look> {
    let mended = repair.then(|| match Store::repair(&app.home) {
        Ok(None) => Look::good("repair", "nothing to repair"),
        Ok(Some(mended)) => {
            let saved = count(mended.loops, "loop");
            let events = count(mended.events, "event");
            let lost = count(mended.lost_events, "event");
            let text = format!("{saved} with {events} saved, {lost} lost");
            let hint = format!("the damaged store is kept as {}", mended.kept_aside.display());
            Look::notable("repair", text, hint)
        }
        Err(error) => Look::failed(STORE, &error.into()),
    });
    let health = match Store::check(&app.home) {
        Ok(None) => Look::good(STORE, "none yet; the first loop creates it"),
        Ok(Some(health)) => healthy(&health),
        Err(error) => Look::failed(STORE, &error.into()),
    };
    mended.into_iter().chain([health]).collect()
}

fn healthy(health: &Health) -> Look {
    if !health.is_good() {
        let mut look = Look::broken(
            STORE,
            format!("{} is damaged: {}", health.path.display(), health.problems.join("; ")),
            "`windlass doctor --repair` saves what can be read, and keeps the damaged file",
        );
        look.hints.push("or put a copy of it back in its place".to_owned());
        return look;
    }
    let format = health.format.map_or_else(|| "?".to_owned(), |format| format.to_string());
    let size = (health.bytes + health.log_bytes).div_ceil(1024);
    Look::good(STORE, format!("is sound: format {format}, {size} KiB, SQLite {}", health.sqlite))
}

/// The config files one by one, then what comes of them together.
fn config(app: &App) -> Vec<Look> {
    let user = match user_document(app) {
        Ok(None) => Look::good("user", "no config file (optional)"),
        Ok(Some(document)) => match document.layer(&Origin::User(document.path.clone())) {
            Ok(_) => Look::good("user", document.path.display().to_string()),
            Err(failure) => Look::failed("user", &failure),
        },
        Err(failure) => Look::failed("user", &failure),
    };
    if user.state == super::State::Broken {
        return vec![user];
    }
    let layers = match Layers::load(app) {
        Ok(layers) => layers,
        // The store's own line has told it.
        Err(failure) if failure.kind == Kind::Storage => return vec![user],
        Err(failure) => return vec![user, Look::failed("config", &failure)],
    };
    let mut looks = vec![user];
    looks.extend(layers.repo.as_ref().map(|repo| {
        let path = repo.document.path.display();
        if repo.trusted {
            Look::good("repo", format!("{path}, trusted"))
        } else {
            let text = format!("{path} is not trusted: loops do not start here");
            Look::notable("repo", text, repo.how_to_trust())
        }
    }));
    let warnings = layers.warnings.iter();
    looks.extend(warnings.map(|warning| Look::notable("variable", warning, "unset it")));
    let listed = match agents::list(app, layers.agents()) {
        Ok(listed) => listed,
        Err(failure) => {
            looks.push(Look::failed("agent", &failure));
            return looks;
        }
    };
    let found: Vec<Look> = listed.iter().filter_map(agent).collect();
    if found.is_empty() {
        let text = "no coding agent found";
        let hint =
            "`windlass agents` shows how to install one; or use any program with `--command CMD`";
        looks.push(Look::notable("agent", text, hint));
    }
    looks.extend(found);
    looks.extend(sign_ins(app, &layers, &listed));
    looks
}

/// Whether the built-in agents that are installed are signed in. Inside of a loop none is asked: that
/// would be a session that nobody counts.
fn sign_ins(app: &App, layers: &Layers, listed: &[agents::Listed]) -> Vec<Look> {
    if app.refuse_inside_a_loop("doctor").is_err() {
        return Vec::new();
    }
    let env = sign_in::environment_of(app, layers);
    let agents: Vec<_> = listed.iter().filter_map(agents::Listed::built_in).collect();
    if agents.is_empty() {
        return Vec::new();
    }
    let asked = match block_on(sign_in::ask(app, &env, agents)) {
        Ok(Ok(asked)) => asked,
        Ok(Err(why)) => return vec![Look::notable(SIGN_IN, why, "try again")],
        Err(failure) => return vec![Look::failed(SIGN_IN, &failure)],
    };
    let look = |asked: &sign_in::Asked| match asked.trouble() {
        Some(trouble) => Look::notable(SIGN_IN, trouble, format!("`{}`", asked.sign_in.login)),
        None => {
            let billed = match asked.sign_in.billed_to(&asked.said, &env) {
                Billing::Plan => "billed to a plan",
                Billing::ApiKey => "billed to an API key",
            };
            Look::good(SIGN_IN, format!("{}: signed in, {billed}", asked.agent))
        }
    };
    asked.iter().map(look).collect()
}

fn agent(agent: &agents::Listed) -> Option<Look> {
    let program = agent.program.as_deref()?;
    let name = &agent.name;
    Some(match &agent.found {
        Some(path) if agent.found_in_tree => {
            let text = format!("{name}: {}, which an agent can write: not run", path.display());
            Look::notable("agent", text, "install it outside of the work tree")
        }
        Some(path) => {
            let version = agent.version.as_ref().map(|version| format!("{version}, "));
            let version = version.unwrap_or_default();
            Look::good("agent", format!("{name}: {version}{}", path.display()))
        }
        // Nobody needs all of them.
        None if agent.origin == agents::BUILT_IN_ORIGIN => return None,
        None => {
            let text = format!("{name}: `{program}` was not found");
            Look::notable("agent", text, "install it, or take the agent out of the config")
        }
    })
}
