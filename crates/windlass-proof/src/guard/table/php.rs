//! PHP: PHPUnit, Pest, Codeception, Behat.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "PHP",
    tests: &[
        "**/*[a-z0-9]{Test,Tests,TestCase,Cest}.php",
        "**/*.phpt",
        "**/{tests,Tests}/**/*.php",
    ],
    runners: &[
        "**/phpunit*.xml",
        "**/phpunit*.xml.dist",
        "**/phpunit*.dist.xml",
        "**/codeception*.{yml,yaml}",
        "**/codeception*.{yml,yaml}.dist",
        "**/behat.{yml,yaml,php}",
        "**/behat.{yml,yaml}.dist",
        "**/phpspec.yml",
        "**/infection.json*",
    ],
    programs: &["**/vendor/bin/*"],
    shared: &[Shared {
        files: &["**/composer.json"],
        kind: Kind::Json,
        keys: &["scripts", "autoload-dev"],
        when_added: WhenAdded::Written,
    }],
    ..NONE
};
