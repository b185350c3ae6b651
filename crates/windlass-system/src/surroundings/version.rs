//! The version of an installed program, read from where it is installed: the program is not run.

use std::{
    fs::File,
    io::Read,
    path::{Component, Path},
};

/// How many directories above a program its package is looked for.
const HIGHEST: usize = 4;
/// How much of a package's description is read.
const LONGEST: u64 = 64 * 1024;

/// The version of the program at a path: what its npm package says, or a directory or file named
/// after a version that the path leads to.
pub fn version_of(program: &Path) -> Option<String> {
    let program = program.canonicalize().ok()?;
    of_package(&program).or_else(|| of_path(&program))
}

fn of_package(program: &Path) -> Option<String> {
    let packages = program.ancestors().skip(1).take(HIGHEST);
    let package = packages.map(|place| place.join("package.json")).find(|file| file.is_file())?;
    // A package that nobody installed is a project that somebody works on.
    package.components().any(|part| part.as_os_str() == "node_modules").then_some(())?;
    let mut text = String::new();
    File::open(package).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    let version = package.get("version")?.as_str()?;
    is_version(version).then(|| version.to_owned())
}

/// The last part of a path that is a version, as in `…/versions/2.1.197`.
fn of_path(program: &Path) -> Option<String> {
    let names = program.components().rev().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    names.take(HIGHEST).find(|name| is_version(name)).map(str::to_owned)
}

/// `2.1.197`, `0.61.0-preview.1`: three numbers first.
fn is_version(text: &str) -> bool {
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= 40 && numbers.split('.').count() == 3 && numbers.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_version_comes_from_the_package_or_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let package = root.join("lib/node_modules/@anthropic-ai/claude-code");
        fs::create_dir_all(package.join("bin")).unwrap();
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::write(package.join("package.json"), r#"{"version": "2.1.197"}"#).unwrap();
        fs::write(package.join("bin/claude.exe"), "").unwrap();
        symlink(package.join("bin/claude.exe"), root.join("bin/claude")).unwrap();
        assert_eq!(version_of(&root.join("bin/claude")).as_deref(), Some("2.1.197"));
        let native = root.join("share/claude/versions/2.1.198");
        fs::create_dir_all(native.parent().unwrap()).unwrap();
        fs::write(&native, "").unwrap();
        assert_eq!(version_of(&native).as_deref(), Some("2.1.198"));
        fs::write(root.join("bin/other"), "").unwrap();
        assert_eq!(version_of(&root.join("bin/other")), None);
        assert_eq!(version_of(&root.join("bin/none")), None);
    }
}
