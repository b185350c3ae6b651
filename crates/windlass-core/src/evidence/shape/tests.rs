//! What is style, and what is content.

use super::*;

fn change(before: &str, now: &str, reading: Reading) -> FileChange {
    let lenses = |text: &str| Lenses::of(text.as_bytes(), reading).unwrap();
    lenses(now).change_from(&lenses(before))
}

#[track_caller]
fn style(before: &str, now: &str) {
    let (is, back) = (change(before, now, Reading::Code), change(now, before, Reading::Code));
    assert_eq!((is, back), (FileChange::Style, FileChange::Style), "{before}\n=>\n{now}");
}

#[track_caller]
fn content(before: &str, now: &str) {
    let is = change(before, now, Reading::Code);
    assert_eq!(is, FileChange::Content, "{before}\n=>\n{now}");
}

const PYTHON: &str = "
# Sums up.
def total(items, *, tax=0.19):
    sum = 0
    for item in items:
        if item['price'] > 0 and not item['gone']:
            sum += item['price']

    print('the total (', sum)
    return round(sum * (1 + tax), 2)
";

const JAVASCRIPT: &str = "
const limit = 12;
function pick(items, test) {
  const found = [];
  for (let i = 0; i < items.length; i++) {
    if (test(items[i]) && found.length < limit) { found.push(items[i]); }
  }
  return found.filter(x => x !== null).map(x => x.name);
}
module.exports = { pick, limit };
";

const RUST: &str = "
/// A queue.
impl<'a, T: Clone> Queue<'a, T> {
    fn take(&mut self, count: usize) -> Vec<T> {
        let kept = self.items.split_off(count.min(self.items.len()));
        match self.mode { Mode::Last => kept, Mode::First => std::mem::replace(&mut self.items, kept) }
    }
}
";

const GO: &str = "
package main

