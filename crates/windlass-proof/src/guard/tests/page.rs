//! `docs/guarded.md` is what the tables say.

use std::{fs, path::Path};

use crate::guard::page;

#[test]
fn the_page_on_guarded_files_is_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guarded.md");
    if is_update() {
        fs::write(&path, page()).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == page(),
        "docs/guarded.md is stale: `WINDLASS_UPDATE_DOCS=1 cargo nextest run -p windlass-proof \
         page` writes it"
    );
}

#[expect(clippy::disallowed_methods, reason = "the caller decides whether the page is written")]
fn is_update() -> bool {
    std::env::var_os("WINDLASS_UPDATE_DOCS").is_some()
}
