//! What a fixer says that it skipped, and which findings it means. Reading never fails.

use serde::{Deserialize, Serialize};

use super::Noticed;
use crate::text::{
    prose::{self, after_list_mark},
    words::folded,
};

const SKIPPED: &str = "SKIPPED";

/// Marks of emphasis, of headings and of code within a line.
const MARKS: [char; 4] = ['*', '_', '`', '#'];

/// A finding that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// The finding's number in the ledger.
    pub number: u32,
    /// The fixer's words.
    pub reason: String,
}

/// The reasons of an answer: what follows `SKIPPED:` at the beginning of a line, with or without
/// the mark of a list's item and emphasis.
pub fn skip_reasons(answer: &str) -> Vec<String> {
    prose::outside_code(answer).filter_map(reason).map(str::to_owned).collect()
}

/// Which of the findings the reasons are about: the one that a reason names by file and title, or
/// by its file alone where no other is in that file; or the only one there is.
pub fn skips(reasons: &[String], found: &[Noticed]) -> Vec<Skip> {
    let mut left: Vec<&Noticed> = found.iter().collect();
    let mut skips = Vec::new();
    for reason in reasons {
        let words = folded(reason);
        let best = left.iter().enumerate().map(|(at, noticed)| (likeness(&words, noticed), at));
        let best = best
            .filter(|(likeness, _)| *likeness > 0)
            .max_by_key(|(likeness, at)| (*likeness, usize::MAX - at));
        let only = (found.len() == 1 && !left.is_empty()).then_some(0);
        if let Some(at) = best.map(|(_, at)| at).or(only) {
            skips.push(Skip { number: left.remove(at).number, reason: reason.clone() });
        }
    }
    skips
}

/// How much of a finding some words name: its title counts more than its file.
fn likeness(words: &str, noticed: &Noticed) -> u32 {
    let title = folded(&noticed.finding.title);
    let names_title = !title.is_empty() && words.contains(title.trim_end_matches('.'));
    let names_file =
        noticed.finding.file.as_deref().is_some_and(|file| words.contains(&folded(file)));
    let names_line = noticed.finding.line.is_some_and(|line| words.contains(&format!(":{line}")));
    4 * u32::from(names_title) + 2 * u32::from(names_file) + u32::from(names_file && names_line)
}

fn reason(line: &str) -> Option<&str> {
    let mut text = line.trim();
    while let Some(item) = after_list_mark(text) {
        text = item;
    }
    let rest = text.trim_start_matches(MARKS).trim_start().strip_prefix(SKIPPED)?;
    let rest = rest.trim_start_matches(MARKS).trim_start();
    let rest = rest.strip_prefix(':')?.trim_start_matches(MARKS).trim();
    let is_open = text.starts_with(MARKS) && rest.ends_with(['*', '_']);
    Some(if is_open { rest.trim_end_matches(['*', '_']).trim_end() } else { rest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{Finding, Ledger};

    #[test]
    fn a_line_that_begins_with_the_word_is_a_skip_whatever_marks_stand_before_it() {
        for line in [
            "SKIPPED: a.rs, the lock: it is meant so",
            "  SKIPPED: a.rs, the lock: it is meant so",
            "- SKIPPED: a.rs, the lock: it is meant so",
            "* SKIPPED: a.rs, the lock: it is meant so",
            "1. SKIPPED: a.rs, the lock: it is meant so",
            "**SKIPPED:** a.rs, the lock: it is meant so",
            "**SKIPPED**: a.rs, the lock: it is meant so",
            "**SKIPPED: a.rs, the lock: it is meant so**",
            "- **SKIPPED:** a.rs, the lock: it is meant so",
            "`SKIPPED:` a.rs, the lock: it is meant so",
            "### SKIPPED: a.rs, the lock: it is meant so",
            "SKIPPED : a.rs, the lock: it is meant so",
        ] {
            assert_eq!(skip_reasons(line), ["a.rs, the lock: it is meant so"], "{line}");
        }
        for line in [
            "I SKIPPED: nothing",
            "skipped: a.rs",
            "SKIPPED a.rs",
            "UNSKIPPED: a.rs",
            "> SKIPPED: a.rs",
            "```\nSKIPPED: a.rs\n```",
            "    SKIPPED: a.rs",
        ] {
            assert_eq!(skip_reasons(line), [""; 0], "{line}");
        }
    }

    fn found(findings: &[(&str, u32, &str)]) -> Vec<Noticed> {
        let finding = |(file, line, title): &(&str, u32, &str)| Finding {
            file: Some((*file).to_owned()),
            line: Some(*line),
            title: (*title).to_owned(),
            ..Finding::default()
        };
        Ledger::default().observe(1, findings.iter().map(finding).collect()).noticed
    }

    #[test]
    fn a_reason_goes_to_the_finding_that_it_names() {
        let found = found(&[
            ("src/a.rs", 3, "The lock is never released"),
            ("src/a.rs", 9, "A race in close"),
            ("src/b.rs", 1, "A typo"),
        ]);
        let of = |reasons: &[&str]| {
            let reasons: Vec<String> = reasons.iter().map(|reason| (*reason).to_owned()).collect();
            skips(&reasons, &found).iter().map(|skip| skip.number).collect::<Vec<_>>()
        };
        assert_eq!(of(&["src/a.rs: a race in close: it cannot happen"]), [2]);
        assert_eq!(of(&["src/a.rs:9: not true"]), [2]);
        assert_eq!(of(&["src/b.rs: it is meant so", "The lock is never released: true"]), [3, 1]);
        assert_eq!(of(&["src/a.rs, both are wrong", "src/a.rs, both are wrong"]), [1, 2]);
        assert_eq!(of(&["the one about names"]), [0; 0]);
        let one = &found[..1];
        assert_eq!(skips(&["not true".to_owned()], one).len(), 1);
    }
}
