//! Podman's list of allowed system calls has those for keyrings and user namespaces, which Docker's
//! refuses. So a container of Podman gets a copy of the list without them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use windlass_core::options::SandboxName;

/// Where Podman finds its list, the first one that is there.
const LISTS: [&str; 2] = ["/etc/containers/seccomp.json", "/usr/share/containers/seccomp.json"];

/// Settings that may name another list, which is the user's own and stays as it is.
const SETTINGS: [&str; 2] =
    ["/etc/containers/containers.conf", "/usr/share/containers/containers.conf"];

/// What is refused as if the kernel did not have it. The flags of `clone3` are where no filter looks;
/// programs then take `clone`.
const REFUSED: [&str; 6] = ["add_key", "clone3", "keyctl", "request_key", "setns", "unshare"];

/// The flags of `clone` that make namespaces.
const NEW_NAMESPACES: u64 = 0x7e02_0000;

/// Writes the list for a container into a directory, and gives the option that names it; `None` where
/// the engine's own list is strict enough, or is not known.
pub(super) fn option(engine: SandboxName, directory: &Path) -> io::Result<Option<String>> {
    // On other architectures the flags of `clone` are another argument.
    let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    if engine != SandboxName::Podman || !is_known || names_another() {
        return Ok(None);
    }
    let Some(list) = LISTS.iter().find_map(|path| fs::read(path).ok()) else { return Ok(None) };
    let Ok(mut list) = serde_json::from_slice(&list) else { return Ok(None) };
    let Some(()) = restrict(&mut list) else { return Ok(None) };
    let path: PathBuf = directory.join("seccomp.json");
    fs::write(&path, list.to_string())?;
    Ok(Some(format!("seccomp={}", path.display())))
}

fn names_another() -> bool {
    let sets = |line: &str| line.trim_start().starts_with("seccomp_profile");
    SETTINGS.iter().filter_map(|path| fs::read_to_string(path).ok()).any(|it| it.lines().any(sets))
}

/// Takes the calls out of every rule that allows them; `None` if this is no such list.
fn restrict(list: &mut Value) -> Option<()> {
    let rules = list["syscalls"].as_array_mut()?;
    let is_taken =
        |name: &Value| name.as_str().is_some_and(|name| name == "clone" || REFUSED.contains(&name));
    for rule in rules.iter_mut() {
        rule["names"].as_array_mut()?.retain(|name| !is_taken(name));
    }
    rules.retain(|rule| rule["names"].as_array().is_some_and(|names| !names.is_empty()));
    rules.push(json!({
        "names": ["clone"],
        "action": "SCMP_ACT_ALLOW",
        "args": [{
            "index": 0, "value": NEW_NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"
        }],
    }));
    rules.push(json!({"names": REFUSED, "action": "SCMP_ACT_ERRNO", "errnoRet": 38}));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyrings_and_namespaces_are_in_no_rule_that_allows() {
        let mut list = json!({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
            {"names": ["clone", "keyctl", "read"], "action": "SCMP_ACT_ALLOW"},
            {"names": ["setns"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}},
        ]});
        restrict(&mut list).unwrap();
        let rules = list["syscalls"].as_array().unwrap();
        assert_eq!(rules.len(), 3, "{list}");
        assert_eq!(rules[0]["names"], json!(["read"]));
        assert_eq!(rules[1]["names"], json!(["clone"]));
        assert_eq!(rules[2]["action"], "SCMP_ACT_ERRNO");
        assert_eq!(restrict(&mut json!({"syscalls": 7})), None);
    }
}
