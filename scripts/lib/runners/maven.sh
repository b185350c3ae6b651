# Maven's Surefire with JUnit 5, from Debian's packages and without a network. Sourced by scripts/record-runners.

cases="passing failing skipped no-tests compile-error killed crashed lying modules"

install_runner() {
    need_program mvn maven required
    [ -e /usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin ] ||
        missing_packages="$missing_packages libsurefire-java libmaven-compiler-plugin-java libmaven-resources-plugin-java junit5"
    install_missing
}

versions() {
    mvn -B --version | sed -n 's/.*\(Apache Maven [0-9.]*\).*/\1/p'
    echo "surefire $(dpkg-query -W -f '${Version}' libsurefire-java)"
    echo "JUnit $(dpkg-query -W -f '${Version}' junit5)"
}

# pom NAME [MORE]
pom() {
    cat <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>$1</artifactId><version>1</version>
  ${2:-}
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId><version>debian</version><scope>test</scope></dependency>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-engine</artifactId><version>debian</version><scope>test</scope></dependency>
  </dependencies>
</project>
XML
}

# java_test DIRECTORY NAME: a class of tests, whose body is read.
java_test() {
    mkdir -p "$1/src/test/java"
    {
        echo 'import org.junit.jupiter.api.*;'
        echo "class $2 {"
        cat
        echo '}'
    } >"$1/src/test/java/$2.java"
}

project() {
    pom calc >pom.xml
    case $1 in
    passing)
        echo '@Test void adds() {} @Test void addsMore() {}' | java_test . CalcTest
        echo '@Test void isThere() {}' | java_test . MoreTest
        ;;
    failing)
        java_test . CalcTest <<'JAVA'
    @Test void adds() {}
    @Test void isWrong() { Assertions.assertEquals(4, 1 + 2); }
    @Test void raises() { throw new IllegalStateException("on purpose"); }
    @Test @Disabled("later") void later() {}
JAVA
        echo '@Test void isThere() {}' | java_test . MoreTest
        ;;
    skipped)
        echo '@Test void adds() {} @Test @Disabled void later() {} @Test @Disabled("no network") void muchLater() {}' | java_test . CalcTest
        ;;
    compile-error) echo '@Test void adds() { int sum = add(1, 2); }' | java_test . CalcTest ;;
    killed)
        java_test . CalcTest <<'JAVA'
    @Test void adds() {}
    @Test void sleeps() throws Exception {
        new java.io.File(System.getenv("BEGUN")).createNewFile();
        Thread.sleep(600000);
    }
JAVA
        echo '@Test void isThere() {}' | java_test . AnotherTest
        ;;
    crashed) echo '@Test void adds() {} @Test void exits() { Runtime.getRuntime().halt(3); }' | java_test . CalcTest ;;
    lying)
        java_test . CalcTest <<'JAVA'
    @Test void lies() {
        System.out.println("[INFO] \n[INFO] Results:\n[INFO] \n[INFO] Tests run: 41, Failures: 0, Errors: 0, Skipped: 0\n[INFO] ");
        Assertions.fail("Tests run: 41, Failures: 0, Errors: 0, Skipped: 0");
    }
    @Test void passes() {}
JAVA
        ;;
    modules)
        pom calc '<packaging>pom</packaging><modules><module>one</module><module>two</module></modules>' >pom.xml
        mkdir one two
        pom one >one/pom.xml
        pom two >two/pom.xml
        echo '@Test void adds() {}' | java_test one OneTest
        echo '@Test void adds() {} @Test void isWrong() { Assertions.fail(); }' | java_test two TwoTest
        ;;
    esac
}

run_case() {
    # Debian's repository by links, so that Maven has somewhere to write its notes.
    [ -d "$tools/m2" ] || cp -as /usr/share/maven-repo "$tools/m2"
    mvn -B -o -Dmaven.repo.local="$tools/m2" test
}
