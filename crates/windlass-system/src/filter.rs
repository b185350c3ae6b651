//! System calls that sandboxes and the confined helper are refused, because they reach what neither
//! files nor namespaces hold back: keyrings, the input of terminals, rights over a namespace of one's
//! own, and for the helper the network too.
//!
//! But for the network they are the ones that containers refuse by default too, so programs know how
//! to do without. A call of a 32-bit program is judged by its own numbers.

use std::io;

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
/// The family of local sockets.
const LOCAL: u32 = 1;
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
    /// `socket` and `socketpair`.
    sockets: [u32; 2],
    /// The call of before that has its arguments where no filter looks.
    socketcall: Option<u32>,
}

/// Which sockets can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// Every kind; the network is held back elsewhere, if it is.
    Any,
    /// Those to processes of this machine, so that there is no network of any protocol.
    Local,
}

/// These are the same everywhere: `io_uring_setup`, `io_uring_enter` and `io_uring_register` do calls
/// that no filter sees, and the flags of `clone3` are where none looks. Who is told that the kernel
/// does not have them takes the older ones.
const EVERYWHERE: [u32; 4] = [425, 426, 427, 435];

/// The first number of x32, a way to call that doubles every number and that nobody uses.
const X32: u32 = 0x4000_0000;

/// The architectures whose programs run on x86-64.
const X86: [Numbers; 2] = [
    Numbers {
        architecture: 0xc000_003e,
        keys: [248, 249, 250],
        clone: 56,
        unshare: 272,
        ioctl: 16,
        sockets: [41, 53],
        socketcall: None,
    },
    Numbers {
        architecture: 0x4000_0003,
        keys: [286, 287, 288],
        clone: 120,
        unshare: 310,
        ioctl: 54,
        sockets: [359, 360],
        socketcall: Some(102),
    },
];

/// The architectures whose programs run on ARM 64.
const ARM: [Numbers; 2] = [
    Numbers {
        architecture: 0xc000_00b7,
        keys: [217, 218, 219],
        clone: 220,
        unshare: 97,
        ioctl: 29,
        sockets: [198, 199],
        socketcall: None,
    },
    Numbers {
        architecture: 0x4000_0028,
        keys: [309, 310, 311],
        clone: 120,
        unshare: 337,
        ioctl: 54,
        sockets: [281, 288],
        socketcall: Some(102),
    },
];

/// The architectures whose programs run here.
const ARCHITECTURES: &[Numbers] = if cfg!(target_arch = "x86_64") {
    &X86
} else if cfg!(target_arch = "aarch64") {
    &ARM
} else {
    &[]
};

/// Lays the filter upon this thread, and all that it starts. There is no way back. On an
/// architecture whose numbers are not known here it does nothing.
pub(crate) fn apply(sockets: Sockets) -> io::Result<()> {
    match program(ARCHITECTURES, sockets) {
        program if program.is_empty() => Ok(()),
        program => apply_filter(&program).map_err(io::Error::other),
    }
}

fn program(architectures: &[Numbers], sockets: Sockets) -> Vec<sock_filter> {
    if architectures.is_empty() {
        return Vec::new();
    }
    let mut program = vec![load(ARCHITECTURE)];
    for numbers in architectures {
        let rules = numbers.rules(sockets);
        let past = u8::try_from(rules.len()).expect("a few dozen rules");
        program.push(jump(EQUAL, numbers.architecture, 0, past));
        program.extend(rules);
    }
    program.push(answer(ERRNO | ENOSYS));
    program
}

impl Numbers {
    fn rules(&self, sockets: Sockets) -> Vec<sock_filter> {
        let mut rules = vec![load(NUMBER), jump(NOT_BELOW, X32, 0, 1), answer(ERRNO | ENOSYS)];
        for number in self.unknown(sockets) {
            rules.extend([jump(EQUAL, number, 0, 1), answer(ERRNO | ENOSYS)]);
        }
        for number in [self.clone, self.unshare] {
            rules.extend(with_argument(number, 0, refusing(&[(ANY_BIT, NEW_USER)])));
        }
        let terminals = refusing(&[(EQUAL, TYPE), (EQUAL, PASTE)]);
        rules.extend(with_argument(self.ioctl, 1, terminals));
        if sockets == Sockets::Local {
            for number in self.sockets {
                let local = [jump(EQUAL, LOCAL, 1, 0), answer(ERRNO | EPERM), answer(ALLOW)];
                rules.extend(with_argument(number, 0, local.into()));
            }
        }
        rules.push(answer(ALLOW));
        rules
    }

    /// The calls that are refused as if the kernel did not have them.
    fn unknown(&self, sockets: Sockets) -> impl Iterator<Item = u32> {
        let older = self.socketcall.filter(|_| sockets == Sockets::Local);
        self.keys.into_iter().chain(EVERYWHERE).chain(older)
    }
}

/// Judges a call by one of its arguments.
fn with_argument(number: u32, at: u32, judgement: Vec<sock_filter>) -> Vec<sock_filter> {
    let past = u8::try_from(judgement.len() + 1).expect("a few rules");
    let mut rules = vec![jump(EQUAL, number, 0, past), load(argument(at))];
    rules.extend(judgement);
    rules
}

/// Refuses what one of these holds of, and nothing else.
fn refusing(tests: &[(u16, u32)]) -> Vec<sock_filter> {
    let refused =
        tests.iter().flat_map(|(test, value)| [jump(*test, *value, 0, 1), answer(ERRNO | EPERM)]);
    refused.chain([answer(ALLOW)]).collect()
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

    /// What an architecture answers to a call.
    fn judge<'a>(
        machine: &'a [Numbers],
        numbers: &'a Numbers,
        sockets: Sockets,
    ) -> impl Fn(u32, [u32; 2]) -> u32 + 'a {
        let program = program(machine, sockets);
        move |number, arguments| judged(&program, numbers.architecture, number, arguments)
    }

    /// Every machine with every architecture that it runs.
    fn everywhere() -> impl Iterator<Item = (&'static [Numbers], &'static Numbers)> {
        [X86.as_slice(), ARM.as_slice()]
            .into_iter()
            .flat_map(|machine| machine.iter().map(move |numbers| (machine, numbers)))
    }

    #[test]
    fn each_architecture_is_judged_by_its_own_numbers() {
        let threads = 0x003d_0f00;
        for (machine, numbers) in everywhere() {
            for sockets in [Sockets::Any, Sockets::Local] {
                let judged = judge(machine, numbers, sockets);
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
        }
        for machine in [X86, ARM] {
            let program = program(&machine, Sockets::Any);
            assert_eq!(judged(&program, 1, 0, [0, 0]), ERRNO | ENOSYS);
        }
    }

    #[test]
    fn without_a_network_only_local_sockets_can_be_made() {
        let others = [0, 2, 10, 16, 17, 40];
        for (machine, numbers) in everywhere() {
            let local = judge(machine, numbers, Sockets::Local);
            let any = judge(machine, numbers, Sockets::Any);
            for number in numbers.sockets {
                assert_eq!(local(number, [LOCAL, 2]), ALLOW, "{number}");
                for family in others {
                    assert_eq!(local(number, [family, LOCAL]), ERRNO | EPERM, "{number} {family}");
                    assert_eq!(any(number, [family, LOCAL]), ALLOW, "{number} {family}");
                }
            }
            if let Some(older) = numbers.socketcall {
                assert_eq!(local(older, [1, 0]), ERRNO | ENOSYS, "{older}");
                assert_eq!(any(older, [1, 0]), ALLOW, "{older}");
            }
        }
    }
}
