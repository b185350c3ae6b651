//! What an agent is asked in one session: the prompt, and what is added to its system prompt.

use super::{Context, Lesson, prompt};
use crate::{options::ContextWhen, status};

/// How an agent can be taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Learner {
    /// It has a system prompt that words can be added to.
    BySystemPrompt,
    /// All that it hears is its prompt.
    ByPrompt,
    /// It is a command of the user, which may take the prompt for something else than words.
    Command,
}

/// What an agent is asked in one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The prompt, whole.
    pub prompt: String,
    /// What is added to the agent's system prompt.
    pub lesson: Option<String>,
}

impl Asked {
    /// A prompt, and nothing else.
    pub fn only(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), lesson: None }
    }
}

/// What an agent is asked in an iteration: the user's words, and what windlass adds to them. The
/// prompt has at most `limit` bytes, unless the user's words are longer.
pub fn asked(
    user: &str,
    context: &Context<'_>,
    (when, learner): (ContextWhen, Learner),
    limit: Option<usize>,
) -> Asked {
    let is_first = context.iteration == 1 && context.rejection.is_none();
    let is_taught_now =
        when == ContextWhen::Always || (when == ContextWhen::Auto && learner != Learner::Command);
    let has_system_prompt = learner == Learner::BySystemPrompt;
    let claiming = context.lesson.claiming;
    if when == ContextWhen::Never {
        return Asked::only(user);
    }
    if is_first && is_taught_now && has_system_prompt && !claiming.teaches_status() {
        let lesson = context.first(&context.lesson.short_text());
        let lesson = lesson.trim_start_matches("---\n").trim_end().to_owned();
        return Asked { prompt: user.to_owned(), lesson: Some(lesson) };
    }
    let prompt = if !is_first {
        prompt(user, context, limit)
    } else if is_taught_now {
        let texts = [context.lesson.text(), context.lesson.short_text()];
        within(user, texts.map(|text| context.first(&text)), limit)
    } else if claiming.teaches_status() {
        within(user, [only_status(&context.lesson)], limit)
    } else {
        user.to_owned()
    };
    // The status block is taught in both places: agents forget it.
    let is_repeated = has_system_prompt && claiming.teaches_status();
    Asked { prompt, lesson: is_repeated.then(|| status::lesson(claiming)) }
}

/// The user's prompt with the first of these that fits after it.
fn within<const N: usize>(user: &str, added: [String; N], limit: Option<usize>) -> String {
    let limit = limit.unwrap_or(usize::MAX);
    let whole = added.into_iter().map(|added| format!("{user}\n\n{added}"));
    whole.into_iter().find(|whole| whole.len() <= limit).unwrap_or_else(|| user.to_owned())
}

