//! Makefiles: a rule that nothing guarded leads to is the agent's; everything else is guarded, for a
//! variable, an include or a special target changes what any rule does.

use super::{
    make_lines::{Line, is_continued, lines},
    reach::{Reach, Rule},
    statement::{Pair, Statement},
};

use crate::guard::calls::Builder;

pub(super) fn pair<'a>(original: &'a str, current: &'a str, goals: &[String]) -> Pair<'a> {
    let before = pieces(original);
    let reach = reached(&before, goals, original, current);
    Pair {
        original: before.iter().map(|piece| piece.statement(&reach)).collect(),
        current: pieces(current).iter().map(|piece| piece.statement(&reach)).collect(),
        keeps_first: goals.iter().any(|goal| goal.is_empty() || goal == "*"),
        is_continued: |text| text.lines().next_back().is_some_and(is_continued),
    }
}

/// The recipes that the goals lead to.
pub(super) fn recipes(text: &str, goals: &[String]) -> Vec<String> {
    let pieces = pieces(text);
    let reach = reached(&pieces, goals, text, text);
    let rules = pieces.into_iter().filter_map(|piece| match piece.what {
        What::Rule(rule) if reach.has(&rule) => Some(rule.recipe),
        _ => None,
    });
    rules.collect()
}

/// Files that make itself rebuilds before it does anything else.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The rules that the goals lead to.
pub(super) fn reached(
    pieces: &[Piece<'_>],
    goals: &[String],
    original: &str,
    current: &str,
) -> Reach {
    // With another mark before recipes, a line is not what it looks like.
    let has_prefix = [original, current].iter().any(|text| text.contains(".RECIPEPREFIX"));
    if has_prefix || goals.iter().any(|goal| goal == "*") {
        return Reach::all();
    }
    let mut reach = Reach::default();
    let mut default = None;
    let mut remade = MAKEFILES.map(ToOwned::to_owned).to_vec();
    for piece in pieces {
        match &piece.what {
            What::Rule(rule) => {
                default = default.or_else(|| goal_of(rule).cloned());
                reach.add(rule, Builder::Make);
            }
            What::Other(label) if label == "the variable .DEFAULT_GOAL" => return Reach::all(),
            What::Other(_) => remade.extend(included(piece.text)),
            What::Nothing => (),
        }
    }
    if remade.iter().any(|file| file.contains(['$', '*', '?', '['])) {
        return Reach::all();
    }
    let goals = goals.iter().filter_map(|goal| match goal.as_str() {
        "" => default.clone(),
        goal => Some(goal.to_owned()),
    });
    reach.follow(goals.chain(remade).collect())
}

/// The files that lines of a piece include.
fn included(text: &str) -> impl Iterator<Item = String> {
    let words = lines(text).map(|line| line.text.split_whitespace());
    let included = words.filter_map(|mut words| {
        let first = words.next()?;
        matches!(first, "include" | "-include" | "sinclude").then_some(words)
    });
    included.flatten().take_while(|word| !word.starts_with('#')).map(|word| name(word).to_owned())
}

/// What make would make of a rule if it came first.
fn goal_of(rule: &Rule) -> Option<&String> {
    rule.targets.iter().find(|target| !target.starts_with('.') && !target.contains('%'))
}

/// A part of a makefile.
pub(super) struct Piece<'a> {
    text: &'a str,
    pub(super) what: What,
}

/// What a part of a makefile is.
pub(super) enum What {
    Rule(Rule),
    /// Guarded, by this name.
    Other(String),
    /// Empty lines and comments.
    Nothing,
}

impl<'a> Piece<'a> {
    fn statement(&self, reach: &Reach) -> Statement<'a> {
        let (label, is_guarded, is_rule) = match &self.what {
            What::Rule(rule) => {
                let label = format!("the target {}", rule.targets.join(" "));
                (label, reach.has(rule), goal_of(rule).is_some())
            }
            What::Other(label) => (label.clone(), true, false),
            What::Nothing => (String::new(), false, false),
        };
        Statement { text: self.text, label, is_guarded, is_rule }
    }
}

/// The pieces of a makefile.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<(usize, usize, What)> = Vec::new();
    // The rule whose recipe may go on.
    let mut open: Option<usize> = None;
    let mut lines = lines(text).peekable();
    while let Some(line) = lines.next() {
        let mut end = line.end;
        if let Some(at) = open
            && line.text.starts_with('\t')
        {
            extend(&mut pieces, at, &line);
            continue;
        }
        let words = line.text.trim_start();
        if words.trim_end().is_empty() || words.starts_with('#') {
            // After a rule it would be a line of its recipe, and an empty recipe is one, too.
            let what = match line.text.starts_with('\t') {
                true => What::Other("a line after a tab".to_owned()),
                false => What::Nothing,
            };
            pieces.push((line.start, end, what));
            continue;
        }
        let first = words.split_whitespace().next().unwrap_or_default();
        if is_conditional(first) {
            end = block(&mut lines, end, is_conditional, |word| word == "endif", open.is_some());
            let inside = Line { start: line.start, end, text: &text[line.start..end] };
            match open {
                // Which lines of the recipe count, and where it ends, depends on it.
                Some(at) => {
                    extend(&mut pieces, at, &inside);
                    if let What::Rule(rule) = &mut pieces[at].2 {
                        rule.is_plain = false;
                    }
                }
                None => pieces.push((line.start, end, What::Other("a conditional".to_owned()))),
            }
            continue;
        }
        if is_define(words) {
            let opens = |word: &str| word == "define";
            end = block(&mut lines, end, opens, |word| word == "endef", false);
            let label = format!("the variable {}", defined(words));
            pieces.push((line.start, end, What::Other(label)));
            open = None;
            continue;
        }
        let what = read(&line, words, first);
        open = matches!(what, What::Rule(_)).then_some(pieces.len());
        pieces.push((line.start, end, what));
    }
    pieces.into_iter().map(|(start, end, what)| Piece { text: &text[start..end], what }).collect()
}

