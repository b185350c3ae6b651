//! Passes over the long strings of a JSON line, of which only the beginning is ever shown, and
//! several times as fast as a reader of JSON does. Pure; what it passes over is as sound as a
//! reader who passes over it would want it, and may be no UTF-8.

/// How many bytes are looked at together.
const BLOCK: usize = 256;

/// What stands before the closing quote of a JSON string that has lost its opening one. `None`
/// where it is never closed, or is no sound string.
pub(super) fn before_quote(json: &[u8]) -> Option<&[u8]> {
    Some(&json[..closing_quote(json)?])
}

fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let (block, after) = (text.get(at..at + BLOCK), text.get(at + 1..=at + BLOCK));
        if let (Some(block), Some(after)) = (block, after)
            && is_plain(block, after)
        {
            let ends_in_an_escape = block.last() == Some(&b'\\');
            at += BLOCK + usize::from(ends_in_an_escape);
            continue;
        }
        let next_block = at + BLOCK;
        while at < next_block {
            at += match text.get(at..)? {
                [b'"', ..] => return Some(at),
                [b'\\', b'u', rest @ ..] => {
                    rest.get(..4)?.iter().all(u8::is_ascii_hexdigit).then_some(6)?
                }
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
                [b'\\', ..] | [] => return None,
                [byte, ..] => (*byte >= b' ').then_some(1)?,
            };
        }
    }
}

/// Whether a block of a string neither ends it nor has any but the most frequent escapes in it.
/// `after` is the same one byte later. Has no branch, so that many bytes are looked at at once.
fn is_plain(block: &[u8], after: &[u8]) -> bool {
    let odd = block.iter().zip(after).fold(false, |odd, (&byte, &next)| {
        let escapes = byte == b'\\';
        let is_quote = next == b'"';
        let is_frequent = is_quote | (next == b'n') | (next == b't') | (next == b'r');
        odd | (byte < b' ') | (escapes & !is_frequent) | (is_quote & !escapes)
    });
    !odd && block.first() != Some(&b'"')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::*;

    /// What a reader of JSON says.
    fn by_reader(json: &[u8]) -> Option<Vec<u8>> {
        let quoted = [b"\"", json].concat();
        let mut values = serde_json::Deserializer::from_slice(&quoted).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        Some(quoted[1..values.byte_offset() - 1].to_owned())
    }

    #[test]
    fn the_end_is_the_first_quote_that_is_not_escaped() {
        assert_eq!(before_quote(br#"ab\"c\\"d""#), Some(&br#"ab\"c\\"#[..]));
        assert_eq!(before_quote(br#"""#), Some(&b""[..]));
        assert_eq!(before_quote(br"ab\"), None);
        assert_eq!(before_quote(b""), None);
    }

    fn garbled() -> impl Strategy<Value = Vec<u8>> {
        let often = prop::sample::select(vec![
            "let a = 1;",
            r"\n",
            r"\t",
            r#"\""#,
            r"\\",
            r"\u00e4",
            "ä",
            " ",
            "x",
            "0123456789",
        ]);
        let odd = prop::sample::select(vec![
            &b"\""[..],
            b"\\",
            b"\\u12g4",
            b"\\x",
            b"\n",
            b"\xff",
            b"\xc3",
            b"\0",
            b"\\b",
            b"\\/",
        ]);
        let part = prop_oneof![
            60 => often.prop_map(|part| part.as_bytes().to_vec()),
            1 => odd.prop_map(<[u8]>::to_vec),
        ];
        prop::collection::vec(part, 0..400).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_reader_of_json_on_any_text(text in garbled(), closed in any::<bool>()) {
            let quote: &[u8] = if closed { b"\",\"more\":7}" } else { b"" };
            let text = [&text, quote].concat();
            let read = by_reader(&text);
            prop_assert_eq!(before_quote(&text), read.as_deref());
        }
    }
}
