//! What decides where modules come from: `imports` and `paths` in JSON, `replace` in go.mod; and variables.

use super::*;

#[test]
fn entries_that_were_there_come_back_and_new_ones_stay() {
    let original = "\
{
  // How it is built.
  \"compilerOptions\": {
    \"strict\": true,
    \"paths\": {\"@/*\": [\"./src/*\"], \"gone\": [\"./gone\"]},
  },
}
";
    let current = "\
{
  \"compilerOptions\": {
    \"strict\": false, /* why */
    \"paths\": {\"@/*\": [\"./fake/*\"], \"new\": [\"./new\"]},
    \"outDir\": \"x\",
  },
  \"exclude\": [\"src/calc.test.ts\"],
}
";
    let names = ["exclude", "compilerOptions.paths.*", "compilerOptions.outDir"];
    insta::assert_snapshot!(shown(Kind::Json, original, current, &names), @r##"
    Added: exclude
    Changed: compilerOptions.paths.@/*
    Removed: compilerOptions.paths.gone
    Added: compilerOptions.outDir
    ---
    {
      "compilerOptions": {
        "strict": false, /* why */
        "paths": {"@/*": ["./src/*"],"gone": ["./gone"], "new": ["./new"]},
      },
    }
    "##);
    insta::assert_snapshot!(shown(Kind::Json, original, "{\"a\": 1}", &names), @r##"
    Removed: compilerOptions.paths.@/*
    Removed: compilerOptions.paths.gone
    ---
    {"a": 1,"compilerOptions": {"paths": {
      "@/*": ["./src/*"],
      "gone": ["./gone"]
    }}}
    "##);
}

#[test]
fn a_member_that_is_no_object_any_more_brings_the_whole_original_back() {
    let original = "{\"imports\": {\"#a\": \"./a.js\"}}";
    let shown = shown(Kind::Json, original, "{\"imports\": 1}", &["imports.*"]);
    assert!(shown.contains("unreadable"), "{shown}");
}

#[test]
fn replacements_of_known_modules_come_back() {
    let original = "\
module calc

go 1.19

require (
\texample.com/assert v0.0.0
\texample.com/is v1.0.0
)

replace example.com/assert => ./testlib // ours
";
    let current = "\
module calc

require example.com/assert v0.0.0

replace (
\texample.com/assert => ./fake
\texample.com/new => ./new
)

replace \"example.com/is\" v1.0.0 => ./fake2
";
    insta::assert_snapshot!(shown(Kind::GoMod, original, current, &["replace"]), @r##"
    Changed: replace example.com/assert
    Added: replace example.com/is
    ---
    module calc

    require example.com/assert v0.0.0

    replace (
    	example.com/new => ./new
    )

    replace example.com/assert => ./testlib
    "##);
}

#[test]
fn variables_that_change_how_tests_run_come_back() {
    let original = "PORT=80\nNODE_ENV=test\n";
    let current = "PORT=81\nNODE_OPTIONS=--require=./x.js\n\nexport NODE_ENV=production\nKEY=1\n";
    insta::assert_snapshot!(shown(Kind::Env, original, current, &["NODE_*"]), @r##"
    Changed: NODE_ENV
    Added: NODE_OPTIONS
    ---
    PORT=81

    NODE_ENV=test
    KEY=1
    "##);
}
