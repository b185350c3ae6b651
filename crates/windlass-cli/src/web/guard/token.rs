//! The token: 256 bits of the system's randomness, new at each start, kept in memory alone.

use std::{fmt, hint::black_box, io};

use rustix::{
    io::Errno,
    rand::{GetRandomFlags, getrandom},
};

/// What whoever may use the server knows.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A new one.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0_u8; 32];
        let mut filled = 0;
        while filled < bytes.len() {
            match getrandom(&mut bytes[filled..], GetRandomFlags::empty()) {
                Ok(more) => filled += more,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether it is this one. How long that takes does not depend on where they differ.
    pub(crate) fn is(&self, shown: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), shown.as_bytes());
        let mut difference = ours.len() ^ theirs.len();
        for (at, byte) in ours.iter().enumerate() {
            let other = theirs.get(at).copied().unwrap_or(0);
            difference |= usize::from(black_box(byte ^ other));
        }
        black_box(difference) == 0
    }

    /// The token, for the one line that hands it over.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

/// It never gets into a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_new_and_only_itself() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert_ne!(one.reveal(), other.reveal());
        assert!(one.is(one.reveal()));
        let text = one.reveal();
        for wrong in ["", other.reveal(), &text[1..], &text[..63], &format!("{text}0")] {
            assert!(!one.is(wrong), "{wrong}");
        }
        assert!(!one.is(&text.to_uppercase()) || text.to_uppercase() == text);
        assert!(!format!("{one:?}").contains(text));
    }
}
