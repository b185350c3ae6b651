//! The files that guarded files of a start name: setups and scripts that tests run with.

use std::collections::BTreeSet;

use windlass_proof::guard::{Class, Guard, keys::Kind};
use windlass_system::below::{self, Links, Root};

/// Limits: how many files are read, how large one may be, and how many steps names are followed.
const MOST_FILES: usize = 500;
const MOST: u64 = 256 << 10;
const DEEPEST: usize = 4;

/// What they name, as far as it is not guarded already.
pub(super) fn named(root: &Root, guard: &Guard, files: &[Vec<u8>]) -> BTreeSet<String> {
    let files = files.iter().filter_map(|path| std::str::from_utf8(path).ok());
    let files: BTreeSet<&str> = files.filter(|path| !path.contains("node_modules/")).collect();
    let names = |path: &&&str| match guard.class(path) {
        Class::RunnerConfig => true,
        Class::Shared { kind, .. } => match kind {
            Kind::Make | Kind::Just => true,
            _ => path.ends_with("package.json"),
        },
        Class::Test | Class::Program | Class::Watched | Class::Free => false,
    };
    let mut open: Vec<String> = files.iter().filter(names).map(|path| (*path).to_owned()).collect();
    open.truncate(MOST_FILES);
    let mut found = BTreeSet::new();
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for path in std::mem::take(&mut open) {
            let Ok(bytes) = below::read(root, path.as_bytes(), Links::Refused, MOST) else {
                continue;
            };
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            let named = guard.named_by(&path, text, &files);
            let is_new = |path: &String| {
                let class = guard.class(path);
                matches!(class, Class::Free | Class::Watched | Class::Test)
                    && !guard.is_released(path)
            };
            next.extend(named.into_iter().filter(is_new).filter(|it| found.insert(it.clone())));
        }
        open = next;
    }
    found
}
