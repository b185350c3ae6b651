//! Outputs as tools print them, and what is read in them.

mod figures;
mod noise;
mod tools;
