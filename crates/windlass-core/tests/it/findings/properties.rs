//! What holds for every report: it reads back as it was, prose around it changes nothing, and a
//! message that is cut anywhere never has fewer findings than it had.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use windlass_core::findings::{
    Finding, Ledger, Severity,
    format::{Format, read_file},
    report,
};

use super::corpus;

fn text() -> impl Strategy<Value = String> {
    // Marks that mean something to the reader come often.
    let marks = prop::sample::select(vec![
        "```",
        "\n```\n",
        "```json\n",
        "{\"findings\": []}",
        "//",
        "/*",
        "\\",
        "\"",
        "}",
        "]",
        "…",
        "> ",
        "- **HIGH**: x",
        "line 12",
        ":12:",
        "\r\n",
    ]);
    let part = prop_oneof![marks.prop_map(ToOwned::to_owned), "[a-zA-Zäß ,.:]{0,12}"];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

fn said() -> impl Strategy<Value = String> {
    (text(), "[a-z]{1,8}").prop_map(|(text, word)| format!("{word}{text}{word}"))
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::String),
        prop::collection::vec(text(), 0..3).prop_map(|list| json!({ "list": list })),
    ];
    prop::collection::vec(("x_[a-z]{1,6}", value), 0..3)
        .prop_map(|pairs| pairs.into_iter().collect())
}

fn finding() -> impl Strategy<Value = Finding> {
    let severity = prop::sample::select(vec![Severity::Low, Severity::Medium, Severity::High]);
    let lines = prop::option::of((1..5_000_u32, prop::option::of(0..50_u32)));
    let file = prop::option::of("[a-z]{1,8}(/[a-zA-Z ä#%]{1,8}[a-z])?\\.rs");
    (severity, file, lines, said(), prop::option::of(said()), prop::option::of(said()), extra())
        .prop_map(|(severity, file, lines, title, description, suggestion, extra)| {
            // A line without a file says nothing.
            let lines = lines.filter(|_| file.is_some());
            Finding {
                severity,
                file,
                line: lines.map(|(line, _)| line),
                end_line: lines.and_then(|(line, more)| more.map(|more| line + more)),
                title,
                description: description.unwrap_or_default(),
                suggestion,
                extra,
            }
        })
}

fn findings() -> impl Strategy<Value = Vec<Finding>> {
    prop::collection::vec(finding(), 0..5)
}

fn form(findings: &[Finding]) -> String {
    json!({ "findings": findings }).to_string()
}

/// Prose without anything that is read.
fn prose() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-zA-Zäß ,.;!?()'0-9]{0,40}", 0..5)
        .prop_map(|lines| lines.join("\n"))
        .prop_filter("says nothing about itself", |text| {
            report::read(&format!("{text}\n```json\n{{\"findings\": []}}\n```\n")).is_ok()
        })
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), marked in text()) {
        drop(report::read(&text));
        drop(report::read(&marked));
        drop(read_file(&text));
        drop(read_file(&marked));
    }

    #[test]
    fn what_is_written_reads_back_the_same(findings in findings()) {
        let form = form(&findings);
        prop_assert_eq!(report::read(&form), Ok(findings.clone()));
        prop_assert_eq!(report::read(&format!("```json\n{form}\n```")), Ok(findings.clone()));
        let pretty = format!("{:#}", json!({ "findings": &findings }));
        prop_assert_eq!(report::read(&format!("~~~~\n{pretty}\n~~~~\n")), Ok(findings.clone()));
        prop_assert_eq!(read_file(&form), Ok(findings));
    }

    #[test]
    fn prose_around_it_changes_nothing(findings in findings(), before in prose(), after in prose()) {
        let answer = format!("{before}\n\n```json\n{}\n```\n{after}", form(&findings));
        prop_assert_eq!(report::read(&answer), Ok(findings));
    }

    #[test]
    fn a_ledger_reads_back_in_the_forms_that_keep_all(findings in findings()) {
        let mut ledger = Ledger::default();
        ledger.observe(1, findings.clone());
        prop_assert_eq!(read_file(&Format::Json.write(ledger.entries())), Ok(findings.clone()));
        prop_assert_eq!(read_file(&Format::Sarif.write(ledger.entries())), Ok(findings.clone()));
        let read = read_file(&Format::Rdjson.write(ledger.entries())).unwrap();
        prop_assert_eq!(read.len(), findings.len());
    }

    #[test]
    fn matching_is_a_matching(reports in prop::collection::vec(prop::collection::vec("[ab]", 0..6), 0..6)) {
        let mut ledger = Ledger::default();
        for (iteration, titles) in (1..).zip(reports) {
            let report = titles.iter().map(|title| Finding { title: title.clone(), ..Finding::default() });
            let observed = ledger.observe(iteration, report.collect());
            let mut numbers: Vec<u32> = observed.noticed.iter().map(|noticed| noticed.number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            prop_assert_eq!(numbers.len(), titles.len());
            prop_assert_eq!(ledger.counts().open as usize, titles.len());
        }
    }
}

proptest! {
    // Each case reads as many messages as it has characters.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn cut_anywhere_it_never_has_fewer_findings(findings in findings(), before in prose(), after in prose()) {
        let block = format!("{before}\n```json\n{:#}\n```", json!({ "findings": &findings }));
        let answer = format!("{block}\n{after}");
        for cut in (0..answer.len()).filter(|cut| answer.is_char_boundary(*cut)) {
            match report::read(&answer[..cut]) {
                Ok(read) => prop_assert_eq!(&read, &findings, "cut at {}", cut),
                Err(_) => prop_assert!(cut < block.len(), "cut at {}", cut),
            }
        }
        let bare = form(&findings);
        for cut in (0..bare.len()).filter(|cut| bare.is_char_boundary(*cut)) {
            prop_assert!(report::read(&bare[..cut]).is_err(), "bare, cut at {}", cut);
        }
    }
}

#[test]
fn an_answer_of_the_corpus_that_is_cut_is_never_clean_where_it_was_not() {
    for answer in corpus::answers() {
        let whole = report::read(answer);
        for cut in (0..answer.len()).filter(|cut| answer.is_char_boundary(*cut)) {
            let read = report::read(&answer[..cut]);
            let is_clean = read.as_ref().is_ok_and(Vec::is_empty);
            // An answer that says nothing at first and corrects itself cannot be known from its half.
            let corrects_itself =
                answer[..cut].contains("\n```\n") || answer[..cut].ends_with("```");
            let was_clean = whole.as_ref().is_ok_and(Vec::is_empty);
            assert!(!is_clean || was_clean || corrects_itself, "cut at {cut}: {answer}");
        }
    }
}

#[test]
fn hostile_texts_take_no_time() {
    let many = 100_000;
    for text in [
        "{".repeat(many),
        "{\"findings\": [".repeat(many / 10),
        "```\n[/*\n```\n".repeat(many / 10),
        "```\n/*\n```\n".repeat(many / 10),
        "```\n[1] /*\n```\n".repeat(many / 10),
        "```json\n{\"a\": \"\n```\n".repeat(many / 10),
        "{\"findings\": \"".repeat(many / 10),
        "\n{\"a\": \"x".repeat(many / 10),
        "> ```\n".repeat(many / 10),
        "```json\n{\"findings\": []}\n```\n".repeat(many / 30),
        format!("{{\"findings\": [{}]}}", "[".repeat(many)),
    ] {
        let before = std::time::Instant::now();
        drop(report::read(&text));
        assert!(before.elapsed().as_secs() < 3, "{:?}: {:.40}", before.elapsed(), text);
    }
}
