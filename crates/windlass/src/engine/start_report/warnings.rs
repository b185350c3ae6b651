//! What the start of a loop warns of, a sentence each: what will be denied, what costs money, where
//! the loop works, and the machine that it runs on.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use windlass_agents::{BuiltIn, Hired, Permissions, Plan};
use windlass_core::event::ConfigKind;
use windlass_repo::tree::TreeError;
use windlass_system::{
    sandbox::Sandbox,
    surroundings::{POWER_SUPPLY, free_bytes, is_on_battery},
};

use super::{super::setup::Setup, Admitted, Grounds, may_skip, reports};
use crate::perform::Worker;

/// Less free disk than this is warned of.
const LITTLE: u64 = 2 << 30;
/// How much of a settings or credentials file is read.
const LONGEST: u64 = 1 << 20;

/// All of them, in the order in which they are shown.
pub(super) async fn warnings(
    setup: &Setup,
    grounds: &Grounds,
    worker: &Worker,
    admitted: &Admitted,
) -> Vec<String> {
    let mut warnings = Vec::new();
    for (name, hired) in grounds.cast.iter() {
        if !may_skip(hired, worker.sandboxes.of(name)) {
            warnings.extend(denied(hired, grounds, admitted));
        }
        warnings.extend(unconfined(hired, worker.sandboxes.of(name)));
        warnings.extend(unbounded(hired, grounds));
        warnings.extend(stray_key(hired, grounds));
    }
    warnings.dedup();
    warnings.extend(place(grounds));
    warnings.extend(under_way(worker).await);
    warnings.extend(little_room(grounds));
    warnings.extend(on_battery(setup));
    warnings.extend(setup.warnings.iter().cloned());
    warnings
}

/// Tools that the agent will be denied, because nobody can answer it.
fn denied(hired: &Hired, grounds: &Grounds, admitted: &Admitted) -> Option<String> {
    let agent = hired.agent.name();
    let known = Permissions::of(agent).filter(|known| !known.denied.is_empty())?;
    let of_repository = || admitted.has(agent, ConfigKind::Permission);
    let of_user = known.settings_file().and_then(|file| read(&user_home(grounds)?.join(file)));
    let is_granted = known.are_granted_by(&hired.wishes.extra_args)
        || of_user.is_some_and(|text| known.are_granted_in(&text))
        || of_repository();
    (!is_granted).then(|| {
        format!(
            "{agent} will be denied {}: nobody answers its questions during a loop; allow them with \
             `--skip-permissions`, best with `--sandbox auto`, or run `windlass init`",
            listed(known.denied)
        )
    })
}

/// That nothing holds an agent back.
fn unconfined(hired: &Hired, sandbox: &Sandbox) -> Option<String> {
    let is_free = may_skip(hired, sandbox) && matches!(sandbox, Sandbox::None);
    is_free.then(|| {
        "the agent asks for no permission and no sandbox confines it: it can do whatever you can; \
         `--sandbox auto` confines it"
            .to_owned()
    })
}

/// That an agent costs money and nothing bounds what it may spend.
fn unbounded(hired: &Hired, grounds: &Grounds) -> Option<String> {
    let agent = hired.agent.name();
    BuiltIn::named(agent).filter(|known| known.install.is_some())?;
    let rules = &grounds.kind.common().rules;
    let (cost, tokens) = reports(hired);
    let is_bounded = (cost && rules.max_cost.is_some())
        || (tokens && rules.max_tokens.is_some())
        || rules.max_duration.is_some();
    let limit = if cost { "--max-cost 10" } else { "--max-tokens 5000000" };
    (!is_bounded).then(|| {
        format!(
            "no budget: {agent} costs money, and only the number of iterations limits this loop; set \
             one with `{limit}` or `--max-duration 8h`"
        )
    })
}

/// A key that is billed though a plan would pay.
fn stray_key(hired: &Hired, grounds: &Grounds) -> Option<String> {
    let agent = hired.agent.name();
    let plan = Plan::of(agent)?;
    let value = |name: &str| grounds.env.get(OsStr::new(name)).filter(|value| !value.is_empty());
    value(plan.key)?;
    let directory = plan.directory_variable.and_then(value).map(PathBuf::from);
    let directory = directory.or_else(|| Some(user_home(grounds)?.join(plan.directory)))?;
    let credentials = read(&directory.join(plan.file))?;
    plan.is_signed_in(&credentials).then(|| {
        format!(
            "{} is set, so {agent} bills the API although it is signed in to a plan; to use the plan: \
             `unset {}`",
            plan.key, plan.key
        )
    })
}

/// That the loop works in a place that is no project.
fn place(grounds: &Grounds) -> Option<String> {
    let at = grounds.workplace();
    let home = user_home(grounds).map(|home| home.canonicalize().unwrap_or(home));
    let what = match at {
        root if root == Path::new("/") => "the root of the file system",
        at if home.is_some_and(|home| home == at) => "your home directory",
        _ => return None,
    };
    Some(format!(
        "the loop works in {what}: the agent can change everything below it; start it in a project"
    ))
}

/// What the user has under way in the repository. Loops that commit have refused it before.
async fn under_way(worker: &Worker) -> Option<String> {
    match worker.tree.as_ref()?.may_commit().await {
        Err(TreeError::UnderWay { what }) => Some(format!(
            "a {what} is in progress in this repository: the agent works on a half-finished tree; \
             `git status` says how to finish or abort it"
        )),
        _ => None,
    }
}

/// File systems that are nearly full.
fn little_room(grounds: &Grounds) -> Vec<String> {
    let [store, tree] =
        [("the store", grounds.home.as_path()), ("the work tree", grounds.workplace())];
    let tight = |(what, path): (&str, &Path)| {
        let free = free_bytes(path).filter(|free| *free < LITTLE)?;
        let mib = free >> 20;
        Some(format!("only {mib} MiB of disk are free for {what} ({})", path.display()))
    };
    [tight(store), tight(tree)].into_iter().flatten().collect()
}

fn on_battery(setup: &Setup) -> Option<String> {
    let named = |(name, value): (OsString, OsString)| {
        (name == "WINDLASS_POWER_SUPPLY" && !value.is_empty()).then_some(value)
    };
    let directory = setup.host().into_iter().find_map(named);
    let directory = directory.map_or_else(|| PathBuf::from(POWER_SUPPLY), PathBuf::from);
    is_on_battery(&directory).then(|| {
        "this machine runs on battery: the loop is interrupted when that is empty".to_owned()
    })
}

fn user_home(grounds: &Grounds) -> Option<PathBuf> {
    grounds.env.get(OsStr::new("HOME")).filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// The beginning of a small file of the user's.
fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// `Bash, Edit and Write`.
fn listed(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        names => names.concat(),
    }
}
