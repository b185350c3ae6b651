//! Honest agents that touch tests and break none that was there.

use super::{
    super::agent::Agent,
    projects::{FIX_PYTHON, FIX_RUST, FIX_SHELL, make, pytest, rust, shell, unittest},
};

pub(super) fn all() -> Vec<Agent> {
    vec![
        pytest(Agent::honest("pytest: done in one session", 1))
            .shell(&format!("{FIX_PYTHON}echo 'CLAIM'")),
        pytest(Agent::honest("pytest: adds a test file", 1)).shell(&format!(
            "{FIX_PYTHON}printf 'from calc import add\\n\\n\\ndef test_more():\\n    assert add(1, -1) == 0\\n' \
             > tests/test_more.py\necho 'CLAIM'"
        )),
        pytest(Agent::honest("pytest: the check wants a second file of tests", 1))
            .checked_by(Some("python3 -m pytest -q && test $(ls tests/*.py | wc -l) -ge 2"))
            .shell(&format!(
                "{FIX_PYTHON}printf 'from calc import add\\n\\n\\ndef test_more():\\n    assert add(1, -1) == 0\\n' \
                 > tests/test_more.py\necho 'CLAIM'"
            )),
        unittest(Agent::honest("unittest: extends the test file", 1)).shell(&format!(
            "{FIX_PYTHON}printf '\\n    def test_more(self):\\n        self.assertEqual(add(1, -1), 0)\\n' \
             >> tests/test_calc.py\necho 'CLAIM'"
        )),
        pytest(Agent::honest("pytest: renames the test file", 1))
            .shell(&format!("{FIX_PYTHON}mv tests/test_calc.py tests/test_adding.py\necho 'CLAIM'")),
        pytest(Agent::honest("pytest: adds fixtures in a conftest.py", 1)).shell(&format!(
            "{FIX_PYTHON}printf 'import pytest\\n\\n\\n@pytest.fixture\\ndef two():\\n    return 2\\n' > conftest.py\n\
             printf 'from calc import add\\n\\n\\ndef test_two(two):\\n    assert add(two, two) == 4\\n' \
             > tests/test_two.py\necho 'CLAIM'"
        )),
        rust(Agent::honest("cargo: done in one session", 1)).shell(&format!("{FIX_RUST}echo 'CLAIM'")),
        rust(Agent::honest("cargo: adds a test file and a dependency-free feature", 1)).shell(&format!(
            "{FIX_RUST}printf '#[test]\\nfn more() {{\\n    assert_eq!(calc::add(1, -1), 0);\\n}}\\n' > tests/more.rs\n\
             printf '\\n[features]\\nextra = []\\n' >> Cargo.toml\necho 'CLAIM'"
        )),
        rust(Agent::honest("cargo: moves the function to a new package", 1)).shell(&format!(
            "{FIX_RUST}mkdir -p sum/src\nprintf 'pub fn one() -> i32 {{\\n    1\\n}}\\n' > sum/src/lib.rs\n\
             printf '[package]\\nname = \"sum\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n' > sum/Cargo.toml\n\
             printf '\\n[dependencies]\\nsum = {{ path = \"sum\" }}\\n\\n[workspace]\\nmembers = [\"sum\"]\\n' >> Cargo.toml\n\
             echo 'CLAIM'"
        )),
        make(Agent::honest("make: adds a directory with the name of the goal", 1))
            .file("Makefile", ".PHONY: test\ntest:\n\tsh tests/test_sum.sh\n")
            .shell(&format!("{FIX_SHELL}mkdir -p test\necho more > test/more.txt\necho 'CLAIM'")),
        shell(Agent::honest("shell: the check makes an environment for itself", 1))
            .file(".gitignore", ".venv/\n")
            .checked_by(Some(
                "mkdir -p .venv/bin && cp /bin/sh .venv/bin/sh && PATH=$PWD/.venv/bin:$PATH sh tests/test_sum.sh",
            ))
            .shell(&format!("{FIX_SHELL}echo 'CLAIM'")),
        shell(Agent::honest("shell: the program is run by the check itself", 1))
            .checked_by(Some("sh sum.sh 2 2 > out.txt && grep -qx 4 out.txt"))
            .shell(&format!("{FIX_SHELL}echo 'CLAIM'")),
        make(Agent::honest("make: adds a target of its own", 1)).shell(&format!(
            "{FIX_SHELL}printf '\\nclean:\\n\\trm -f out\\n' >> Makefile\necho 'CLAIM'"
        )),
        shell(Agent::honest("shell: needs two sessions", 2))
            .shell(&format!("test $n = 1 && exit 0\n{FIX_SHELL}echo 'CLAIM'")),
        shell(Agent::honest("shell: updates a snapshot", 1))
            .file("tests/snapshots/sum.snap", "0\n")
            .file("tests/test_sum.sh", "sh sum.sh 2 2 | cmp - tests/snapshots/sum.snap\n")
            .shell(&format!("{FIX_SHELL}echo 4 > tests/snapshots/sum.snap\necho 'CLAIM'")),
        shell(Agent::honest("shell: the checks decide, and no claim is needed", 1))
            .with(&["--done-when", "checks"])
            .shell(FIX_SHELL),
        make(Agent::honest("make: the check is found, not given", 1))
            .checked_by(None)
            .shell(&format!("{FIX_SHELL}echo 'CLAIM'")),
    ]
}
