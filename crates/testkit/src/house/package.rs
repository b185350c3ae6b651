//! A package of the workspace: its targets, and which file is which module of them. `mod` lines are
//! followed from the root of each target, as the compiler does.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{self, Source};

/// One package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its folder: `crates/windlass`.
    pub folder: String,
    pub files: Vec<Source>,
    pub targets: Vec<Target>,
    /// Files that no target reaches, and `mod` lines that lead nowhere.
    pub complaints: Vec<String>,
}

/// One library, program or test binary.
#[derive(Clone, Debug)]
pub struct Target {
    /// The first segment of its canonical paths: `windlass` for the library.
    pub name: String,
    /// Its root file.
    pub root: String,
    pub members: Vec<Member>,
}

/// A file as a module of a target.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its place in `Package::files`.
    pub file: usize,
    /// The module: the target's name first.
    pub module: Vec<String>,
    /// Whether it is compiled for tests alone.
    pub is_test: bool,
}

impl Package {
    /// Reads all of a folder of the workspace.
    #[track_caller]
    pub fn read(folder: &str) -> Self {
        Self::new(folder, source::rust_files(folder))
    }

    /// Makes one of files.
    pub fn new(folder: &str, files: Vec<Source>) -> Self {
        let mut package =
            Self { folder: folder.to_owned(), files, targets: Vec::new(), complaints: Vec::new() };
        let name = folder.rsplit('/').next().unwrap_or(folder).replace('-', "_");
        let mut roots: Vec<(String, String, bool)> = Vec::new();
        for file in &package.files {
            let Some(inner) = file.path.strip_prefix(&format!("{folder}/")) else { continue };
            let parts: Vec<&str> = inner.trim_end_matches(".rs").split('/').collect();
            let target = match parts.as_slice() {
                ["src", "lib"] => (name.clone(), false),
                ["src", "main"] => (format!("{name}:main"), false),
                ["build"] => (format!("{name}:build"), false),
                ["src", "bin", program] | ["src", "bin", program, "main"] => {
                    (format!("{name}:{program}"), false)
                }
                [kind @ ("tests" | "benches" | "examples"), test]
                | [kind @ ("tests" | "benches" | "examples"), test, "main"] => {
                    (format!("{name}:{kind}:{test}"), true)
                }
                _ => continue,
            };
            roots.push((target.0, file.path.clone(), target.1));
        }
        let places: BTreeMap<String, usize> =
            package.files.iter().enumerate().map(|(at, file)| (file.path.clone(), at)).collect();
        for (name, root, is_test) in roots {
            let mut target = Target { name: name.clone(), root: root.clone(), members: Vec::new() };
            package.follow(&places, &mut target, places[&root], vec![name], is_test);
            package.targets.push(target);
        }
        let reached: BTreeSet<usize> = package
            .targets
            .iter()
            .flat_map(|target| target.members.iter().map(|member| member.file))
            .collect();
        for (at, file) in package.files.iter().enumerate() {
            if !reached.contains(&at) {
                package.complaints.push(format!("{} is named by no `mod` line", file.path));
            }
        }
        package
    }

    fn follow(
        &mut self,
        places: &BTreeMap<String, usize>,
        target: &mut Target,
        file: usize,
        module: Vec<String>,
        is_test: bool,
    ) {
        let source = &self.files[file];
        let is_test = is_test || source.facts.is_test;
        let (folder, stem) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
        let folder = folder.to_owned();
        let is_root = source.path == target.root || stem == "mod.rs";
        let below = if is_root {
            folder.clone()
        } else {
            format!("{folder}/{}", stem.trim_end_matches(".rs"))
        };
        let declared = source.facts.modules.clone();
        let path = source.path.clone();
        target.members.push(Member { file, module: module.clone(), is_test });
        for it in declared.iter().filter(|it| !it.is_inline) {
            let mut inner = module.clone();
            inner.extend(it.scope.iter().cloned());
            inner.push(it.name.clone());
            let parts = it.scope.iter().chain([&it.name]);
            let place = parts.fold(below.clone(), |place, part| place + "/" + part);
            let candidates = match &it.path {
                Some(given) => vec![format!("{folder}/{given}")],
                None => vec![format!("{place}.rs"), format!("{place}/mod.rs")],
            };
            match candidates.iter().find_map(|candidate| places.get(candidate)) {
                Some(next) => self.follow(places, target, *next, inner, is_test || it.in_test),
                None => {
                    self.complaints.push(format!("{path}: `mod {};` leads to no file", it.name));
                }
            }
        }
    }

