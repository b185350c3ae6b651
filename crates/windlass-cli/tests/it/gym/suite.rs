//! Test suites of the gym: small shell programs under the names of real test runners, which print what
//! those print for the state of the files. Recordings of the real ones are in `windlass-proof`; what
//! windlass reads in these is the test in `suites.rs`.

use super::language::Language;

mod printed;

/// A suite with a test for each part, which passes where the part's source is as it should be. Its times, ids
/// and order come from the number of the run, which it counts outside of the tree: another run of the gym
/// sees the same.
#[derive(Clone, Debug)]
pub(super) struct Suite {
    language: Language,
    names: Vec<&'static str>,
    /// The file of the part `$test`, as the shell has it.
    file: String,
    form: Form,
}

/// How much a suite tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Each failing test.
    Names,
    /// How many tests fail.
    Numbers,
    /// Each failing test, after 40 KB of timings that are never the same.
    Noise,
    /// Each failing test, in another order each time, with other ids.
    Shuffled,
    /// One test that needs all parts.
    EndToEnd,
}

impl Suite {
    /// A suite that names each test that fails.
    pub(super) fn of(language: Language, names: &[&'static str]) -> Self {
        let file = format!("src/$test.{}", language.extension());
        Self { language, names: names.to_vec(), file, form: Form::Names }
    }

    /// All parts stand below this folder.
    pub(super) fn below(mut self, folder: &str) -> Self {
        self.file = format!("{folder}/$test.{}", self.language.extension());
        self
    }

    /// All parts stand in this file.
    pub(super) fn in_one(mut self, file: &str) -> Self {
        self.file = file.to_owned();
        self
    }

    /// Tells only how many tests fail.
    pub(super) fn tells_numbers(mut self) -> Self {
        self.form = Form::Numbers;
        self
    }

    /// Prints 40 KB of timings before it tells what fails.
    pub(super) fn noisy(mut self) -> Self {
        self.form = Form::Noise;
        self
    }

    /// Runs its tests in another order each time.
    pub(super) fn shuffled(mut self) -> Self {
        self.form = Form::Shuffled;
        self
    }

    /// Has one test, which fails until all parts are in.
    pub(super) fn end_to_end(mut self) -> Self {
        self.form = Form::EndToEnd;
        self
    }

    /// The command of the check.
    pub(super) fn command(&self) -> &'static str {
        match self.language {
            Language::Python => "pytest",
            Language::Rust => "cargo test",
            Language::Go => "go test -v ./...",
            Language::JavaScript => "npx jest",
        }
    }

    /// The name of the program that the check runs.
    pub(super) fn program(&self) -> &'static str {
        self.command().split(' ').next().expect("a command has a program")
    }

    /// Whether all is as it should be, as the shell finds out.
    pub(super) fn is_done(&self) -> String {
        let Self { names, file, .. } = self;
        let names = names.join(" ");
        format!("for test in {names}; do grep -qs \"\\\"$test\\\"\" {file} || exit 1; done")
    }

    /// The same without a word of which part is missing.
    pub(super) fn silently(&self) -> String {
        let Self { names, file, .. } = self;
        let names = names.join(" ");
        format!(
            "for test in {names}; do grep -qs \"\\\"$test\\\"\" {file} || {{ echo 'not complete'; \
             exit 1; }}; done"
        )
    }

    /// The program itself.
    pub(super) fn body(&self) -> String {
        let (names, file) = (self.names.join(" "), &self.file);
        let order = match self.form {
            Form::EndToEnd => {
                "if [ -z \"$failed\" ]; then passed=end_to_end; else passed=; failed=end_to_end; fi\n"
            }
            Form::Shuffled => {
                "set -- $failed; at=0\n\
                 while [ $at -lt $runs ]; do at=$((at + 1)); set -- \"$@\" \"$1\"; shift; done\n\
                 failed=$*\n"
            }
            Form::Names | Form::Numbers | Form::Noise => "",
        };
        let noise = if self.form == Form::Noise { printed::NOISE } else { "" };
        let report = match (self.language, self.form == Form::Numbers) {
            (Language::Python, false) => printed::PYTEST,
            (Language::Python, true) => printed::PYTEST_NUMBERS,
            (Language::Rust, false) => printed::CARGO_TEST,
            (Language::Rust, true) => printed::CARGO_TEST_NUMBERS,
            (Language::Go, false) => printed::GO_TEST,
            (Language::Go, true) => printed::GO_TEST_NUMBERS,
            (Language::JavaScript, false) => printed::JEST,
            (Language::JavaScript, true) => printed::JEST_NUMBERS,
        };
        format!(
            "echo x >> ../tmp/suite-runs; runs=$(wc -l < ../tmp/suite-runs)\n\
             passed=; failed=\nfor test in {names}; do\n  if grep -qs \"\\\"$test\\\"\" {file}\n  \
             then passed=\"$passed $test\"; else failed=\"$failed $test\"; fi\ndone\n{order}\
             set -- $passed; good=$#\nset -- $failed; bad=$#\ntime=0.$((runs * 37 % 90 + 10))\n\
             id=$(printf %08x $((runs * 2654435761 % 4294967296)))\n{noise}{report}\n[ $bad = 0 ]"
        )
    }
}
