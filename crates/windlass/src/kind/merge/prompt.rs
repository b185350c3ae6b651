//! What an agent is asked that brings two sides together. What git says of files is data.

use std::fmt::Write;

use windlass_core::text::{fence, sanitise};

use super::Options;

/// How many files and sentences are listed.
const LISTED: usize = 100;

/// The words for the agent.
pub(super) fn words(options: &Options) -> String {
    let (branch, into) = (sanitise::line(&options.branch), sanitise::line(&options.into));
    let mut text = match &options.unfit {
        None => format!(
            "The branch `{branch}` was merged into `{into}`, and git found no conflict; but the \
             checks fail on the result, which is in this directory. Mend it: keep what both sides \
             wanted, and change no more than that needs.\n"
        ),
        Some(unfit) => {
            let mut text = format!(
                "The branch `{branch}` is being merged into `{into}`, and the two do not fit. The \
                 files in this directory are those of the merge, with marks where they do not fit: \
                 what stands after `<<<<<<< {onto}` is from `{into}`, what stands before \
                 `>>>>>>> {from}` is from `{branch}`.\n\nBring both together: keep what each side \
                 wanted, remove every mark, and leave all else as it is. Where one side removed \
                 or renamed a file that the other changed, decide what is right. Do not commit; \
                 windlass makes the commit when its checks pass.\n\nThe files:\n",
                onto = options.onto,
                from = options.from,
            );
            let files = unfit.files.iter().take(LISTED).map(|file| format!("{file}\n"));
            text.push_str(&fence::fenced("", &files.collect::<String>()));
            let told = unfit.told.iter().take(LISTED).map(|told| format!("{told}\n"));
            let told = told.collect::<String>();
            if !told.is_empty() {
                let _ = writeln!(text, "\n\nWhat git says of them:\n{}", fence::fenced("", &told));
            }
            text
        }
    };
    text.push_str("\nWhen you are done, exit.");
    text
}
