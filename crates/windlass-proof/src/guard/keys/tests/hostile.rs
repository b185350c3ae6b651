//! What an agent may write into a shared file so that the tests no longer decide.

use super::*;

const MAKEFILE: &str = "\
SRC := main.c
include common.mk

all: build

build: main.o other.o
\tcc -o main main.o other.o

%.o: %.c
\tcc -c $<

test: build
\t./run-tests
\t$(MAKE) lint

lint:
\t./lint

clean:
\trm -f main
";

/// What an agent may add to a makefile; nothing of it may be left.
const MAKE_TRICKS: &[&str] = &[
    "SHELL := /bin/true\n",
    "SHELL = /bin/true",
    "SHELL ::= /bin/true\n",
    "SHELL?=/bin/true\n",
    "SHELL != echo /bin/true\n",
    ".SHELLFLAGS = -c true\n",
    "SRC += evil.c\n",
    "override SRC = evil.c\n",
    "export PATH := evil\n",
    "export\n",
    "unexport PATH\n",
    "undefine SRC\n",
    "private SRC = evil\n",
    "define SHELL\n/bin/true\nendef\n",
    "override define SRC =\ntest: evil\nendef\n",
    "define A\ndefine B\nendef\nSHELL=evil\nendef\n",
    "MAKEFLAGS += -i\n",
    "MAKEFILES = evil.mk\n",
    "MAKE = true\n",
    ".DEFAULT_GOAL := evil\n",
    ".IGNORE:\n",
    ".IGNORE: test\n",
    ".ONESHELL:\n",
    ".PHONY: evil\n",
    ".SILENT: evil\n",
    ".RECIPEPREFIX = >\nevil:\n> true\n",
    "include evil.mk\n",
    "-include evil.mk\n",
    "sinclude evil.mk\n",
    "  include evil.mk\n",
    "load evil.so\n",
    "vpath %.c evil\n",
    "VPATH = evil\n",
    "ifeq (1,1)\ntest: evil\nendif\n",
    "ifdef EVIL\nelse\nSHELL := /bin/true\nendif\n",
    "ifeq(1,1)\nevil:\nendif\n",
    "test:\n\t@true evil\n",
    "./test: evil\n",
    "././/test: evil\n",
    "test:: evil\n",
    "evil test: ; true\n",
    "test evil &: ; true\n",
    "lint:\n\ttrue evil\n",
    "%: ; true evil\n",
    "te%: evil\n",
    "other.c:\n\techo 'int main(){}' > $@ # evil\n",
    "other.y: evil\n",
    "Makefile: ; true evil\n",
    "common.mk: ; true evil\n",
    "$(EVIL):\n\ttrue\n",
    "t$(EVIL)est: ; true\n",
    "$(eval SHELL := /bin/true)\n",
    "${eval evil}\n",
    "x: $(eval SHELL := /bin/true)\n",
    "x: ${shell touch evil}\n",
    "x: SHELL := /bin/true\n",
    "%.o: CFLAGS += -Devil\n",
    "*.o: evil\n",
    "te\\\nst: evil\n",
    "A=1\n\ttest: evil\n",
    "test: build\n\t\n",
    "test: build\n\n# evil\n\t\n",
    "A=1\n\tSHELL = /bin/true\n",
    "evil\n",
    "endif : evil\n",
];

