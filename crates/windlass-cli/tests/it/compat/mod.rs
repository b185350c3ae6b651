//! windlass with the real agent programs, each against a scripted model on loopback. These tests
//! need programs that `scripts/compat` installs; it is what runs them, and says what it left out.

mod aider;
mod brought;
mod claude;
mod codex;
mod committing;
mod gemini;
mod jj;
mod opencode;
mod real;
mod sandboxed;
mod scenes;
