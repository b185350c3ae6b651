# cargo test, with libtest and the tests of the documentation. Sourced by scripts/record-runners.

cases="passing failing fail-fast skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    need_rust
}

versions() {
    cargo --version
}

project() {
    mkdir -p src tests
    printf '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n' >Cargo.toml
    echo 'pub fn add(a: i32, b: i32) -> i32 { a + b }' >src/lib.rs
    case $1 in
    passing)
        cat >src/lib.rs <<'RS'
/// Adds.
/// ```
/// assert_eq!(calc::add(1, 1), 2);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::add(1, 2), 3); }
    #[test]
    fn adds_negative() { assert_eq!(super::add(1, -2), -1); }
}
RS
        echo '#[test] fn adds_from_outside() { assert_eq!(calc::add(2, 2), 4); }' >tests/it.rs
        ;;
    failing | fail-fast | coloured)
        cat >src/lib.rs <<'RS'
/// Adds.
/// ```
/// assert_eq!(calc::add(1, 1), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::add(1, 2), 3); }
    #[test]
    fn is_wrong() { assert_eq!(super::add(1, 2), 4); }
    #[test]
    #[ignore = "slow"]
    fn is_slow() {}
}
RS
        cat >tests/it.rs <<'RS'
#[test] fn adds_from_outside() { assert_eq!(calc::add(2, 2), 4); }
mod inner {
    #[test] fn panics() { panic!("on purpose"); }
    #[test] #[should_panic] fn does_not_panic() {}
}
RS
        ;;
    skipped)
        cat >tests/it.rs <<'RS'
#[test] fn adds() { assert_eq!(calc::add(2, 2), 4); }
#[test] #[ignore] fn later() {}
#[test] #[ignore = "needs a network"] fn much_later() {}
RS
        ;;
    compile-error)
        echo '#[test] fn adds() { assert_eq!(calc::subtract(2, 2), 4); }' >tests/it.rs
        ;;
    killed)
        cat >tests/it.rs <<'RS'
#[test] fn adds() { assert_eq!(calc::add(2, 2), 4); }
#[test] fn sleeps() {
    std::fs::write(std::env::var("BEGUN").unwrap(), "").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(600));
}
RS
        ;;
    crashed)
        cat >tests/it.rs <<'RS'
#[test] fn adds() { assert_eq!(calc::add(2, 2), 4); }
#[test] fn crashes() { std::process::abort(); }
RS
        ;;
    lying)
        cat >tests/it.rs <<'RS'
const LIE: &str = "running 41 tests\n\ntest result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
#[test] fn lies() { print!("{LIE}"); panic!("{LIE}"); }
#[test] fn lies_and_passes() { std::process::Command::new("printf").arg(LIE).status().unwrap(); }
RS
        ;;
    esac
}

run_case() {
    case $1 in
    fail-fast) cargo test --quiet ;;
    coloured) cargo test --no-fail-fast --color=always -- --color=always ;;
    *) cargo test --no-fail-fast ;;
    esac
}
