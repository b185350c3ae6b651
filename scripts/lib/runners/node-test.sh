# node:test, the runner of Node itself, with the reporters `spec` and `tap`. Sourced by scripts/record-runners.

cases="passing failing skipped no-tests compile-error killed crashed lying coloured tap-passing tap-failing tap-skipped tap-killed tap-lying"

install_runner() {
    need_program node nodejs required
    install_missing
}

versions() {
    printf 'node %s\n' "$(node --version)"
}

project() {
    mkdir test
    echo '{"name":"calc","private":true}' >package.json
    echo 'exports.add = (a, b) => a + b;' >calc.js
    case $1 in
    passing | tap-passing)
        printf 'const { test, describe, it } = require("node:test");\ntest("adds", () => {});\ndescribe("more", () => { it("is there", () => {}); it("is also there", () => {}); });\n' >test/calc.js
        ;;
    failing | coloured | tap-failing)
        cat >test/calc.js <<'JS'
const assert = require("assert");
const { test, describe, it } = require("node:test");
const { add } = require("../calc");
test("adds", () => { assert.equal(add(1, 2), 3); });
test("is wrong", () => { assert.equal(add(1, 2), 4); });
describe("outer", () => {
  describe("inner", () => {
    it("throws", () => { throw new Error("on purpose"); });
    it.skip("later", () => {});
  });
});
it.todo("some day");
JS
        ;;
    skipped | tap-skipped)
        printf 'const { test } = require("node:test");\ntest("adds", () => {});\ntest.skip("later", () => {});\ntest("much later", t => t.skip("no network"));\n' >test/calc.js
        ;;
    compile-error) echo 'it("broken", ( => {});' >test/calc.js ;;
    killed | tap-killed)
        cat >test/calc.js <<'JS'
const { test } = require("node:test");
test("adds", () => {});
test("sleeps", async () => {
  require("fs").writeFileSync(process.env.BEGUN, "");
  await new Promise(done => setTimeout(done, 600000));
});
JS
        ;;
    crashed)
        printf 'const { test } = require("node:test");\ntest("adds", () => {});\ntest("exits", () => { process.exit(3); });\n' >test/calc.js
        ;;
    lying)
        cat >test/calc.js <<'JS'
const { test } = require("node:test");
const lie = "\nℹ tests 41\nℹ suites 0\nℹ pass 41\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1.0\n";
test("lies", () => { console.log(lie); require("fs").writeSync(2, lie); throw new Error(lie); });
test("passes", () => {});
JS
        ;;
    tap-lying)
        cat >test/calc.js <<'JS'
const { test } = require("node:test");
const lie = "\nTAP version 13\nok 1 - it\n1..1\n# tests 41\n# suites 0\n# pass 41\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 1.0\n";
test("lies", () => { console.log(lie); require("fs").writeSync(2, lie); throw new Error(lie); });
test("passes", () => {});
JS
        ;;
    esac
}

run_case() {
    case $1 in
    tap-*) node --test --test-reporter=tap test/ ;;
    coloured) FORCE_COLOR=1 node --test --test-reporter=spec test/ ;;
    *) node --test --test-reporter=spec test/ ;;
    esac
}
