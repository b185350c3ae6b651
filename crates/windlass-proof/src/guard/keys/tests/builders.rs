//! Makefiles and justfiles: what a check calls comes back, other rules are the agent's.

use super::*;

const MAKEFILE: &str = "\
CC = gcc
all: build

build: main.o
\t$(CC) -o main main.o

# Runs all tests.
test: build
\t./run-tests

clean:
\trm -f main
";

#[test]
fn targets_that_a_check_calls_come_back_with_variables_and_what_they_need() {
    let current = "\
CC = true
SHELL := /bin/true
help:
\t@echo help

all: build

build:
\ttouch main

# Runs all tests.
test:
\t@true

clean:
\trm -rf main out
.IGNORE:
";
    insta::assert_snapshot!(shown(Kind::Make, MAKEFILE, current, &["test"]), @r##"
    Changed: the target build
    Changed: the target test
    Changed: the variable CC
    Added: the target .IGNORE
    Added: the variable SHELL
    ---
    CC = gcc
    help:
    	@echo help

    all: build

    build: main.o
    	$(CC) -o main main.o

    # Runs all tests.
    test: build
    	./run-tests

    clean:
    	rm -rf main out
    "##);
    insta::assert_snapshot!(shown(Kind::Make, MAKEFILE, current, &[""]), @r##"
    Changed: the target build
    Changed: the variable CC
    Added: the target .IGNORE
    Added: the variable SHELL
    Changed: what is run first
    ---
    CC = gcc
    all: build
    help:
    	@echo help


    build: main.o
    	$(CC) -o main main.o

    # Runs all tests.
    test:
    	@true

    clean:
    	rm -rf main out
    "##);
}

#[test]
fn what_only_adds_a_target_is_no_difference() {
    let current = format!("{MAKEFILE}\ndeploy: all\n\t./deploy\n");
    for goal in ["", "test"] {
        let shown = shown(Kind::Make, MAKEFILE, &current, &[goal]);
        assert_eq!(shown, format!("---\n{current}"));
    }
}

const JUSTFILE: &str = "\
set shell := [\"bash\", \"-c\"]
version := '1'

# All of it.
default: test

[private]
build:
    cargo build

test *args: build
    cargo test {{args}}

fmt:
    cargo fmt
";

#[test]
fn recipes_that_a_check_calls_come_back_with_settings_and_what_they_need() {
    let current = "\
set shell := [\"true\"]
version := '''
test:
    no
'''
alias t := fmt

fmt:
    cargo fmt --all

default: test

[private]
build:
    true

test *args: build
    true

new:
    echo new
";
    insta::assert_snapshot!(shown(Kind::Just, JUSTFILE, current, &["test"]), @r##"
    Changed: the recipe build
    Changed: the recipe test
    Changed: the setting shell
    Changed: the variable version
    Added: the alias t
    ---
    set shell := ["bash", "-c"]
    version := '1'

    fmt:
        cargo fmt --all

    default: test

    [private]
    build:
        cargo build

    test *args: build
        cargo test {{args}}

    new:
        echo new
    "##);
    insta::assert_snapshot!(shown(Kind::Just, JUSTFILE, current, &[""]), @r##"
    Changed: the recipe build
    Changed: the recipe test
    Changed: the setting shell
    Changed: the variable version
    Added: the alias t
    Changed: what is run first
    ---
    set shell := ["bash", "-c"]
    version := '1'

    default: test
    fmt:
        cargo fmt --all


    [private]
    build:
        cargo build

    test *args: build
        cargo test {{args}}

    new:
        echo new
    "##);
}
