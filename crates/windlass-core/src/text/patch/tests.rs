//! Tests of how a diff is taken apart and cut.

use proptest::prelude::*;

use super::*;

/// The diff of a file with that many bytes in it.
fn diff_of(path: &str, size: usize) -> String {
    let head = format!(
        "diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n"
    );
    let body = "x".repeat(size.saturating_sub(head.len() + 2));
    format!("{head}+{body}\n")
}

fn paths(diff: &str) -> Vec<String> {
    parts(diff.as_bytes()).map(|part| part.path).collect()
}

#[test]
fn a_part_has_its_file_s_new_name() {
    assert_eq!(paths(&diff_of("src/a b.rs", 200)), ["src/a b.rs"]);
    let added = "diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+--- a/other\n";
    let gone = "diff --git a/old.txt b/old.txt\ndeleted file mode 100644\nindex 1..0\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    let moved = "diff --git a/x y.txt b/z.txt\nsimilarity index 100%\nrename from x y.txt\nrename to z.txt\n";
    let mode = "diff --git a/run me b/run me\nold mode 100644\nnew mode 100755\n";
    let empty = "diff --git a/b/b b/b/b\nnew file mode 100644\nindex 0..1\n";
    let odd = "diff --git \"a/\\303\\274 \\\"q\\\"\\t\" \"b/\\303\\274 \\\"q\\\"\\t\"\nold mode 100644\nnew mode 100755\n";
    let all = [added, gone, moved, mode, empty, odd].concat();
    assert_eq!(paths(&all), ["new.txt", "old.txt", "z.txt", "run me", "b/b", "ü \"q\"\t"]);
}

#[test]
fn content_that_looks_like_a_heading_is_content() {
    let text = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+diff --git a/b b/b\n+Binary files a and b differ\n diff --git a/c b/c\n";
    let found: Vec<_> = parts(text.as_bytes()).collect();
    assert_eq!(found.len(), 1);
    assert!(!found[0].is_binary);
}

#[test]
fn a_file_that_is_too_large_is_left_out_and_smaller_ones_after_it_are_not() {
    let diff = [diff_of("a", 300), diff_of("b", 5000), diff_of("c", 300), diff_of("d", 700)];
    let report = DiffReport::of(DiffedBy::Git, diff.concat().as_bytes(), 1000);
    assert_eq!(report.text, [&*diff[0], &diff[2]].concat());
    assert_eq!(report.files, 4);
    let left: Vec<_> = report.left_out.iter().map(|left| (&*left.path, left.bytes)).collect();
    assert_eq!(left, [("b", Some(5000)), ("d", Some(700))]);
    insta::assert_snapshot!(report.remarks(), @r"
    Left out of this diff:
    - b (too long: 5000 bytes)
    - d (too long: 700 bytes)
    ");
}

#[test]
fn a_diff_of_just_the_limit_is_whole() {
    let diff = diff_of("a", 1000);
    assert_eq!(DiffReport::of(DiffedBy::Jj, diff.as_bytes(), 1000).text, diff);
    assert_eq!(DiffReport::of(DiffedBy::Jj, diff.as_bytes(), 999).text, "");
}

#[test]
fn binary_files_are_named_only() {
    let binary = "diff --git a/p.png b/p.png\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/p.png differ\n";
    let report = DiffReport::of(DiffedBy::Git, binary.as_bytes(), LIMIT);
    assert_eq!((&*report.text, report.files, &*report.binary), ("", 1, &["p.png".to_owned()][..]));
    insta::assert_snapshot!(report.remarks(), @r"
    Binary files that changed:
    - p.png
    ");
}

#[test]
fn the_lists_have_an_end() {
    let diff: String = (0..700).map(|n| diff_of(&format!("f{n}"), 200)).collect();
    let report = DiffReport::of(DiffedBy::Git, diff.as_bytes(), 0);
    assert_eq!((report.files, report.left_out.len(), report.unlisted), (700, 500, 200));
    assert!(report.remarks().ends_with("And 200 more files that are not named here.\n"));
}

#[test]
fn what_is_not_utf_8_is_shown_as_far_as_it_is() {
    let mut diff = diff_of("a", 300).into_bytes();
    diff.splice(290..291, [0xff]);
    let report = DiffReport::of(DiffedBy::Git, &diff, LIMIT);
    assert!(report.text.contains('\u{fffd}'));
}

proptest! {
    #[test]
    fn a_diff_is_the_sum_of_its_parts(text in "(diff --git |a/|b/|\"|\\\\|[0-9 x+-]|\n){0,40}", limit in 0usize..100) {
        let whole: Vec<u8> = parts(text.as_bytes()).flat_map(|part| part.bytes.to_vec()).collect();
        prop_assert!(text.as_bytes().ends_with(&whole));
        let report = DiffReport::of(DiffedBy::Git, text.as_bytes(), limit);
        prop_assert!(report.text.len() <= limit);
    }
}
