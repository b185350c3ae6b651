//! The message that an agent says in pieces, put together to be read for a claim.

/// How much of a message is kept.
const LONGEST: usize = 1024 * 1024;

/// Adds to a message. Of one that grows too long the end is kept, for there the claim stands.
pub(super) fn extend(message: &mut String, text: &str) {
    message.push_str(text);
    if message.len() > 2 * LONGEST {
        message.drain(..message.ceil_char_boundary(message.len() - LONGEST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_message_that_grows_too_long_the_end_is_kept() {
        let mut message = String::new();
        for _ in 0..30 {
            extend(&mut message, &"ä".repeat(50_000));
        }
        extend(&mut message, "end");
        assert!(message.len() <= 2 * LONGEST && message.ends_with("end"));
    }
}
