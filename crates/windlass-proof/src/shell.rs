//! A command of the shell, taken apart as far as it takes to see which programs it runs. Reading
//! never fails: what it does not understand it passes over.

/// One command of a line, such as `sh t.sh` in `cd x && sh t.sh | cat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// The program and its arguments, without assignments and redirections.
    pub words: Vec<String>,
    /// Files that its input comes from.
    pub inputs: Vec<String>,
    /// Whether its exit code decides: it is the last one of its pipe, and what it prints is not kept in a
    /// file for a later command to look at.
    pub decides: bool,
    /// Whether what it prints goes to a file.
    is_kept: bool,
}

/// The commands of a line, in their order.
pub(crate) fn commands(line: &str) -> Vec<Simple> {
    let mut commands = Vec::new();
    let mut current = Simple::default();
    let mut redirected = None;
    for token in tokens(line) {
        match token {
            Token::Word(word) => match redirected.take() {
                Some('<') => current.inputs.push(word),
                Some('>') => current.is_kept = !word.starts_with("/dev/") && !is_number(&word),
                Some(_) => (),
                None => current.words.push(word),
            },
            Token::Redirect(to) => redirected = Some(to),
            Token::End { is_pipe } => {
                let mut ended = std::mem::take(&mut current);
                ended.decides = !is_pipe && !ended.is_kept;
                commands.push(ended);
            }
        }
    }
    current.decides = true;
    commands.push(current);
    for command in &mut commands {
        let is_before = |word: &String| is_assignment(word) || RESERVED.contains(&word.as_str());
        let start = command.words.iter().position(|word| !is_before(word));
        command.words.drain(..start.unwrap_or(command.words.len()));
    }
    commands.retain(|command| !command.words.is_empty());
    commands
}

/// Whether a word sets a variable.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(is_name)
    })
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// Words that stand before a command and are none.
const RESERVED: [&str; 12] =
    ["!", "{", "}", "if", "then", "elif", "else", "while", "until", "do", "done", "fi"];

enum Token {
    Word(String),
    /// `<` or `>`, with all that goes with it; `2` where anything but what is printed goes elsewhere.
    Redirect(char),
    /// The end of a command.
    End {
        is_pipe: bool,
    },
}

fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|c| *c != '\''));
            }
            '"' => quoted(word.get_or_insert_default(), &mut chars),
            '\\' => word.get_or_insert_default().extend(chars.next().filter(|c| *c != '\n')),
            '`' => {
                // What is put in there is not known.
                word.get_or_insert_default().push('`');
                chars.by_ref().find(|c| *c == '`');
            }
            '$' if chars.peek() == Some(&'(') => {
                word.get_or_insert_default().push('$');
                substitution(&mut chars);
            }
            '#' if word.is_none() => drop(chars.by_ref().find(|c| *c == '\n')),
            ';' | '\n' | '(' | ')' | '&' | '|' => {
                tokens.extend(word.take().map(Token::Word));
                let is_double = chars.next_if_eq(&c).is_some();
                // `2>&1` and `|&` are parts of what stands before.
                if c == '&' && matches!(tokens.last(), Some(Token::Redirect(_))) {
                    continue;
                }
                tokens.push(Token::End { is_pipe: c == '|' && !is_double });
            }
            '<' | '>' => {
                let before = word.take();
                let number = before.clone().filter(|word| is_number(word));
                tokens.extend(before.filter(|word| !is_number(word)).map(Token::Word));
                while chars.next_if(|c| matches!(c, '<' | '>' | '|')).is_some() {}
                let is_other = number.is_some_and(|number| number != "1") && c == '>';
                tokens.push(Token::Redirect(if is_other { '2' } else { c }));
            }
            c if c.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            c => word.get_or_insert_default().push(c),
        }
    }
    tokens.extend(word.map(Token::Word));
    tokens
}

/// What stands in double quotes.
fn quoted(word: &mut String, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next() {
        match c {
            '"' => return,
            '\\' => word.extend(chars.next()),
            '$' if chars.peek() == Some(&'(') => {
                word.push('$');
                substitution(chars);
            }
            c => word.push(c),
        }
    }
}

/// Passes over `(…)` with all that is in it.
fn substitution(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut depth = 0_usize;
    for c in chars.by_ref() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => (),
        }
        if depth == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<String> {
        let shown = |command: &Simple| {
            let end = if command.decides { "" } else { " |" };
            let inputs: String = command.inputs.iter().map(|file| format!(" <{file}")).collect();
            format!("{}{inputs}{end}", command.words.join(" "))
        };
        commands(line).iter().map(shown).collect()
    }

    #[test]
    fn a_line_is_taken_apart_into_its_commands() {
        for (line, expected) in [
            ("sh t.sh", vec!["sh t.sh"]),
            ("a && b || c; d & e\nf", vec!["a", "b", "c", "d", "e", "f"]),
            ("a | b |& c", vec!["a |", "b |", "c"]),
            ("X=1 Y= a b=c", vec!["a b=c"]),
            ("a 'b c' \"d \\\" e\" f\\ g", vec!["a b c d \" e f g"]),
            ("a < in > out 2>&1 >>log", vec!["a <in"]),
            ("a > out; b >/dev/null; c 2> err; d >&2; e > log", vec!["a |", "b", "c", "d", "e"]),
            ("test \"$(./greet | cat)\" = \"$(x)\"", vec!["test $ = $"]),
            ("if ! a; then b; fi", vec!["a", "b"]),
            ("(cd x && ./y) # z", vec!["cd x", "./y"]),
            ("a 'b", vec!["a b"]),
            ("", vec![]),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
