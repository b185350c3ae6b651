//! Lines as tools print them, and what stays of them in each run.

use super::*;

fn shape(line: &str) -> String {
    let mut out = String::new();
    push(line, Paths::Alike, &mut out);
    out
}

#[track_caller]
fn same(lines: &[&str]) {
    for line in lines {
        assert_eq!(shape(line), shape(lines[0]), "{line:?} and {:?}", lines[0]);
    }
}

#[test]
fn a_line_is_the_same_however_long_it_took() {
    same(&["parsed in 12.3ms", "parsed in 104ms", "parsed in 1.2 s", "parsed in 1m 3.5s"]);
    same(&["  ✓ adds (12 ms)", "  ✓ adds", "  ✓ adds (1.2 s)", " ✓ adds  (104ms)"]);
    same(&["Time:        1.2 s", "Time:        1.2 s, estimated 2 s", "Time: 980 ms"]);
    same(&["== 3 failed in 0.12s ==", "= 3 failed in 75.40s (0:01:15) ="]);
    same(
        &["ok    pkg/a  0.012s", "ok    pkg/a  (cached)"]
            .map(|line| line.trim_end_matches(" (cached)")),
    );
    same(&["took=12ms", "took=1.2s"]);
    same(
        &["copied 980.1 KB", "copied 1.2MB", "copied 12 bytes,"]
            .map(|line| line.trim_end_matches(',')),
    );
    same(&["123456   987.3 ns/op  16 B/op", "99   1.2 ms/op   16 B/op"]);
}

#[test]
fn a_line_is_the_same_however_wide_its_columns_and_bars_are() {
    same(&["parse ........... 12.3ms", "parse ..... 104.0 ms", "parse ... 1.2 s"]);
    same(&["[####    ]  45% (  3/100)", "[########] 100% (100/100)", "[        ] 0% (0/100)"]);
    same(&["[ 45%] linking", "[100%] linking", "[  1%] linking"]);
    same(&["name |    12 |  3", "name | 1,234 | 17", "name|1|2"]);
    same(&["----- 12 -----", "-- -- 12 -----"].map(|line| line.trim_start_matches("-- ")));
    same(&["samples: 1.0 2.5 3.1", "samples: 1.0 2.5 3.1 7.9 12.5"]);
    same(&["loss -0.5", "loss 0.25", "loss 3.2e-05"]);
    same(&["total 1,234,567", "total 9"]);
}

#[test]
fn what_is_said_stays() {
    for (line, expected) in [
        ("expected 7, got 3", "expected #, got #"),
        ("FAILED tests/test_a.py::test_adds - assert 3 == 7", "FAILED / - assert # == #"),
        ("Lines : 81.5% ( 163/200 )", "Lines #% (#/#)"),
        ("x86_64 utf8 sha256", "x#_# utf# sha#"),
        ("id req01HZX3K7M2 done", "id # done"),
        ("+ a", "+ a"),
        ("- a", "- a"),
    ] {
        assert_eq!(shape(line), expected);
    }
    assert_ne!(shape("test adds ... FAILED"), shape("test adds ... ok"));
}

#[test]
fn paths_stay_where_they_are_told_apart() {
    let mut out = String::new();
    push("src/a2.rs:12:5   81.5 %", Paths::Kept, &mut out);
    assert_eq!(out, "src/a#.rs:# #%");
}
