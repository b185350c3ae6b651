//! A unified diff, read file by file. Reading never fails: what is not known is a plain line.

/// What changed in one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FilePatch {
    /// Its path, as git writes it.
    pub(crate) path: String,
    /// `new`, `deleted` or nothing.
    pub(crate) how: &'static str,
    /// Lines that came.
    pub(crate) added: usize,
    /// Lines that went.
    pub(crate) removed: usize,
    /// What is shown, each with its kind.
    pub(crate) lines: Vec<(Line, String)>,
}

/// What a line of a patch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It came.
    Added,
    /// It went.
    Removed,
    /// It stayed.
    Context,
    /// Where a part begins.
    Hunk,
    /// What git says of the file.
    Note,
}

/// The files of a unified diff, in its order.
pub(crate) fn read(diff: &str) -> Vec<FilePatch> {
    let mut files: Vec<FilePatch> = Vec::new();
    // How many lines of the part are left on both sides; so a removed line `-- x` is no header.
    let mut left = (0_usize, 0_usize);
    for line in diff.lines() {
        if let Some(header) = line.strip_prefix("diff --git ").filter(|_| left == (0, 0)) {
            files.push(FilePatch { path: path(header), ..FilePatch::default() });
            continue;
        }
        let Some(file) = files.last_mut() else { continue };
        if left != (0, 0) {
            left = file.inner(line, left);
        } else if let Some(counts) = hunk(line) {
            left = counts;
            file.lines.push((Line::Hunk, line.to_owned()));
        } else {
            file.header(line);
        }
    }
    files
}

impl FilePatch {
    /// A line inside of a part.
    fn inner(&mut self, line: &str, (old, new): (usize, usize)) -> (usize, usize) {
        let (kind, left) = match line.as_bytes().first() {
            Some(b'+') => (Line::Added, (old, new.saturating_sub(1))),
            Some(b'-') => (Line::Removed, (old.saturating_sub(1), new)),
            Some(b'\\') => (Line::Note, (old, new)),
            _ => (Line::Context, (old.saturating_sub(1), new.saturating_sub(1))),
        };
        self.added += usize::from(kind == Line::Added);
        self.removed += usize::from(kind == Line::Removed);
        self.lines.push((kind, line.to_owned()));
        left
    }

    /// A line before the first part, or between two.
    fn header(&mut self, line: &str) {
        if line.starts_with("new file mode") {
            self.how = "new";
        } else if line.starts_with("deleted file mode") {
            self.how = "deleted";
        } else if !["index ", "--- ", "+++ "].iter().any(|word| line.starts_with(word)) {
            self.lines.push((Line::Note, line.to_owned()));
        }
    }
}

/// The path of `a/src/x.rs b/src/x.rs`. Renames are not followed, so both halves are the same.
fn path(header: &str) -> String {
    let half = header.len() / 2;
    let second = header.get(half..).unwrap_or(header).trim_start();
    let inner = second.trim_matches('"');
    inner.strip_prefix("b/").unwrap_or(inner).to_owned()
}

/// How many lines of both sides a part has: `@@ -1,2 +1,3 @@`.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let inner = line.strip_prefix("@@ -")?;
    let (old, rest) = inner.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |side: &str| match side.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_read_file_by_file() {
        let diff = "\
diff --git a/src/a b.rs b/src/a b.rs
index 1..2 100644
--- a/src/a b.rs
+++ b/src/a b.rs
@@ -1,3 +1,3 @@ fn main
 same
--- old
+++ new
 same
diff --git a/gone.bin b/gone.bin
deleted file mode 100644
index 1..0
Binary files a/gone.bin and /dev/null differ
";
        let files = read(diff);
        assert_eq!(
            (files[0].path.as_str(), files[0].added, files[0].removed),
            ("src/a b.rs", 1, 1)
        );
        assert_eq!(files[0].lines[2], (Line::Removed, "--- old".to_owned()));
        assert_eq!((files[1].path.as_str(), files[1].how), ("gone.bin", "deleted"));
        assert_eq!(files[1].lines[0].0, Line::Note);
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn whatever_it_is_it_is_read() {
        assert_eq!(read(""), []);
        assert_eq!(read("nonsense\n@@ -1 +1 @@\n"), []);
        assert_eq!(read("diff --git a\n@@ -x +y @@\n+z").len(), 1);
        assert_eq!(read("diff --git \"a/\\303\\244\" \"b/\\303\\244\"")[0].path, "\\303\\244");
    }
}
