//! The ways of a reviewer's message that need no file of their own; the corpus has the others.

use super::*;

fn titles(text: &str) -> Result<Vec<String>, String> {
    let read = read(text).map_err(|why| why.to_string())?;
    Ok(read.into_iter().map(|finding| finding.title).collect())
}

#[test]
fn the_last_block_counts() {
    let text = "Draft:\n```json\n{\"findings\": [{\"title\": \"a\"}]}\n```\nFinal:\n```json\n{\"findings\": [{\"title\": \"b\"}]}\n```\n";
    assert_eq!(titles(text), Ok(vec!["b".to_owned()]));
}

#[test]
fn a_clean_review_is_clean() {
    assert_eq!(titles("Fine.\n\n```json\n{\"findings\": []}\n```\n"), Ok(vec![]));
    assert_eq!(titles("{\"findings\": []}"), Ok(vec![]));
}
