//! The story of the demo: a repository with a failing test, and what its agent does, session by session.

use std::{fs, io, path::Path};

pub(super) const PROMPT: &str =
    "Make the test in tests/sum.sh pass: `sh sum.sh A B` prints the sum of A and B.";

pub(super) const CHECK: &str = "sh tests/sum.sh";

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

/// What the agent does. `{pause}` gives people time to read what was just explained.
const SCRIPT: &str = r#"# What the agent of the demo does, session by session.
sleep {pause}
say I make sum.sh print what the first line of the test asks for.
write sum.sh # Prints the sum of two numbers.\necho 4\n
say The test passes now. I am done.
say <promise>COMPLETE</promise>
next
sleep {pause}
say The test asks for too much. I keep the line of it that passes.
write tests/sum.sh # Runs sum.sh.\n[ "$(sh sum.sh 2 2)" = 4 ] && echo "sum.sh 2 2: ok"\n
say The test passes now. I am done.
say <promise>COMPLETE</promise>
next
sleep {pause}
say I put the test back as it was, and make sum.sh add.
write sum.sh # Prints the sum of two numbers.\necho $(($1 + $2))\n
{test}
say Now sum.sh adds, whatever the numbers are.
say <promise>COMPLETE</promise>
"#;

/// Writes the repository and the agent's script.
pub(super) fn write(repository: &Path, script: &Path, pause: &str) -> io::Result<()> {
    fs::create_dir_all(repository.join("tests"))?;
    fs::write(repository.join("README.md"), README)?;
    fs::write(repository.join("sum.sh"), SUM)?;
    fs::write(repository.join("tests/sum.sh"), TEST)?;
    let escaped = TEST.replace('\\', "\\\\").replace('\n', "\\n");
    let put_back = format!("write tests/sum.sh {escaped}");
    fs::write(script, SCRIPT.replace("{pause}", pause).replace("{test}", &put_back))
}