// Add adds.
func Add(left int, right int) (int, error) {
\tif left < 0 || right < 0 {
\t\treturn 0, errors.New(\"negative (\")
\t}
\treturn left + right, nil
}
";

#[test]
fn a_name_that_is_another_everywhere_is_style() {
    style(PYTHON, &PYTHON.replace("item", "row"));
    style(PYTHON, &PYTHON.replace("total", "price_of"));
    style(JAVASCRIPT, &JAVASCRIPT.replace("found", "picked"));
    style(RUST, &RUST.replace("kept", "rest").replace("'a", "'q"));
    style(GO, &GO.replace("left", "a").replace("right", "b"));
    style("x = 1\ny = x\n", "größe = 2\ny = größe\n");
}

#[test]
fn a_name_that_is_another_in_some_places_is_content() {
    content(PYTHON, &PYTHON.replacen("item", "row", 1));
    content(JAVASCRIPT, &JAVASCRIPT.replacen("found", "picked", 2));
    content(RUST, &RUST.replace("=> kept", "=> count"));
    content(GO, &GO.replace("left + right", "left + left"));
    content("a = 1\nb = 2\nc = a\n", "a = 1\nb = 2\nc = b\n");
}

#[test]
fn two_names_that_change_places_everywhere_are_style_and_in_one_place_content() {
    style("def f(a, b):\n    return a - b\n", "def f(b, a):\n    return b - a\n");
    content("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n");
}

#[test]
fn what_black_does_is_style() {
    style(PYTHON, &PYTHON.replace('\'', "\""));
    style(PYTHON, &PYTHON.replace("    ", "  "));
    style(PYTHON, &PYTHON.replace("    ", "\t"));
    style(PYTHON, &PYTHON.replace("# Sums up.", "# Gives the sum, with tax.\n#\n\n"));
    style(
        PYTHON,
        &PYTHON.replace("(items, *, tax=0.19)", "(\n    items,\n    *,\n    tax = 0.19,\n)"),
    );
    style("x = 'it\\'s'\n", "x = \"it's\"\n");
    style("x = F'{a}' + rb'b'\n", "x = f\"{a}\" + rb\"b\"\n");
    style("x = a and b\n", "x = (\n    a\n    and b\n)\n");
    style("if a and b:\n  c()\n", "if (\n    a\n    and b\n):\n    c()\n");
    style("x = a + \\\n    b\n", "x = a + b\n");
    style("def f():\n  '''(it'''\n  x; y\n", "def f():\n\n    '''(it'''\n    x\n    y\n");
    style("x = 1 # (one\ny = f(x)\n", "x = 1  # (one\ny = f( x )\n");
}

#[test]
fn what_prettier_does_is_style() {
    style(JAVASCRIPT, &JAVASCRIPT.replace("  ", "    ").replace("x =>", "(x) =>"));
    style(
        JAVASCRIPT,
        &JAVASCRIPT
            .replace(';', "")
            .replace("let i = 0 i < items.length i++", "let i = 0; i < items.length; i++"),
    );
    style(JAVASCRIPT, &JAVASCRIPT.replace(").map", ")\n    .map"));
    style(JAVASCRIPT, &JAVASCRIPT.replace("{ pick, limit };", "{\n  pick,\n  limit,\n}"));
    style(JAVASCRIPT, &JAVASCRIPT.replace("test) {", "test)\n{"));
    style("const a = 'x'\nlet b\n", "const a =\n  \"x\";\nlet b;\n");
    style("foo().bar().baz()\nx()\n", "foo()\n  .bar()\n  .baz();\nx();\n");
    style("if (a) {\n  b()\n}\nelse {\n  c()\n}\n", "if (a) {\n  b();\n} else {\n  c();\n}\n");
    style("f(`a\n${b}`)\n", "f(`a\n  ${b}`);\n");
    style("  return <b>{x}</b>\n", "  return (\n    <b>{x}</b>\n  );\n");
}

#[test]
fn what_rustfmt_and_gofmt_do_is_style() {
    style(
        RUST,
        &RUST
            .replace("{ Mode::Last", "{\n            Mode::Last")
            .replace("kept) }", "kept),\n        }"),
    );
    style(
        RUST,
        &RUST.replace(
            "let kept = self.items",
            "let kept =\n            self\n                .items",
        ),
    );
    style(RUST, &RUST.replace("/// A queue.", "/* A\n * queue */"));
    style("fn f()\n{\n    x();\n}\nfn g() {}\n", "fn f() {\n  x();\n}\n\nfn g() {}\n");
    style(GO, &GO.replace('\t', "    "));
    style(GO, &GO.replace("// Add adds.", "// Add gives the sum,\n// or an error."));
    style(GO, &GO.replace("left int, right int", "left  int,\n\tright int,\n"));
}

#[test]
fn another_operator_keyword_or_mark_is_content() {
    content(PYTHON, &PYTHON.replace("> 0", ">= 0"));
    content(PYTHON, &PYTHON.replace("and not", "or not"));
    content(PYTHON, &PYTHON.replace("and not", "and"));
    content(PYTHON, &PYTHON.replace("round(", "floor("));
    content(PYTHON, &PYTHON.replace("1 + tax", "1 - tax"));
    content(PYTHON, &PYTHON.replace("return ", ""));
    content(PYTHON, &PYTHON.replace("*, tax", "tax"));
    content(JAVASCRIPT, &JAVASCRIPT.replace("!==", "==="));
    content(JAVASCRIPT, &JAVASCRIPT.replace("null", "true"));
    content(JAVASCRIPT, &JAVASCRIPT.replace("[i]", "(i)"));
    content(RUST, &RUST.replace(".min(", ".max("));
    content(RUST, &RUST.replace("&mut self", "&self"));
    content(GO, &GO.replace("||", "&&"));
    content(GO, &GO.replace("nil", "true"));
    content("x = True\n", "x = False\n");
    content("x = a * (b + c)\n", "x = a * b + c\n");
    content("x = f'{a}'\n", "x = '{a}'\n");
    content("x = (a,)\n", "x = (a)\n");
}

#[test]
fn a_line_in_another_place_is_content() {
    content(PYTHON, &PYTHON.replace("    return", "        return"));
    content(PYTHON, &PYTHON.replace("            sum +=", "        sum +="));
    content(
        JAVASCRIPT,
        &JAVASCRIPT.replace("  }\n  return", "  return").replace(";\n}\nm", ";\n}\n}\nm"),
    );
    content("if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n");
    content("x = \"(\"\nif a:\n    b()\n    c()\n", "x = \"(\"\nif a:\n    b()\nc()\n");
    content("a = f(1)\nb = g(a)\nh(a, b)\n", "b = g(a)\na = f(1)\nh(a, b)\n");
    content("return\nx()\n", "return x()\n");
    content("a()\n# b()\n", "a()\nb()\n");
}

#[test]
fn numbers_and_dates_are_told_from_style_and_from_one_another() {
    let is = |before, now| change(before, now, Reading::Code);
    assert_eq!(is("x = 1  # 2026-11-15\n", "x = 1  # 2026-11-16\n"), FileChange::Stamps);
    assert_eq!(is("x = 1  # 2026-11-15\n", "x = 2  # 2026-11-16\n"), FileChange::Numbers);
    assert_eq!(is("x = 1\ny = x\n", "z = 2\ny = z\n"), FileChange::Style);
    assert_eq!(is("x = 1 \n", "x = 1\n"), FileChange::Style);
    assert_eq!(is("x = 1\r\n", "x = 1\n"), FileChange::Style);
    assert_eq!(is("x = 5px\n", "x = 5em\n"), FileChange::Content);
    assert_eq!(is("  x = 1\nif a:\n  y\n", "  x = 2\nif a:\n  y\n"), FileChange::Numbers);
}

#[test]
fn more_of_what_is_there_already_repeats() {
    let is = |before, now| change(before, now, Reading::Data);
    assert_eq!(is("x", "xx"), FileChange::Repeats);
    assert_eq!(is("x\n", "x\nx\n"), FileChange::Repeats);
    assert_eq!(is("tested 1\n", "tested 1\ntested 2\n"), FileChange::Repeats);
    assert_eq!(is("x\ny\n", "y\nx\n"), FileChange::Content);
    assert_eq!(is("x\nx\n", "x\n"), FileChange::Content);
    assert_eq!(is("x\n", "x\ny\n"), FileChange::Content);
}

#[test]
fn words_of_data_and_prose_stand_for_themselves() {
    let is = |before, now, reading| change(before, now, reading);
    assert_eq!(is("ok\n", "done\n", Reading::Data), FileChange::Content);
    let (one, two) =
        ("{\"mode\": \"fast\",\n\"b\": [1, 2]}", "{\"mode\": \"slow\",\n\"b\": [1, 2]}");
    assert_eq!(is(one, two, Reading::Data), FileChange::Content);
    let pretty = "{\n  'mode': 'fast',\n  'b': [\n    1,\n    2,\n  ],\n}\n";
    assert_eq!(is(one, pretty, Reading::Data), FileChange::Style);
    assert_eq!(
        is("a:\n  - b\n# x\nc: d\n", "a:\n    - b\nc: 'd'\n", Reading::Data),
        FileChange::Content
    );
    assert_eq!(
        is("a:\n  - b\n# x\nc: d\n", "a:\n    - b\n\nc: d\n", Reading::Data),
        FileChange::Style
    );
    assert_eq!(is("# A\n\nIt is\nso.\n", "# A\n\nIt\nis so.\n", Reading::Prose), FileChange::Style);
    assert_eq!(is("# A\n\nIt is so.\n", "# B\n\nIt is so.\n", Reading::Prose), FileChange::Content);
    assert_eq!(is("It is so.\n", "It was so.\n", Reading::Prose), FileChange::Content);
}

#[test]
fn what_is_not_text_or_too_large_is_not_looked_through() {
    assert_eq!(Lenses::of(b"a\0b", Reading::Code), None);
    assert_eq!(Lenses::of(&[0xff], Reading::Data), None);
    assert_eq!(Lenses::of(&vec![b'a'; Lenses::LARGEST + 1], Reading::Code), None);
    let empty = Lenses::of(b"", Reading::Code).unwrap();
    assert!([&empty.stamps, &empty.numbers, &empty.shape].iter().all(|lens| lens.len() == 12));
}

#[test]
fn a_shape_is_the_same_in_every_version() {
    let seen = |reading| Lenses::of(PYTHON.as_bytes(), reading).unwrap();
    let [code, data, prose] = [Reading::Code, Reading::Data, Reading::Prose].map(seen);
    assert_eq!([code.stamps, code.numbers], ["647a5e3abcd0", "8d40aeb0fd9a"]);
    assert_eq!(
        [code.shape, data.shape, prose.shape],
        ["be28506ed784", "930d9509d41e", "d0d56f834663"]
    );
}

/// What takes a time that grows with the square of the size would take many minutes here.
#[test]
fn a_hostile_text_takes_no_longer_than_another() {
    let hostile = [
        "'", "\"\n", "`\n", "\"\"\"\n", "\\\n", "\\\"", "/*\n", "({[", ")", "<!-- ", "'a ", " \t",
        "x=(\n", "2026-1", "1:2",
    ];
    let start = std::time::Instant::now();
    let (most, fewer) = (Lenses::LARGEST / 2, Lenses::LARGEST / 16);
    for part in hostile {
        shape(&part.repeat(most / part.len()), Reading::Code);
        let text = part.repeat(fewer / part.len());
        assert!(Lenses::of(text.as_bytes(), Reading::Code).is_some());
    }
    shape(&("{".repeat(most / 2) + &")".repeat(most / 2)), Reading::Code);
    assert!(start.elapsed().as_secs() < 100, "{:?}", start.elapsed());
}

proptest::proptest! {
    #[test]
    fn a_style_of_blanks_does_not_change_what_is_in_brackets(text in "\\([a-z0-9'\",.=+ \n-]{0,40}\\)") {
        let dense = Lenses::of(text.replace("\n", " \n\n").as_bytes(), Reading::Prose).unwrap();
        let plain = Lenses::of(text.as_bytes(), Reading::Prose).unwrap();
        proptest::prop_assert_eq!(dense.shape, plain.shape);
    }

    #[test]
    fn no_text_is_too_strange(text in "([a-z(){}\\[\\]'\"`;,=>#/*\\\\ \n\r\t.\u{e9}-]|\\\\\r?\n|--|0x|1e)*") {
        for reading in [Reading::Code, Reading::Data, Reading::Prose] {
            proptest::prop_assert!(Lenses::of(text.as_bytes(), reading).is_some());
        }
    }
}
