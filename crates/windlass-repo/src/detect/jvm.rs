//! Projects that Maven or Gradle build. A wrapper in the project comes before the installed program.

use super::{Detected, look::Look};

/// The files that Gradle builds by.
const GRADLE: [&str; 4] =
    ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

pub(super) fn tests(look: Look<'_>) -> Vec<Detected> {
    let mut found = Vec::new();
    if look.has("pom.xml") {
        let programs = wrapped(look, "mvnw", "mvn");
        // Without `-fae` the modules after one that fails are not tested.
        let command = |program| format!("{program} --batch-mode -fae test");
        found.extend(programs.map(|program| Detected::of_file(command(program), "pom.xml")));
    }
    if let Some(file) = GRADLE.into_iter().find(|file| look.has(file)) {
        let programs = wrapped(look, "gradlew", "gradle");
        let command = |program| format!("{program} test --continue");
        found.extend(programs.map(|program| Detected::of_file(command(program), file)));
    }
    found
}

/// The wrapper, if it is there, and the program itself.
fn wrapped(look: Look<'_>, wrapper: &str, program: &str) -> impl Iterator<Item = String> {
    let wrapper = look.has(wrapper).then(|| format!("./{wrapper}"));
    wrapper.into_iter().chain([program.to_owned()])
}