#[test]
fn no_trick_is_left_in_a_makefile() {
    let keys = keys(&["test"]);
    let mut wrong = Vec::new();
    for trick in MAKE_TRICKS {
        let places = [format!("{trick}\n{MAKEFILE}"), format!("{MAKEFILE}{trick}")];
        let middle = MAKEFILE.replace("lint:\n", &format!("{trick}\nlint:\n"));
        for current in places.into_iter().chain([middle]) {
            let original = MAKEFILE.as_bytes();
            let found = differences(Kind::Make, original, current.as_bytes(), &keys).unwrap();
            if found.is_empty() {
                wrong.push(format!("{trick:?} is not seen"));
            }
            // Where it cannot be taken out alone, the whole file is restored.
            if let Ok(restored) = restore(Kind::Make, original, current.as_bytes(), &keys) {
                let restored = String::from_utf8(restored).unwrap();
                let is_left = restored.contains("evil") || restored.contains("/bin/true");
                if is_left || restored.split_whitespace().count() > words(MAKEFILE) {
                    wrong.push(format!("{trick:?} is left:\n{restored}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn a_comment_that_goes_on_hides_no_rule() {
    let original = "test:\n\t./run-tests\n";
    let current = "# about \\\ntest:\n\t./run-tests\n";
    let shown = shown(Kind::Make, original, current, &["test"]);
    assert_eq!(
        shown,
        "Removed: the target test\nAdded: ./run-tests\n---\n# about \\\ntest:\ntest:\n\t./run-tests\n"
    );
}

/// make takes it for a recipe that does nothing, and forgets the other one.
#[test]
fn a_tab_alone_is_an_empty_recipe() {
    let original = "test: a\na:\n\t./run-tests\na: c\nV = 1\nifdef X\ntest: e\nendif\n";
    let in_a_rule = original.replace("a: c\n", "a: c\n\t\n");
    let after_a_comment = original.replace("a: c\n", "a: c\n# why\n\t\n");
    for current in [in_a_rule, after_a_comment, format!("{original}\t\n")] {
        let shown = shown(Kind::Make, original, &current, &["test"]);
        let (differing, restored) = shown.split_once("---\n").unwrap();
        assert_ne!(differing, "", "{current}");
        assert!(!restored.contains("\n\t\n"), "{restored}");
    }
}

#[test]
fn the_end_of_the_agents_part_does_not_swallow_the_original() {
    let original = "test:\n\t./run-tests\n";
    for current in ["# gone \\", "# gone \\\n", "x:\n\ttrue \\", "x:\n\ttrue", "x: y \\\n"] {
        let shown = shown(Kind::Make, original, current, &["test"]);
        assert!(shown.starts_with("Removed: the target test\n---\n"), "{shown}");
        assert!(shown.ends_with("\ntest:\n\t./run-tests\n"), "{shown}");
    }
}

/// Files of which nothing is believed.
#[test]
fn what_cannot_be_read_is_told() {
    let told = |kind, current: &[u8]| {
        differences(kind, b"", current, &keys(&["scripts"])).unwrap_err().to_string()
    };
    let told = [
        told(Kind::Toml, b"[tool.pytest]\na = 1\n[tool.pytest]\na = 2\n"),
        told(Kind::Toml, b"a = 1\na = 2\n"),
        told(Kind::Toml, "a = ".repeat(3).as_bytes()),
        told(Kind::Toml, ["a = ", &"[".repeat(100_000)].concat().as_bytes()),
        told(Kind::Toml, ["a", &".a".repeat(100_000), " = 1"].concat().as_bytes()),
        told(Kind::Json, b""),
        told(Kind::Json, b"[]"),
        told(Kind::Json, b"{\"a\": 1,,}"),
        told(Kind::Json, ["{\"a\": ", &"[".repeat(100_000)].concat().as_bytes()),
        told(Kind::Json, b"{\"a\": 1} {}"),
        told(Kind::Just, b"a := 'b\n"),
        told(Kind::Just, b"a := (b\n"),
        told(Kind::Make, b"a:\0b\n"),
        told(Kind::Ini, b"\xff"),
    ];
    insta::assert_snapshot!(told.join("\n"), @r##"
    duplicate key
    duplicate key
    unexpected key or value, expected newline, `#`
    cannot recurse further; max recursion depth met
    recursion limit
    it is no JSON: EOF while parsing a value at line 1 column 0
    it is no object
    it is no JSON: trailing comma at line 1 column 10
    it is no JSON: recursion limit exceeded at line 1 column 133
    it is no JSON: trailing characters at line 1 column 10
    a string is not closed
    a bracket is not closed
    it has a NUL byte
    it is not UTF-8
    "##);
}

#[test]
fn every_member_of_the_same_name_counts() {
    let original = "{\"scripts\": {\"test\": \"jest\"}, \"a\": 1}";
    let shown = |current| shown(Kind::Json, original, current, &["scripts"]);
    insta::assert_snapshot!(shown("{\"scripts\": {\"test\": \"jest\"}, \"a\": 1, \"scr\\u0069pts\": {}}"), @r##"
    Changed: scripts
    ---
    {"scripts": {"test": "jest"}, "a": 1}
    "##);
    insta::assert_snapshot!(shown("\u{feff}{\"scripts\": 1, \"scripts\": {\"test\": \"jest\"}}"), @r##"
    Changed: scripts
    ---
    ﻿{"scripts": {"test": "jest"}}
    "##);
    insta::assert_snapshot!(shown("{ // why\n  \"a\": 2, /* \"scripts\": 1 */ \"b\": \"/*\"\n}\n"), @r##"
    Removed: scripts
    ---
    { // why
      "a": 2, /* "scripts": 1 */ "b": "/*",
      "scripts": {"test": "jest"}
    }
    "##);
}

#[test]
fn toml_keeps_its_line_ends_and_its_mark() {
    let original = "[tool.pytest]\na = 1\n";
    let current = "\u{feff}[x]\r\nb = 1\r\n[tool.pytest]\r\na = 2\r\n";
    let shown = shown(Kind::Toml, original, current, PYTEST);
    assert_eq!(
        shown,
        "Changed: tool.pytest\n---\n\u{feff}[x]\r\nb = 1\r\n[tool.pytest]\r\na = 1\r\n"
    );
}

#[test]
fn a_value_in_the_way_of_a_table_brings_the_whole_file_back() {
    let original = "[tool.pytest]\na = 1\n";
    insta::assert_snapshot!(shown(Kind::Toml, original, "tool = 1\n", PYTEST), @r##"
    Removed: tool.pytest
    unreadable: what leads to pytest is no table
    "##);
    insta::assert_snapshot!(shown(Kind::Toml, original, "[[tool]]\npytest.a = 1\n", PYTEST), @r##"
    Removed: tool.pytest
    unreadable: what leads to pytest is no table
    "##);
    insta::assert_snapshot!(shown(Kind::Toml, original, "[[tool.pytest]]\na = 1\n", PYTEST), @r##"
    Changed: tool.pytest
    ---
    [tool.pytest]
    a = 1
    "##);
}

const JUSTFILE: &str = "\
version := '1'

default: test

build:
    cargo build

test: build
    just lint
    cargo test

lint:
    cargo clippy
";

/// What an agent may add to a justfile; nothing of it may be left.
const JUST_TRICKS: &[&str] = &[
    "set shell := ['evil', '-c']\n",
    "set dotenv-load\n",
    "set dotenv-filename := 'evil'\n",
    "set ignore-comments := true # evil\n",
    "set allow-duplicate-recipes := true # evil\n",
    "version := 'evil'\n",
    "export PATH := 'evil'\n",
    "unexport EVIL\nevil := '1'\n",
    "path := `evil`\n",
    "x := '''\ntest: evil\n'''\n",
    "x := (\n  'evil'\n)\n",
    "alias test := evil\n",
    "alias t := evil\n",
    "import 'evil.just'\n",
    "import? 'evil.just'\n",
    "mod evil\n",
    "test:\n    evil\n",
    "@test:\n    evil\n",
    "test *args: build\n    evil\n",
    "test: evil\n",
    "lint:\n    evil\n",
    "build target='evil':\n    true\n",
    "[no-cd]\ntest:\n    evil\n",
    "[default]\nevil:\n    true\n",
    "[private]\n\n# why\n[no-exit-message]\ntest:\n    evil\n",
    "evil",
    "{{evil}}\n",
    "    evil\n",
];

#[test]
fn no_trick_is_left_in_a_justfile() {
    let keys = keys(&["", "test"]);
    let mut wrong = Vec::new();
    for trick in JUST_TRICKS {
        let middle = JUSTFILE.replace("lint:\n", &format!("{trick}\nlint:\n"));
        let places = [format!("{trick}\n{JUSTFILE}"), format!("{JUSTFILE}{trick}"), middle];
        for current in places {
            let restored =
                restore(Kind::Just, JUSTFILE.as_bytes(), current.as_bytes(), &keys).unwrap();
            let restored = String::from_utf8(restored).unwrap();
            if restored.contains("evil") || words(&restored) > words(JUSTFILE) {
                wrong.push(format!("{trick:?} is left:\n{restored}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
