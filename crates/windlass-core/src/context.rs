//! What windlass adds to the user's prompt: a lesson in the first iteration, and the iteration
//! context, which has the same lesson in it, from the second on.
//!
//! Nothing that is added may claim when a program prints it back: the tag never stands alone on a
//! line or at a line's end.

mod asked;
mod lesson;
mod lost;

use std::fmt::Write;

pub use self::{
    asked::{Asked, Learner, asked},
    lesson::{Lesson, how_to_claim},
    lost::lost,
};
use crate::{
    claim::{self, CONTEXT, NearMiss},
    options::Claiming,
    status,
    step::CheckReport,
};

/// Why a claim was rejected, as the agent is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rejection {
    /// A sentence each.
    pub reasons: Vec<String>,
    /// The checks that failed, with the end of their output.
    pub failed: Vec<CheckReport>,
    /// Whether it failed with the tests as they were before the loop, so that the agent is told what to do
    /// about that.
    pub by_originals: bool,
}

/// What an agent can do whose work fails with the original tests.
const ABOUT_ORIGINALS: &str = "Make the work pass with the original tests. If the task itself requires \
    other tests, report being blocked and say which tests it changes and why.";

impl Rejection {
    /// The checks that failed, as agents are told of them; what is no check's words comes first, as one.
    pub fn reports(&self) -> Vec<CheckReport> {
        let advice = self.by_originals.then_some(ABOUT_ORIGINALS);
        let told =
            || self.reasons.iter().map(String::as_str).chain(advice).collect::<Vec<_>>().join("\n");
        if self.failed.is_empty() {
            return vec![CheckReport::of_protected(told())];
        }
        let of_reasons = CheckReport {
            command: "the checks on the original tests".to_owned(),
            ..CheckReport::of_protected(told())
        };
        let explained = !self.by_originals && self.reasons.len() <= self.failed.len();
        let first = (!explained).then_some(of_reasons);
        first.into_iter().chain(self.failed.iter().cloned()).collect()
    }

    /// Why, in one line.
    pub fn line(&self) -> String {
        self.reasons.join("; ")
    }
}

/// How much of the end of failed checks' output is tried, from much to none.
const TAILS: &[usize] = &[12 * 1024, 4 * 1024, 1024, 0];

/// What an iteration is told about the loop.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The iteration.
    pub iteration: u32,
    /// The allowed iterations; 0 for no limit.
    pub max_iterations: u32,
    /// What the agent is taught.
    pub lesson: Lesson<'a>,
    /// How the session before failed, where it did.
    pub failure: Option<&'a str>,
    /// What the session before lost in the background.
    pub lost_background: &'a [String],
    /// What the last proof said when it failed.
    pub rejection: Option<&'a Rejection>,
    /// What almost claimed in the session before.
    pub near_miss: Option<&'a NearMiss>,
}

/// The user's prompt with the context, in at most `limit` bytes. The user's words are never cut.
fn prompt(user: &str, context: &Context<'_>, limit: Option<usize>) -> String {
    let limit = limit.unwrap_or(usize::MAX);
    TAILS
        .iter()
        .map(|&tail| format!("{user}\n\n{}", context.text(tail)))
        .find(|prompt| prompt.len() <= limit)
        .unwrap_or_else(|| user.to_owned())
}

/// Takes the tag out of words that are not ours, and what a terminal would act on.
fn tame(claiming: &Claiming, words: &str) -> String {
    let clean = crate::text::sanitise::text(words).replace(status::BEGIN, "(a status block)");
    match claim::tag(&claiming.promise) {
        Some(_) => claim::without_tags(&clean, &claiming.promise),
        None => clean,
    }
}

