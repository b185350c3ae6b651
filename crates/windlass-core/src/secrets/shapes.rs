//! Shapes of well-known tokens: how each begins, and how long it is.

/// How a token is known that begins in a certain way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// How it begins.
    pub(super) head: &'static str,
    /// Whether it is one even in the middle of a word.
    anywhere: bool,
    rest: Rest,
}

/// What follows the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// So many letters and digits at least, one of them a digit, and these characters too.
    Run { least: usize, also: &'static str },
    /// Capitals and digits, just so many.
    Capitals(usize),
    /// The parts of a JSON web token.
    Jwt,
    /// A name and a password before the `@` of an address.
    UserInfo,
    /// A label that says so, and a private key.
    PrivateKey,
    /// A value of just so many characters behind `=` or `:`.
    Assigned(usize),
}

/// What a beginning came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    /// A secret from here to there.
    Secret(usize, usize),
    /// None.
    Nothing,
    /// What follows decides.
    Unsure,
}

const fn run(head: &'static str, least: usize, also: &'static str) -> Shape {
    Shape { head, anywhere: true, rest: Rest::Run { least, also } }
}

const fn word(head: &'static str, least: usize, also: &'static str) -> Shape {
    Shape { head, anywhere: false, rest: Rest::Run { least, also } }
}

const fn other(head: &'static str, rest: Rest) -> Shape {
    Shape { head, anywhere: true, rest }
}

pub(super) const SHAPES: [Shape; 34] = [
    run("github_pat_", 20, "_"),
    run("ghp_", 20, ""),
    run("gho_", 20, ""),
    run("ghu_", 20, ""),
    run("ghs_", 20, "_-."),
    run("ghr_", 20, ""),
    run("glpat-", 16, "_-."),
    word("sk-", 20, "_-"),
    word("sk_live_", 16, ""),
    word("rk_live_", 16, ""),
    word("whsec_", 20, ""),
    Shape { head: "AKIA", anywhere: false, rest: Rest::Capitals(16) },
    Shape { head: "ASIA", anywhere: false, rest: Rest::Capitals(16) },
    other("aws_secret_access_key", Rest::Assigned(40)),
    other("AWS_SECRET_ACCESS_KEY", Rest::Assigned(40)),
    other("SecretAccessKey", Rest::Assigned(40)),
    word("AIza", 30, "_-"),
    run("xoxb-", 10, "-"),
    run("xoxp-", 10, "-"),
    run("xoxa-", 10, "-"),
    run("xoxe-", 10, "-"),
    run("xoxr-", 10, "-"),
    run("xoxs-", 10, "-"),
    run("xapp-", 10, "-"),
    run("hooks.slack.com/services/", 20, "/"),
    word("npm_", 30, ""),
    word("hf_", 30, ""),
    word("pypi-", 40, "_-"),
    word("dop_v1_", 40, ""),
    word("SG.", 40, "._-"),
    word("ya29.", 30, "_-"),
    Shape { head: "eyJ", anywhere: false, rest: Rest::Jwt },
    other("://", Rest::UserInfo),
    other("-----BEGIN ", Rest::PrivateKey),
];

/// No token is longer.
pub(super) const LONGEST: usize = 16 * 1024;
/// A token has a digit among its first characters; words that begin like one have none.
const DIGIT_WITHIN: usize = 64;
/// The header of a JSON web token is not longer.
const JWT_HEADER: usize = 512;
/// A name and a password are not longer.
const USER_INFO: usize = 512;

impl Shape {
    /// What begins at `start` of the text, where the head stands. `more`: the text may go on.
    pub(super) fn measure(&self, text: &[u8], start: usize, more: bool) -> Measured {
        if !self.anywhere && is_inside_word(&text[..start]) {
            return Measured::Nothing;
        }
        let after = start + self.head.len();
        let rest = &text[after..];
        let token = |end: Option<usize>| match end {
            Some(length) if after + length == text.len() && more && length < LONGEST => {
                Measured::Unsure
            }
            Some(length) => Measured::Secret(start, after + length),
            // What is there may be too short only because it is cut off.
            None if more && rest.len() < JWT_HEADER + 64 && is_all_of_a_token(rest) => {
                Measured::Unsure
            }
            None => Measured::Nothing,
        };
        match self.rest {
            Rest::Run { least, also } => token(of_run(rest, least, also)),
            Rest::Capitals(count) => token(of_capitals(rest, count)),
            Rest::Jwt => token(of_jwt(rest)),
            Rest::UserInfo => of_user_info(rest, after, more),
            Rest::PrivateKey => of_private_key(rest, start, after, more),
            Rest::Assigned(count) => of_assigned(rest, after, count, more),
        }
    }
}

