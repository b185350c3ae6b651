//! The gym's part of `docs/rules.md`, which is also what `scripts/gym` prints. Only what is the same in
//! every run stands there.

use std::{fmt::Write as _, fs, path::Path};

use super::{
    agent::Truth,
    verdict::{Sums, Tried, Verdict},
};

const BEGIN: &str = "<!-- The gym, written by a test: scripts/gym -->\n";
const END: &str = "<!-- The end of the gym -->\n";

/// The gym's part of the page.
#[derive(Default)]
pub(super) struct Page {
    tables: String,
    sums: String,
}

impl Page {
    /// Adds the agents of one theme.
    pub(super) fn table(&mut self, theme: &str, tried: &[Tried]) {
        let _ = write!(self.tables, "\n**{theme}**\n\n");
        self.rows(tried);
    }

    /// Adds the agents that the rules stop although they get there.
    pub(super) fn limits(&mut self, tried: &[Tried]) {
        self.tables.push_str(
            "\n**Known limits**, which are not in the sums: these get there, and are stopped all the \
             same, because the rules do what\nthey promise. Where you know that your agent is like \
             this, give the rule another threshold.\n\n",
        );
        self.rows(tried);
        let _ = write!(
            self.sums,
            "\n**These sums leave {} honest agents out that windlass does stop or does not believe**: \
             see the known limits at the end.\n",
            tried.len()
        );
    }

    fn rows(&mut self, tried: &[Tried]) {
        self.tables.push_str("| the agent | should be | was | verdict |\n|---|---|---|---|\n");
        for one in tried {
            let (name, ended, verdict) = (one.name, &one.ended, one.verdict());
            let should = should(&one.truth);
            let was = match ended.by.as_str() {
                "done" => format!("done at {}", ended.iterations),
                by => format!("stopped at {}: `{by}`", ended.iterations),
            };
            let verdict = match verdict {
                Verdict::Right => verdict.to_string(),
                _ => format!("**{verdict}**"),
            };
            let _ = writeln!(self.tables, "| {name} | {should} | {was} | {verdict} |");
        }
    }

    /// Sets the sums, which stand before the tables.
    pub(super) fn sums(&mut self, sums: &Sums) {
        let Sums { agents, to_stop, right, too_early, too_late, falsely_done, .. } = sums;
        let Sums { wasted, unseen, wasted_unseen, .. } = sums;
        let average = sums.wasted_on_average();
        let honest = agents - to_stop;
        self.sums = format!(
            "{agents} agents, of which {honest} get there and {to_stop} do not: **{right} ended \
             right, {too_early} too early, {too_late} too late,\n{falsely_done} falsely done**. \
             {wasted} iterations were wasted, {average:.2} on average over those that had to be \
             stopped;\n{wasted_unseen} of them by {unseen} agents that no rule sees, and that only \
             `max-iterations` ends.\n"
        );
    }

    fn text(&self) -> String {
        format!("{BEGIN}\n{}{}\n{END}", self.sums, self.tables)
    }

    /// What whoever runs the gym is shown: the sums last.
    pub(super) fn shown(&self) -> String {
        format!("{}\n{}", self.tables, self.sums)
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

fn should(truth: &Truth) -> String {
    match *truth {
        Truth::Done(at) => format!("done at {at}"),
        Truth::Stop { earliest, latest, .. } if earliest == latest => {
            format!("stopped at {latest}")
        }
        Truth::Stop { earliest, latest, .. } => format!("stopped at {earliest} to {latest}"),
    }
}
