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

/// All that is read of the workspace, once a process.
struct House {
    /// The workspace's manifest.
    manifest: Table,
    /// Those of its members, with their paths.
    manifests: Vec<(String, Table)>,
    packages: Vec<Package>,
    names: Names,
}

static HOUSE: LazyLock<House> = LazyLock::new(|| {
    let manifest = cargo::toml("Cargo.toml");
    let members = cargo::members(&manifest);
    let path = |member: &String| format!("{member}/Cargo.toml");
    let manifests = members.iter().map(|it| (path(it), cargo::toml(&path(it)))).collect();
    let packages: Vec<Package> = std::thread::scope(|scope| {
        let readers: Vec<_> =
            members.iter().map(|member| scope.spawn(|| Package::read(member))).collect();
        readers.into_iter().map(|it| it.join().expect("sources can be read")).collect()
    });
    let names = Names::new(&packages);
    House { manifest, manifests, packages, names }
});

impl House {
    /// The names of our crates.
    fn ours(&self) -> Vec<String> {
        let names = self.manifests.iter().map(|(_, it)| it["package"]["name"].as_str());
        names.map(|name| name.expect("a package has a name").to_owned()).collect()
    }

    fn files(&self) -> impl Iterator<Item = &Source> {
        self.packages.iter().flat_map(|package| &package.files)
    }

    /// The package of a folder. Fails if it is none of the workspace.
    #[track_caller]
    fn package(&self, folder: &str) -> &Package {
        let found = self.packages.iter().find(|package| package.folder == folder);
        found.unwrap_or_else(|| panic!("{folder} is no member of the workspace"))
    }
}
