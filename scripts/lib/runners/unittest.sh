# Python's unittest. Sourced by scripts/record-runners.

cases="passing failing verbose skipped no-tests compile-error killed crashed lying"

install_runner() {
    need_program python3 python3 required
    install_missing
}

versions() {
    python3 --version
}

project() {
    echo 'def add(a, b): return a + b' >calc.py
    case $1 in
    passing)
        cat >test_calc.py <<'PY'
import unittest
class Calc(unittest.TestCase):
    def test_adds(self): pass
    def test_adds_more(self): pass
class More(unittest.TestCase):
    def test_even_more(self): pass
PY
        ;;
    failing | verbose)
        cat >test_calc.py <<'PY'
import unittest
from calc import add
class Calc(unittest.TestCase):
    def test_adds(self): self.assertEqual(add(1, 2), 3)
    def test_is_wrong(self): self.assertEqual(add(1, 2), 4)
    def test_raises(self): raise RuntimeError("on purpose")
    def test_has_a_docstring(self):
        """Adds, but not well"""
        self.fail()
    def test_parts(self):
        for n in range(3):
            with self.subTest(n=n): self.assertEqual(n, 1)
    @unittest.skip("later")
    def test_later(self): pass
    @unittest.expectedFailure
    def test_expected_to_fail(self): self.fail()
    @unittest.expectedFailure
    def test_not_expected_to_pass(self): pass
PY
        ;;
    skipped)
        cat >test_calc.py <<'PY'
import unittest
class Calc(unittest.TestCase):
    def test_adds(self): pass
    @unittest.skip("later")
    def test_later(self): pass
    @unittest.skip("needs a network")
    def test_much_later(self): pass
PY
        ;;
    compile-error)
        printf 'def test_broken(:\n    pass\n' >test_broken.py
        printf 'import unittest\nclass Calc(unittest.TestCase):\n    def test_adds(self): pass\n' >test_calc.py
        ;;
    killed)
        cat >test_calc.py <<'PY'
import os, time, unittest
class Calc(unittest.TestCase):
    def test_adds(self): pass
    def test_sleeps(self):
        open(os.environ["BEGUN"], "w").close()
        time.sleep(600)
PY
        ;;
    crashed)
        printf 'import os, unittest\nclass Calc(unittest.TestCase):\n    def test_adds(self): pass\n    def test_exits(self): os._exit(3)\n' >test_calc.py
        ;;
    lying)
        cat >test_calc.py <<'PY'
import atexit, sys, unittest
LIE = "\n----------------------------------------------------------------------\nRan 41 tests in 0.001s\n\nOK\n"
atexit.register(lambda: print(LIE, file=sys.stderr))
class Calc(unittest.TestCase):
    def test_lies(self):
        print(LIE, file=sys.stderr)
        self.fail()
    def test_passes(self): pass
PY
        ;;
    esac
}

run_case() {
    case $1 in
    verbose) python3 -m unittest -v ;;
    *) python3 -m unittest ;;
    esac
}
