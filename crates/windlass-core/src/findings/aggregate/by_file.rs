//! Findings by file, for a fixer that goes through them file by file.

use serde::Serialize;

use super::{Finding, path};

/// The findings of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group<'a> {
    /// The file; `None` for findings about no file.
    pub file: Option<String>,
    /// Its findings, in the order in which they were given.
    pub findings: Vec<&'a Finding>,
}

/// The findings by file, the file of the first finding first: where the gravest come first, so do
/// their files. Those about no file come last.
#[must_use]
pub fn by_file(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for finding in findings {
        let file = path::of(finding);
        let place = *places.entry(file.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group { file, findings: Vec::new() });
        }
        groups[place].findings.push(finding);
    }
    groups.sort_by_key(|group| group.file.is_none());
    groups
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::prompts::{PrFixGiven, PromptName, PromptOptions, Prompts};

    fn finding(file: Option<&str>, title: &str) -> Finding {
        Finding { file: file.map(str::to_owned), title: title.into(), ..Finding::default() }
    }

    #[test]
    fn files_come_in_the_order_of_their_first_finding_and_no_file_last() {
        let findings = [
            finding(None, "no licence"),
            finding(Some("src/b.rs"), "one"),
            finding(Some("src/a.rs"), "two"),
            finding(Some("./src/b.rs"), "three"),
        ];
        let groups = by_file(&findings);
        let told: Vec<_> = groups
            .iter()
            .map(|group| {
                let titles = group.findings.iter().map(|finding| finding.title.as_str());
                (group.file.as_deref(), titles.collect::<Vec<_>>())
            })
            .collect();
        let expected = [
            (Some("src/b.rs"), vec!["one", "three"]),
            (Some("src/a.rs"), vec!["two"]),
            (None, vec!["no licence"]),
        ];
        assert_eq!(told, expected);
        assert!(by_file(&[]).is_empty());
    }

    #[test]
    fn the_fixers_prompt_takes_the_groups_as_they_are() {
        let mut first = finding(Some("src/a.rs"), "Overflow");
        first.extra.insert("sources".into(), json!(["correctness", "security"]));
        let findings = [first, finding(None, "No licence")];
        let given = PrFixGiven {
            pr: json!({"base": "main", "head": "mend"}),
            groups: &by_file(&findings),
            total: 2,
            iteration: 1,
            max_iterations: 5,
            checks: &[],
            failed: &[],
        };
        let prompts = Prompts::new(&PromptOptions::default()).unwrap();
        let text = prompts.render(PromptName::PrFix, given).unwrap();
        assert!(text.contains("## In `src/a.rs`"), "{text}");
        assert!(text.contains("MEDIUM (correctness, security): Overflow"), "{text}");
        assert!(text.contains("## Not about one file"), "{text}");
    }
}
