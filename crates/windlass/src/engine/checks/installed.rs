//! Asks the shell that runs checks which commands it knows, where and as it will run them.

use std::{path::PathBuf, time::Duration};

use windlass_core::process::ProcessSpec;
use windlass_repo::tree::Who;
use windlass_system::process::{Output, StartError};

use crate::{engine::LoopError, perform::Worker};

/// How long the answer may take: a container has to be reached for it.
const LIMIT: Duration = Duration::from_secs(60);

/// How much of the answer is read.
const MOST: usize = 16 * 1024;

/// Takes directories and words in turn, and prints a line for each pair.
const ASK: &str = r#"while [ $# -gt 1 ]; do
case $2 in
*/*) (cd -- "$1" && [ -x "$2" ]) ;;
*) (cd -- "$1" && command -v -- "$2") ;;
esac >/dev/null 2>&1 && echo yes || echo no
shift 2
done"#;

/// Which of these words are commands to the shell that runs checks, each in its directory.
pub(super) async fn installed(
    worker: &Worker,
    asked: Vec<(PathBuf, String)>,
) -> Result<Vec<bool>, LoopError> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let count = asked.len();
    let mut args = vec!["-c".into(), ASK.into(), "sh".into()];
    for (directory, word) in asked {
        args.extend([directory.into_os_string(), word.into()]);
    }
    let spec = ProcessSpec {
        program: worker.trusted.shell()?.into(),
        args,
        env: worker.env.clone().into_iter().collect(),
        directory: worker.directory.clone(),
        stdin: Vec::new(),
    };
    let private = worker.tree.as_ref().filter(|_| worker.sandboxes.lead().has_private_git());
    if let Some(tree) = private {
        tree.enter_private(Who::Check).await?;
    }
    let answer = run(worker, spec).await;
    if let Some(tree) = private {
        tree.leave_private(Who::Check).await?;
    }
    read(&answer?, count)
}

async fn run(worker: &Worker, spec: ProcessSpec) -> Result<Output, StartError> {
    let sandbox = worker.sandboxes.lead();
    let (spec, _, visit) = sandbox.wrap(spec, &[]).await?.into_parts();
    let answer = worker.guardian.output(spec, LIMIT, MOST).await;
    sandbox.settle(visit).await?;
    answer
}

fn read(answer: &Output, count: usize) -> Result<Vec<bool>, LoopError> {
    let text = String::from_utf8_lossy(&answer.stdout);
    let known: Vec<bool> = text.lines().map(|line| line == "yes").collect();
    if answer.code == Some(0) && known.len() == count {
        return Ok(known);
    }
    let said = String::from_utf8_lossy(&answer.stderr);
    let said = said.lines().next_back().unwrap_or("the shell gave no answer");
    Err(LoopError::NoAnswerOfShell { why: said.chars().take(300).collect() })
}
