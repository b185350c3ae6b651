//! The gym's part of `docs/rules.md`, which is also what `scripts/gym` prints. Only what is the same in
//! every run stands there.

use std::{fmt::Write as _, fs, path::Path};

use super::{
    agent::Truth,
    verdict::{Ended, Sums, Tried, Verdict},
};

const BEGIN: &str = "<!-- The gym, written by a test: scripts/gym -->\n";
const END: &str = "<!-- The end of the gym -->\n";

/// The gym's part of the page.
#[derive(Default)]
pub(super) struct Page {
    all: Sums,
    /// A row of sums a class.
    sums: String,
    /// A table of agents a class.
    tables: String,
    tried: Vec<Tried>,
}

impl Page {
    /// Adds the agents of a class.
    pub(super) fn class(&mut self, name: &str, tried: Vec<Tried>) {
        let mut sums = Sums::default();
        tried.iter().for_each(|one| sums.add(one));
        let _ = writeln!(self.sums, "| {name} {}", row(&sums));
        let _ = write!(self.tables, "\n**{name}**\n\n");
        self.tables.push_str("| the agent | should be | was | verdict |\n|---|---|---|---|\n");
        for one in &tried {
            let verdict = match one.verdict() {
                Verdict::Right => "right".to_owned(),
                verdict => format!("**{verdict}**"),
            };
            let (should, was) = (should(&one.truth), was(&one.ended));
            let _ = writeln!(self.tables, "| {} | {should} | {was} | {verdict} |", one.name);
        }
        self.tried.extend(tried);
    }

    /// Sets the sums of all.
    pub(super) fn sums(&mut self, sums: &Sums) {
        self.all = sums.clone();
    }

    /// What all of them come to, and a row for each class.
    fn told(&self) -> String {
        let Sums { agents, to_stop, right, too_early_honest, too_late, falsely_done, .. } =
            &self.all;
        let Sums { wasted, unseen, wasted_unseen, not_believed, .. } = &self.all;
        let (average, honest) = (self.all.wasted_on_average(), agents - to_stop);
        format!(
            "{agents} agents, of which {honest} get there and {to_stop} do not: **{right} ended right, \
             {too_early_honest} honest ones were given up\nearly, {too_late} stopped late, \
             {falsely_done} falsely done, {not_believed} done and not believed**. {wasted} iterations \
             were wasted, {average:.2} on average over\nthose that had to be stopped; \
             {wasted_unseen} of them by {unseen} agents that no rule sees, and that only \
             `max-iterations` ends.\n\n\
             | class | agents | right | honest, given up early | hopeless, stopped early | hopeless, \
             stopped late | iterations wasted | falsely done | done, not believed | for another reason \
             |\n|---|---|---|---|---|---|---|---|---|---|\n{}| **all** {}\n",
            self.sums,
            row(&self.all)
        )
    }

    /// Agents that are not judged right, and why.
    fn missed(&self) -> String {
        let missed: Vec<_> =
            self.tried.iter().filter(|one| one.verdict() != Verdict::Right).collect();
        if missed.is_empty() {
            return String::new();
        }
        let mut text =
            "\n**Misses**, and why:\n\n| the agent | verdict | why |\n|---|---|---|\n".to_owned();
        for one in missed {
            let why = one.why_missed.unwrap_or("not explained yet");
            let _ = writeln!(text, "| {} | {} | {why} |", one.name, one.verdict());
        }
        text
    }

    /// Agents that nobody can tell apart until the honest one is done.
    fn alike(&self) -> String {
        let mut common: Vec<&str> = self.tried.iter().filter_map(|one| one.alike).collect();
        common.sort_unstable();
        common.dedup();
        let mut text = "\n**An honest and a hopeless agent look alike**: the rules decide for the honest \
                        one. Where you know better, give the rule another\nthreshold.\n\n| what both do | \
                        the honest one | was | the hopeless one | was |\n|---|---|---|---|---|\n"
            .to_owned();
        for what in common {
            let of = |is_honest: bool| {
                let found = self.tried.iter();
                found.filter(move |one| one.alike == Some(what) && one.is_honest() == is_honest)
            };
            for (honest, hopeless) in of(true).zip(of(false)) {
                let (one, other) = (was(&honest.ended), was(&hopeless.ended));
                let names = (honest.name, hopeless.name);
                let _ = writeln!(text, "| {what} | {} | {one} | {} | {other} |", names.0, names.1);
            }
        }
        text
    }

    fn text(&self) -> String {
        let (told, missed, alike) = (self.told(), self.missed(), self.alike());
        format!("{BEGIN}\n{told}{missed}{alike}{}\n{END}", self.tables)
    }

    /// What whoever runs the gym is shown: the sums last.
    pub(super) fn shown(&self) -> String {
        format!("{}{}{}\n{}", self.tables, self.alike(), self.missed(), self.told())
    }

    /// Fails unless the page says the same; writes it where that was asked for.
    pub(super) fn holds(&self) {
        hold(BEGIN, END, &self.text());
    }
}

/// Fails unless docs/rules.md has this text from `begin` to `end`; writes it where that was asked for.
#[expect(
    clippy::disallowed_methods,
    reason = "`WINDLASS_UPDATE_DOCS` says whether the page is written"
)]
pub(super) fn hold(begin: &str, end: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(begin).expect("the gym has its place in the page");
    let (_, after) = rest.split_once(end).expect("the gym's place has an end");
    let wanted = format!("{before}{text}{after}");
    if std::env::var_os("WINDLASS_UPDATE_DOCS").is_some() {
        fs::write(&path, &wanted).expect("the page is ours");
    } else {
        assert!(
            page == wanted,
            "docs/rules.md is stale: `WINDLASS_UPDATE_DOCS=1 scripts/gym` writes it"
        );
    }
}

/// The cells of sums, from the number of agents on.
fn row(sums: &Sums) -> String {
    let early = sums.too_early - sums.too_early_honest;
    let cells = [
        sums.agents,
        sums.right,
        sums.too_early_honest,
        early,
        sums.too_late,
        sums.wasted,
        sums.falsely_done,
        sums.not_believed,
        sums.other_reason,
    ];
    cells.iter().fold("|".to_owned(), |row, cell| format!("{row} {cell} |"))
}

fn should(truth: &Truth) -> String {
    match *truth {
        Truth::Done(at) => format!("done at {at}"),
        Truth::Stop { earliest, latest, .. } if earliest == latest => {
            format!("stopped at {latest}")
        }
        Truth::Stop { earliest, latest, .. } => format!("stopped at {earliest} to {latest}"),
    }
}

fn was(ended: &Ended) -> String {
    match ended.by.as_str() {
        "done" | "approved" => format!("done at {}", ended.iterations),
        by => format!("stopped at {}: `{by}`", ended.iterations),
    }
}
