//! What `package.json` offers, and by which of its managers it is run.

use serde_json::Value;

use super::{Detected, look::Look};

/// Lockfiles, and the manager that writes each.
const LOCKS: [(&str, Manager); 6] = [
    ("pnpm-lock.yaml", Manager::Pnpm),
    ("yarn.lock", Manager::Yarn),
    ("bun.lock", Manager::Bun),
    ("bun.lockb", Manager::Bun),
    ("package-lock.json", Manager::Npm),
    ("npm-shrinkwrap.json", Manager::Npm),
];

/// The names that people give to scripts that check types.
const TYPE_SCRIPTS: [&str; 5] = ["typecheck", "type-check", "check-types", "check:types", "tsc"];

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    /// The manager that the package names, or whose lockfile is there, or npm.
    fn of(look: Look<'_>, package: &Value) -> Self {
        let named = package["packageManager"].as_str().unwrap_or_default();
        match named.split('@').next() {
            Some("npm") => Self::Npm,
            Some("pnpm") => Self::Pnpm,
            Some("yarn") => Self::Yarn,
            Some("bun") => Self::Bun,
            _ => LOCKS
                .into_iter()
                .find(|(lock, _)| look.has(lock))
                .map_or(Self::Npm, |(_, manager)| manager),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }

    fn test(self) -> String {
        match self {
            // `bun test` is a runner of its own, whatever the script says.
            Self::Bun => "bun run test".to_owned(),
            manager @ (Self::Npm | Self::Pnpm | Self::Yarn) => format!("{} test", manager.word()),
        }
    }

    /// A program that the package has installed; never one that is fetched for it.
    fn exec(self, program: &str) -> String {
        match self {
            Self::Npm => format!("npx --no-install {program}"),
            Self::Pnpm => format!("pnpm exec {program}"),
            Self::Yarn => format!("yarn run {program}"),
            Self::Bun => format!("bunx --no-install {program}"),
        }
    }
}

pub(super) fn tests(look: Look<'_>) -> Option<Detected> {
    let package = package(look)?;
    let manager = Manager::of(look, &package);
    script(&package, "test")
        .filter(|script| !watches(script))
        .map(|_| Detected::new(manager.test(), "package.json", "package.json has a script `test`"))
}

pub(super) fn checks(look: Look<'_>) -> Vec<Detected> {
    let Some(package) = package(look) else { return Vec::new() };
    let manager = Manager::of(look, &package);
    let run = |name: &str| {
        let because = format!("package.json has a script `{name}`");
        Detected::new(format!("{} run {name}", manager.word()), "package.json", because)
    };
    let mut checks = Vec::new();
    checks.extend(script(&package, "lint").map(|_| run("lint")));
    let types = TYPE_SCRIPTS.into_iter().find(|name| script(&package, name).is_some());
    let has_typescript = ["dependencies", "devDependencies"]
        .iter()
        .any(|list| package[*list].get("typescript").is_some());
    if let Some(name) = types {
        checks.push(run(name));
    } else if has_typescript && look.has("tsconfig.json") {
        checks.push(Detected::of_file(manager.exec("tsc --noEmit"), "tsconfig.json"));
    }
    checks
}

fn package(look: Look<'_>) -> Option<Value> {
    serde_json::from_str(&look.text("package.json")?).ok()
}

/// A script of the package that does something: the one that `npm init` writes does not.
fn script<'a>(package: &'a Value, name: &str) -> Option<&'a str> {
    let script = package["scripts"][name].as_str()?.trim();
    (!script.is_empty() && !script.contains("no test specified")).then_some(script)
}

/// Whether a script waits for changes, and so never ends.
fn watches(script: &str) -> bool {
    let is_watch = |word: &str| {
        let (flag, value) = word.split_once('=').unwrap_or((word, ""));
        matches!(flag, "--watch" | "--watchAll" | "--watch-all") && value != "false"
    };
    script.split_whitespace().any(is_watch)
}
