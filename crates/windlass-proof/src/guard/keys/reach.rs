//! Which rules the goals of checks lead to: their prerequisites, and what their recipes call. What cannot
//! be followed leads to everything.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern;
use crate::guard::calls::{Builder, calls};

/// A rule of a makefile, or a recipe of a justfile.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    pub targets: Vec<String>,
    pub needs: Vec<String>,
    pub recipe: String,
    /// Whether it is nothing but a rule: anything else is guarded whatever its targets are.
    pub is_plain: bool,
}

/// What is reached from the goals, once they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    rules: BTreeMap<String, Vec<usize>>,
    /// Rules for patterns may make anything: what they need is always reached.
    always: Vec<usize>,
    /// What each rule leads to; `None` where that cannot be told.
    leads: Vec<Option<Vec<String>>>,
    names: BTreeSet<String>,
    /// Names without their ending, for what make's own rules make them from.
    stems: BTreeSet<String>,
    patterns: BTreeSet<String>,
    is_all: bool,
}

/// Above this many patterns all rules count as reached.
const MOST_PATTERNS: usize = 64;

impl Reach {
    /// Everything is reached.
    pub(super) fn all() -> Self {
        Self { is_all: true, ..Self::default() }
    }

    pub(super) fn add(&mut self, rule: &Rule, builder: Builder) {
        let at = self.leads.len();
        let is_clear =
            !rule.needs.iter().any(|need| need.contains(['$', '*', '?', '[', '~', '\\']));
        let called = called(&rule.recipe, builder).filter(|_| is_clear);
        self.leads.push(called.map(|called| [called, rule.needs.clone()].concat()));
        for target in &rule.targets {
            self.rules.entry(target.clone()).or_default().push(at);
        }
        if !rule.is_plain && !rule.targets.iter().any(|target| target.starts_with('.')) {
            self.always.push(at);
        }
    }

    /// Follows the rules from these goals.
    pub(super) fn follow(mut self, goals: Vec<String>) -> Self {
        let mut open = goals;
        let mut next = std::mem::take(&mut self.always);
        let mut followed = BTreeSet::new();
        loop {
            for at in next.drain(..).filter(|at| followed.insert(*at)) {
                match &self.leads[at] {
                    Some(leads) => open.extend(leads.iter().cloned()),
                    None => return Self::all(),
                }
            }
            let Some(name) = open.pop() else { break };
            if name.contains('%') {
                self.patterns.insert(name);
            } else if self.names.insert(name.clone()) {
                self.stems.insert(stem(&name).to_owned());
                next.extend(self.rules.get(&name).into_iter().flatten());
            }
        }
        if self.patterns.len() > MOST_PATTERNS {
            return Self::all();
        }
        // A rule for a name that a pattern needs is reached, and so is what that leads to: such
        // makefiles are rare enough to be guarded as a whole.
        let is_new = |name: &&String| !self.names.contains(*name) && self.fits(name);
        match self.rules.keys().any(|name| is_new(&name)) {
            true => Self::all(),
            false => self,
        }
    }

    /// Whether a rule is reached, or is more than a rule.
    pub(super) fn has(&self, rule: &Rule) -> bool {
        self.is_all || !rule.is_plain || rule.targets.iter().any(|target| self.fits(target))
    }

    fn fits(&self, name: &str) -> bool {
        self.names.contains(name)
            || self.stems.contains(stem(name))
            || self.patterns.iter().any(|it| pattern::matches(it, '%', name))
    }
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    let file = name.rfind('/').map_or(0, |at| at + 1);
    match name[file..].rfind('.') {
        Some(dot) if dot > 0 => &name[..file + dot],
        _ => name,
    }
}

/// What a recipe has made by calling the program again; `None` where that cannot be told.
fn called(recipe: &str, builder: Builder) -> Option<Vec<String>> {
    let mut goals = Vec::new();
    if !recipe.contains(builder.name()) && !recipe.contains("MAKE") {
        return Some(goals);
    }
    let recipe = recipe.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    let lines = recipe.lines().map(|line| line.trim_start().trim_start_matches(['@', '-', '+']));
    let script: String = lines.flat_map(|line| [line, "\n"]).collect();
    for call in calls(&script, builder) {
        if call.goals.iter().any(|goal| goal.contains(['$', '{', '`'])) {
            return None;
        }
        // Elsewhere is another file.
        if call.directory.as_os_str().is_empty() {
            goals.extend(call.goals);
        }
    }
    Some(goals)
}
