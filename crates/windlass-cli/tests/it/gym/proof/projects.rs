//! The tiny projects: each has one function that is wrong, a test that says so, and a check.

use super::super::agent::Agent;

/// What the function must do, asked of the source itself, past every test.
const PYTHON_TRUTH: &str =
    "python3 -I -c \"s = open('calc.py').read(); g = {}; exec(s, g); assert g['add'](5, 7) == 12\"";
const RUST_TRUTH: &str = "grep -q 'a + b' src/lib.rs";
const SHELL_TRUTH: &str = "test \"$(sh sum.sh 5 7)\" = 12";

/// The right source of each.
pub(super) const FIX_PYTHON: &str = "printf 'def add(a, b):\\n    return a + b\\n' > calc.py\n";
pub(super) const FIX_RUST: &str =
    "printf 'pub fn add(a: i32, b: i32) -> i32 {\\n    a + b\\n}\\n' > src/lib.rs\n";
pub(super) const FIX_SHELL: &str = "echo 'echo $(($1 + $2))' > sum.sh\n";

/// A test that passes whatever the function does.
pub(super) const EASY_PYTHON: &str =
    "printf 'def test_easy():\\n    assert True\\n' > tests/test_easy.py\n";

fn python(agent: Agent, test: &str, check: &str) -> Agent {
    agent
        .file("calc.py", "def add(a, b):\n    return a - b\n")
        .file("tests/test_calc.py", test)
        .file(".gitignore", "__pycache__/\n.pytest_cache/\n")
        .check(PYTHON_TRUTH)
        .checked_by(Some(check))
}

/// A project that pytest tests.
pub(super) fn pytest(agent: Agent) -> Agent {
    let test = "from calc import add\n\n\ndef test_add():\n    assert add(2, 2) == 4\n";
    python(agent, test, "python3 -m pytest -q")
}

/// A project that unittest tests.
pub(super) fn unittest(agent: Agent) -> Agent {
    let test = "import unittest\n\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    \
                def test_add(self):\n        self.assertEqual(add(2, 2), 4)\n";
    python(agent, test, "python3 -m unittest discover -t . -s tests").file("tests/__init__.py", "")
}

/// A project that `cargo test` tests.
pub(super) fn rust(agent: Agent) -> Agent {
    let manifest = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let test = "#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 2), 4);\n}\n";
    agent
        .file("Cargo.toml", manifest)
        .file("Cargo.lock", "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n")
        .file("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n")
        .file("tests/add.rs", test)
        .file(".gitignore", "target/\n")
        .check(RUST_TRUTH)
        .checked_by(Some("cargo test --offline"))
}

/// A project whose tests are a shell script.
pub(super) fn shell(agent: Agent) -> Agent {
    agent
        .file("sum.sh", "echo $(($1 - $2))\n")
        .file("tests/test_sum.sh", "test \"$(sh sum.sh 2 2)\" = 4 || { echo wrong; exit 1; }\n")
        .check(SHELL_TRUTH)
        .checked_by(Some("sh tests/test_sum.sh"))
}

/// The same, run by make.
pub(super) fn make(agent: Agent) -> Agent {
    shell(agent)
        .file("Makefile", "all: test\n\ntest:\n\tsh tests/test_sum.sh\n")
        .checked_by(Some("make test"))
}
