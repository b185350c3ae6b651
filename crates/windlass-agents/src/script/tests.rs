//! Scripts that can be read, and what is said of those that cannot.

use super::*;

#[track_caller]
fn error(text: &str) -> String {
    Script::parse(text).unwrap_err().to_string()
}

fn actions(script: &Script, session: usize) -> Vec<Action> {
    script.part(session, "agent").iter().map(|line| line.action.clone()).collect()
}

#[test]
fn a_script_is_read_line_by_line() {
    let script = Script::parse(concat!(
        "# mends the program\n",
        "\n",
        "  say I am   here  \n",
        "say\n",
        "write src/a\\sb.rs fn a() {}\\n\\tx\n",
        "replace a.txt x => 1 + 1 => y\n",
        "replace a.txt gone =>\n",
        "move a b\n",
        "sleep 200ms\n",
        "flood 2k\n",
        "exit 3\n",
    ))
    .unwrap();
    assert_eq!(
        actions(&script, 1),
        [
            Action::Say("I am   here".into()),
            Action::Say(String::new()),
            Action::Write("src/a b.rs".into(), "fn a() {}\n\tx".into()),
            Action::Replace("a.txt".into(), "x".into(), "1 + 1 => y".into()),
            Action::Replace("a.txt".into(), "gone".into(), String::new()),
            Action::Move("a".into(), "b".into()),
            Action::Sleep(Duration::from_millis(200)),
            Action::Flood(2048),
            Action::Exit(3),
        ]
    );
    assert_eq!(script.part(1, "agent")[0].number, 3);
}

#[test]
fn each_session_plays_its_part_and_the_last_one_repeats() {
    let script = Script::parse("say 1\nnext\nnext\nsay 3").unwrap();
    assert_eq!(actions(&script, 1), [Action::Say("1".into())]);
    assert_eq!(actions(&script, 2), []);
    assert_eq!(actions(&script, 3), [Action::Say("3".into())]);
    assert_eq!(actions(&script, 99), actions(&script, 3));
    assert_eq!(actions(&script, 0), actions(&script, 1));
}

#[test]
fn a_role_plays_what_is_for_it_and_what_is_for_all() {
    let script = Script::parse(
        "say all\nas reviewer\nsay R1\nsay R2\nas  developer\nsay D\nas reviewer\nsay R3\n\
         next\nsay again\n",
    )
    .unwrap();
    let said = |iteration, role| {
        let part = script.part(iteration, role);
        let words = part.iter().map(|line| match &line.action {
            Action::Say(words) => words.as_str(),
            other => panic!("{other:?}"),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(said(1, "reviewer"), "all R1 R2 R3");
    assert_eq!(said(1, "developer"), "all D");
    assert_eq!(said(1, "fixer"), "all");
    assert_eq!(said(2, "reviewer"), "again", "a role ends with its part");
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    insta::assert_snapshot!(error("say a\nsya b"), @"line 2: there is no action `sya`; known are say, warn, write, append, replace, delete, move, sleep, prompt, env, flood, hang, crash, exit, as, next");
    insta::assert_snapshot!(error("\n\nwrite a.txt"), @"line 3: something is missing; it is written `write PATH TEXT`");
    insta::assert_snapshot!(error("replace a old new"), @"line 1: something is missing; it is written `replace PATH OLD => NEW`");
    insta::assert_snapshot!(error("sleep soon"), @"line 1: expected a duration such as `90s`, `15m`, `6h` or `1m30s`, found `soon`; it is written `sleep DURATION`");
    insta::assert_snapshot!(error("exit 256"), @"line 1: `256` is not a number to 255; it is written `exit CODE`");
    insta::assert_snapshot!(error("flood 9999999999999999999G"), @"line 1: `9999999999999999999G` is not a size; it is written `flood SIZE`");
    insta::assert_snapshot!(error("say a\\q"), @r"line 1: there is no `\q`, only \n \t \r \s \e and \\; it is written `say TEXT`");
    insta::assert_snapshot!(error("crash now"), @"line 1: `crash` takes nothing; it is written `crash`");
    insta::assert_snapshot!(error("next one"), @"line 1: `next` takes nothing; it is written `next`");
    insta::assert_snapshot!(error("as"), @"line 1: something is missing; it is written `as ROLE`");
    insta::assert_snapshot!(error("as a reviewer"), @"line 1: a role is one word; it is written `as ROLE`");
    insta::assert_snapshot!(error("as\treviwer"), @"line 1: there is no role `reviwer`, only agent, developer, reviewer, parser, auditor, fixer; it is written `as ROLE`");
    insta::assert_snapshot!(error("# nothing\nnext\n"), @"the script has no action; known are say, warn, write, append, replace, delete, move, sleep, prompt, env, flood, hang, crash, exit, as, next");
}

#[test]
fn every_known_action_can_be_read() {
    for (usage, _) in KNOWN.iter().filter(|(usage, _)| *usage != "next") {
        let line = usage.replace("DURATION", "1s").replace("SIZE", "1").replace("CODE", "1");
        let line = line.replace("ROLE", "reviewer\nsay yes");
        assert!(Script::parse(&line).is_ok(), "{line}");
    }
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(text in "\\PC*(\n\\PC*)*") {
        drop(Script::parse(&text));
    }
}
