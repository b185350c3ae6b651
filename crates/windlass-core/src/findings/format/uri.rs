//! Paths as URIs, and back.

use std::fmt::Write as _;

/// A path with everything escaped that means something in a URI.
pub(super) fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    out
}

/// A URI's path without its escapes; what is not escaped right stays as it is.
pub(super) fn decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| uri.to_owned())
}

/// The path of a URI: without `file://` and a host, and without the base if it lies below one.
pub(super) fn path(uri: &str, bases: &[String]) -> String {
    let below = bases.iter().filter_map(|base| {
        let base = base.trim_end_matches('/');
        uri.strip_prefix(base)?.strip_prefix('/').filter(|_| !base.is_empty())
    });
    if let Some(rest) = below.min_by_key(|rest| rest.len()) {
        return decoded(rest);
    }
    let is_file = uri.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file://"));
    let path = if is_file {
        let rest = &uri[7..];
        rest.find('/').map_or(rest, |host| &rest[host..])
    } else {
        uri.strip_prefix("file:").unwrap_or(uri)
    };
    let path = decoded(path);
    path.strip_prefix("./").map(ToOwned::to_owned).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_as_it_was() {
        for path in ["src/a.rs", "a b/ü%20#?.rs", "a:b", "%", "100%/x"] {
            assert_eq!(decoded(&encoded(path)), path);
        }
        assert_eq!(encoded("a b/ü"), "a%20b/%C3%BC");
        assert_eq!(decoded("a%2"), "a%2");
        assert_eq!(decoded("%ff"), "%ff");
    }

    #[test]
    fn a_uri_below_its_base_is_a_relative_path() {
        let bases = ["file:///home/user/project/".to_owned()];
        assert_eq!(path("file:///home/user/project/src/a%20b.rs", &bases), "src/a b.rs");
        assert_eq!(path("file:///home/user/projects/a.rs", &bases), "/home/user/projects/a.rs");
        assert_eq!(path("file://host/a.rs", &[]), "/a.rs");
        assert_eq!(path("./src/a.rs", &[]), "src/a.rs");
        assert_eq!(path("src/a.rs", &[String::new()]), "src/a.rs");
    }
}
