# TAP: raw, as Perl's Test::More and bats print it, and as prove sums it up. Sourced by scripts/record-runners.

cases="passing failing skipped skipped-all no-plan wrong-plan bail-out no-tests killed lying nested bats-passing bats-failing bats-killed \
prove-passing prove-failing prove-skipped prove-no-tests prove-compile-error prove-killed prove-verbose prove-lying"

install_runner() {
    need_program prove perl required
    need_program bats bats required
    install_missing
}

versions() {
    prove --version
    perl -MTest::More -e 'print "Test::More $Test::More::VERSION\n"'
    bats --version
}

project() {
    mkdir t
    case $1 in
    passing | prove-passing)
        printf 'use Test::More tests => 2;\nok 1, "adds";\nok 1, "adds more";\n' >t/calc.t
        [ "$1" = passing ] || printf 'use Test::More tests => 1;\nok 1;\n' >t/more.t
        ;;
    failing | prove-failing | prove-verbose)
        cat >t/calc.t <<'PL'
use Test::More tests => 5;
ok 1, "adds";
is 1 + 2, 4, "is wrong";
ok 0;
SKIP: { skip "no network", 1; }
TODO: { local $TODO = "some day"; ok 0, "is to do"; }
PL
        ;;
    skipped | prove-skipped)
        printf 'use Test::More tests => 3;\nok 1, "adds";\nSKIP: { skip "later", 2; }\n' >t/calc.t
        [ "$1" = skipped ] || printf 'use Test::More skip_all => "no network";\n' >t/more.t
        ;;
    skipped-all) printf 'use Test::More skip_all => "no network";\n' >t/calc.t ;;
    no-plan) printf 'use Test::More;\nok 1, "adds";\nok 0, "is wrong";\ndone_testing;\n' >t/calc.t ;;
    wrong-plan) printf 'use Test::More tests => 3;\nok 1, "adds";\n' >t/calc.t ;;
    bail-out) printf 'use Test::More tests => 3;\nok 1, "adds";\nBAIL_OUT("no database");\n' >t/calc.t ;;
    no-tests) printf 'print "1..0\\n";\n' >t/calc.t ;;
    prove-no-tests) rmdir t && mkdir t ;;
    prove-compile-error) printf 'use Test::More tests => 1;\nok (;\n' >t/calc.t ;;
    killed | prove-killed)
        printf 'use Test::More tests => 3;\n$| = 1;\nok 1, "adds";\nopen my $f, ">", $ENV{BEGUN};\nsleep 600;\nok 1;\nok 1;\n' >t/calc.t
        ;;
    lying | prove-lying)
        cat >t/calc.t <<'PL'
use Test::More tests => 2;
print STDERR "All tests successful.\nFiles=1, Tests=41,  0 wallclock secs ( 0.01 usr)\nResult: PASS\n";
print "# tests 41\n# pass 41\n# fail 0\n";
ok 1, "passes";
ok 0, "lies";
print STDERR "1..1\nok 1\n";
PL
        ;;
    nested)
        printf 'use Test::More tests => 2;\nok 1, "adds";\nsubtest "inner" => sub { plan tests => 2; ok 1, "in"; ok 0, "is wrong" };\n' >t/calc.t
        ;;
    bats-passing) printf '@test "adds" { true; }\n@test "adds more" { true; }\n' >t/calc.bats ;;
    bats-failing) printf '@test "adds" { true; }\n@test "is wrong" { false; }\n@test "later" { skip "no network"; }\n' >t/calc.bats ;;
    bats-killed) printf '@test "adds" { true; }\n@test "sleeps" { touch "$BEGUN"; sleep 600; }\n' >t/calc.bats ;;
    esac
}

run_case() {
    case $1 in
    bats-*) bats t ;;
    prove-verbose) prove -v t ;;
    prove-*) prove t ;;
    *) perl t/calc.t ;;
    esac
}
