//! What is guarded, as data: one table for each language. A pattern without a slash at its start means
//! the tree's root; `**/` means any directory.

mod anywhere;
mod c;
mod go;
mod java;
mod javascript;
mod php;
mod python;
mod ruby;
mod rust;
mod shell;

use super::keys::Kind;

/// What is known about the tests of one language.
#[derive(Debug)]
pub(super) struct Language {
    pub name: &'static str,
    /// Test files.
    pub tests: &'static [&'static str],
    /// Files that decide which tests run, and how.
    pub runners: &'static [&'static str],
    /// Programs that a check may find before those of the machine.
    pub programs: &'static [&'static str],
    /// Files of which some keys decide which tests run.
    pub shared: &'static [Shared],
    /// Snapshots and fixtures: a change is a doubt, also where a test pattern matches.
    pub watched: &'static [&'static str],
    /// Files that say how to build and to test at once and cannot be taken apart: a change is a doubt.
    pub builds: &'static [&'static str],
    /// Files that count only if the agent added them, and why.
    pub added: &'static [(&'static str, &'static str)],
}

/// A file of which only some keys are guarded.
#[derive(Debug)]
pub(super) struct Shared {
    pub files: &'static [&'static str],
    pub kind: Kind,
    /// Empty where the checks tell them: the goals of make and just.
    pub keys: &'static [&'static str],
    pub when_added: WhenAdded,
}

/// What it means that the agent added a shared file where there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhenAdded {
    /// Tests ran without it: its guarded keys are taken out.
    Stripped,
    /// It may be what the task asks for; a check that needs it is one that the agent wrote.
    Written,
}

/// Directories of what is installed, and of what Python compiled. Nothing there is a test of this project;
/// programs are guarded, and what runs before every program of Python.
pub(super) static INSTALLED: [&str; 7] = [
    "**/node_modules/**",
    "**/.venv/**",
    "**/venv/**",
    "**/.tox/**",
    "**/.nox/**",
    "**/__pycache__/**",
    "vendor/**",
];

/// Runner configuration also there: what runs before every program, and the packages that tests are run
/// and judged by.
pub(super) static INSTALLED_RUNNERS: [&str; 7] = [
    "**/*.pth",
    "**/sitecustomize.py",
    "**/usercustomize.py",
    "**/node_modules/{vitest,vite,vite-node,jest,jest-*,expect,babel-jest,ts-jest,mocha,chai,chai-*,jasmine,jasmine-core,\
     ava,tap,tape,uvu,sinon,should,power-assert,c8,nyc,tsx,ts-node}/**/*.{js,cjs,mjs,json}",
    "**/node_modules/{@vitest,@jest,@swc,@tapjs,@testing-library,@sinonjs,@playwright}/**/*.{js,cjs,mjs,json}",
    "vendor/github.com/{stretchr/testify,google/go-cmp,onsi,smartystreets,smarty,frankban/quicktest,matryer/is,\
     golang/mock}/**",
    "vendor/{gotest.tools,go.uber.org/mock,gopkg.in/check.v1}/**",
];

/// A language of which nothing is known: tables name only what they have.
const NONE: Language = Language {
    name: "",
    tests: &[],
    runners: &[],
    programs: &[],
    shared: &[],
    watched: &[],
    builds: &[],
    added: &[],
};

/// All tables.
pub(super) static LANGUAGES: [&Language; 10] = [
    &anywhere::TABLE,
    &rust::TABLE,
    &python::TABLE,
    &javascript::TABLE,
    &go::TABLE,
    &java::TABLE,
    &ruby::TABLE,
    &php::TABLE,
    &c::TABLE,
    &shell::TABLE,
];

#[cfg(test)]
mod tests;
