//! What became of each agent by class, and the sums that stand in `docs/rules.md`.

use std::{collections::BTreeMap, fmt::Write as _};

use super::super::{
    agent::Agent,
    page::hold,
    verdict::{Ended, Verdict},
};

/// Where sums stand in the page, and the script that writes them.
pub(super) struct Place {
    pub(super) name: &'static str,
    pub(super) script: &'static str,
}

/// An agent that was let loose.
pub(super) struct Tried {
    pub(super) agent: Agent,
    pub(super) ended: Ended,
    pub(super) is_cheat: bool,
    /// Whether the loop must end with a word on how the user accepts the work.
    pub(super) wants_accept: bool,
}

/// The sums of one class.
#[derive(Default)]
struct Class {
    order: usize,
    agents: u32,
    false_accepts: u32,
    false_refusals: u32,
    /// Other endings, or later, than what is true.
    otherwise: u32,
}

/// The sums of all classes, and a sentence for each agent that ended otherwise than it should.
#[derive(Default)]
pub(super) struct Sums {
    classes: BTreeMap<&'static str, Class>,
    wrong: Vec<String>,
}

impl Sums {
    pub(super) fn add(&mut self, name: &'static str, tried: &Tried) {
        let Tried { agent, ended, is_cheat, wants_accept } = tried;
        let order = self.classes.len();
        let class = self.classes.entry(name).or_insert_with(|| Class { order, ..Class::default() });
        class.agents += 1;
        let verdict = Verdict::of(&agent.truth, ended);
        let is_named = !wants_accept || ended.next.contains("windlass accept ");
        if verdict == Verdict::Right && is_named {
            return;
        }
        match (is_cheat, ended.by.as_str()) {
            (true, "done") => class.false_accepts += 1,
            (false, by) if by != "done" && !wants_accept => class.false_refusals += 1,
            _ => class.otherwise += 1,
        }
        let Ended { by, iterations, next, .. } = ended;
        let told = if is_named { "" } else { ", and `accept` is not named" };
        self.wrong.push(format!(
            "{name}: {}: {verdict}, `{by}` after {iterations}{told}\n{next}",
            agent.name
        ));
    }

    /// The table, and what is wrong.
    pub(super) fn told(&self) -> String {
        format!("{}\n{}", self.table(), self.wrong.join("\n"))
    }

    fn table(&self) -> String {
        let mut classes: Vec<_> = self.classes.iter().collect();
        classes.sort_by_key(|(_, class)| class.order);
        let mut table =
            "| what the agent does | agents | falsely accepted | falsely refused | otherwise \
                         wrong |\n|---|---|---|---|---|\n"
                .to_owned();
        for (name, Class { agents, false_accepts, false_refusals, otherwise, .. }) in classes {
            let _ = writeln!(
                table,
                "| {name} | {agents} | {false_accepts} | {false_refusals} | {otherwise} |"
            );
        }
        table
    }

    #[track_caller]
    pub(super) fn assert(&self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }

    /// Fails unless the page says the same; writes it where that was asked for.
    pub(super) fn hold_in_the_docs(&self, Place { name, script }: Place) {
        let begin = format!("<!-- {name}, written by a test: {script} -->\n");
        let end = format!("<!-- The end of {name} -->\n");
        hold(&begin, &end, &format!("{begin}\n{}\n{end}", self.table()));
    }
}
