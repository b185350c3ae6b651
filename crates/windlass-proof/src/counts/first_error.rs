//! The first error of a compiler, with its file and line: what is told of tests that do not compile.

use super::lines::lines;

/// How many lines after an error its place is looked for.
const NEAR: usize = 6;

/// How much of a message is told, in characters.
const LONGEST: usize = 300;

/// The first compile error as `FILE:LINE: message`. Knows rustc, go, javac (also by Maven), gcc and clang,
/// tsc, Python, Node, Babel, Vite, PHP, Perl and Ruby.
pub fn first_error(output: &str) -> Option<String> {
    let mut place = Place::default();
    for line in lines(output) {
        let found = in_one_line(&line).or_else(|| place.line(&line));
        if let Some(found) = found {
            return Some(
                windlass_core::text::sanitise::line(&found).chars().take(LONGEST).collect(),
            );
        }
    }
    None
}

/// Errors whose place and message stand in different lines.
#[derive(Default)]
struct Place {
    /// A message whose place comes, and how many lines ago it was.
    message: Option<(String, usize)>,
    /// A place whose message comes, and how many lines ago it was.
    place: Option<(String, usize)>,
}

impl Place {
    fn line(&mut self, line: &str) -> Option<String> {
        let text = line.strip_prefix("E ").unwrap_or(line).trim();
        age(&mut self.message);
        age(&mut self.place);
        // rustc: ` --> tests/it.rs:1:38`; Vite: `  File: /project/calc.test.js:1:0`
        if let Some((message, _)) = &self.message
            && let Some(place) = text.strip_prefix("--> ").or_else(|| text.strip_prefix("File: "))
        {
            return Some(format!("{place}: {message}"));
        }
        if text.starts_with("error[E")
            || text.starts_with("Error: Failed to parse ")
            || (line.starts_with("error: ") && !is_of_cargo(line))
        {
            self.message = Some((text.to_owned(), 0));
        }
        // `SyntaxError: …` stands after its place in Python and Node.
        if is_syntax_error(text)
            && let Some((place, _)) = self.place.take()
        {
            return Some(format!("{place}: {text}"));
        }
        if let Some(place) = python_place(text).or_else(|| node_place(line)) {
            self.place = Some((place, 0));
        }
        None
    }
}

fn age(found: &mut Option<(String, usize)>) {
    *found = found.take().map(|(text, age)| (text, age + 1)).filter(|(_, age)| *age <= NEAR);
}

/// What cargo says of a crate, and not rustc of a line.
fn is_of_cargo(line: &str) -> bool {
    ["could not compile", "test failed", "doctest failed", "command `"]
        .iter()
        .any(|beginning| line["error: ".len()..].starts_with(beginning))
}

fn is_syntax_error(text: &str) -> bool {
    ["SyntaxError: ", "IndentationError: ", "TabError: "].iter().any(|name| text.starts_with(name))
}

/// `File "/project/test_calc.py", line 1`
fn python_place(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let line = digits(rest);
    (!line.is_empty()).then(|| format!("{file}:{line}"))
}

/// `/project/test/calc.js:1`, alone or at the end of a line
fn node_place(line: &str) -> Option<String> {
    let place = line.rsplit(' ').next()?;
    let (file, number) = place.rsplit_once(':')?;
    let is_line = !number.is_empty() && digits(number) == number;
    (is_line && file.starts_with(['/', 'f']) && is_script(file)).then(|| place.to_owned())
}

fn is_script(file: &str) -> bool {
    [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"]
        .iter()
        .any(|end| file.ends_with(end))
}

fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}

/// Errors whose place stands in the same line.
fn in_one_line(line: &str) -> Option<String> {
    let text = line.trim_start();
    maven(text)
        .or_else(|| perl(text))
        .or_else(|| php(text))
        .or_else(|| babel(text))
        .or_else(|| tsc(text))
        .or_else(|| coloned(text))
}

/// `[ERROR] /project/CalcTest.java:[5,9] cannot find symbol`
fn maven(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("[ERROR] ")?.split_once(":[")?;
    let (place, message) = rest.split_once("] ")?;
    let (line, _) = place.split_once(',')?;
    (digits(line) == line && !line.is_empty()).then(|| format!("{file}:{line}: {message}"))
}

