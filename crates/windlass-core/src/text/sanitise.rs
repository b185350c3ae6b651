//! The one sanitiser for everything that an agent said, on its way to a terminal.
//!
//! What comes out has only characters that can be seen, spaces, tabs and newlines. So whatever an
//! agent prints, it cannot move the cursor, write to the clipboard, make links, reorder or hide
//! text. It does no I/O, and it never fails.
//!
//! | what comes in | what becomes of it |
//! |---|---|
//! | escape sequences: CSI, OSC, DCS, APC, PM, SOS, charsets, single ones | gone, whole |
//! | C0 but newline and tab, DEL, C1 (U+0080 to U+009F) | gone |
//! | `\r\n`, a lone `\r`, U+2028, U+2029 | a newline, so that nothing is overwritten |
//! | bidi controls, invisible and format characters, tags | gone |
//! | joiners (U+200C, U+200D), emoji selectors (U+FE0E, U+FE0F) | kept only where scripts need them |
//! | bytes that are not UTF-8 | U+FFFD |

use std::{borrow::Cow, str};

/// How many characters an escape sequence may have. One that goes on longer has most likely no
/// end; what follows it is shown again from the next newline on.
pub(crate) const LONGEST_SEQUENCE: usize = 4096;

/// Sanitises a stream of bytes that is cut anywhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sanitiser {
    state: State,
    /// The beginning of a character whose end has not come yet.
    partial: [u8; 4],
    partial_len: usize,
    /// Characters of the escape sequence so far.
    swallowed: usize,
    /// The last character that was passed on.
    last: Option<char>,
    /// A `\r` was turned into a newline, so the `\n` that belongs to it is not a second one.
    after_return: bool,
}

/// Where in an escape sequence the stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// In none.
    #[default]
    Ground,
    /// After ESC and any intermediate characters.
    Escape,
    /// After `ESC [`, before the final character.
    Csi,
    /// In a string (OSC, DCS, APC, PM, SOS), before its terminator.
    Text,
    /// In a sequence that is too long, before a newline.
    Lost,
}

impl Sanitiser {
    /// Adds to `out` what may be shown of the next bytes.
    pub(crate) fn push(&mut self, mut bytes: &[u8], out: &mut String) {
        while self.partial_len > 0 && !bytes.is_empty() {
            self.partial[self.partial_len] = bytes[0];
            match str::from_utf8(&self.partial[..=self.partial_len]) {
                Ok(text) => {
                    let whole = text.chars().next();
                    self.partial_len = 0;
                    bytes = &bytes[1..];
                    whole.into_iter().for_each(|c| self.char(c, out));
                }
                Err(error) if error.error_len().is_none() => {
                    self.partial_len += 1;
                    bytes = &bytes[1..];
                }
                // The new byte does not belong to the character; it is looked at on its own.
                Err(_) => self.give_up_partial(out),
            }
        }
        while !bytes.is_empty() {
            let error = match str::from_utf8(bytes) {
                Ok(text) => return self.text(text, out),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.text(str::from_utf8(valid).expect("it was found valid"), out);
            let Some(wrong) = error.error_len() else {
                self.partial[..rest.len()].copy_from_slice(rest);
                self.partial_len = rest.len();
                return;
            };
            self.char(char::REPLACEMENT_CHARACTER, out);
            bytes = &rest[wrong..];
        }
    }

    /// The stream is over: adds what was held back, and begins anew.
    pub(crate) fn finish(&mut self, out: &mut String) {
        if self.partial_len > 0 {
            self.give_up_partial(out);
        }
        *self = Self::default();
    }

    fn give_up_partial(&mut self, out: &mut String) {
        self.partial_len = 0;
        self.char(char::REPLACEMENT_CHARACTER, out);
    }

    fn text(&mut self, mut text: &str, out: &mut String) {
        while !text.is_empty() {
            if self.state == State::Ground && !self.after_return {
                let (plain, rest) = text.split_at(plain_prefix(text.as_bytes()));
                if let Some(&last) = plain.as_bytes().last() {
                    out.push_str(plain);
                    self.last = Some(char::from(last));
                }
                text = rest;
            }
            let mut chars = text.chars();
            if let Some(c) = chars.next() {
                self.char(c, out);
            }
            text = chars.as_str();
        }
    }

    fn char(&mut self, c: char, out: &mut String) {
        let after_return = std::mem::take(&mut self.after_return);
        if let Some(state) = introducer(c) {
            self.swallowed = 0;
            self.state = state;
            return;
        }
        if self.state == State::Ground {
            return self.show(c, after_return, out);
        }
        self.swallowed += 1;
        self.state = match (self.state, c) {
            // CAN, SUB and ST end any sequence; BEL ends a string.
            (_, '\x18' | '\x1a' | '\u{9c}') | (State::Text | State::Lost, '\x07') => State::Ground,
            (State::Escape, '[') => State::Csi,
            (State::Escape, ']' | 'P' | '_' | '^' | 'X') => State::Text,
            (State::Escape, ' '..='/') | (State::Csi, ' '..='?') | (State::Text, _)
                if self.swallowed < LONGEST_SEQUENCE =>
            {
                self.state
            }
            (State::Escape, ' '..='/') | (State::Csi, ' '..='?') | (State::Text, _) => State::Lost,
            (State::Escape | State::Csi, '0'..='~') => State::Ground,
            (State::Lost, c) if !breaks_line(c) => State::Lost,
            // Not part of any sequence, so the sequence was broken off.
            (State::Ground | State::Escape | State::Csi | State::Lost, c) => {
                self.state = State::Ground;
                return self.show(c, false, out);
            }
        };
    }

    /// Passes on one character that stands outside of sequences, if it may be shown.
    fn show(&mut self, c: char, after_return: bool, out: &mut String) {
        let shown = match c {
            '\n' if after_return => return,
            '\r' => {
                self.after_return = true;
                '\n'
            }
            '\u{2028}' | '\u{2029}' => '\n',
            '\u{200c}' | '\u{200d}' if !self.last.is_some_and(takes_joiner) => return,
            '\u{fe0e}' | '\u{fe0f}' if !self.last.is_some_and(takes_selector) => return,
            c if is_shown(c) => c,
            _ => return,
        };
        out.push(shown);
        self.last = Some(shown);
    }
}

/// The text with only what may be shown, newlines and tabs included.
pub fn text(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut sanitiser = Sanitiser::default();
    sanitiser.push(text.as_bytes(), &mut out);
    sanitiser.finish(&mut out);
    Cow::Owned(out)
}

/// The text as one line: sanitised, newlines and tabs become spaces, and its end is trimmed.
pub fn line(line: &str) -> Cow<'_, str> {
    let clean = text(line.trim_end());
    if clean.trim_end().len() == clean.len() && !clean.contains(['\n', '\t']) {
        return clean;
    }
    Cow::Owned(clean.trim_end().replace(['\n', '\t'], " "))
}