impl Context<'_> {
    /// What is added in the first iteration, where nothing has happened yet.
    fn first(&self, lesson: &str) -> String {
        format!("{CONTEXT}{}.\n{lesson}", self.place())
    }

    /// Where in the loop the agent is.
    fn place(&self) -> String {
        let of = match self.max_iterations {
            0 => String::new(),
            max => format!(" of {max}"),
        };
        format!("{}{of} of a loop that windlass runs", self.iteration)
    }

    fn text(&self, tail: usize) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{CONTEXT}{}. You see no earlier conversation: earlier work is in the files and in \
             the git history. Look at what is there before you go on.",
            self.place()
        );
        text.push_str(&self.lesson.text());
        if let Some(lost) = lost(self.lost_background) {
            let _ = writeln!(text, "\n{}", self.tame(&lost));
        } else if let Some(failure) = self.failure {
            let _ = writeln!(text, "\nThe session before this one failed: {}", self.tame(failure));
        }
        if let Some(NearMiss { why, text: words }) = self.near_miss {
            let words = self.tame(words);
            let _ = writeln!(
                text,
                "\nIn the session before this one, this looked like a claim and did not count: \
                 {words}\nThe reason: {why}."
            );
        }
        if let Some(rejection) = self.rejection {
            self.tell(rejection, tail, &mut text);
        }
        text
    }

    fn tell(&self, rejection: &Rejection, tail: usize, text: &mut String) {
        text.push_str("\nThe last claim was not accepted:\n");
        for reason in &rejection.reasons {
            let _ = writeln!(text, "- {}", self.tame(reason));
        }
        if rejection.by_originals {
            let _ = writeln!(text, "{ABOUT_ORIGINALS}");
        }
        for report in rejection.failed.iter().filter(|_| tail > 0) {
            let output = self.tame(last_bytes(&report.tail, tail));
            if !output.trim().is_empty() {
                let command = self.tame(&report.command);
                let _ = writeln!(text, "\nThe end of what `{command}` printed:");
                for line in output.lines() {
                    let _ = writeln!(text, "| {line}");
                }
            }
        }
    }

    fn tame(&self, words: &str) -> String {
        tame(self.lesson.claiming, words)
    }
}

