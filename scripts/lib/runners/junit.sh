# JUnit 4 by its own runner. Sourced by scripts/record-runners.

cases="passing failing skipped no-tests killed crashed lying"

jars=/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar:/usr/share/java/hamcrest-all.jar:/usr/share/java/hamcrest-core.jar

install_runner() {
    need_program javac default-jdk-headless required
    [ -e /usr/share/java/junit4.jar ] || missing_packages="$missing_packages junit4"
    install_missing
}

versions() {
    echo "JUnit $(dpkg-query -W -f '${Version}' junit4)"
    java --version | head -n 1
}

project() {
    {
        echo 'import org.junit.*;'
        echo 'public class CalcTest {'
        case $1 in
        passing) echo '@Test public void adds() {} @Test public void addsMore() {}' ;;
        failing)
            echo '@Test public void adds() {}'
            echo '@Test public void isWrong() { Assert.assertEquals(4, 1 + 2); }'
            echo '@Test public void raises() { throw new IllegalStateException("on purpose"); }'
            echo '@Test @Ignore public void later() {}'
            ;;
        skipped) echo '@Test public void adds() {} @Test @Ignore public void later() {}' ;;
        killed)
            echo '@Test public void adds() {}'
            echo '@Test public void sleeps() throws Exception {'
            echo 'new java.io.File(System.getenv("BEGUN")).createNewFile(); Thread.sleep(600000); }'
            ;;
        crashed) echo '@Test public void adds() {} @Test public void exits() { Runtime.getRuntime().halt(3); }' ;;
        lying)
            cat <<'JAVA'
@Test public void lies() { System.out.println("\nOK (41 tests)\n"); Assert.fail("\nOK (41 tests)\n"); }
@Test public void passes() {}
JAVA
            ;;
        esac
        echo '}'
    } >CalcTest.java
    javac -cp "$jars" CalcTest.java
}

run_case() {
    java -cp "$jars:." org.junit.runner.JUnitCore CalcTest
}
