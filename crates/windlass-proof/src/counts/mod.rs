//! Reads what test runners print: how many tests passed, failed and were skipped, and which failed.
//!
//! The runner is recognised by its output, not by the command: `make test` may run several, and each may
//! run several times. All runs in one output are summed. [`read`] never fails, takes time in proportion
//! to the output, and gives
//!
//! - `Some` with all zero where a runner said that there are no tests,
//! - `None` where nothing was recognised, and where a run began and did not end (killed, crashed) unless
//!   failing tests were counted: those are sure, and there may be more.
//!
//! # What a runner's output is worth
//!
//! Tests run in the process that prints, so a test can print what looks like a summary, and one that
//! controls its process can print anything. Two things hold: a summary that reports failing tests is
//! never outdone by another one, before it or after it; and a summary for which no run is seen does not
//! count by itself, but is compared with the run that is seen, and the worse of each number is taken.
//! Counts are evidence next to the exit code, never instead of it.
//!
//! The caller should pass all output that was kept, for a run whose summary was cut off is not counted,
//! and should not use the counts of a check that was ended from outside: some runners (RSpec) end in good
//! order when they are told to terminate, and print a summary of the tests that ran until then.
//!
//! # A new runner
//!
//! is a file with a `Reader`, a line in [`RUNNERS`], and a file in `scripts/lib/runners` that records what the
//! real program prints: the tests read nothing else.

mod cargo_test;
mod ctest;
mod first_error;
mod go_test;
mod gradle;
mod jest;
mod junit;
mod lines;
mod maven;
mod mocha;
mod names;
mod nextest;
mod node_test;
mod phpunit;
mod pytest;
mod rspec;
mod runs;
mod tap;
mod unittest;
mod vitest;

use windlass_core::test_counts::TestCounts;

pub use self::first_error::first_error;
use self::{lines::lines, runs::Reading};

/// A test runner whose output can be read.
pub struct Runner {
    pub name: &'static str,
    pub language: &'static str,
    /// What users should know of its counts; may be empty.
    pub note: &'static str,
    /// The folder of its recordings.
    pub recordings: &'static str,
    reader: fn() -> Box<dyn Reader>,
}

/// Reads the lines of one output, for one runner.
trait Reader {
    /// The next line that is not blank, without colours.
    fn line(&mut self, line: &str);

    fn finish(self: Box<Self>) -> Reading;
}

fn reader<R: Reader + Default + 'static>() -> Box<dyn Reader> {
    Box::new(R::default())
}

/// Every runner that can be read.
pub const RUNNERS: &[Runner] = &[
    Runner {
        name: "cargo test",
        language: "Rust",
        note: "all targets and the tests of the documentation",
        recordings: "cargo-test",
        reader: reader::<cargo_test::CargoTest>,
    },
    Runner {
        name: "cargo nextest",
        language: "Rust",
        note: "a test that timed out or leaked as failure has failed",
        recordings: "nextest",
        reader: reader::<nextest::Nextest>,
    },
    Runner {
        name: "pytest",
        language: "Python",
        note: "errors count as failed, also files that cannot be imported; xfailed as skipped",
        recordings: "pytest",
        reader: reader::<pytest::Pytest>,
    },
    Runner {
        name: "unittest",
        language: "Python",
        note: "errors and unexpected successes count as failed, expected failures as skipped",
        recordings: "unittest",
        reader: reader::<unittest::Unittest>,
    },
    Runner {
        name: "jest",
        language: "JavaScript",
        note: "a file that cannot be run counts as one failed test; todo as skipped",
        recordings: "jest",
        reader: reader::<jest::Jest>,
    },
    Runner {
        name: "vitest",
        language: "JavaScript",
        note: "a file that cannot be run and an unhandled error count as one failed test each",
        recordings: "vitest",
        reader: reader::<vitest::Vitest>,
    },
    Runner {
        name: "mocha",
        language: "JavaScript",
        note: "the reporters `spec` and `dot`; a failing hook counts as one failed test",
        recordings: "mocha",
        reader: reader::<mocha::Mocha>,
    },
    Runner {
        name: "node:test",
        language: "JavaScript",
        note: "the reporter `spec`; `tap` is read as TAP",
        recordings: "node-test",
        reader: reader::<node_test::NodeTest>,
    },
    Runner {
        name: "go test",
        language: "Go",
        note: "without `-v` a package that passes counts as one test, and skipped tests are not seen",
        recordings: "go-test",
        reader: reader::<go_test::GoTest>,
    },
    Runner {
        name: "Maven Surefire",
        language: "Java",
        note: "all modules",
        recordings: "maven",
        reader: reader::<maven::Maven>,
    },
    Runner {
        name: "Gradle",
        language: "Java",
        note: "only where tests fail: Gradle prints no counts when all pass",
        recordings: "gradle",
        reader: reader::<gradle::Gradle>,
    },
    Runner {
        name: "JUnit 4",
        language: "Java",
        note: "its own runner, `JUnitCore`",
        recordings: "junit",
        reader: reader::<junit::JUnit>,
    },
    Runner {
        name: "RSpec",
        language: "Ruby",
        note: "pending examples count as skipped, errors outside of examples as failed",
        recordings: "rspec",
        reader: reader::<rspec::Rspec>,
    },
    Runner {
        name: "PHPUnit",
        language: "PHP",
        note: "errors count as failed, incomplete tests as skipped",
        recordings: "phpunit",
        reader: reader::<phpunit::PhpUnit>,
    },
    Runner {
        name: "ctest",
        language: "C, C++",
        note: "",
        recordings: "ctest",
        reader: reader::<ctest::Ctest>,
    },
    Runner {
        name: "TAP",
        language: "any",
        note: "raw, summed up by `prove`, or with the totals of Node and tape; todo counts as skipped",
        recordings: "tap",
        reader: reader::<tap::Tap>,
    },
];

/// The tests that an output tells of, over all runners and runs; see the module for what `None` means.
pub fn read(output: &str) -> Option<TestCounts> {
    let mut readers: Vec<Box<dyn Reader>> = RUNNERS.iter().map(|it| (it.reader)()).collect();
    for line in lines(output) {
        for reader in &mut readers {
            reader.line(&line);
        }
    }
    let readings: Vec<Reading> = readers.into_iter().map(Reader::finish).collect();
    let is_unfinished = readings.iter().any(|it| it.is_unfinished);
    let counts: Vec<&TestCounts> = readings.iter().filter_map(|it| it.counts.as_ref()).collect();
    if counts.is_empty() {
        return None;
    }
    let sum: TestCounts = counts.into_iter().sum();
    (!is_unfinished || sum.failed > 0).then_some(sum)
}
