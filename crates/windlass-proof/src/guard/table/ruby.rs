//! Ruby: RSpec, minitest, cucumber.

use super::{Language, NONE};

pub(super) static TABLE: Language = Language {
    name: "Ruby",
    tests: &[
        "**/*_spec.rb",
        "**/*_test.rb",
        "**/test/**/test_*.rb",
        "features/**/*.feature",
        "features/{step_definitions,support}/**",
    ],
    runners: &[
        "**/.rspec",
        "**/.rspec-local",
        "**/Rakefile",
        "**/rakefile",
        "**/Rakefile.rb",
        "**/*.rake",
        "**/.simplecov",
        "**/cucumber.{yml,yaml}",
        "**/.bundle/config",
    ],
    programs: &["bin/{rspec,rake,rails,test,cucumber,minitest,bundle}"],
    ..NONE
};
