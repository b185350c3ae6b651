//! How the program is linked.

#[expect(clippy::disallowed_methods, reason = "so Cargo tells a build script of the target")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    // Windlass starts itself for each guardian, and once more for each session in a sandbox. A
    // program that may lie anywhere in memory has 22,000 places to adjust each time, which is a
    // fifth of what a start takes, and more of its end.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
