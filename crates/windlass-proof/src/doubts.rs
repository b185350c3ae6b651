//! What is to be said about a proof that stands: programs that a check may have run, and that were
//! others than when the loop began.

use std::{cmp::Reverse, collections::BTreeMap};

use windlass_core::step::Fingerprints;

use crate::GONE;

/// So many programs are named.
const MOST: usize = 3;

/// The programs of the work tree that checks find by their names, from snapshot to snapshot.
#[derive(Debug, Default)]
pub struct PathPrograms {
    /// Those at the loop's start.
    before: Fingerprints,
    /// Those that differed from them in the last snapshot.
    now: Fingerprints,
    /// Those that differed while checks ran: the first iteration of which, and what they held.
    met: BTreeMap<String, (u32, String)>,
    /// The iteration whose checks ran since the last snapshot.
    checked: Option<u32>,
}

impl PathPrograms {
    /// Takes down those at the loop's start.
    pub fn begin(&mut self, before: &Fingerprints) {
        before.clone_into(&mut self.before);
    }

    /// Takes down those that differ from the start in a snapshot.
    pub fn seen(&mut self, differing: Fingerprints) {
        self.now = differing;
        // What the checks themselves changed, those after may have run.
        if let Some(iteration) = self.checked.take() {
            self.meet(iteration);
        }
    }

    /// Takes down that a check ran on what the last snapshot showed.
    pub fn checked(&mut self, iteration: u32) {
        self.meet(iteration);
        self.checked = Some(iteration);
    }

    /// What is to be said about a proof, where a check may have run a program that is another than
    /// at the loop's start, or was. Programs that the commands of the checks name come first.
    pub fn doubts(&self, checks: &[String]) -> Vec<String> {
        let mut met: Vec<_> = self.met.iter().collect();
        met.sort_by_key(|(path, _)| Reverse(is_named(path, checks)));
        let rest = met.len().saturating_sub(MOST);
        let named = met.into_iter().take(MOST);
        let mut doubts: Vec<String> = named
            .map(|(path, (iteration, held))| {
                let how = self.how(path, *iteration, held);
                format!("`{path}` {how}, and is in PATH: a check may have run it")
            })
            .collect();
        doubts.extend((rest > 0).then(|| format!("the same holds for {rest} more in PATH")));
        doubts
    }

    fn meet(&mut self, iteration: u32) {
        for (path, held) in &self.now {
            self.met.entry(path.clone()).or_insert_with(|| (iteration, held.clone()));
        }
    }

    /// How a program differs, or did when the checks of that iteration ran.
    fn how(&self, path: &str, iteration: u32, held: &str) -> String {
        let was_there = self.before.contains_key(path);
        let now = self.now.get(path).map(String::as_str);
        let when = match iteration {
            0 => "before the first iteration".to_owned(),
            iteration => format!("in iteration {iteration}"),
        };
        match (now, was_there, held) {
            (Some(GONE), ..) => "is gone since the loop began".to_owned(),
            (Some(_), false, _) => "is new since the loop began".to_owned(),
            (Some(_), true, _) => "was changed since the loop began".to_owned(),
            (None, _, GONE) => format!("was missing {when} and is back"),
            (None, false, _) => format!("was there {when} and is gone"),
            (None, true, _) => format!("was another {when} and is back as it was"),
        }
    }
}

/// The programs of `now` that differ from `before`.
pub fn differing(before: &Fingerprints, now: Fingerprints) -> Fingerprints {
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    let mut differing: Fingerprints = gone.map(|path| (path.clone(), GONE.to_owned())).collect();
    differing.extend(now.into_iter().filter(|(path, print)| before.get(path) != Some(print)));
    differing
}

fn is_named(path: &str, checks: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_part = |c: char| c.is_whitespace() || "/;&|()'\"$`".contains(c);
    checks.iter().any(|check| check.split(is_part).any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: &str = "and is in PATH: a check may have run it";

    fn prints(list: &[(&str, &str)]) -> Fingerprints {
        list.iter().map(|(path, print)| ((*path).to_owned(), (*print).to_owned())).collect()
    }

    fn begun(before: &[(&str, &str)]) -> PathPrograms {
        let mut programs = PathPrograms::default();
        programs.begin(&prints(before));
        programs
    }

    #[test]
    fn what_differs_is_told_and_what_a_check_names_comes_first() {
        let before = [("bin/a", "1"), ("bin/b", "1"), ("bin/pytest", "1")];
        let now = prints(&[("bin/b", "1"), ("bin/pytest", "2"), ("bin/x", "1"), ("bin/y", "1")]);
        let mut programs = begun(&before);
        assert!(programs.doubts(&[]).is_empty());
        programs.seen(differing(&prints(&before), now));
        assert!(programs.doubts(&[]).is_empty(), "no check ran");
        programs.checked(1);
        let told = programs.doubts(&["cd z && python -m y; pytest -q".to_owned()]);
        assert_eq!(
            told,
            [
                format!("`bin/pytest` was changed since the loop began, {AFTER}"),
                format!("`bin/y` is new since the loop began, {AFTER}"),
                format!("`bin/a` is gone since the loop began, {AFTER}"),
                "the same holds for 1 more in PATH".to_owned(),
            ]
        );
    }

    #[test]
    fn what_was_put_back_after_a_check_is_told_all_the_same() {
        let mut programs = begun(&[("bin/a", "1"), ("bin/b", "1")]);
        programs.seen(prints(&[("bin/a", "2"), ("bin/b", GONE), ("bin/c", "1")]));
        programs.checked(2);
        programs.seen(Fingerprints::new());
        programs.checked(3);
        assert_eq!(
            programs.doubts(&[]),
            [
                format!("`bin/a` was another in iteration 2 and is back as it was, {AFTER}"),
                format!("`bin/b` was missing in iteration 2 and is back, {AFTER}"),
                format!("`bin/c` was there in iteration 2 and is gone, {AFTER}"),
            ]
        );
    }

    #[test]
    fn what_differed_only_while_no_check_ran_is_not_doubted() {
        let mut programs = begun(&[("bin/a", "1")]);
        programs.seen(prints(&[("bin/a", "2")]));
        programs.seen(Fingerprints::new());
        programs.checked(2);
        assert!(programs.doubts(&[]).is_empty());
    }

    #[test]
    fn what_a_check_changes_the_next_one_may_have_run() {
        let mut programs = begun(&[]);
        programs.checked(0);
        programs.seen(prints(&[("bin/a", "1")]));
        programs.seen(Fingerprints::new());
        let told = programs.doubts(&[]);
        let there = "`bin/a` was there before the first iteration and is gone";
        assert_eq!(told, [format!("{there}, {AFTER}")]);
    }
}
