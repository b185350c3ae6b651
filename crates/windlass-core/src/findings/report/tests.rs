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

#[test]
fn an_empty_reading_by_somebody_else_is_believed_only_of_words_that_allow_it() {
    let confirmed = |review| confirm(review, Vec::new()).map_err(|why| why.to_string());
    assert_eq!(confirmed("I have read all of it. It is good as it is."), Ok(vec![]));
    assert_eq!(confirmed(""), Err("it is empty".to_owned()));
    for doubtful in [
        "I'm sorry, but I can't help with that review.",
        "Mostly good.\n- HIGH: `parse` drops the last line",
        "Here:\n```json\n{\"findings\": [{\"title\": \"a\",",
        "```json\n{\"findings\": {}}\n```",
    ] {
        assert!(confirmed(doubtful).is_err(), "{doubtful}");
    }
    let one = read("{\"findings\": [{\"title\": \"a\"}]}").unwrap();
    assert_eq!(confirm("```json\n{\"findings\": [", one.clone()), Ok(one));
}
