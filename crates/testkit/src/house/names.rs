//! What a path means: imports, renames, globs and re-exports are followed through all packages.

use std::collections::{BTreeMap, BTreeSet};

use super::package::{Member, Package};
use crate::source::{
    Source,
    facts::{How, Mention},
};

/// How far imports are followed.
const DEEPEST: usize = 12;

/// A path in full: the crate first. `std::fs` is two segments.
pub type FullPath = Vec<String>;

/// Which names each module has.
#[derive(Clone, Debug, Default)]
pub struct Names {
    modules: BTreeMap<FullPath, Scope>,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    imports: BTreeMap<String, BTreeSet<Vec<String>>>,
    globs: Vec<Vec<String>>,
    /// Modules and items that are defined here.
    own: BTreeSet<String>,
}

impl Names {
    /// The names of some packages. What is for tests alone is left out.
    pub fn new(packages: &[Package]) -> Self {
        let mut names = Self::default();
        for (source, member) in packages.iter().flat_map(Package::code) {
            names.add(source, member);
        }
        names
    }

    fn add(&mut self, source: &Source, member: &Member) {
        let facts = &source.facts;
        self.modules.entry(member.module.clone()).or_default();
        for it in facts.modules.iter().filter(|it| !it.in_test) {
            let module = [member.module.as_slice(), &it.scope].concat();
            self.modules.entry(module.clone()).or_default().own.insert(it.name.clone());
            let inner = [module.as_slice(), std::slice::from_ref(&it.name)].concat();
            self.modules.entry(inner).or_default();
        }
        for it in facts.items.iter().filter(|it| !it.in_test) {
            let module = [member.module.as_slice(), &it.scope].concat();
            self.modules.entry(module).or_default().own.insert(it.name.clone());
        }
        for it in facts.mentions.iter().filter(|it| !it.in_test) {
            let scope = self.modules.entry(scope_of(member, it)).or_default();
            match &it.how {
                How::Import { name, .. } => {
                    scope.imports.entry(name.clone()).or_default().insert(it.path.clone());
                }
                How::Glob { .. } => scope.globs.push(it.path.clone()),
                How::Plain | How::Macro | How::Built => {}
            }
        }
    }

    /// Whether this is a module of ours.
    pub fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains_key(path)
    }

    /// All that a mention may mean.
    pub fn meanings(&self, member: &Member, mention: &Mention) -> BTreeSet<FullPath> {
        let at = scope_of(member, mention);
        match mention.how {
            // What is imported does not depend on what it is called here.
            How::Import { .. } | How::Glob { .. } => self.imported(&at, &mention.path, DEEPEST),
            _ => self.resolve(&at, &mention.path, DEEPEST),
        }
    }

    /// What the path of a `use` means: its own name must not lead back to it.
    fn imported(&self, at: &[String], path: &[String], depth: usize) -> BTreeSet<FullPath> {
        let first = path.first().map(String::as_str).unwrap_or_default();
        let binds_itself = self.modules.get(at).is_some_and(|scope| {
            let same = scope.imports.get(first);
            same.is_some_and(|paths| paths.len() == 1 && paths.contains(path))
        });
        if binds_itself { BTreeSet::from([path.to_vec()]) } else { self.resolve(at, path, depth) }
    }

    fn resolve(&self, at: &[String], path: &[String], depth: usize) -> BTreeSet<FullPath> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        let start = match first.as_str() {
            "" => return self.walk(rest, depth),
            "crate" => at[..1].to_vec(),
            "self" => at.to_vec(),
            "super" => {
                let mut up = at.to_vec();
                let mut rest = path;
                while let Some(("super", after)) =
                    rest.split_first().map(|(first, after)| (first.as_str(), after))
                {
                    up.truncate(up.len().saturating_sub(1).max(1));
                    rest = after;
                }
                return self.below(BTreeSet::from([up]), rest, depth);
            }
            name => {
                let found = self.lookup(at, name, depth);
                let found = if found.is_empty() { self.walk(&path[..1], depth) } else { found };
                return self.below(found, rest, depth);
            }
        };
        self.below(BTreeSet::from([start]), rest, depth)
    }

    /// A path from outside: the first segment is a crate.
    fn walk(&self, path: &[String], depth: usize) -> BTreeSet<FullPath> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        self.below(BTreeSet::from([vec![first.clone()]]), rest, depth)
    }

    fn below(
        &self,
        mut found: BTreeSet<FullPath>,
        rest: &[String],
        depth: usize,
    ) -> BTreeSet<FullPath> {
        for segment in rest {
            let mut next = BTreeSet::new();
            for base in found {
                let inner = if self.is_module(&base) {
                    self.lookup(&base, segment, depth)
                } else {
                    BTreeSet::new()
                };
                if inner.is_empty() {
                    next.insert([base.as_slice(), std::slice::from_ref(segment)].concat());
                } else {
                    next.extend(inner);
                }
            }
            found = next;
        }
        found
    }

    /// What a name means in a module; nothing if it is not one of it.
    fn lookup(&self, at: &[String], name: &str, depth: usize) -> BTreeSet<FullPath> {
        let mut found = BTreeSet::new();
        let (Some(scope), Some(depth)) = (self.modules.get(at), depth.checked_sub(1)) else {
            return found;
        };
        if scope.own.contains(name) {
            found.insert([at, &[name.to_owned()]].concat());
        }
        for path in scope.imports.get(name).into_iter().flatten() {
            let leads_back = path.first().is_some_and(|first| first == name);
            found.extend(if leads_back {
                self.walk(path, depth)
            } else {
                self.resolve(at, path, depth)
            });
        }
        if found.is_empty() {
            for glob in &scope.globs {
                for module in self.imported(at, glob, depth) {
                    if module != at {
                        found.extend(self.lookup(&module, name, depth));
                    }
                }
            }
        }
        found
    }
}

