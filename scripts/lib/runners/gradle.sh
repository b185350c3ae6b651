# Gradle with JUnit 4, from Debian's packages and without a network. Sourced by scripts/record-runners.

cases="passing failing skipped no-tests compile-error killed crashed lying"

install_runner() {
    need_program gradle gradle required
    [ -e /usr/share/java/junit4.jar ] || missing_packages="$missing_packages junit4"
    install_missing
}

versions() {
    gradle --version 2>/dev/null | sed -n 's/^\(Gradle [0-9].*\)/\1/p'
    echo "JUnit $(dpkg-query -W -f '${Version}' junit4)"
}

# java_test NAME: a class of tests, whose body is read.
java_test() {
    {
        echo 'import org.junit.*;'
        echo "public class $1 {"
        cat
        echo '}'
    } >"src/test/java/$1.java"
}

project() {
    mkdir -p src/test/java
    echo 'rootProject.name = "calc"' >settings.gradle
    cat >build.gradle <<'GRADLE'
apply plugin: 'java'
dependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-all.jar', '/usr/share/java/hamcrest.jar') }
GRADLE
    case $1 in
    passing) echo '@Test public void adds() {} @Test public void addsMore() {}' | java_test CalcTest ;;
    failing)
        java_test CalcTest <<'JAVA'
    @Test public void adds() {}
    @Test public void isWrong() { Assert.assertEquals(4, 1 + 2); }
    @Test public void raises() { throw new IllegalStateException("on purpose"); }
    @Test @Ignore public void later() {}
JAVA
        ;;
    skipped) echo '@Test public void adds() {} @Test @Ignore public void later() {}' | java_test CalcTest ;;
    compile-error) echo '@Test public void adds() { int sum = add(1, 2); }' | java_test CalcTest ;;
    killed)
        java_test CalcTest <<'JAVA'
    @Test public void adds() {}
    @Test public void sleeps() throws Exception {
        new java.io.File(System.getenv("BEGUN")).createNewFile();
        Thread.sleep(600000);
    }
JAVA
        ;;
    crashed) echo '@Test public void adds() {} @Test public void exits() { Runtime.getRuntime().halt(3); }' | java_test CalcTest ;;
    lying)
        echo 'test { testLogging { showStandardStreams = true } }' >>build.gradle
        java_test CalcTest <<'JAVA'
    @Test public void lies() { System.out.println("41 tests completed, 0 failed"); Assert.fail(); }
    @Test public void passes() {}
JAVA
        ;;
    esac
}

run_case() {
    gradle --offline --no-daemon --console=plain --gradle-user-home "$tools/gradle" test
}
