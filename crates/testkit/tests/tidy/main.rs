//! Holds the rules of the house for the whole workspace: one table or test a promise. The rules
//! themselves are in `testkit::house`, each with a planted violation that shows that it complains.

mod cycles;
mod documents;
mod files;
mod lints;
mod manifests;
mod walls;

use std::sync::LazyLock;

use testkit::{
    house::{cargo, names::Names, package::Package},
    source::Source,
};
use toml::Table;

/// The workspace's manifest.
static WORKSPACE: LazyLock<Table> = LazyLock::new(|| cargo::toml("Cargo.toml"));

/// Those of its members, with their paths.
static MANIFESTS: LazyLock<Vec<(String, Table)>> = LazyLock::new(|| {
    let paths = cargo::members(&WORKSPACE).into_iter().map(|it| format!("{it}/Cargo.toml"));
    paths.map(|path| (path.clone(), cargo::toml(&path))).collect()
});

/// Its members' sources: a second or two.
static PACKAGES: LazyLock<Vec<Package>> = LazyLock::new(|| {
    let members = cargo::members(&WORKSPACE);
    std::thread::scope(|scope| {
        let readers: Vec<_> =
            members.iter().map(|member| scope.spawn(|| Package::read(member))).collect();
        readers.into_iter().map(|it| it.join().expect("sources can be read")).collect()
    })
});

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(&PACKAGES));

/// The names of our crates.
fn ours() -> Vec<String> {
    let names = MANIFESTS.iter().map(|(_, it)| it["package"]["name"].as_str());
    names.map(|name| name.expect("a package has a name").to_owned()).collect()
}

fn files() -> impl Iterator<Item = &'static Source> {
    PACKAGES.iter().flat_map(|package| &package.files)
}

/// The package of a folder. Fails if it is none of the workspace.
#[track_caller]
fn package(folder: &str) -> &'static Package {
    let found = PACKAGES.iter().find(|package| package.folder == folder);
    found.unwrap_or_else(|| panic!("{folder} is no member of the workspace"))
}