/// The module in which something is mentioned.
pub fn scope_of(member: &Member, mention: &Mention) -> FullPath {
    [member.module.as_slice(), &mention.scope].concat()
}

#[cfg(test)]
mod tests {
    use super::{super::package::tests::package, *};

    /// What the last path means that `src/a/b.rs` names.
    #[track_caller]
    fn check(text: &str, meaning: &str) {
        let package = package(&[
            ("src/lib.rs", "mod a; mod c; pub use c::Thing; pub use std::process::Command as Cmd;"),
            ("src/a/mod.rs", "mod b; use std::{env, fs as files};"),
            ("src/a/b.rs", text),
            ("src/c.rs", "pub struct Thing; pub use std::net;"),
        ]);
        let names = Names::new(std::slice::from_ref(&package));
        let (source, member) = package.code().find(|(it, _)| it.path.ends_with("/b.rs")).unwrap();
        let mention = source.facts.mentions.last().unwrap();
        let found: Vec<String> =
            names.meanings(member, mention).iter().map(|path| path.join("::")).collect();
        assert_eq!(found, [meaning], "{text}");
    }

    #[test]
    fn a_path_is_followed_to_what_it_means() {
        check("use crate::c::Thing;", "x::c::Thing");
        check("fn f() { super::super::c::Thing::new() }", "x::c::Thing::new");
        check("use crate::Thing;", "x::c::Thing");
        check("use crate::Thing as T; fn f() { T::new() }", "x::c::Thing::new");
        check("mod inner { fn f() { super::super::super::c::g() } }", "x::c::g");
        check("fn f() { g::h() }", "g::h");
        check("fn f() {} fn g() { self::f() }", "x::a::b::f");
    }

    #[test]
    fn a_path_out_of_the_workspace_is_known_under_any_name() {
        check("use std as s; fn f() { s::fs::read() }", "std::fs::read");
        check("use std::process; fn f() { process::Command::new() }", "std::process::Command::new");
        check("use super::*; fn f() { env::var() }", "std::env::var");
        check("use super::files; fn f() { files::read() }", "std::fs::read");
        check("fn f() { super::files::read() }", "std::fs::read");
        check("fn f() { crate::c::net::bind() }", "std::net::bind");
        check("fn f() { crate::Cmd::new() }", "std::process::Command::new");
        check("use tokio::{self}; fn f() { tokio::spawn() }", "tokio::spawn");
        check("fn f() { ::std::fs::read() }", "std::fs::read");
    }
}
