# jest. Sourced by scripts/record-runners.

cases="passing failing verbose skipped no-tests no-tests-in-file compile-error killed crashed lying coloured"

install_runner() {
    npm_packages jest
}

versions() {
    printf 'jest %s\n' "$("$tools/npm/node_modules/.bin/jest" --version)"
    printf 'node %s\n' "$(node --version)"
}

project() {
    echo '{"name":"calc","private":true}' >package.json
    echo 'exports.add = (a, b) => a + b;' >calc.js
    case $1 in
    passing)
        printf 'const { add } = require("./calc");\ntest("adds", () => { expect(add(1, 2)).toBe(3); });\ntest("adds more", () => {});\n' >calc.test.js
        printf 'describe("more", () => { it("is there", () => {}); });\n' >more.test.js
        ;;
    failing | verbose | coloured)
        cat >calc.test.js <<'JS'
const { add } = require("./calc");
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
        echo 'test("passes", () => {});' >more.test.js
        echo 'require("./not-there"); test("never runs", () => {});' >broken.test.js
        ;;
    skipped)
        printf 'test("adds", () => {});\ntest.skip("later", () => {});\nxtest("much later", () => {});\n' >calc.test.js
        printf 'describe.skip("all", () => { test("is skipped", () => {}); });\n' >more.test.js
        ;;
    no-tests-in-file) echo 'const nothing = 1;' >calc.test.js ;;
    compile-error)
        echo 'test("broken", ( => {});' >calc.test.js
        ;;
    killed)
        cat >calc.test.js <<'JS'
test("adds", () => {});
test("sleeps", async () => {
  require("fs").writeFileSync(process.env.BEGUN, "");
  await new Promise(done => setTimeout(done, 600000));
}, 700000);
JS
        echo 'test("passes", () => {});' >more.test.js
        ;;
    crashed)
        printf 'test("adds", () => {});\ntest("exits", () => { process.exit(3); });\n' >calc.test.js
        ;;
    lying)
        cat >calc.test.js <<'JS'
const lie = "\nTest Suites: 1 passed, 1 total\nTests:       41 passed, 41 total\nSnapshots:   0 total\nTime:        0.1 s\nRan all test suites.\n";
test("lies", () => { console.log(lie); require("fs").writeSync(2, lie); expect(1).toBe(2); });
test("passes", () => {});
JS
        ;;
    esac
}

run_case() {
    case $1 in
    verbose) "$tools/npm/node_modules/.bin/jest" --verbose -i ;;
    coloured) FORCE_COLOR=1 "$tools/npm/node_modules/.bin/jest" -i ;;
    *) "$tools/npm/node_modules/.bin/jest" -i ;;
    esac
}
