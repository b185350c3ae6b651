//! Covers secrets in a stream of bytes, wherever the stream is cut into pieces.

use std::sync::Arc;

use super::{
    REDACTED, Secrets,
    scan::{Next, Scanner},
};

/// How many bytes before a place say whether a word begins there.
const CONTEXT: usize = 3;

/// So many bytes are looked at together with those that came before them.
const SEAM: usize = 64;

/// A word that is cut off at its beginning is covered up to this length.
const CUT_WORD: usize = 4096;

/// Less of a secret than this tells nothing.
const TELLING: usize = 6;

/// A private key that is cut off at its beginning is covered up to this length.
const CUT_KEY: usize = 16 * 1024;

/// Covers secrets in a stream of bytes. As many bytes come out as go in, in the same places; what
/// may be the beginning of a secret is held back until it is known.
#[derive(Debug)]
pub struct Masker {
    secrets: Arc<Secrets>,
    /// What was given out last, then what is held back.
    buffer: Vec<u8>,
    /// How many bytes of the buffer were given out.
    given: usize,
    /// Whether something that nobody saw was before the first byte.
    is_cut: bool,
}

impl Masker {
    /// Covers these secrets.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self { secrets, buffer: Vec::new(), given: 0, is_cut: false }
    }

    /// Takes the next bytes, and gives out those that are known to be harmless or covered.
    pub fn push(&mut self, bytes: &[u8], mut give: impl FnMut(&[u8])) {
        // What is cut off at its beginning is told by what comes long after.
        let seam = if self.is_cut { bytes.len() } else { bytes.len().min(SEAM) };
        self.buffer.extend_from_slice(&bytes[..seam]);
        self.run(true, &mut give);
        if seam == bytes.len() {
            return;
        }
        if self.given == self.buffer.len() {
            self.pass(bytes, seam, give);
        } else {
            self.buffer.extend_from_slice(&bytes[seam..]);
            self.run(true, give);
        }
    }

    /// Gives out from `at` on what is harmless, as it is: most of a flood is, and needs no copy.
    fn pass(&mut self, bytes: &[u8], at: usize, mut give: impl FnMut(&[u8])) {
        let until = match self.secrets.scanner.next(bytes, at, true) {
            // It is looked for again in the buffer, where its head must be.
            Next::Found(found) => found.head.max(at),
            Next::Unsure { from } => from,
            Next::Nothing => bytes.len(),
        };
        if until > at {
            give(&bytes[at..until]);
            let kept = until.saturating_sub(CONTEXT);
            self.buffer.clear();
            self.buffer.extend_from_slice(&bytes[kept..]);
            self.given = until - kept;
        } else {
            self.buffer.extend_from_slice(&bytes[at..]);
        }
        self.run(true, give);
    }

    /// Gives out what is left: nothing follows.
    pub fn finish(&mut self, give: impl FnMut(&[u8])) {
        self.run(false, give);
    }

    /// Something is left out of the stream here: what is held back is given out covered, for it may
    /// be half of a secret, and so is the other half.
    pub fn skip(&mut self, mut give: impl FnMut(&[u8])) {
        let held = &mut self.buffer[self.given..];
        if held.len() >= TELLING {
            cover(held);
        }
        give(&self.buffer[self.given..]);
        self.buffer.clear();
        (self.given, self.is_cut) = (0, true);
    }

    fn run(&mut self, more: bool, mut give: impl FnMut(&[u8])) {
        if std::mem::take(&mut self.is_cut) {
            let end = rest_of_a_secret(&self.secrets.scanner, &self.buffer);
            cover(&mut self.buffer[..end]);
        }
        let mut at = self.given;
        let until = loop {
            match self.secrets.scanner.next(&self.buffer, at, more) {
                Next::Found(found) => {
                    let (start, end, word) = (found.start, found.end, found.word());
                    cover_with(&mut self.buffer[start..end], &word);
                    at = end;
                }
                Next::Unsure { from } => break from,
                Next::Nothing => break self.buffer.len(),
            }
        };
        if until > self.given {
            give(&self.buffer[self.given..until]);
        }
        let kept = until.saturating_sub(CONTEXT);
        self.buffer.drain(..kept);
        self.given = until - kept;
    }
}

/// How much of the beginning may be the end of a secret whose beginning is gone.
fn rest_of_a_secret(scanner: &Scanner, text: &[u8]) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.+/=%".contains(byte);
    let word = text.iter().take(CUT_WORD).take_while(|byte| is_part(byte)).count();
    let of_values = scanner.values().filter_map(|value| {
        (1..value.len().saturating_sub(TELLING))
            .find(|from| text.starts_with(&value[*from..]))
            .map(|from| value.len() - from)
    });
    let key = &text[..text.len().min(CUT_KEY)];
    let key = memchr::memmem::find(key, b"PRIVATE KEY-----").filter(|end| {
        let before = &key[..*end];
        memchr::memmem::find(before, b"-----END ").is_some()
            && memchr::memmem::find(before, b"-----BEGIN ").is_none()
    });
    let end = of_values.chain([word, key.unwrap_or(0)]).max().unwrap_or(0);
    if end < TELLING { 0 } else { end }
}

fn cover(bytes: &mut [u8]) {
    bytes.fill(b'*');
}

/// Covers the bytes, and says what was there where that fits.
fn cover_with(bytes: &mut [u8], word: &str) {
    cover(bytes);
    let words = [word.as_bytes(), REDACTED.as_bytes()];
    if let Some(word) = words.into_iter().find(|word| word.len() <= bytes.len()) {
        bytes[..word.len()].copy_from_slice(word);
    }
}