/// Adds a line to the recipe of a rule, with the empty lines and comments before it.
fn extend(pieces: &mut Vec<(usize, usize, What)>, at: usize, line: &Line<'_>) {
    pieces.truncate(at + 1);
    let piece = &mut pieces[at];
    piece.1 = line.end;
    if let What::Rule(rule) = &mut piece.2 {
        rule.recipe.push_str(line.text);
    }
}

/// Where a block ends that began in the line before.
fn block<'a>(
    lines: &mut impl Iterator<Item = Line<'a>>,
    mut end: usize,
    opens: impl Fn(&str) -> bool,
    closes: impl Fn(&str) -> bool,
    is_recipe: bool,
) -> usize {
    let mut depth = 1_usize;
    for line in lines {
        end = line.end;
        if is_recipe && line.text.starts_with('\t') {
            continue;
        }
        let word = line.text.split_whitespace().next().unwrap_or_default();
        depth += usize::from(opens(word));
        depth -= usize::from(closes(word));
        if depth == 0 {
            break;
        }
    }
    end
}

fn is_conditional(word: &str) -> bool {
    let word = word.split('(').next().unwrap_or(word);
    matches!(word, "ifeq" | "ifneq" | "ifdef" | "ifndef")
}

/// What stands before a definition and changes how it holds.
const MODIFIERS: [&str; 3] = ["override", "export", "private"];

fn is_define(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|word| MODIFIERS.contains(word));
    words.next() == Some("define")
        && words.next().is_some_and(|word| !word.starts_with(['=', ':', '?', '+', '!']))
}

fn defined(line: &str) -> &str {
    let mut words = line.split_whitespace().skip_while(|word| *word != "define").skip(1);
    words.next().unwrap_or_default()
}

/// Words that begin a line which is no rule, whatever follows.
const DIRECTIVES: [&str; 15] = [
    "include", "-include", "sinclude", "export", "unexport", "override", "private", "undefine",
    "vpath", "load", "-load", "define", "endef", "else", "endif",
];

fn read(line: &Line<'_>, words: &str, first: &str) -> What {
    let content = match words.find('#') {
        Some(at) => &words[..at],
        None => words,
    };
    if DIRECTIVES.contains(&first) || is_conditional(first) {
        let rest = content.split_whitespace().skip(1).find(|word| !MODIFIERS.contains(word));
        return What::Other(match first {
            "override" | "export" | "private" | "undefine" => {
                format!("the variable {}", rest.unwrap_or("all"))
            }
            _ => content.trim().to_owned(),
        });
    }
    let Some(colon) = content.find([':', '=']) else {
        return What::Other(content.trim().to_owned());
    };
    let (before, after) = content.split_at(colon);
    let after_colons = after.trim_start_matches(':');
    if after_colons.starts_with('=') {
        let name = before.trim_end_matches(['?', '+', '!']).trim();
        return What::Other(format!("the variable {name}"));
    }
    let (needs, recipe) = after_colons.split_once(';').unwrap_or((after_colons, ""));
    let targets = before.trim_end_matches('&').split_whitespace();
    let targets: Vec<String> = targets.map(|it| name(it).to_owned()).collect();
    let needs = needs.replace(['|', ':'], " ").replace("\\\n", " ").replace("\\\r\n", " ");
    What::Rule(Rule {
        is_plain: !line.text.starts_with('\t') && is_plain(before, &needs),
        targets,
        needs: needs.split_whitespace().map(|it| name(it).to_owned()).collect(),
        recipe: recipe.to_owned(),
    })
}

/// make takes `./a` for `a`.
fn name(mut name: &str) -> &str {
    while let Some(rest) = name.strip_prefix("./") {
        name = rest.trim_start_matches('/');
    }
    name
}

/// Functions that do something while the makefile is read.
const ACTS: [&str; 6] = ["eval", "shell", "call", "guile", "file", "value"];

/// Whether a rule is only a rule: names as they are, no variable of its own, nothing that acts.
fn is_plain(targets: &str, needs: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_-./+@,&".contains(c);
    let acts = needs.contains('$') && ACTS.iter().any(|word| needs.contains(word));
    let is_special = targets.split_whitespace().any(|target| target.starts_with('.'));
    targets.chars().all(is_name) && !is_special && !needs.contains('=') && !acts
}
