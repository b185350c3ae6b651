//! Guarded keys are put back, and nothing else: by examples, and for whatever an agent may write.

mod builders;
mod hostile;
mod modules;
mod properties;

use super::*;

fn keys(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What differs and what is restored, as one text.
fn shown(kind: Kind, original: &str, current: &str, names: &[&str]) -> String {
    let keys = keys(names);
    let (original, current) = (original.as_bytes(), current.as_bytes());
    let differing = match differences(kind, original, current, &keys) {
        Err(error) => return format!("unreadable: {error}"),
        Ok(differing) => differing,
    };
    let lines: String = differing.iter().map(|it| format!("{:?}: {}\n", it.how, it.key)).collect();
    match restore(kind, original, current, &keys) {
        Err(error) => format!("{lines}unreadable: {error}"),
        Ok(restored) => format!("{lines}---\n{}", String::from_utf8(restored).unwrap()),
    }
}

const PYTEST: &[&str] = &["tool.pytest*", "tool.coverage"];

#[test]
fn tables_of_toml_come_back_and_the_rest_is_the_agents() {
    let original = "\
[project]
name = \"calc\" # ours

[tool.pytest.ini_options]
# Why.
addopts = \"-q\"
testpaths = [\"tests\"]

[tool.black]
line-length = 100
";
    let current = "\
[project]
name = \"calc\" # the agent's
dependencies = [
    \"attrs\",   # new
]

[tool.pytest.ini_options]
addopts = \"-q --co\"

[tool.coverage.run]
omit = [\"*\"]

[tool.black]
line-length = 88
";
    insta::assert_snapshot!(shown(Kind::Toml, original, current, PYTEST), @r##"
    Added: tool.coverage
    Changed: tool.pytest
    ---
    [project]
    name = "calc" # the agent's
    dependencies = [
        "attrs",   # new
    ]

    [tool.pytest.ini_options]
    # Why.
    addopts = "-q"
    testpaths = ["tests"]

    [tool.black]
    line-length = 88
    "##);
}

#[test]
fn a_table_that_is_gone_comes_back_and_one_that_is_new_goes() {
    let original = "[tool.pytest]\naddopts = \"-q\"\n";
    let current = "[project]\nname = \"a\"\n\n[tool.other]\nx = 1\n";
    insta::assert_snapshot!(shown(Kind::Toml, original, current, PYTEST), @r##"
    Removed: tool.pytest
    ---
    [project]
    name = "a"

    [tool.other]
    x = 1
    [tool.pytest]
    addopts = "-q"
    "##);
    insta::assert_snapshot!(shown(Kind::Toml, current, original, PYTEST), @r##"
    Added: tool.pytest
    ---
    "##);
    insta::assert_snapshot!(shown(Kind::Toml, "", original, PYTEST), @r##"
    Added: tool.pytest
    ---
    "##);
}

#[test]
fn the_same_in_another_form_is_no_difference() {
    let original = "[tool.pytest.ini_options]\naddopts = \"-q\"\n";
    let current = "tool = { pytest = { ini_options = { \"addopts\" = '-q' } }, x = 1 }\n";
    insta::assert_snapshot!(shown(Kind::Toml, original, current, PYTEST), @r##"
    ---
    tool = { pytest = { ini_options = { "addopts" = '-q' } }, x = 1 }
    "##);
    let changed = "tool = { pytest.ini_options.addopts = '--co', x = 1 }\n";
    insta::assert_snapshot!(shown(Kind::Toml, original, changed, PYTEST), @r##"
    Changed: tool.pytest
    ---
    tool = { pytest = { ini_options = { addopts = "-q" } }, x = 1 }
    "##);
    let dotted = "tool.black.x = 1\ntool.pytest.ini_options.addopts = '--co'\ntool.y = 2\n";
    insta::assert_snapshot!(shown(Kind::Toml, original, dotted, PYTEST), @r##"
    Changed: tool.pytest
    ---
    tool.black.x = 1
    tool.y = 2
    [tool.pytest.ini_options]
    addopts = "-q"
    "##);
}

#[test]
fn targets_of_cargo_keep_what_tests_them() {
    let keys = ["test", "profile.test", "lib.test", "package.autotests", "bin[].test"];
    let original = "\
[package]
name = \"a\"

[lib]
path = \"src/lib.rs\"

[[bin]]
name = \"one\"

[[test]]
name = \"it\"
";
    let current = "\
[package]
name = \"a\"
autotests = false

[lib]
path = \"src/lib.rs\"
test = false

[[bin]]
name = \"one\"
test = false

[[bin]]
name = \"new\"
test = false

[profile.test]
debug-assertions = false
";
    insta::assert_snapshot!(shown(Kind::Toml, original, current, &keys), @r##"
    Added: lib.test
    Added: package.autotests
    Added: profile.test
    Removed: test
    Added: bin.one.test
    ---
    [package]
    name = "a"

    [lib]
    path = "src/lib.rs"

    [[bin]]
    name = "one"

    [[bin]]
    name = "new"
    test = false

    [[test]]
    name = "it"
    "##);
}

#[test]
fn members_of_json_come_back_where_they_were() {
    let original = "\
{
  \"name\": \"calc\",
  \"scripts\": {
    \"test\": \"jest\"
  },
  \"jest\": {\"bail\": 1},
  \"version\": \"1.0.0\"
}
";
    let current = "\
{
    \"name\": \"calc\",
    \"scripts\": {\"test\": \"true\"},
    \"version\":   \"1.0.1\",
    \"mocha\": {}
}
";
    let names = ["scripts", "jest", "mocha"];
    insta::assert_snapshot!(shown(Kind::Json, original, current, &names), @r##"
    Changed: scripts
    Removed: jest
    Added: mocha
    ---
    {
        "name": "calc",
        "scripts": {
        "test": "jest"
      },
        "jest": {"bail": 1},
        "version":   "1.0.1"
    }
    "##);
    insta::assert_snapshot!(shown(Kind::Json, original, "{}", &names), @r##"
    Removed: scripts
    Removed: jest
    ---
    {
      "scripts": {
        "test": "jest"
      },
      "jest": {"bail": 1}
    }
    "##);
    insta::assert_snapshot!(shown(Kind::Json, "", current, &names), @r##"
    Added: scripts
    Added: mocha
    ---
    {
        "name": "calc",
        "version":   "1.0.1"
    }
    "##);
}

#[test]
fn sections_of_ini_files_come_back() {
    let original = "[metadata]\nname = a\n\n# Why.\n[tool:pytest]\npython_files =\n    [a-z]*.py\n";
    let current = "[metadata]\nname = b\n\n[tool:pytest]\npython_files =\n    [x]*.py\n\n# end\n[flake8]\nx = 1\n";
    insta::assert_snapshot!(shown(Kind::Ini, original, current, &["tool:pytest"]), @r##"
    Changed: [tool:pytest]
    ---
    [metadata]
    name = b

    [tool:pytest]
    python_files =
        [a-z]*.py

    # end
    [flake8]
    x = 1
    "##);
}
