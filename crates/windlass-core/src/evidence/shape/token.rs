//! The parts that the shape of a text is made of.

/// One part of a text's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, as which name of the text it is.
    Name(u32),
    /// A word that stands for itself, as a hash.
    Word(u64),
    /// A number.
    Number,
    /// A quote of any kind.
    Quote,
    /// An operator, or another mark.
    Mark(char),
    /// A statement ends.
    Break,
    /// A block begins.
    In,
    /// A block ends.
    Out,
    /// Nothing: a mark that turned out to be a matter of style.
    Gone,
}

impl Token {
    /// A word that stands for itself. The hash is FNV-1a.
    pub(super) fn word(text: &str) -> Self {
        let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self::Word(text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
    }

    /// A word whose case does not matter either.
    pub(super) fn keyword(text: &str) -> Self {
        Self::word(&text.to_ascii_lowercase())
    }

    /// Whether something can be called, or an element taken of it, after this.
    pub(super) fn is_operand(self) -> bool {
        matches!(self, Self::Name(_) | Self::Word(_) | Self::Quote | Self::Mark(')' | ']'))
    }

    /// Adds it to what is hashed.
    pub(super) fn write(self, to: &mut Vec<u8>) {
        let mut put = |kind: u8, value: &[u8]| {
            to.push(kind);
            to.extend_from_slice(value);
        };
        match self {
            Self::Name(number) => put(b'n', &number.to_le_bytes()),
            Self::Word(hash) => put(b'w', &hash.to_le_bytes()),
            Self::Number => put(b'#', &[]),
            Self::Quote => put(b'"', &[]),
            Self::Mark(mark) => put(b'm', &u32::from(mark).to_le_bytes()),
            Self::Break => put(b';', &[]),
            Self::In => put(b'>', &[]),
            Self::Out => put(b'<', &[]),
            Self::Gone => (),
        }
    }
}
