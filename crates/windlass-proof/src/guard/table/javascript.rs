//! JavaScript and TypeScript: jest, vitest, mocha, node, ava, playwright, cypress, deno, bun.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "JavaScript, TypeScript",
    tests: &[
        "**/*.{test,spec,cy,e2e,e2e-spec,test-d}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue}",
        "**/*[-_]test.{js,jsx,ts,tsx,mjs,cjs,mts,cts}",
        "**/test.{js,ts,mjs,cjs,mts,cts}",
        "**/test-*.{js,mjs,cjs}",
        "e2e/**",
        "cypress/**",
        "**/__mocks__/**",
    ],
    runners: &[
        "**/{jest,vitest,vite,mocha,ava,karma,playwright,cypress,wdio,jasmine}.config.*",
        "**/{jest,vitest,playwright,wdio}.*.config.*",
        "**/jest.{setup,preset,setup-*}*",
        "**/{jest,vitest}{-setup,_setup,.setup,Setup}.*",
        "**/{setupTests,setup-tests,setup_tests}.*",
        "**/vitest.{workspace,projects,setup}.*",
        "**/.mocharc*",
        "**/mocha.opts",
        "**/karma.conf.*",
        "**/cypress.json",
        "**/jasmine.json",
        "**/.nycrc*",
        "**/.c8rc*",
        "**/.taprc",
        "**/.npmrc",
        "**/.yarnrc",
        "**/.yarnrc.yml",
        "**/bunfig.toml",
    ],
    programs: &["**/node_modules/.bin/*"],
    shared: &[
        Shared {
            files: &["**/package.json"],
            kind: Kind::Json,
            keys: &[
                "scripts", "jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "jasmine",
                "wireit",
            ],
            when_added: WhenAdded::Written,
        },
        Shared {
            files: &["**/deno.json", "**/deno.jsonc"],
            kind: Kind::Json,
            keys: &["tasks", "test", "exclude"],
            when_added: WhenAdded::Written,
        },
    ],
    ..NONE
};