/// `syntax error at t/calc.t line 2, near "(;"`
fn perl(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("syntax error at ")?.split_once(" line ")?;
    let line = digits(rest);
    let near = rest[line.len()..].trim_start_matches(',');
    (!line.is_empty()).then(|| format!("{file}:{line}: syntax error{near}"))
}

/// `PHP Parse error:  syntax error, unexpected token ":" in /project/CalcTest.php on line 4`, or
/// `Uncaught ParseError: … in /project/CalcTest.php:4`
fn php(text: &str) -> Option<String> {
    let at = ["Parse error: ", "ParseError: "].iter().find_map(|name| text.find(name))?;
    let (message, place) = text[at..].rsplit_once(" in /")?;
    let place = place.replace(" on line ", ":");
    Some(format!("/{place}: {message}"))
}

/// `SyntaxError: /project/calc.test.js: Unexpected token (1:15)`
fn babel(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("SyntaxError: /")?.split_once(": ")?;
    let (message, place) = rest.rsplit_once(" (")?;
    let (line, _) = place.strip_suffix(')')?.split_once(':')?;
    (digits(line) == line).then(|| format!("/{file}:{line}: {message}"))
}

/// `src/calc.ts(3,5): error TS2304: …` or `src/calc.ts:3:5 - error TS2304: …`
fn tsc(text: &str) -> Option<String> {
    let (place, message) =
        text.split_once(": error TS").or_else(|| text.split_once(" - error TS"))?;
    let place = place.trim_end_matches(')').replace(['(', ','], ":");
    Some(format!("{place}: TS{message}"))
}

/// `./calc_test.go:5:31: undefined: Subtract`, `CalcTest.java:4: error: …`, `calc.c:3:5: error: …`,
/// `/project/calc_spec.rb:2: syntax error, …`
fn coloned(text: &str) -> Option<String> {
    // Gradle puts the name of its task in front: `:compileTestJava/project/CalcTest.java:3: error: …`
    let text = match text.strip_prefix(":compile") {
        Some(rest) => &rest[rest.find('/')?..],
        None => text,
    };
    let (file, rest) = text.split_once(':')?;
    let line = digits(rest);
    let rest = rest[line.len()..].strip_prefix(':')?;
    if line.is_empty() || file.contains(' ') {
        return None;
    }
    let column = digits(rest);
    let message = rest[column.len()..].trim_start_matches(':').trim_start();
    let is_error = match file.rsplit_once('.')?.1 {
        "go" => !column.is_empty(),
        "rb" => message.starts_with("syntax error"),
        _ => message.starts_with("error: ") || message.starts_with("fatal error: "),
    };
    is_error.then(|| format!("{file}:{line}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// gcc 12.2, tsc 7.0.2 in both forms, and rustc without a code; the others are in recordings.
    #[test]
    fn compilers_without_a_test_runner_are_read_too() {
        for (output, error) in [
            (
                "a.c: In function ‘main’:\na.c:1:21: error: ‘x’ undeclared (first use in this function)\n",
                "a.c:1: error: ‘x’ undeclared (first use in this function)",
            ),
            (
                "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
                "a.ts:1:7: TS2322: Type 'string' is not assignable to type 'number'.",
            ),
            (
                "\x1b[96ma.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'string'",
                "a.ts:1:7: TS2322: Type 'string'",
            ),
            (
                "error: expected one of `!` or `::`, found `x`\n --> src/lib.rs:1:5\n",
                "src/lib.rs:1:5: error: expected one of `!` or `::`, found `x`",
            ),
        ] {
            assert_eq!(first_error(output).as_deref(), Some(error));
        }
    }

    #[test]
    fn words_about_errors_are_none() {
        for output in [
            "",
            "error: test failed, to rerun pass `--lib`\n",
            "error: could not compile `calc` (lib) due to 1 previous error\n --> not of rustc\n",
            "12:30: error: the clock\n",
            "warning: unused variable\n --> src/lib.rs:1:5\n",
            "  at Object.<anonymous> (/project/test/calc.js:4:31)\n",
            "test_calc.py:6: AssertionError\n",
        ] {
            assert_eq!(first_error(output), None, "{output}");
        }
    }
}
