//! Python: pytest, unittest, nose, tox.

use super::{Kind, Language, NONE, Shared, WhenAdded};

const HIDES: &str = "Python would load it instead of the test runner";
const PLUGINS: &str = "pytest loads the plugins that it names";

pub(super) static TABLE: Language = Language {
    name: "Python",
    tests: &["**/test_*.py", "**/*_test.py", "**/tests.py", "**/tests/**"],
    runners: &[
        "**/conftest.py",
        "**/pytest.ini",
        "**/.pytest.ini",
        "**/pytest.toml",
        "**/.pytest.toml",
        "**/tox.ini",
        "**/tox.toml",
        "**/noxfile.py",
        "**/.coveragerc",
        "**/sitecustomize.py",
        "**/usercustomize.py",
        "**/*.pth",
        "**/{tests,test}/**/__init__.py",
    ],
    programs: &["**/{.venv,venv,env,.env,.tox/*,.nox/*}/{bin,Scripts}/*"],
    shared: &[
        Shared {
            files: &["**/pyproject.toml"],
            kind: Kind::Toml,
            keys: &[
                "tool.pytest*",
                "tool.coverage",
                "tool.tox",
                "tool.nose*",
                "tool.hatch.envs",
                "tool.poe",
                "tool.taskipy",
                "tool.pdm.scripts",
                "tool.rye.scripts",
            ],
            when_added: WhenAdded::Stripped,
        },
        Shared {
            files: &["**/setup.cfg"],
            kind: Kind::Ini,
            keys: &[
                "tool:pytest",
                "pytest",
                "coverage:*",
                "tox*",
                "testenv*",
                "nosetests",
                "unittest",
                "aliases",
                "DEFAULT",
            ],
            when_added: WhenAdded::Stripped,
        },
    ],
    added: &[
        // Where Python looks first: where it is started, and where tests are.
        (
            "{,src/,lib/,test/,tests/}{pytest,_pytest,pluggy,unittest,doctest,coverage,nose,nose2,tox}.py",
            HIDES,
        ),
        (
            "{,src/,lib/,test/,tests/}{pytest,_pytest,pluggy,unittest,coverage,nose,nose2,tox}/__init__.py",
            HIDES,
        ),
        ("{,src/,lib/,test/,tests/}*.dist-info/entry_points.txt", PLUGINS),
        ("{,src/,lib/,test/,tests/}*.egg-info/entry_points.txt", PLUGINS),
    ],
    ..NONE
};
