//! The store: it gives back what it was given, keeps its tables true, and says what is wrong.

mod life;
mod script;