/// JSON text in which all that may not be shown is escaped. Such characters stand in strings only,
/// so the value is the same.
pub fn json(json: &str) -> Cow<'_, str> {
    if is_clean(json) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_shown(c) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Cow::Owned(out)
}

/// Whether `text` would come out as it is. It may say no to text that would.
fn is_clean(text: &str) -> bool {
    let bytes = text.as_bytes();
    let plain = plain_prefix(bytes);
    plain == bytes.len()
        || text[plain..].chars().all(|c| {
            matches!(c, '\n' | '\t')
                || (is_shown(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}'))
        })
}

/// How many bytes from the start are plain ASCII that may be shown.
fn plain_prefix(bytes: &[u8]) -> usize {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    // Whole blocks are looked at without a branch a byte, which the compiler turns into vectors.
    let mut plain = 0;
    for block in bytes.chunks(64) {
        if !block.iter().fold(true, |all, byte| all & is_plain(byte)) {
            return plain + block.iter().take_while(|byte| is_plain(byte)).count();
        }
        plain += block.len();
    }
    plain
}

/// The state that a character leads into from any other, if it begins a sequence.
fn introducer(c: char) -> Option<State> {
    match c {
        '\x1b' => Some(State::Escape),
        '\u{9b}' => Some(State::Csi),
        '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => Some(State::Text),
        _ => None,
    }
}

fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether a character may be shown as it is. Joiners and emoji selectors may, at their place.
fn is_shown(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        // Bidi controls.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => false,
        // Invisible: soft hyphen, fillers, zero-width space, word joiner, isolates, byte order mark …
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => false,
        // Those that Unicode promises never to use.
        c => (c as u32) & 0xfffe != 0xfffe,
    }
}

/// Whether a joiner after this character changes what is seen: in the scripts whose letters join,
/// from Arabic to Khmer, and between pictures. Anywhere else it only hides.
fn takes_joiner(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}')
        || matches!(c, '\u{1780}'..='\u{18af}' | '\u{fe0f}')
        || is_picture(c)
}

/// Whether the character can be text or picture, which a selector after it decides.
fn takes_selector(c: char) -> bool {
    is_picture(c) || matches!(c, '#' | '*' | '0'..='9' | '©' | '®')
}

fn is_picture(c: char) -> bool {
    matches!(c, '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests;