/// The end of a text, in at most so many bytes and whole lines where there are several.
fn last_bytes(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = &text[text.ceil_char_boundary(text.len() - limit)..];
    end.split_once('\n').map_or(end, |(_, whole_lines)| whole_lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        claim::{OutputScanner, Why},
        options::Proof,
        step::CheckReport,
    };

    fn rejection(tail: &str) -> Rejection {
        Rejection {
            by_originals: false,
            reasons: vec!["the check `sh t.sh` failed with exit code 1".to_owned()],
            failed: vec![CheckReport {
                command: "sh t.sh".to_owned(),
                passed: false,
                exit_code: Some(1),
                timed_out: false,
                tail: tail.to_owned(),
                output_hash: String::new(),
                tree: None,
                duration_ms: 1,
                tests: None,
                first_error: None,
            }],
        }
    }

    fn proof(check: &str) -> Proof {
        Proof { checks: vec![check.to_owned()], ..Proof::default() }
    }

    #[test]
    fn an_agent_whose_work_fails_with_the_original_tests_is_told_what_it_can_do() {
        let rejection = Rejection { by_originals: true, ..rejection("expected 4") };
        let context = Context {
            iteration: 2,
            max_iterations: 20,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &proof("sh t.sh"),
                of_tasks: false,
            },
            failure: None,
            rejection: Some(&rejection),
            near_miss: None,
            lost_background: &[],
        };
        assert!(prompt("Fix it.", &context, None).contains(ABOUT_ORIGINALS));
        let reports = rejection.reports();
        assert!(reports[0].tail.contains(ABOUT_ORIGINALS), "{reports:?}");
        assert_eq!(rejection.line(), "the check `sh t.sh` failed with exit code 1");
    }

    #[test]
    fn the_agent_is_told_where_it_stands_how_to_claim_and_what_failed() {
        let context = Context {
            iteration: 3,
            max_iterations: 20,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &proof("sh t.sh"),
                of_tasks: false,
            },
            failure: None,
            lost_background: &[],
            rejection: Some(&rejection("expected 4\nfound 5")),
            near_miss: None,
        };
        insta::assert_snapshot!(prompt("Mend it.", &context, None), @"
        Mend it.

        ---
        This is iteration 3 of 20 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
        When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
        A claim is accepted only if windlass itself sees this pass: `sh t.sh`.
        Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.
        Wait for background commands, or stop them, before you finish: what still runs then is killed.

        The last claim was not accepted:
        - the check `sh t.sh` failed with exit code 1

        The end of what `sh t.sh` printed:
        | expected 4
        | found 5
        ");
    }

    #[test]
    fn what_is_added_never_claims_when_it_is_printed_back() {
        let tag = "<promise>COMPLETE</promise>";
        let context = Context {
            iteration: 2,
            max_iterations: 0,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &proof(&format!("echo {tag}")),
                of_tasks: false,
            },
            failure: Some(tag),
            lost_background: &[],
            rejection: Some(&rejection(&format!("{tag}\nx {tag}\n<PROMISE> complete </promise>"))),
            near_miss: Some(&NearMiss::new(Why::Negated, &format!("not {tag}"))),
        };
        let prompt = prompt("Mend it.", &context, None);
        for line in prompt.lines().map(str::trim) {
            assert!(!line.to_lowercase().ends_with("promise>"), "{line}");
        }
        let mut scanner = OutputScanner::new(&Claiming::default(), "Another prompt.");
        prompt.lines().for_each(|line| scanner.line(line.as_bytes()));
        assert_eq!(scanner.finish().by, None);
    }

    #[test]
    fn the_agent_is_told_of_what_almost_claimed() {
        let near_miss = NearMiss::new(Why::CodeBlock, "<promise>COMPLETE</promise>");
        let context = Context {
            iteration: 2,
            max_iterations: 0,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &Proof::default(),
                of_tasks: false,
            },
            failure: None,
            lost_background: &[],
            rejection: None,
            near_miss: Some(&near_miss),
        };
        let prompt = prompt("Mend it.", &context, None);
        let told = prompt.rsplit("\n\n").next().unwrap();
        insta::assert_snapshot!(told, @"
        In the session before this one, this looked like a claim and did not count: (the promise)
        The reason: it stands in a code block.
        ");
    }

    #[test]
    fn the_agent_is_told_what_it_lost_in_the_background_in_place_of_a_failure() {
        let context = Context {
            iteration: 2,
            max_iterations: 0,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &Proof::default(),
                of_tasks: false,
            },
            failure: Some("ended while background work was unfinished"),
            lost_background: &["echo <promise>COMPLETE</promise>".to_owned()],
            rejection: None,
            near_miss: None,
        };
        let prompt = prompt("Mend it.", &context, None);
        let told = prompt.rsplit("\n\n").next().unwrap();
        insta::assert_snapshot!(told, @"The session before this one ended while this was running in the background, and it was killed: `echo (the promise)`. See what is missing because of that, and run again what is needed; wait for it, or stop it, before you finish.");
    }

    #[test]
    fn only_what_windlass_adds_is_cut_to_the_limit() {
        let user = "u".repeat(1000);
        let long = "line of output\n".repeat(1000);
        let context = Context {
            iteration: 2,
            max_iterations: 5,
            lesson: Lesson {
                claiming: &Claiming::default(),
                proof: &proof("sh t.sh"),
                of_tasks: false,
            },
            failure: None,
            lost_background: &[],
            rejection: Some(&rejection(&long)),
            near_miss: None,
        };
        let all = prompt(&user, &context, None);
        assert!(all.len() > 12_000);
        let cut = prompt(&user, &context, Some(4000));
        assert!(cut.len() <= 4000 && cut.starts_with(&user) && cut.contains("not accepted"));
        assert_eq!(prompt(&user, &context, Some(1000)), user);
    }
}