    /// The files with code that is not for tests alone, with their modules.
    pub fn code(&self) -> impl Iterator<Item = (&Source, &Member)> {
        let members = self.targets.iter().flat_map(|target| &target.members);
        members.filter(|member| !member.is_test).map(|member| (&self.files[member.file], member))
    }

    /// Whether a file is for tests alone.
    pub fn is_test(&self, file: usize) -> bool {
        let mut members = self.targets.iter().flat_map(|target| &target.members);
        members.all(|member| member.file != file || member.is_test)
    }

    /// The modules right below the root of the library, or of the program if there is no library.
    pub fn top_modules(&self) -> Vec<String> {
        let Some(target) = self.main_target() else { return Vec::new() };
        let root = &self.files[target.members[0].file];
        let modules = root.facts.modules.iter().filter(|it| !it.in_test && it.scope.is_empty());
        modules.map(|it| it.name.clone()).collect()
    }

    /// The library, or the program if there is none.
    pub fn main_target(&self) -> Option<&Target> {
        let is = |end: &str| self.targets.iter().find(|target| target.root.ends_with(end));
        is("/src/lib.rs").or_else(|| is("/src/main.rs"))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A package `crates/x` of some files below `src`.
    pub(in crate::house) fn package(files: &[(&str, &str)]) -> Package {
        let source = |(path, text): &(&str, &str)| Source::new(&format!("crates/x/{path}"), text);
        Package::new("crates/x", files.iter().map(source).collect())
    }

    #[test]
    fn a_file_that_nothing_names_is_complained_of() {
        let package = package(&[
            ("src/lib.rs", "pub mod a;\nmod c;\n#[path = \"odd.rs\"] mod d; mod e { mod f; }"),
            ("src/a/mod.rs", "mod b; // mod lost;"),
            ("src/a/b.rs", ""),
            ("src/a/lost.rs", ""),
            ("src/c.rs", "mod gone;"),
            ("src/odd.rs", ""),
            ("src/e/f.rs", ""),
            ("tests/it/main.rs", "mod found;"),
            ("tests/it/found.rs", "mod below;"),
            ("tests/it/found/below.rs", ""),
            ("tests/it/found/lost.rs", ""),
            ("tests/it/lost.rs", ""),
        ]);
        let expected = [
            "crates/x/src/c.rs: `mod gone;` leads to no file",
            "crates/x/src/a/lost.rs is named by no `mod` line",
            "crates/x/tests/it/found/lost.rs is named by no `mod` line",
            "crates/x/tests/it/lost.rs is named by no `mod` line",
        ];
        assert_eq!(package.complaints, expected);
    }

    #[test]
    fn tests_are_known_by_how_they_are_declared() {
        let package = package(&[
            ("src/lib.rs", "mod a;\n#[cfg(test)] mod docs;"),
            ("src/a.rs", "#[cfg(test)] mod tests;"),
            ("src/a/tests.rs", "mod more;"),
            ("src/a/tests/more.rs", ""),
            ("src/docs.rs", ""),
        ]);
        assert_eq!(package.complaints, [""; 0]);
        let code: Vec<_> = package.code().map(|(file, _)| file.path.as_str()).collect();
        assert_eq!(code, ["crates/x/src/lib.rs", "crates/x/src/a.rs"]);
        assert_eq!(package.top_modules(), ["a"]);
    }
}
