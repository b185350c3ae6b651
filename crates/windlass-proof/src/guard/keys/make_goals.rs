//! Goals of a makefile that stand for an action and not for a file, such as `test`: where a file of that
//! name exists, make takes the goal for made and runs nothing.

use super::{
    make::{What, pieces, reached},
    reach::Rule,
};

/// Names that no file may get while the checks count: what the checks ask for themselves, and what that
/// needs, if no recipe makes a file of it. They are meant from where make runs.
pub(super) fn actions(text: &str, goals: &[String]) -> Vec<String> {
    let pieces = pieces(text);
    let reach = reached(&pieces, goals, text, text);
    let mut names = Vec::new();
    for piece in &pieces {
        let What::Rule(rule) = &piece.what else { continue };
        if rule.recipe.trim().is_empty() || !reach.has(rule) {
            continue;
        }
        let is_action = |name: &&String| goals.contains(name) || !makes(rule, name);
        names.extend(rule.targets.iter().filter(is_action).filter(|name| is_name(name)).cloned());
    }
    names.sort();
    names.dedup();
    names
}

/// Whether a recipe may make the file of its target: it has to name it.
fn makes(rule: &Rule, name: &str) -> bool {
    ["$@", "$(@", "${@", name].iter().any(|word| rule.recipe.contains(word))
}

/// Whether a target is one name below the directory.
fn is_name(target: &str) -> bool {
    !target.starts_with(['.', '/'])
        && !target.contains(['$', '%', '*', '?', '[', '~', '\\', '('])
        && !target.split('/').any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_an_action_is_told_from_what_makes_a_file() {
        let text = "\
all: app
test: unit app
\tcargo test
unit:
\t./run.sh
app: a.o
\tcc -o $@ $^
tool:
\tcc -o tool tool.c
lint:
\tshellcheck run.sh
%.o: %.c
\tcc -c $<
";
        let of = |goal: &str| actions(text, &[goal.to_owned()]);
        // `test` is asked for, though its recipe has the word; `app` is a file.
        assert_eq!(of("test"), ["test", "unit"]);
        assert_eq!(of("lint"), ["lint"]);
        // By default `all` is made, which has no recipe.
        assert_eq!(of(""), Vec::<String>::new());
    }
}
