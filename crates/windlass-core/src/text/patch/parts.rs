//! Takes a diff in git's format apart: a part is all that it says of one file.

use memchr::memmem;

/// What begins a part. No line of a file's content does: each has a mark before it.
const HEAD: &[u8] = b"diff --git ";

/// What a diff says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The file, or its new name, shown as far as it is UTF-8.
    pub path: String,
    /// All of it, with its heading.
    pub bytes: &'a [u8],
    /// Whether the file is not text, so that there is nothing to read.
    pub is_binary: bool,
}

/// The parts of a diff, in their order.
pub fn parts(diff: &[u8]) -> impl Iterator<Item = Part<'_>> {
    let mut rest = &diff[first(diff).unwrap_or(diff.len())..];
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let next = first(&rest[HEAD.len()..]).map_or(rest.len(), |at| at + HEAD.len());
        let (bytes, after) = rest.split_at(next);
        rest = after;
        Some(part(bytes))
    })
}

/// Where the first part begins.
fn first(diff: &[u8]) -> Option<usize> {
    let begins_line = |at: &usize| *at == 0 || diff[at - 1] == b'\n';
    memmem::find_iter(diff, HEAD).find(begins_line)
}

fn part(bytes: &[u8]) -> Part<'_> {
    let mut path = None;
    let mut is_binary = false;
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let head = lines.next().unwrap_or_default();
    for line in lines.take_while(|line| !line.starts_with(b"@@")) {
        if line.starts_with(b"Binary files ") || line.starts_with(b"GIT binary patch") {
            is_binary = true;
        }
        let named = [&b"rename to "[..], b"copy to ", b"+++ ", b"--- "]
            .iter()
            .find_map(|mark| line.strip_prefix(*mark))
            .map(unquoted)
            .filter(|name| name != b"/dev/null");
        if let Some(name) = named {
            let is_side = line.starts_with(b"+++ ") || line.starts_with(b"--- ");
            let name = if is_side { without_side(&name).to_vec() } else { name };
            // The new name comes last, and counts.
            path = Some(name);
        }
    }
    let path = path.unwrap_or_else(|| in_head(&head[HEAD.len().min(head.len())..]));
    Part { path: String::from_utf8_lossy(&path).into_owned(), bytes, is_binary }
}

/// The name in `a/NAME b/NAME`, where it is the same twice.
fn in_head(names: &[u8]) -> Vec<u8> {
    if names.starts_with(b"\"") {
        let end = closing_quote(names).unwrap_or(names.len());
        return without_side(&unquoted(&names[..end])).to_vec();
    }
    let half = names.len() / 2;
    without_side(&names[..half]).to_vec()
}

fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    text.iter()
        .skip(1)
        .position(|byte| {
            let closes = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            closes
        })
        .map(|at| at + 2)
}

/// Without the `a/` or `b/` that tells the sides apart.
fn without_side(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"a/").or_else(|| name.strip_prefix(b"b/")).unwrap_or(name)
}

/// A name as it is, out of git's quotes where it has them.
fn unquoted(name: &[u8]) -> Vec<u8> {
    // A tab follows a name with spaces.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let Some(inner) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return name.to_vec();
    };
    let mut plain = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        plain.push(match bytes.next() {
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'v') => 11,
            Some(b'f') => 12,
            Some(b'r') => b'\r',
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                while let Some(digit) = bytes.next_if(|byte| matches!(byte, b'0'..=b'7')) {
                    value = value * 8 + u32::from(digit - b'0');
                }
                u8::try_from(value & 0xff).unwrap_or(b'?')
            }
            Some(other) => other,
            None => b'\\',
        });
    }
    plain
}
