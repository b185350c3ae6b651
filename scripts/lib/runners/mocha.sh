# mocha. Sourced by scripts/record-runners.

cases="passing failing dots skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    npm_packages mocha
}

versions() {
    printf 'mocha %s\n' "$("$tools/npm/node_modules/.bin/mocha" --version)"
    printf 'node %s\n' "$(node --version)"
}

project() {
    mkdir test
    echo '{"name":"calc","private":true}' >package.json
    echo 'exports.add = (a, b) => a + b;' >calc.js
    case $1 in
    passing)
        printf 'it("adds", () => {});\ndescribe("more", () => { it("is there", () => {}); it("is also there", () => {}); });\n' >test/calc.js
        ;;
    failing | dots | coloured)
        cat >test/calc.js <<'JS'
const assert = require("assert");
const { add } = require("../calc");
it("adds", () => { assert.equal(add(1, 2), 3); });
it("is wrong", () => { assert.equal(add(1, 2), 4); });
describe("outer", () => {
  describe("inner", () => {
    it("throws", () => { throw new Error("on purpose"); });
    it.skip("later", () => {});
  });
});
describe("hooked", () => {
  before(() => { throw new Error("no hook"); });
  it("never runs", () => {});
});
it("some day");
JS
        ;;
    skipped)
        printf 'it("adds", () => {});\nit.skip("later", () => {});\nit("much later", function () { this.skip(); });\n' >test/calc.js
        ;;
    no-tests) echo '' >test/calc.js ;;
    compile-error) echo 'it("broken", ( => {});' >test/calc.js ;;
    killed)
        cat >test/calc.js <<'JS'
it("adds", () => {});
it("sleeps", function (done) {
  this.timeout(700000);
  require("fs").writeFileSync(process.env.BEGUN, "");
  setTimeout(done, 600000);
});
JS
        ;;
    crashed)
        printf 'it("adds", () => {});\nit("exits", () => { process.exit(3); });\n' >test/calc.js
        ;;
    lying)
        cat >test/calc.js <<'JS'
const lie = "\n\n  41 passing (3ms)\n\n";
process.on("exit", () => console.log(lie));
it("lies", () => { console.log(lie); throw new Error(lie); });
it("passes", () => {});
JS
        ;;
    esac
}

run_case() {
    case $1 in
    dots) "$tools/npm/node_modules/.bin/mocha" --reporter dot ;;
    coloured) "$tools/npm/node_modules/.bin/mocha" --color ;;
    *) "$tools/npm/node_modules/.bin/mocha" ;;
    esac
}
