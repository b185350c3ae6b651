//! Commands in a sentence.

use super::sanitise;

/// How many are named.
const NAMED: usize = 5;

/// Commands as they are named in a sentence: "`a`, `b` and 2 more".
pub fn listed(commands: &[String]) -> String {
    let named = commands.iter().take(NAMED);
    let named: Vec<String> =
        named.map(|command| format!("`{}`", sanitise::line(command).replace('`', "'"))).collect();
    let named = named.join(", ");
    match commands.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_named_and_the_rest_is_counted() {
        let commands = |many: usize| -> Vec<String> { (0..many).map(|n| n.to_string()).collect() };
        assert_eq!(listed(&commands(0)), "");
        assert_eq!(listed(&commands(1)), "`0`");
        assert_eq!(listed(&commands(2)), "`0`, `1`");
        assert_eq!(listed(&commands(7)), "`0`, `1`, `2`, `3`, `4` and 2 more");
        assert_eq!(listed(&["a `b`\u{1b}[31m".to_owned()]), "`a 'b'`");
    }
}
