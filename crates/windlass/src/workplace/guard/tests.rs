//! Guarded files in real directories, with git and without.

mod comparing;
mod originals;
mod speed;
mod world;
