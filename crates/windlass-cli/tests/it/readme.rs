//! Every command in README.md and the pages for newcomers is run as a newcomer would: in order, in one shell,
//! with agents that speak as the real ones do.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{fs, path::Path};

use testkit::Env;

use crate::world;

/// What an agent of these pages does: it does the work, and speaks as Claude Code does.
const CLAUDE: &str = r#"
case "$*" in
*--version*) echo '2.1.0 (Claude Code)'; exit 0 ;;
*auth*) echo '{"loggedIn": true}'; exit 0 ;;
esac
cat > /dev/null
printf 'echo $(($1 + $2))\n' > sum.sh
text='Fixed.\n\n<promise>COMPLETE</promise>'
printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$text"
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.02,"usage":{"input_tokens":900,"output_tokens":40}}\n' "$text"
"#;

/// The commands of the blocks that are marked `console`.
fn commands(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ "));
    lines.map(|line| line.split(" # ").next().unwrap_or(line).trim().to_owned()).collect()
}

/// A repository as the pages assume one: a script with a failing test, and agents that are installed.
pub(crate) fn repository() -> Env {
    let env = world().with_baselines();
    env.write("sum.sh", "echo \"$1 + $2\"\n");
    env.write("tests/all.sh", "test \"$(sh sum.sh 20 22)\" = 42\n");
    env.write("Makefile", "test:\n\tsh tests/all.sh\n");
    env.git(["add", "."]);
    env.git(["commit", "-qm", "a script that should add"]);
    for agent in ["claude", "my-agent"] {
        drop(env.install(agent, CLAUDE));
    }
    drop(env.install("windlass", &format!("exec {} \"$@\"", env.program().display())));
    env
}

/// A repository with a loop `brave-otter`, as pages about loops assume one, that a rule stopped.
fn stopped() -> Env {
    let env = repository();
    let call = ["iterate", "-p", "Make it pass.", "--name", "brave-otter", "-c", "true"];
    env.command(call).args(["--check", "false"]).run().code(3);
    env
}

/// Runs the commands of a page in one shell. None may be refused, find nothing, or break.
fn runs(page: &str) {
    runs_in(&repository(), page);
}

fn runs_in(env: &Env, page: &str) {
    let commands = commands(page);
    assert!(!commands.is_empty(), "{page} has no commands");
    let mut script = String::new();
    for command in &commands {
        let shown = shell_words::quote(command);
        script += &format!(
            "echo \"$\" {shown}\n{command}\ncode=$?\n\
             case $code in 2|4|6|70|126|127) echo \"exit $code\"; exit 99 ;; esac\n"
        );
    }
    let ran = env.other("sh", ["-c", &script]).run();
    assert_eq!(ran.code, Some(0), "{page}\n{ran}");
}

#[test]
fn the_commands_of_the_readme_work_as_printed() {
    runs("README.md");
}

#[test]
fn the_tutorial_works_as_printed() {
    runs("docs/tutorial.md");
}

#[test]
fn the_commands_for_a_night_work_as_printed() {
    runs("docs/overnight.md");
}

#[test]
fn the_page_on_init_works_as_printed() {
    runs("docs/init.md");
}

#[test]
fn the_page_on_reports_works_as_printed() {
    runs_in(&stopped(), "docs/report.md");
}

#[test]
fn the_page_on_rules_works_as_printed() {
    runs_in(&stopped(), "docs/rules.md");
}
