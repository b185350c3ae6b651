//! Ruby projects that are tested with RSpec, and PHP projects that are tested with PHPUnit.

use super::{Detected, look::Look};

pub(super) fn tests(look: Look<'_>) -> Vec<Detected> {
    rspec(look).into_iter().chain(phpunit(look)).collect()
}

fn rspec(look: Look<'_>) -> Option<Detected> {
    let file = [".rspec", "spec/spec_helper.rb"].into_iter().find(|file| look.has(file))?;
    let is_bundled = look.text("Gemfile").is_some_and(|text| text.contains("rspec"));
    let command = if is_bundled { "bundle exec rspec" } else { "rspec" };
    Some(Detected::of_file(command, file))
}

fn phpunit(look: Look<'_>) -> Vec<Detected> {
    let files = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"];
    let Some(file) = files.into_iter().find(|file| look.has(file)) else { return Vec::new() };
    let own = look.has("vendor/bin/phpunit").then_some("vendor/bin/phpunit");
    let commands = own.into_iter().chain(["phpunit"]);
    commands.map(|command| Detected::of_file(command, file)).collect()
}
