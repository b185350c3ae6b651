//! C and C++: CTest, GoogleTest, Catch2; by CMake, Meson, Bazel.

use super::{Kind, Language, NONE, Shared, WhenAdded};

pub(super) static TABLE: Language = Language {
    name: "C, C++",
    tests: &[
        "**/*[_-]{test,tests,unittest}.{c,cc,cpp,cxx,c++,h,hh,hpp,m,mm}",
        "**/test[_-]*.{c,cc,cpp,cxx,c++,m,mm}",
        "**/*[a-z0-9]{Test,Tests,UnitTest}.{c,cc,cpp,cxx,m,mm}",
        "**/tests/**/*.{c,cc,cpp,cxx,h,hh,hpp,cmake,txt}",
        "**/{unittests,unit_tests,gtest}/**",
    ],
    runners: &[
        "**/CTestTestfile.cmake",
        "**/CTestCustom.cmake",
        "**/CTestCustom.cmake.in",
        "**/CTestConfig.cmake",
        "**/DartConfiguration.tcl",
        "**/.bazelrc",
    ],
    shared: &[Shared {
        files: &["**/CMakePresets.json", "**/CMakeUserPresets.json"],
        kind: Kind::Json,
        keys: &["testPresets", "workflowPresets"],
        when_added: WhenAdded::Written,
    }],
    builds: &[
        "**/CMakeLists.txt",
        "**/*.cmake",
        "**/meson.build",
        "**/BUILD",
        "**/BUILD.bazel",
        "**/configure.ac",
        "**/Makefile.am",
        "**/SConstruct",
    ],
    ..NONE
};
