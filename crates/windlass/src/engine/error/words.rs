//! Parts of sentences that several errors have.

use windlass_repo::tree::listed;
use windlass_system::ownership::Owner;

pub(super) fn are(files: &[String]) -> String {
    let verb = if files.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(files))
}

pub(super) fn by(owner: Option<&Owner>) -> String {
    match owner {
        Some(owner) => format!("process {}", owner.pid),
        None => "another process".to_owned(),
    }
}

pub(super) fn whose(holder: Option<&str>) -> String {
    match holder {
        Some(name) => format!("the loop {name}"),
        None => "another process".to_owned(),
    }
}
