//! `windlass demo`: a whole loop in a throw-away repository, with an agent that plays a script.

use std::{fs, io, path::Path};

use clap::ArgMatches;
use windlass::{Loop, found_repository, kind::iterate::Options, system::GuardianProgram};

use super::{block_on, loops};
use crate::{
    args,
    config::notify_anew,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    report::OutputArgs,
};

/// Watch a whole loop in a minute, without an agent or a key
///
/// Creates a small repository with a failing test in a temporary directory, and has a scripted
/// agent fix it: it claims to be done too early once, and windlass rejects that.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass demo
  windlass demo -v        with the agent's output";

const PROMPT: &str =
    "Make the test in tests/sum.sh pass: `sh sum.sh A B` prints the sum of A and B.";

const README: &str = "# sum\n\nA shell script that adds. Its test fails: `sh tests/sum.sh`\n";

const SUM: &str = "# Prints the sum of two numbers.\necho \"$1 + $2\"\n";

const TEST: &str = r#"# Runs sum.sh on a few numbers.
check() {
    found=$(sh sum.sh "$1" "$2")
    if [ "$found" != "$3" ]; then
        echo "sum.sh $1 $2: expected $3, found $found"
        exit 1
    fi
    echo "sum.sh $1 $2: ok"
}
check 2 2 4
check 20 22 42
check 0 7 7
"#;

const SCRIPT: &str = r#"# What the agent of the demo does, session by session.
say I look at the test first: sum.sh prints its numbers and does not add them.
say I write down what I found, and fix it next.
sleep 600ms
append README.md \nTo do: sum.sh must add, for numbers of any size.\n
next
say I make sum.sh print what the first line of the test asks for.
sleep 600ms
write sum.sh # Prints the sum of two numbers.\necho 4\n
say The test passes now. I am done.
say <promise>COMPLETE</promise>
next
say The claim was not believed, and rightly so: 20 and 22 are not 4.
sleep 600ms
write sum.sh # Prints the sum of two numbers.\necho $(($1 + $2))\n
say Now sum.sh adds, whatever the numbers are.
say <promise>COMPLETE</promise>
"#;

const CHECK: &str = "sh tests/sum.sh";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let directory =
        tempfile::Builder::new().prefix("windlass-demo-").tempdir().map_err(cannot_write)?.keep();
    let repository = directory.join("sum");
    let script = directory.join("agent.script");
    write(&repository, &script).map_err(cannot_write)?;
    // Without git the demo works too, and says what is missing then.
    block_on(found_repository(
        &GuardianProgram::ThisProgram,
        app.environment.all().clone(),
        &repository,
    ))??;
    app.printer.hint(&format!("the demo works in {}", repository.display()));
    let screen = args.output.screen(app)?;

    let command = args::command();
    let command = command.find_subcommand("demo").expect("demo is a command");
    let notify = notify_anew(&app.layers()?, "iterate", command, matches)?;
    let mut options = Options::new(PROMPT);
    options.common.agent.agent = Some("scripted".to_owned());
    options.common.agent.script = Some(script);
    options.common.rules.max_iterations = 5;
    let programs = std::sync::Arc::default();
    let app = App { directory: repository, programs, ..app.clone() };
    loops::run(&app, Loop::iterate(options).check(CHECK), &screen, &notify)
}

fn write(repository: &Path, script: &Path) -> io::Result<()> {
    fs::create_dir_all(repository.join("tests"))?;
    fs::write(repository.join("README.md"), README)?;
    fs::write(repository.join("sum.sh"), SUM)?;
    fs::write(repository.join("tests/sum.sh"), TEST)?;
    fs::write(script, SCRIPT)
}

fn cannot_write(error: io::Error) -> Failure {
    Failure::because(Kind::Setup, "the demo's repository could not be made", error)
}
