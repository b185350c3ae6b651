//! Reads the text of a git config as git does, without includes and conditions. Where git would
//! stop at an error, what stands before it counts.

/// One setting: `section.key` or `section.subsection.key`, section and key in lower case.
pub(super) type Setting = (String, String);

/// The settings of a config, in order.
pub(super) fn settings(text: &[u8]) -> Vec<Setting> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader { text, at: 0, section: String::new(), found: Vec::new() };
    while reader.next().is_some() {}
    reader.found
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    section: String,
    found: Vec<Setting>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Reads one thing; `None` at the end, or at what is no config.
    fn next(&mut self) -> Option<()> {
        match self.take()? {
            b'#' | b';' => {
                while self.peek().is_some_and(|byte| byte != b'\n') {
                    self.at += 1;
                }
                Some(())
            }
            byte if byte.is_ascii_whitespace() => Some(()),
            b'[' => self.header(),
            byte if byte.is_ascii_alphabetic() => self.setting(byte),
            _ => None,
        }
    }

    fn header(&mut self) -> Option<()> {
        let mut name = String::new();
        loop {
            match self.take()? {
                b']' => break,
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    name.push(char::from(byte.to_ascii_lowercase()));
                }
                b' ' | b'\t' => {
                    let inner = self.subsection()?;
                    name.push('.');
                    name.push_str(&inner);
                    break;
                }
                _ => return None,
            }
        }
        self.section = name;
        Some(())
    }

    /// What stands in quotes after the name of a section, up to the bracket.
    fn subsection(&mut self) -> Option<String> {
        let mut inner = Vec::new();
        while matches!(self.peek()?, b' ' | b'\t') {
            self.at += 1;
        }
        if self.take()? != b'"' {
            return None;
        }
        loop {
            match self.take()? {
                b'"' => break,
                b'\n' => return None,
                b'\\' => inner.push(self.take()?),
                byte => inner.push(byte),
            }
        }
        (self.take()? == b']').then(|| String::from_utf8_lossy(&inner).into_owned())
    }

    fn setting(&mut self, first: u8) -> Option<()> {
        let mut key = char::from(first.to_ascii_lowercase()).to_string();
        while let Some(byte) =
            self.peek().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        {
            key.push(char::from(byte.to_ascii_lowercase()));
            self.at += 1;
        }
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        let value = match self.peek() {
            // A key without a value is true.
            None | Some(b'\n' | b'#' | b';') => "true".to_owned(),
            Some(b'=') => {
                self.at += 1;
                self.value()?
            }
            Some(_) => return None,
        };
        self.found.push((format!("{}.{key}", self.section), value));
        Some(())
    }

    fn value(&mut self) -> Option<String> {
        let (mut value, mut kept, mut is_quoted) = (Vec::new(), 0, false);
        while let Some(byte) = self.take() {
            match byte {
                b'\n' if is_quoted => return None,
                b'\n' => break,
                b'#' | b';' if !is_quoted => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                    continue;
                }
                b'"' => {
                    is_quoted = !is_quoted;
                    kept = value.len();
                }
                b'\\' => match self.take()? {
                    b'\n' => {}
                    b'\r' if self.peek() == Some(b'\n') => self.at += 1,
                    b'n' => value.push(b'\n'),
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    byte @ (b'"' | b'\\') => value.push(byte),
                    _ => return None,
                },
                byte if byte.is_ascii_whitespace() && !is_quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                byte => value.push(byte),
            }
            kept = kept.max(value.len());
        }
        value.truncate(kept);
        Some(String::from_utf8_lossy(&value).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = b"[core]\n\tFSMonitor = \"a \\\"b\\\"\" ; why\n\tbare\n[Filter \"x.Y\"]clean=sed \\\n s/a/b/  \n\
            [alias]\n# no\n st = !sh -c 'x; y'\n l = \"!a # b\"\n";
        let expected = [
            ("core.fsmonitor", "a \"b\""),
            ("core.bare", "true"),
            ("filter.x.Y.clean", "sed  s/a/b/"),
            ("alias.st", "!sh -c 'x"),
            ("alias.l", "!a # b"),
        ];
        let expected: Vec<Setting> =
            expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn what_stands_before_an_error_counts() {
        assert_eq!(settings(b"[core]\nbare = true\n= x\n[a]\nb = c\n").len(), 1);
        assert!(settings(b"\0\0\0").is_empty());
    }
}
