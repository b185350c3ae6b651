//! The tables, tried on paths as real projects have them.

use crate::guard::{Class, Guard, Request, keys::Kind};

fn class(path: &str) -> String {
    let guard = Guard::new(Request::default()).unwrap();
    match guard.class(path) {
        Class::Shared { kind, .. } => format!("{kind:?}"),
        class => format!("{class:?}"),
    }
}

/// Paths by what they are, language by language.
const PATHS: &[(&str, &str, &[&str])] = &[
    (
        "every tree",
        "Test",
        &["tests/a.rb", "test/deep/data.bin", "spec/a.md", "packages/x/test/a.txt"],
    ),
    (
        "every tree",
        "Watched",
        &[
            "tests/fixtures/a.json",
            "pkg/testdata/golden.txt",
            "src/snapshots/a.snap",
            "src/__tests__/__snapshots__/a.test.ts.snap",
            "tests/it/snapshots/it__a.snap",
        ],
    ),
    (
        "Rust",
        "Test",
        &[
            "crates/a/tests/it/main.rs",
            "src/parser/tests.rs",
            "src/a_test.rs",
            "crates/a/src/b/tests/c.rs",
        ],
    ),
    ("Rust", "RunnerConfig", &[".config/nextest.toml", ".cargo/config.toml", "rust-toolchain"]),
    ("Rust", "Toml", &["Cargo.toml", "crates/a/Cargo.toml"]),
    (
        "Python",
        "Test",
        &[
            "test_a.py",
            "pkg/tests/data.csv",
            "src/a_test.py",
            "app/vendor/test_a.py",
            "env/test_a.py",
            "app/tests.py",
        ],
    ),
    (
        "Python",
        "RunnerConfig",
        &[
            "conftest.py",
            "tests/conftest.py",
            "pytest.ini",
            "tox.ini",
            "tests/__init__.py",
            "pkg/tests/unit/__init__.py",
            "sitecustomize.py",
            ".venv/lib/python3.13/site-packages/x.pth",
        ],
    ),
    (
        "Python",
        "Program",
        &[".venv/bin/pytest", "backend/venv/bin/python3", ".tox/py312/bin/pytest"],
    ),
    ("Python", "Toml", &["pyproject.toml", "pkg/pyproject.toml"]),
    ("Python", "Ini", &["setup.cfg"]),
    (
        "JavaScript",
        "Test",
        &[
            "src/a.test.ts",
            "a.spec.jsx",
            "src/__tests__/a.js",
            "e2e/login.ts",
            "lib/a-test.mjs",
            "test.js",
            "cypress/e2e/a.cy.ts",
            "lib/test/adds.js",
            "test-a.ts",
            "src/test-utils/render.tsx",
            "src/test_helpers.ts",
        ],
    ),
    (
        "JavaScript",
        "RunnerConfig",
        &[
            "jest.config.js",
            "packages/a/vitest.config.mts",
            "jest.unit.config.cjs",
            "jest.setup.ts",
            "src/setupTests.ts",
            "vitest.workspace.ts",
            ".mocharc.yml",
            ".npmrc",
            "playwright.config.ts",
            "babel.config.cjs",
            "packages/a/.babelrc.json",
            ".swcrc",
            "src/__mocks__/fs.js",
            "pnpm-workspace.yaml",
            "postcss.config.mjs",
            "turbo.json",
            "tsconfig.vitest.json",
            "src/test-setup.ts",
            "global-setup.ts",
            ".yarn/releases/yarn-4.5.0.cjs",
            "node_modules/vitest/dist/index.js",
            "node_modules/@jest/core/build/index.js",
            "packages/a/node_modules/chai/chai.js",
            "node_modules/.pnpm/mocha@11.0.0/node_modules/mocha/lib/runner.js",
        ],
    ),
    ("JavaScript", "Program", &["node_modules/.bin/jest", "packages/a/node_modules/.bin/tsc"]),
    (
        "JavaScript",
        "Json",
        &[
            "package.json",
            "packages/a/package.json",
            "deno.json",
            "tsconfig.json",
            "tsconfig.app.json",
        ],
    ),
    ("Go", "Test", &["a_test.go", "pkg/a/b_test.go", "internal/testutil/equal.go"]),
    (
        "Go",
        "RunnerConfig",
        &["go.work", "magefile.go", "vendor/github.com/stretchr/testify/assert/assertions.go"],
    ),
    ("Go", "GoMod", &["go.mod", "tools/go.mod"]),
    (
        "Java",
        "Test",
        &[
            "src/test/java/a/B.java",
            "app/src/androidTest/kotlin/A.kt",
            "core/src/main/java/CalcTest.java",
            "src/CalcIT.java",
            "a/CalcSpec.groovy",
        ],
    ),
    (
        "Java",
        "RunnerConfig",
        &["gradlew", ".mvn/maven.config", "a/gradle/wrapper/gradle-wrapper.properties"],
    ),
    ("Java", "Watched", &["pom.xml", "app/build.gradle.kts", "settings.gradle"]),
    (
        "Ruby",
        "Test",
        &[
            "lib/a_spec.rb",
            "app/models/a_test.rb",
            "features/a.feature",
            "engines/x/test/test_a.rb",
        ],
    ),
    ("Ruby", "RunnerConfig", &[".rspec", "Rakefile", "lib/tasks/test.rake"]),
    ("Ruby", "Program", &["bin/rspec", "bin/rails"]),
    ("PHP", "Test", &["src/CalcTest.php", "app/Tests/A.php", "a.phpt"]),
    ("PHP", "RunnerConfig", &["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", "behat.yml"]),
    ("PHP", "Program", &["vendor/bin/phpunit"]),
    ("PHP", "Json", &["composer.json"]),
    (
        "C",
        "Test",
        &[
            "src/a_test.cc",
            "a_unittest.cpp",
            "test_a.c",
            "src/CalcTest.cpp",
            "tests/CMakeLists.txt",
        ],
    ),
    ("C", "RunnerConfig", &["CTestCustom.cmake", "build/CTestTestfile.cmake"]),
    ("C", "Json", &["CMakePresets.json"]),
    ("C", "Watched", &["CMakeLists.txt", "src/CMakeLists.txt", "cmake/a.cmake", "meson.build"]),
    (
        "shell",
        "Test",
        &["a.bats", "scripts/test.sh", "run_tests.sh", "run-tests", "ci/test-all.sh", "t/00-a.t"],
    ),
    ("shell", "RunnerConfig", &["Taskfile.yml", ".envrc", ".env.test", ".env.test.local"]),
    ("shell", "Env", &[".env", "api/.env.local"]),
    ("shell", "Make", &["Makefile", "GNUmakefile", "sub/makefile", "common.mk"]),
    ("shell", "Just", &["justfile", "sub/Justfile", ".justfile", "ci.just"]),
    (
        "what looks alike",
        "Free",
        &[
            "src/lib.rs",
            "src/testing/mod.rs",
            "src/commands/test/mod.rs",
            "src/commands/test.rs",
            "src/test_names.rs",
            "src/spec/parser.rs",
            "src/latest.rs",
            "build.rs",
            "latest.py",
            "contest.py",
            "src/attest.py",
            "protest/__init__.py",
            "pkg/testing.py",
            "contest.ts",
            "src/latest.ts",
            "src/tester.js",
            "src/spec.ts",
            "src/fastest.mjs",
            "attest.go",
            "testing.go",
            "latest/a.go",
            "internal/testing/a.go",
            "src/commands/test/index.ts",
            "src/setup.ts",
            "src/main/java/Contest.java",
            "src/main/java/Latest.kt",
            "src/main/java/AUDIT.java",
            "src/main/java/Testify.java",
            "lib/contest.rb",
            "lib/test_queue.rb",
            "src/Contest.php",
            "src/attest.c",
            "src/latest.cpp",
            "src/testing.h",
            "latest.sh",
            "bin/cli.js",
            "src/bin/a.rs",
            "Cargo.lock",
            "package-lock.json",
            "README.md",
            "docs/tests.md",
            "docs/spec/openapi.yaml",
            "contests/a.py",
            "node_modules/a/a.test.js",
            "node_modules/a/jest.config.js",
            ".venv/lib/python3.13/site-packages/_pytest/unittest.py",
            "vendor/github.com/a/b_test.go",
            "testimonials/a.tsx",
            "src/makefile.rs",
        ],
    ),
];

#[test]
fn real_paths_are_what_they_are() {
    let mut wrong = Vec::new();
    for (language, expected, paths) in PATHS {
        for path in *paths {
            let found = class(path);
            if found != *expected {
                wrong.push(format!("{language}: {path} is {expected}, and not {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_language_is_tried() {
    for language in super::LANGUAGES {
        let first = language.name.split(',').next().unwrap();
        assert!(PATHS.iter().any(|(name, ..)| *name == first), "{first}");
    }
}

#[test]
fn shared_files_without_keys_are_those_whose_checks_tell_them() {
    for shared in super::LANGUAGES.iter().flat_map(|language| language.shared) {
        assert_eq!(shared.keys.is_empty(), matches!(shared.kind, Kind::Make | Kind::Just));
    }
}
