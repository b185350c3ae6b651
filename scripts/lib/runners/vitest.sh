# vitest. Sourced by scripts/record-runners.

cases="passing failing verbose skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    npm_packages vitest
}

versions() {
    "$tools/npm/node_modules/.bin/vitest" --version
}

project() {
    echo '{"name":"calc","private":true,"type":"module"}' >package.json
    echo 'export const add = (a, b) => a + b;' >calc.js
    ln -s "$tools/npm/node_modules" node_modules
    case $1 in
    passing)
        printf 'import { test, expect } from "vitest";\nimport { add } from "./calc.js";\ntest("adds", () => { expect(add(1, 2)).toBe(3); });\ntest("adds more", () => {});\n' >calc.test.js
        printf 'import { describe, it } from "vitest";\ndescribe("more", () => { it("is there", () => {}); });\n' >more.test.js
        ;;
    failing | verbose | coloured)
        cat >calc.test.js <<'JS'
import { describe, it, test, expect } from "vitest";
import { add } from "./calc.js";
test("adds", () => { expect(add(1, 2)).toBe(3); });
test("is wrong", () => { expect(add(1, 2)).toBe(4); });
describe("outer", () => {
  describe("inner", () => {
    it("throws", () => { throw new Error("on purpose"); });
  });
});
test.skip("later", () => {});
test.todo("some day");
JS
        printf 'import { test } from "vitest";\ntest("passes", () => {});\n' >more.test.js
        printf 'import "./not-there.js";\nimport { test } from "vitest";\ntest("never runs", () => {});\n' >broken.test.js
        ;;
    skipped)
        printf 'import { test } from "vitest";\ntest("adds", () => {});\ntest.skip("later", () => {});\ntest.skip("much later", () => {});\n' >calc.test.js
        ;;
    compile-error)
        printf 'import { test } from "vitest";\ntest("broken", ( => {});\n' >calc.test.js
        ;;
    killed)
        cat >calc.test.js <<'JS'
import { test } from "vitest";
import { writeFileSync } from "node:fs";
test("adds", () => {});
test("sleeps", async () => {
  writeFileSync(process.env.BEGUN, "");
  await new Promise(done => setTimeout(done, 600000));
}, 700000);
JS
        printf 'import { test } from "vitest";\ntest("passes", () => {});\n' >more.test.js
        ;;
    crashed)
        printf 'import { test } from "vitest";\ntest("adds", () => {});\ntest("is ended", () => { process.kill(process.pid, "SIGKILL"); });\n' >calc.test.js
        ;;
    lying)
        cat >calc.test.js <<'JS'
import { test, expect } from "vitest";
import { writeSync } from "node:fs";
const lie = "\n Test Files  1 passed (1)\n      Tests  41 passed (41)\n   Start at  00:00:00\n   Duration  1ms\n\n";
test("lies", () => { console.log(lie); writeSync(1, lie); expect(1).toBe(2); });
test("passes", () => {});
JS
        ;;
    esac
}

run_case() {
    set -- "$1" "$tools/npm/node_modules/.bin/vitest" run --no-file-parallelism
    case $1 in
    verbose) shift && "$@" --reporter=verbose ;;
    coloured) shift && FORCE_COLOR=1 "$@" ;;
    *) shift && "$@" ;;
    esac
}
