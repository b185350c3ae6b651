//! Reviewers' answers, each with the right reading beside it.

use windlass_core::findings::{Finding, report};

const CORPUS: [(&str, &str); 3] = [
    ("findings", include_str!("corpus/findings.md")),
    ("clean", include_str!("corpus/clean.md")),
    ("unreadable", include_str!("corpus/unreadable.md")),
];

/// The cases of a file: name, answer, reading.
pub(super) fn cases(file: &str) -> Vec<(&str, &str, &str)> {
    let cases = file.split("%% CASE ").skip(1).map(|case| {
        let (name, rest) = case.split_once('\n').expect("a case has a name");
        let (answer, reading) = rest.split_once("\n%% READS\n").expect("a case has a reading");
        (name, answer, reading.trim_end())
    });
    cases.collect()
}

/// All answers of the corpus.
pub(super) fn answers() -> Vec<&'static str> {
    CORPUS.iter().flat_map(|(_, file)| cases(file)).map(|(_, answer, _)| answer).collect()
}

fn reading(answer: &str) -> String {
    let line = |finding: &Finding| {
        let place = finding.place().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{} {place}{}", finding.severity, finding.title)
    };
    match report::read(answer) {
        Ok(findings) if findings.is_empty() => "clean".to_owned(),
        Ok(findings) => findings.iter().map(line).collect::<Vec<_>>().join("\n"),
        Err(why) => format!("unreadable: {why}"),
    }
}

#[test]
fn every_answer_is_read_right() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for (_, file) in CORPUS {
        for (name, answer, expected) in cases(file) {
            read += 1;
            let got = reading(answer);
            if got != expected {
                wrong.push(format!("{name}\n  expected: {expected}\n  read:     {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read >= 80, "{read}");
}

#[test]
fn line_ends_and_marks_at_the_start_do_not_matter() {
    for (_, file) in CORPUS {
        for (name, answer, expected) in cases(file) {
            let crlf = format!("\u{feff}{}", answer.replace('\n', "\r\n"));
            assert_eq!(reading(&crlf), expected, "{name}");
        }
    }
}

#[test]
fn nothing_at_all_is_no_clean_review() {
    for answer in ["", " \n\t\r\n", "\u{feff}", "\u{a0}"] {
        assert_eq!(reading(answer), "unreadable: it is empty");
    }
}
