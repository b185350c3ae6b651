//! Java, Kotlin, Groovy and Scala: JUnit, TestNG and Spock, by Maven and Gradle.

use super::{Language, NONE};

pub(super) static TABLE: Language = Language {
    name: "Java, Kotlin",
    tests: &[
        "**/src/test/**",
        "**/src/*Test/**",
        "**/src/test*/**/*.{java,kt,groovy,scala}",
        "**/*[a-z0-9]{Test,Tests,TestCase,IT,Spec}.{java,kt,groovy,scala}",
        "**/Test[A-Z]*.java",
    ],
    runners: &[
        "**/junit-platform.properties",
        "**/testng*.xml",
        "**/gradlew",
        "**/gradlew.bat",
        "**/mvnw",
        "**/mvnw.cmd",
        "**/gradle/wrapper/**",
        "**/.mvn/**",
    ],
    builds: &[
        "**/pom.xml",
        "**/*.gradle",
        "**/*.gradle.kts",
        "**/gradle.properties",
        "**/build.sbt",
        "buildSrc/**",
    ],
    ..NONE
};
