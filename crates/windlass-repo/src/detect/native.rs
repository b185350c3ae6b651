//! Projects that CMake builds. Only one that was configured already can be tested without knowing how.

use super::{Detected, look::Look};

/// Where people build.
const FOLDERS: [&str; 2] = ["build", "_build"];

pub(super) fn tests(look: Look<'_>) -> Option<Detected> {
    let has_tests = look.text("CMakeLists.txt").is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        text.contains("enable_testing(") || text.contains("include(ctest)")
    });
    let is_built = |folder: &&str| look.has(&format!("{folder}/CTestTestfile.cmake"));
    let folder = FOLDERS.into_iter().find(|folder| has_tests && is_built(folder))?;
    let command =
        format!("cmake --build {folder} && ctest --test-dir {folder} --output-on-failure");
    let because = format!("CMakeLists.txt has tests, and {folder}/ is configured");
    Some(Detected::new(command, "CMakeLists.txt", because))
}
