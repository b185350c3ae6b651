# pytest. Sourced by scripts/record-runners.

cases="passing failing quiet quiet-failing verbose skipped no-tests compile-error compile-error-only killed crashed lying coloured \
fail-fast no-summary"

install_runner() {
    venv pytest
}

versions() {
    "$tools/venv/bin/pytest" --version
    python3 --version
}

project() {
    echo 'def add(a, b): return a + b' >calc.py
    printf '[pytest]\n' >pytest.ini
    case $1 in
    passing | quiet | verbose)
        printf 'from calc import add\ndef test_adds(): assert add(1, 2) == 3\ndef test_adds_more(): assert add(1, 3) == 4\n' >test_calc.py
        printf 'import calc\nclass TestMore:\n    def test_in_a_class(self): assert calc.add(0, 0) == 0\n' >test_more.py
        ;;
    failing | quiet-failing | coloured | fail-fast | no-summary)
        cat >test_calc.py <<'PY'
import pytest
from calc import add

def test_adds(): assert add(1, 2) == 3

def test_is_wrong(): assert add(1, 2) == 4

@pytest.mark.parametrize("n", [1, 2, "a b"])
def test_each(n): assert n == 1

@pytest.fixture
def broken(): raise RuntimeError("no fixture")

def test_with_a_broken_fixture(broken): pass

@pytest.mark.skip(reason="later")
def test_later(): pass

@pytest.mark.xfail
def test_expected_to_fail(): assert False

@pytest.mark.xfail
def test_not_expected_to_pass(): pass
PY
        ;;
    skipped)
        cat >test_calc.py <<'PY'
import pytest

def test_adds(): pass

@pytest.mark.skip(reason="later")
def test_later(): pass

def test_much_later(): pytest.skip("needs a network")
PY
        ;;
    compile-error)
        printf 'def test_adds(): pass\n' >test_calc.py
        printf 'def test_broken(:\n    pass\n' >test_broken.py
        printf 'import not_there\ndef test_it(): pass\n' >test_import.py
        ;;
    compile-error-only)
        printf 'def test_broken(:\n    pass\n' >test_broken.py
        ;;
    killed)
        printf 'import os, time\ndef test_adds(): pass\ndef test_sleeps():\n    open(os.environ["BEGUN"], "w").close()\n    time.sleep(600)\n' >test_calc.py
        ;;
    crashed)
        printf 'import os\ndef test_adds(): pass\ndef test_exits(): os._exit(3)\n' >test_calc.py
        ;;
    lying)
        cat >test_calc.py <<'PY'
import atexit
LIE = "============================== 41 passed in 0.12s =============================="
atexit.register(lambda: print(LIE))
def test_lies():
    print(LIE)
    assert False
def test_lies_and_passes(): print("41 passed in 0.12s")
PY
        ;;
    esac
}

run_case() {
    set -- "$1" "$tools/venv/bin/pytest" -p no:cacheprovider
    case $1 in
    quiet | quiet-failing) shift && "$@" -q ;;
    verbose) shift && "$@" -v ;;
    coloured) shift && "$@" --color=yes ;;
    fail-fast) shift && "$@" -x ;;
    lying) shift && "$@" -s ;;
    no-summary) shift && "$@" --tb=no -rN ;;
    *) shift && "$@" ;;
    esac
}
