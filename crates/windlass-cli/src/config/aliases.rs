//! Other names of settings. They are those of the flags, so that what can be typed can be written
//! into a file, too: `max_loops` for `max_iterations`, as `--max-loops`.

use std::{collections::BTreeMap, sync::LazyLock};

use clap::{Arg, Args as _, Command};
use windlass::kind::{develop, heal, iterate, pr, tasks};

use super::known::KNOWN;

/// The settings, by their other names.
static ALIASES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let commands = [
        iterate::Options::augment_args(Command::new("iterate")),
        tasks::Options::augment_args(Command::new("tasks")),
        develop::Options::augment_args(Command::new("develop")),
        heal::Options::augment_args(Command::new("heal")),
        pr::Options::augment_args(Command::new("pr")),
    ];
    let args = commands.iter().flat_map(Command::get_arguments);
    let settings = args.filter(|arg| KNOWN.example(arg.get_id().as_str()).is_some());
    settings.flat_map(names).collect()
});

/// The other names of a flag's setting, each with the setting.
fn names(arg: &Arg) -> Vec<(String, String)> {
    let setting = arg.get_id().as_str();
    let names = arg.get_long().into_iter().chain(arg.get_all_aliases().unwrap_or_default());
    let names = names.map(|name| name.replace('-', "_")).filter(|name| name != setting);
    names.map(|name| (name, setting.to_owned())).collect()
}

/// The setting that a name means: itself, where it is no other name of one.
pub(crate) fn setting_of(name: &str) -> &str {
    ALIASES.get(name).map_or(name, String::as_str)
}

/// A flag that also goes by the name of its setting.
pub(super) fn with_setting(arg: Arg) -> Arg {
    let setting = arg.get_id().as_str().replace('_', "-");
    if arg.get_long().is_some_and(|long| long != setting) { arg.alias(setting) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_flags_are_other_names_of_settings() {
        let names: Vec<_> = ALIASES.iter().map(|(name, of)| format!("{name}: {of}")).collect();
        assert_eq!(
            names,
            ["check: checks", "completion_promise: promise", "max_loops: max_iterations"]
        );
        assert_eq!(setting_of("max_loops"), "max_iterations");
        assert_eq!(setting_of("timeout"), "timeout");
    }
}