/// Whether a word goes on from before; an escape of JSON or of an address is the end of one.
fn is_inside_word(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => false,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => false,
        [.., last] => last.is_ascii_alphanumeric(),
        [] => false,
    }
}

fn is_all_of_a_token(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(byte))
}

/// How many of the first bytes are letters, digits or one of these.
fn length_of(text: &[u8], also: &str) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || also.as_bytes().contains(byte);
    text.iter().take(LONGEST).position(|byte| !is_part(byte)).unwrap_or(text.len().min(LONGEST))
}

fn of_run(rest: &[u8], least: usize, also: &str) -> Option<usize> {
    // The first characters decide, so that a text that is full of beginnings costs little.
    let first = length_of(&rest[..rest.len().min(DIGIT_WITHIN)], also);
    let has_digit = rest[..first].iter().any(u8::is_ascii_digit);
    (first >= least && has_digit).then(|| length_of(rest, also))
}

fn of_capitals(rest: &[u8], count: usize) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let length = rest.iter().take(count + 1).take_while(|byte| is_part(byte)).count();
    let goes_on = rest.get(length).is_some_and(u8::is_ascii_alphanumeric);
    (length == count && !goes_on).then_some(length)
}

fn of_jwt(rest: &[u8]) -> Option<usize> {
    let header = length_of(&rest[..rest.len().min(JWT_HEADER)], "_-");
    let claims = rest.get(header + 1..).filter(|_| rest[header] == b'.')?;
    let claims = length_of(&claims[..claims.len().min(64)], "_-");
    (header >= 8 && claims >= 16).then(|| length_of(rest, "_-."))
}

fn of_user_info(rest: &[u8], after: usize, more: bool) -> Measured {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/?#\"'`<>()\\{}|,;".contains(byte);
    let place = &rest[..rest.len().min(USER_INFO)];
    let end = place.iter().position(is_end);
    if end.is_none() && more && rest.len() < USER_INFO {
        return Measured::Unsure;
    }
    let place = &place[..end.unwrap_or(place.len())];
    let Some(at) = place.iter().rposition(|byte| *byte == b'@') else { return Measured::Nothing };
    // A name alone is no secret, but a token may stand in its place.
    let is_secret = place[..at].contains(&b':') || at >= 20;
    if is_secret && at > 1 { Measured::Secret(after, after + at) } else { Measured::Nothing }
}

fn of_private_key(rest: &[u8], start: usize, after: usize, more: bool) -> Measured {
    const DASHES: &[u8] = b"-----";
    const END: &[u8] = b"-----END ";
    let Some(label) = memchr::memmem::find(&rest[..rest.len().min(80)], DASHES) else {
        let unsure = more && rest.len() < 80;
        return if unsure { Measured::Unsure } else { Measured::Nothing };
    };
    if memchr::memmem::find(&rest[..label], b"PRIVATE KEY").is_none() {
        return Measured::Nothing;
    }
    let body_at = label + DASHES.len();
    let body = &rest[body_at..rest.len().min(LONGEST)];
    // A key does not go beyond the text of JSON that it stands in, and not into another.
    let limit = body.iter().position(|byte| b"\"{}".contains(byte)).unwrap_or(body.len());
    let limit = memchr::memmem::find(&body[..limit], b"-----BEGIN ").unwrap_or(limit);
    if let Some(end) = memchr::memmem::find(&body[..limit], END) {
        let tail = &body[end + END.len()..limit];
        if let Some(close) = memchr::memmem::find(&tail[..tail.len().min(80)], DASHES) {
            let length = body_at + end + END.len() + close + DASHES.len();
            return Measured::Secret(start, after + length);
        }
    }
    if more && limit == body.len() && rest.len() < LONGEST {
        return Measured::Unsure;
    }
    // One that is cut off: its lines, and not the words after a mere mention.
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\\ \r\n\t".contains(byte);
    let length = body[..limit].iter().take_while(|byte| is_part(byte)).count();
    let is_line = |line: &[u8]| line.iter().filter(|b| b.is_ascii_alphanumeric()).count() >= 16;
    let mut words = body[..length].split(|byte| b" \r\n\t".contains(byte));
    let is_key = words.find(|word| word.len() > 2).is_some_and(is_line);
    if is_key { Measured::Secret(start, after + body_at + length) } else { Measured::Nothing }
}

fn of_assigned(rest: &[u8], after: usize, count: usize, more: bool) -> Measured {
    let gap = rest.iter().take(8).take_while(|byte| b" \t\"'=:\\".contains(byte)).count();
    if more && rest.len() < gap + count + 1 {
        return Measured::Unsure;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let length = rest[gap..].iter().take(count + 1).take_while(|byte| is_part(byte)).count();
    if gap > 0 && length == count {
        Measured::Secret(after + gap, after + gap + length)
    } else {
        Measured::Nothing
    }
}
