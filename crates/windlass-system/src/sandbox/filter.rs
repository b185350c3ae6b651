//! System calls that a sandbox refuses, because they reach what neither files nor namespaces hold
//! back: keyrings, the input of terminals, and rights over a namespace of one's own.
//!
//! They are the ones that containers refuse by default too, so programs know how to do without. A
//! call of a 32-bit program is judged by its own numbers.

use seccompiler::{apply_filter, sock_filter};

/// The kernel's answers.
const ALLOW: u32 = 0x7fff_0000;
const ERRNO: u32 = 0x0005_0000;
const EPERM: u32 = 1;
const ENOSYS: u32 = 38;

/// The filter's instructions: load a word, jump if equal, jump if a bit is set, jump if not below,
/// and return.
const LOAD: u16 = 0x20;
const EQUAL: u16 = 0x15;
const ANY_BIT: u16 = 0x45;
const NOT_BELOW: u16 = 0x35;
const RETURN: u16 = 0x06;

/// Where the filter finds the call's number, its architecture and the low half of an argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn argument(at: u32) -> u32 {
    16 + 8 * at + if cfg!(target_endian = "big") { 4 } else { 0 }
}

/// Makes a user namespace, in which one has every right.
const NEW_USER: u32 = 0x1000_0000;
/// Types into a terminal, or pastes into a console.
const TYPE: u32 = 0x5412;
const PASTE: u32 = 0x541c;

/// The numbers that an architecture has for the calls.
struct Numbers {
    architecture: u32,
    /// `add_key`, `request_key`, `keyctl`.
    keys: [u32; 3],
    clone: u32,
    unshare: u32,
    ioctl: u32,
}

/// These are the same everywhere: `io_uring_setup`, `io_uring_enter` and `io_uring_register` do calls
/// that no filter sees, and the flags of `clone3` are where none looks. Who is told that the kernel
/// does not have them takes the older ones.
const EVERYWHERE: [u32; 4] = [425, 426, 427, 435];

/// The first number of x32, a way to call that doubles every number and that nobody uses.
const X32: u32 = 0x4000_0000;

/// The architectures whose programs run here.
const ARCHITECTURES: &[Numbers] = if cfg!(target_arch = "x86_64") {
    &[
        Numbers {
            architecture: 0xc000_003e,
            keys: [248, 249, 250],
            clone: 56,
            unshare: 272,
            ioctl: 16,
        },
        Numbers {
            architecture: 0x4000_0003,
            keys: [286, 287, 288],
            clone: 120,
            unshare: 310,
            ioctl: 54,
        },
    ]
} else if cfg!(target_arch = "aarch64") {
    &[
        Numbers {
            architecture: 0xc000_00b7,
            keys: [217, 218, 219],
            clone: 220,
            unshare: 97,
            ioctl: 29,
        },
        Numbers {
            architecture: 0x4000_0028,
            keys: [309, 310, 311],
            clone: 120,
            unshare: 337,
            ioctl: 54,
        },
    ]
} else {
    &[]
};

/// Lays the filter upon this thread, and all that it starts. There is no way back. On an
/// architecture whose numbers are not known here it does nothing.
pub(super) fn apply() -> Result<(), seccompiler::Error> {
    match program(ARCHITECTURES) {
        program if program.is_empty() => Ok(()),
        program => apply_filter(&program),
    }
}

fn program(architectures: &[Numbers]) -> Vec<sock_filter> {
    if architectures.is_empty() {
        return Vec::new();
    }
    let mut program = vec![load(ARCHITECTURE)];
    for numbers in architectures {
        let rules = numbers.rules();
        let past = u8::try_from(rules.len()).expect("a few dozen rules");
        program.push(jump(EQUAL, numbers.architecture, 0, past));
        program.extend(rules);
    }
    program.push(answer(ERRNO | ENOSYS));
    program
}

impl Numbers {
    fn rules(&self) -> Vec<sock_filter> {
        let mut rules = vec![load(NUMBER), jump(NOT_BELOW, X32, 0, 1), answer(ERRNO | ENOSYS)];
        for number in self.keys.into_iter().chain(EVERYWHERE) {
            rules.extend([jump(EQUAL, number, 0, 1), answer(ERRNO | ENOSYS)]);
        }
        let flags = [(self.clone, 0, ANY_BIT, NEW_USER), (self.unshare, 0, ANY_BIT, NEW_USER)];
        for (number, at, test, value) in flags {
            rules.extend(with_argument(number, at, &[(test, value)]));
        }
        rules.extend(with_argument(self.ioctl, 1, &[(EQUAL, TYPE), (EQUAL, PASTE)]));
        rules.push(answer(ALLOW));
        rules
    }
}

/// Refuses a call with one of these in an argument.
fn with_argument(number: u32, at: u32, tests: &[(u16, u32)]) -> Vec<sock_filter> {
    let mut rules = vec![load(argument(at))];
    for (test, value) in tests {
        rules.extend([jump(*test, *value, 0, 1), answer(ERRNO | EPERM)]);
    }
    rules.push(answer(ALLOW));
    let past = u8::try_from(rules.len()).expect("a few rules");
    rules.insert(0, jump(EQUAL, number, 0, past));
    rules
}

fn load(from: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: from }
}

fn jump(test: u16, value: u32, then: u8, otherwise: u8) -> sock_filter {
    sock_filter { code: test, jt: then, jf: otherwise, k: value }
}

fn answer(with: u32) -> sock_filter {
    sock_filter { code: RETURN, jt: 0, jf: 0, k: with }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would answer, by running the filter.
    fn judged(program: &[sock_filter], architecture: u32, number: u32, arguments: [u32; 2]) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let step = &program[at];
            let holds = match step.code {
                LOAD => {
                    word = match step.k {
                        NUMBER => number,
                        ARCHITECTURE => architecture,
                        from if from == argument(0) => arguments[0],
                        _ => arguments[1],
                    };
                    at += 1;
                    continue;
                }
                RETURN => return step.k,
                EQUAL => word == step.k,
                ANY_BIT => word & step.k != 0,
                _ => word >= step.k,
            };
            at += 1 + usize::from(if holds { step.jt } else { step.jf });
        }
    }

    #[test]
    fn each_architecture_is_judged_by_its_own_numbers() {
        let program = program(ARCHITECTURES);
        let threads = 0x003d_0f00;
        for numbers in ARCHITECTURES {
            let judged =
                |number, arguments| judged(&program, numbers.architecture, number, arguments);
            for number in numbers.keys.into_iter().chain(EVERYWHERE).chain([X32 + 1]) {
                assert_eq!(judged(number, [0, 0]), ERRNO | ENOSYS, "{number}");
            }
            for number in [numbers.clone, numbers.unshare] {
                assert_eq!(judged(number, [NEW_USER | threads, 0]), ERRNO | EPERM, "{number}");
                assert_eq!(judged(number, [threads, NEW_USER]), ALLOW, "{number}");
            }
            for request in [TYPE, PASTE] {
                assert_eq!(judged(numbers.ioctl, [0, request]), ERRNO | EPERM);
            }
            assert_eq!(judged(numbers.ioctl, [TYPE, 0x5401]), ALLOW);
            assert_eq!(judged(numbers.keys[0] + 8, [NEW_USER, TYPE]), ALLOW);
        }
        if !ARCHITECTURES.is_empty() {
            assert_eq!(judged(&program, 1, 0, [0, 0]), ERRNO | ENOSYS);
        }
    }
}
