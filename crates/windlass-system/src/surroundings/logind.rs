//! Whether logging out ends the processes of a user, as logind is configured.

use std::{fs, path::Path};

/// Where systemd looks for `logind.conf` and its drop-ins, the first one that has a file counts.
const PLACES: [&str; 4] =
    ["etc/systemd", "run/systemd", "usr/local/lib/systemd", "usr/lib/systemd"];

/// Whether logind ends what this user has left running after logging out, by the files below `root`.
pub fn kills_at_logout(root: &Path, user: &str) -> bool {
    let lingers = !user.is_empty() && root.join("var/lib/systemd/linger").join(user).exists();
    !lingers && last_setting(root).unwrap_or(false)
}

/// The last word on `KillUserProcesses`: drop-ins come after the main file, in the order of their
/// names.
fn last_setting(root: &Path) -> Option<bool> {
    let main = PLACES.iter().map(|place| root.join(place).join("logind.conf"));
    let main = main.into_iter().find(|file| file.exists());
    let mut drop_ins = Vec::new();
    for (rank, place) in PLACES.iter().enumerate() {
        let Ok(entries) = fs::read_dir(root.join(place).join("logind.conf.d")) else { continue };
        let files = entries.flatten().map(|entry| entry.path());
        let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "conf"));
        drop_ins.extend(files.map(|path| (path.file_name().map(ToOwned::to_owned), rank, path)));
    }
    drop_ins.sort();
    // A file of the same name in an earlier place hides the later ones.
    drop_ins.dedup_by(|later, earlier| later.0 == earlier.0);
    let files = main.into_iter().chain(drop_ins.into_iter().map(|(_, _, path)| path));
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    let mut settings = texts.filter_map(|text| setting(&text));
    settings.next_back()
}

fn setting(text: &str) -> Option<bool> {
    let mut values = text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "KillUserProcesses").then(|| value.trim().to_ascii_lowercase())
    });
    values.next_back().map(|value| matches!(value.as_str(), "yes" | "true" | "on" | "1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drop_ins_and_linger_decide_whether_logging_out_kills() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let kills = || kills_at_logout(root, "ada");
        assert!(!kills(), "nothing is configured");
        write("etc/systemd/logind.conf", "[Login]\n#KillUserProcesses=yes\n");
        assert!(!kills(), "a comment is no setting");
        write("usr/lib/systemd/logind.conf.d/50-kill.conf", "[Login]\nKillUserProcesses = yes\n");
        assert!(kills());
        write("etc/systemd/logind.conf.d/50-kill.conf", "[Login]\n");
        assert!(!kills(), "the file of the same name in /etc hides it");
        write("etc/systemd/logind.conf.d/60-kill.conf", "[Login]\nKillUserProcesses=true\n");
        assert!(kills());
        write("var/lib/systemd/linger/ada", "");
        assert!(!kills(), "this user lingers");
    }
}