/// Nothing but the lesson of the status block.
fn only_status(lesson: &Lesson<'_>) -> String {
    format!("---\n{}{}", status::lesson(lesson.claiming), lesson.named_checks())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        claim::OutputScanner,
        context::Rejection,
        options::{Claiming, DoneWhen, Proof, Protocol, TestPolicy},
    };

    const ALL: [Learner; 3] = [Learner::BySystemPrompt, Learner::ByPrompt, Learner::Command];

    struct World {
        claiming: Claiming,
        proof: Proof,
        of_tasks: bool,
        iteration: u32,
        rejection: Option<Rejection>,
    }

    impl World {
        fn new() -> Self {
            let checks = vec!["cargo test".to_owned()];
            Self {
                claiming: Claiming::default(),
                proof: Proof { checks, edition: Proof::EDITION, ..Proof::default() },
                of_tasks: false,
                iteration: 1,
                rejection: None,
            }
        }

        fn asked(&self, when: ContextWhen, learner: Learner, limit: Option<usize>) -> Asked {
            let Self { claiming, proof, of_tasks, .. } = self;
            let context = Context {
                iteration: self.iteration,
                max_iterations: 20,
                lesson: Lesson { claiming, proof, of_tasks: *of_tasks },
                failure: None,
                lost_background: &[],
                rejection: self.rejection.as_ref(),
                near_miss: None,
            };
            asked("Fix it.", &context, (when, learner), limit)
        }

        fn prompt(&self) -> String {
            self.asked(ContextWhen::Auto, Learner::ByPrompt, None).prompt
        }
    }

    #[test]
    fn an_agent_learns_in_its_first_prompt_how_to_claim_and_how_to_report() {
        insta::assert_snapshot!(World::new().prompt(), @"
        Fix it.

        ---
        This is iteration 1 of 20 of a loop that windlass runs.
        When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
        A claim is accepted only if windlass itself sees this pass: `cargo test`.
        Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.
        You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
        Wait for background commands, or stop them, before you finish: what still runs then is killed.
        ");
    }

    #[test]
    fn a_system_prompt_takes_the_lesson_and_the_prompt_stays_the_users() {
        let asked = World::new().asked(ContextWhen::Auto, Learner::BySystemPrompt, None);
        assert_eq!(asked.prompt, "Fix it.");
        let in_prompt = World::new().prompt();
        let lesson = asked.lesson.unwrap();
        assert_eq!(in_prompt.trim_end(), format!("Fix it.\n\n---\n{lesson}"));
        assert!(lesson.starts_with("This is iteration 1 of 20 of a loop"), "{lesson}");
    }

    #[test]
    fn a_command_gets_exactly_the_users_prompt_first_unless_the_user_wants_more() {
        let mut world = World::new();
        let only = Asked::only("Fix it.");
        assert_eq!(world.asked(ContextWhen::Auto, Learner::Command, None), only);
        let always = world.asked(ContextWhen::Always, Learner::Command, None);
        assert_eq!(always, Asked::only(world.prompt()));
        world.iteration = 2;
        let second = world.asked(ContextWhen::Auto, Learner::Command, None);
        assert!(second.prompt.contains("This is iteration 2 of 20"), "{}", second.prompt);
    }

    #[test]
    fn never_is_never() {
        for (iteration, protocol) in
            [(1, Protocol::Promise), (1, Protocol::Status), (2, Protocol::Status)]
        {
            let rejection = Some(Rejection::default()).filter(|_| iteration == 2);
            let claiming = Claiming { protocol, ..Claiming::default() };
            let world = World { claiming, iteration, rejection, ..World::new() };
            for learner in ALL {
                assert_eq!(world.asked(ContextWhen::Never, learner, None), Asked::only("Fix it."));
            }
        }
    }

    #[test]
    fn loops_of_earlier_versions_learn_from_the_second_iteration_on() {
        let mut world = World::new();
        for learner in ALL {
            let asked = world.asked(ContextWhen::Later, learner, None);
            assert_eq!(asked, Asked::only("Fix it."));
        }
        world.iteration = 2;
        for learner in ALL {
            let asked = world.asked(ContextWhen::Later, learner, None);
            assert_eq!(asked, world.asked(ContextWhen::Auto, learner, None));
        }
    }

    #[test]
    fn the_status_block_is_taught_in_every_place() {
        let claiming = Claiming { protocol: Protocol::Status, ..Claiming::default() };
        let world = World { claiming, ..World::new() };
        for learner in ALL {
            let asked = world.asked(ContextWhen::Auto, learner, None);
            assert!(asked.prompt.contains(status::LESSON), "{learner:?}");
            assert_eq!(asked.lesson.is_some(), learner == Learner::BySystemPrompt);
            assert_eq!(asked.prompt.contains("<blocked>"), learner != Learner::Command);
        }
    }

    #[test]
    fn nothing_of_the_lesson_counts_when_it_is_printed_back() {
        let tag = "<promise>COMPLETE</promise>";
        let mut world = World::new();
        world.proof.checks = vec![format!("echo {tag}"), "x <blocked>y</blocked>".to_owned()];
        for of_tasks in [false, true] {
            world.of_tasks = of_tasks;
            let prompt = world.prompt();
            for user in ["Fix it.", "Another prompt."] {
                let sent = prompt.replace("Fix it.", user);
                let mut scanner = OutputScanner::new(&world.claiming, &sent);
                prompt.lines().for_each(|line| scanner.line(line.as_bytes()));
                let read = scanner.finish();
                assert_eq!((read.by, read.blocked), (None, None), "{prompt}");
            }
            for line in prompt.lines().map(str::trim_end) {
                assert!(!line.ends_with("promise>") && !line.ends_with("blocked>"), "{line}");
            }
        }
    }

    #[test]
    fn a_prompt_that_is_nothing_but_the_tag_still_wants_it_back() {
        let tag = "<promise>COMPLETE</promise>";
        let prompt = World::new().prompt().replace("Fix it.", tag);
        let mut scanner = OutputScanner::new(&Claiming::default(), &prompt);
        scanner.line(tag.as_bytes());
        assert!(scanner.finish().by.is_some());
    }

    #[test]
    fn what_fits_is_added_and_the_users_words_are_never_cut() {
        let mut world = World::new();
        world.proof.checks = vec!["x".repeat(20_000)];
        let prompt = |limit| world.asked(ContextWhen::Auto, Learner::ByPrompt, limit).prompt;
        assert!(prompt(None).len() > 20_000);
        let short = prompt(Some(4000));
        assert!(short.len() < 4000 && short.contains("<blocked>"), "{short}");
        assert_eq!(prompt(Some(7)), "Fix it.");
        let asked = world.asked(ContextWhen::Auto, Learner::BySystemPrompt, Some(7));
        assert!(asked.lesson.is_some_and(|lesson| lesson.len() < 4000));
    }

    #[test]
    fn where_checks_decide_no_claim_is_taught() {
        let claiming = Claiming { done_when: DoneWhen::Checks, ..Claiming::default() };
        let world = World { claiming, of_tasks: true, ..World::new() };
        insta::assert_snapshot!(world.prompt(), @"
        Fix it.

        ---
        This is iteration 1 of 20 of a loop that windlass runs.
        The work is done as soon as no task is open and the checks pass: you need not claim it.
        After each session windlass itself runs: `cargo test`.
        Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim. Begin the report with the words of the task that is blocked.
        You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
        Wait for background commands, or stop them, before you finish: what still runs then is killed.
        ");
    }

    #[test]
    fn what_is_said_of_tests_is_what_holds() {
        let mut world = World::new();
        world.proof.test_policy = TestPolicy::Lock;
        assert!(world.prompt().contains("Existing tests must stay as they are"));
        world.proof.test_policy = TestPolicy::Free;
        assert!(!world.prompt().contains("xisting tests"));
        world.proof.test_policy = TestPolicy::Guard;
        world.proof.checks.clear();
        assert!(!world.prompt().contains("xisting tests"));
    }
}
