//! How the program itself is built.

use std::fs;

use crate::world;

#[test]
fn the_program_can_lie_anywhere_in_memory() {
    let env = world();
    let bytes = fs::read(env.program()).unwrap();
    assert_eq!(&bytes[..4], b"\x7fELF");
    // The type of a position-independent executable is that of a shared object.
    assert_eq!(u16::from_le_bytes([bytes[16], bytes[17]]), 3, "it is not position independent");
}
