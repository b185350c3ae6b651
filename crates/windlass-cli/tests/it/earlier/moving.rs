//! Brings a world that was recorded at another path to where a test is: nothing but the path is
//! changed in it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, config::DbConfig};
use sha2::{Digest, Sha256};
use testkit::Env;

use super::{folder, program};

/// What in a world is kept, beside the file that says where it was recorded.
const KEPT: [&str; 5] = ["bin", "home", "state", "tmp", "work"];

/// The file that says where a world was recorded.
const RECORDED_AT: &str = "recorded-at";

/// Keeps a world. Left out are what git puts into every repository, and what is of use only to
/// processes that run.
#[track_caller]
pub(super) fn pack(env: &Env, edition: &str, world: &str) {
    let recorded_at = env.root().join(RECORDED_AT);
    fs::write(recorded_at, env.root().as_os_str().as_encoded_bytes()).expect("the folder is ours");
    fs::create_dir_all(folder(edition)).expect("the folder is ours");
    let same_everywhere = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    let left_out = ["--exclude=*.sample", "--exclude=*.db-shm", "--exclude=state/run/*"];
    env.other("tar", ["--create", "--use-compress-program=gzip -9n", "--file"])
        .arg(folder(edition).join(format!("{world}.tar.gz")))
        .args(same_everywhere)
        .args(left_out)
        .arg("--directory")
        .arg(env.root())
        .arg(RECORDED_AT)
        .args(KEPT)
        .run()
        .success();
}

/// A world as an edition left it, as if it had been made here.
#[track_caller]
pub(super) fn unpack(edition: &str, world: &str) -> Env {
    let env = Env::outside_git(program());
    env.other("tar", ["--extract", "--gzip", "--no-same-owner", "--file"])
        .arg(folder(edition).join(format!("{world}.tar.gz")))
        .arg("--directory")
        .arg(env.root())
        .run()
        .success();
    let from = fs::read_to_string(env.root().join(RECORDED_AT)).expect("every world has it");
    let to = env.root().to_str().expect("it is text").to_owned();
    KEPT.iter().for_each(|kept| move_files(&env.root().join(kept), &from, &to));
    move_store(&env.windlass_home().join("windlass.db"), &from, &to);
    move_snapshots(&env, &from);
    env
}

/// Puts the new path into all files below a folder but the store.
fn move_files(folder: &Path, from: &str, to: &str) {
    for entry in fs::read_dir(folder).expect("the folder is ours").flatten() {
        let kind = entry.file_type().expect("it was just made");
        let path = entry.path();
        if kind.is_dir() {
            move_files(&path, from, to);
        } else if kind.is_file() && !entry.file_name().to_string_lossy().starts_with("windlass.db")
        {
            // Where it is no text, it is compressed, and names no path in the open.
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if text.contains(from) {
                let draft = path.with_extension("draft");
                fs::copy(&path, &draft).expect("the folder is ours");
                fs::write(&draft, text.replace(from, to)).expect("the file is ours");
                // A file that a sibling thread's child has open for writing cannot be executed.
                fs::rename(&draft, &path).expect("the folder is ours");
            }
        }
    }
}

/// Puts the new path into all columns of all tables. A log that a kill has left stays one, for
/// windlass to find.
#[expect(clippy::disallowed_methods, reason = "the test puts the store where it runs")]
fn move_store(path: &Path, from: &str, to: &str) {
    let connection = Connection::open(path).expect("every world has a store");
    if path.with_extension("db-wal").exists() {
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .and_then(|_| connection.pragma_update(None, "wal_autocheckpoint", 0))
            .expect("SQLite knows it");
    }
    let columns: Vec<(String, String)> = connection
        .prepare(
            "SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
             WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .and_then(|mut columns| {
            columns.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .expect("the schema can be read");
    for (table, column) in columns {
        let update = format!(
            "UPDATE \"{table}\" SET \"{column}\" = replace(\"{column}\", ?1, ?2)
             WHERE typeof(\"{column}\") = 'text' AND instr(\"{column}\", ?1)"
        );
        connection.execute(&update, [from, to]).unwrap_or_else(|error| panic!("{update}: {error}"));
    }
}

/// Snapshots are in folders that are named after the path of their work tree.
#[track_caller]
fn move_snapshots(env: &Env, from: &str) {
    let trees = env.windlass_home().join("trees");
    let tops = env.sql(
        "SELECT directory FROM loops UNION SELECT worktree FROM loops WHERE worktree IS NOT NULL",
    );
    let moved = tops.lines().map(Path::new).filter(|top| {
        let inner = top.strip_prefix(env.root()).expect("it is below the root");
        let was_at = trees.join(named_after(&Path::new(from).join(inner)));
        fs::rename(was_at, trees.join(named_after(top))).is_ok()
    });
    let moved = moved.count();
    let folders = fs::read_dir(trees).expect("every world has snapshots").flatten();
    let folders = folders.filter(|entry| entry.path().is_dir()).count();
    assert_eq!(moved, folders, "there are snapshots of a work tree that the store does not know");
}

fn named_after(top: &Path) -> PathBuf {
    let digest = Sha256::digest(top.as_os_str().as_encoded_bytes());
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}
