//! Turns what changed in the work tree into a git tree, with one call of git.
//!
//! The bytes are read here and handed to `git fast-import`, which neither knows the work tree nor
//! converts anything: no attribute, filter or index has a part in it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    Tree, TreeError,
    listing::{RawPath, join, split},
    own::quote,
    present::{Names, Present},
    reading::{Changes, Write},
    repository::object_id,
    snapshot::Memory,
};

/// The tree that was last written, and what is in it.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) tree: Option<String>,
    pub(super) files: Names,
    pub(super) links: BTreeMap<RawPath, String>,
}

/// What the next tree has and has not, against the last one.
#[derive(Debug)]
pub(super) struct Delta {
    /// The names in the directories that were compared.
    files: Names,
    links: BTreeMap<RawPath, String>,
    gone: Vec<RawPath>,
}

impl Recorded {
    /// What is to be done to the last tree.
    pub(super) fn delta(
        &self,
        present: Present,
        links: BTreeMap<RawPath, String>,
        changes: &Changes,
    ) -> Delta {
        let mut files = present.files;
        for path in &changes.missing {
            let (parent, name) = split(path);
            files.get_mut(parent).map(|names| names.remove(name));
        }
        let mut gone = Vec::new();
        for (dir, names) in &files {
            let before = self.files.get(dir).into_iter().flatten();
            gone.extend(before.filter(|name| !names.contains(*name)).map(|name| join(dir, name)));
        }
        gone.extend(self.links.keys().filter(|path| !links.contains_key(*path)).cloned());
        gone.sort();
        Delta { files, links, gone }
    }

    /// Takes over what a new tree holds.
    pub(super) fn apply(&mut self, tree: String, delta: Delta) {
        self.tree = Some(tree);
        self.links = delta.links;
        for (dir, names) in delta.files {
            if names.is_empty() {
                self.files.remove(&dir);
            } else {
                self.files.insert(dir, names);
            }
        }
    }

    fn stream(&self, delta: &Delta, changes: &Changes, ids: &Ids<'_>) -> Vec<u8> {
        let mut stream = b"commit refs/windlass/tree\n\
            committer windlass <windlass@localhost> 0 +0000\ndata 0\n"
            .to_vec();
        if let Some(tree) = &self.tree {
            stream.extend(format!("M 040000 {tree} \"\"\n").bytes());
        }
        // What goes comes first: a file may take the place of a directory.
        for path in &delta.gone {
            line(&mut stream, b"D ", path);
        }
        for (path, id) in &delta.links {
            line(&mut stream, format!("M 160000 {id} ").as_bytes(), path);
        }
        for (path, write) in changes.writes() {
            match write {
                Write::Bytes(mode, bytes) => {
                    line(&mut stream, format!("M {mode} inline ").as_bytes(), path);
                    stream.extend(format!("data {}\n", bytes.len()).bytes());
                    stream.extend_from_slice(bytes);
                    stream.push(b'\n');
                }
                Write::File(mode, _) => {
                    if let Some(id) = ids.get(path.as_slice()) {
                        line(&mut stream, format!("M {mode} {id} ").as_bytes(), path);
                    }
                }
            }
        }
        stream.extend(b"ls \"\"\ndone\n");
        stream
    }
}

/// The ids of files whose content is in the store, by path.
type Ids<'a> = BTreeMap<&'a [u8], Cow<'a, str>>;

impl Tree {
    /// The tree as it is now, written if it is another than the last.
    pub(super) async fn write_tree(
        &self,
        memory: &mut Memory,
        delta: &Delta,
        changes: &Changes,
    ) -> Result<String, TreeError> {
        let last = &memory.recorded;
        let is_same =
            changes.writes().next().is_none() && delta.gone.is_empty() && last.links == delta.links;
        if let (true, Some(tree)) = (is_same, &last.tree) {
            return Ok(tree.clone());
        }
        let ids = self.store_files(changes, memory).await?;
        let call = self.own.stored().args(["fast-import", "--quiet", "--force", "--done"]);
        let call = call.stdin(memory.recorded.stream(delta, changes, &ids));
        let output = self.git.run(call).await?;
        tree_id(&output.stdout).ok_or(TreeError::NoTree)
    }

    /// Has the files in the store that are too much for a stream.
    async fn store_files<'a>(
        &self,
        changes: &'a Changes,
        memory: &mut Memory,
    ) -> Result<Ids<'a>, TreeError> {
        let mut ids = Ids::new();
        let mut sizes = BTreeMap::new();
        let mut unknown: Vec<&[u8]> = Vec::new();
        for (path, write) in changes.writes() {
            let Write::File(_, object) = write else { continue };
            match &object.id {
                Some(id) => {
                    sizes.insert(id.clone(), object.size);
                    ids.insert(path, Cow::Borrowed(id));
                }
                None => unknown.push(path),
            }
        }
        if ids.is_empty() && unknown.is_empty() {
            return Ok(ids);
        }
        let missing = self.collect(&sizes, memory).await?;
        unknown.extend(first_of_each(&ids, missing));
        ids.extend(self.hash_files(unknown).await?);
        Ok(ids)
    }

    /// Lets git read files and write their objects.
    async fn hash_files<'a>(&self, paths: Vec<&'a [u8]>) -> Result<Ids<'a>, TreeError> {
        if paths.is_empty() {
            return Ok(Ids::new());
        }
        let mut names = Vec::new();
        for path in &paths {
            quote(&mut names, path);
            names.push(b'\n');
        }
        let call = self.own.stored().in_directory(&self.repository.top);
        let call = call.args(["hash-object", "-w", "--no-filters", "--stdin-paths"]);
        let output = self.git.run(call.stdin(names)).await?;
        let ids = output.stdout.split(|byte| *byte == b'\n').filter_map(object_id).map(Cow::Owned);
        let ids: Ids<'a> = paths.iter().copied().zip(ids).collect();
        if ids.len() == paths.len() { Ok(ids) } else { Err(TreeError::NoTree) }
    }
}

/// A path for each of the objects.
fn first_of_each<'a>(ids: &Ids<'a>, mut objects: BTreeSet<String>) -> Vec<&'a [u8]> {
    ids.iter().filter(|(_, id)| objects.remove(&***id)).map(|(path, _)| *path).collect()
}

fn line(stream: &mut Vec<u8>, verb: &[u8], path: &[u8]) {
    stream.extend_from_slice(verb);
    quote(stream, path);
    stream.push(b'\n');
}

fn tree_id(output: &[u8]) -> Option<String> {
    let rest = output.strip_prefix(b"040000 tree ")?;
    object_id(rest.split(|byte| *byte == b'\t').next()?)
}
