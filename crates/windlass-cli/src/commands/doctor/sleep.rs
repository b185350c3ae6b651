//! Whether this machine stays awake while a loop runs, and for how long it has power.

use std::{ffi::OsStr, path::Path};

use windlass::system::{POWER_SUPPLY, is_on_battery};

use super::{Look, State};
use crate::{
    commands::block_on,
    host::{app::App, environment::Variable, program},
};

const SLEEP: &str = "sleep";

/// What keeps the machine awake, and its battery where it runs on that.
pub(super) fn looks(app: &App) -> Vec<Look> {
    [sleep(app)].into_iter().chain(battery(app)).collect()
}

fn sleep(app: &App) -> Look {
    let wanted = app.environment.get(Variable::WindlassInhibitSleep);
    if wanted.is_some_and(|value| value == "false" || value == "0") {
        return Look::good(SLEEP, "not inhibited: WINDLASS_INHIBIT_SLEEP is `false`");
    }
    if program::trusted(app).find(OsStr::new("systemd-inhibit")).is_err() {
        return may_sleep("`systemd-inhibit` not found");
    }
    match block_on(program::can_stay_awake(app)) {
        Ok(Ok(true)) => {
            Look::good(SLEEP, "inhibited while a loop runs; closing the lid may still suspend")
        }
        Ok(Ok(false)) => may_sleep("`systemd-inhibit` fails, which needs logind"),
        Ok(Err(why)) => Look::notable(SLEEP, why, "try again"),
        Err(failure) => Look::failed(SLEEP, &failure),
    }
}

fn may_sleep(why: &str) -> Look {
    let text = format!("{why}: this machine may fall asleep during a loop");
    Look { what: SLEEP, state: State::Notable, text, hints: Vec::new() }
}

fn battery(app: &App) -> Option<Look> {
    let named = app.environment.get(Variable::WindlassPowerSupply);
    let directory = named.filter(|path| !path.is_empty()).unwrap_or(OsStr::new(POWER_SUPPLY));
    let hint = "plug it in: a loop is interrupted when the battery is empty";
    is_on_battery(Path::new(directory))
        .then(|| Look::notable("power", "this machine runs on battery", hint))
}
