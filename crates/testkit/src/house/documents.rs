//! Rules on documents: what there is has its name there, and what has its name there exists.

/// Names that a document lacks; each must stand there `like this`.
pub fn unnamed<'a>(
    document: &str,
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let missing = names.into_iter().filter(|name| !text.contains(&format!("`{name}`")));
    missing.map(|name| format!("{document} lacks `{name}`")).collect()
}

/// Names in the first cells of tables under a heading of a document that nothing has.
pub fn stale_rows(document: &str, text: &str, heading: &str, names: &[String]) -> Vec<String> {
    let section = text.split("\n## ").find(|section| section.starts_with(heading));
    let Some(section) = section else {
        return vec![format!("{document} has no section \"{heading}\"")];
    };
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let rows = cells.flat_map(|(cell, _)| cell.split("`, `"));
    rows.filter(|row| !names.iter().any(|name| name == row))
        .map(|row| format!("{document} has `{row}`, which is no module"))
        .collect()
}

/// The names in "`a`, `b` and `c` WORDS": the list that stands right before the first such words.
pub fn listed_before(text: &str, words: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text.split_once(words).map_or("", |(before, _)| before).trim_end();
    while let Some((before, name)) = rest.strip_suffix('`').and_then(|rest| rest.rsplit_once('`')) {
        names.push(name.to_owned());
        let before = before.trim_end();
        let next = before.strip_suffix(',').or_else(|| before.strip_suffix("and"));
        let Some(next) = next else { break };
        rest = next.trim_end();
    }
    names.reverse();
    names
}

/// Commands that the reference lacks: `windlass NAME` must stand there as a whole.
pub fn undescribed(document: &str, text: &str, commands: &[String]) -> Vec<String> {
    let is_there = |name: &str| {
        let call = format!("windlass {name}");
        text.match_indices(&call).any(|(at, _)| {
            let after = text[at + call.len()..].chars().next();
            after.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_')
        })
    };
    let missing = commands.iter().filter(|name| !is_there(name));
    missing.map(|name| format!("{document} lacks `windlass {name}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_lacks_is_complained_of() {
        let text = "the `store` and the journal";
        assert_eq!(unnamed("A.md", text, ["store", "journal"]), ["A.md lacks `journal`"]);
        assert_eq!(unnamed("A.md", text, ["store"]), [""; 0]);
    }

    #[test]
    fn a_row_on_what_is_gone_is_complained_of() {
        let text =
            "# A\n\n## Map\n\n| `store`, `gone` | ? |\n| x | `y` |\n\n## Other\n\n| `z` | y |\n";
        let names = ["store".to_owned()];
        assert_eq!(
            stale_rows("A.md", text, "Map", &names),
            ["A.md has `gone`, which is no module"]
        );
        assert_eq!(stale_rows("A.md", text, "None", &names).len(), 1);
        assert_eq!(stale_rows("A.md", "\n## Map\n| `store` |", "Map", &names), [""; 0]);
    }

    #[test]
    fn a_list_is_read_from_its_sentence() {
        let text = "Only `x` acts;\n`a`, `b`\nand `c` do no I/O. `d` does. `e` do no I/O";
        assert_eq!(listed_before(text, "do no I/O"), ["a", "b", "c"]);
        assert_eq!(listed_before(text, "sleep"), [""; 0]);
    }

    #[test]
    fn a_command_that_is_not_described_is_complained_of() {
        let text = "## windlass prompts\n\nwindlass log-in";
        let names = ["prompts", "prompt", "log"].map(ToOwned::to_owned);
        let expected = ["A.md lacks `windlass prompt`", "A.md lacks `windlass log`"];
        assert_eq!(undescribed("A.md", text, &names), expected);
    }
}
