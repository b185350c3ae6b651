//! The store: it gives back what it was given, keeps its tables true, and says what is wrong.

mod crash;
mod damage;
mod life;
mod limits;
mod meanwhile;
mod originals;
mod pages;
mod property;
mod repair;
mod runs;
mod script;
