//! Guarded files in real directories, with git and without.

mod comparing;
mod originals;
mod released;
mod speed;
mod start_files;
mod world;
