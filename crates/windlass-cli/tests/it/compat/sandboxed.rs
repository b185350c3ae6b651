//! Real agents in a sandbox that lets them reach their model and nothing else.

use super::{
    claude::{CLAUDE, hook_scenes},
    codex::CODEX,
    committing,
    real::Real,
    scenes,
};

const FLAGS: &[&str] = &["--sandbox", "bwrap", "--network", "model"];

const CLAUDE_INSIDE: Real = Real { flags: FLAGS, ..CLAUDE };

const CODEX_INSIDE: Real = Real {
    point: |env, url| {
        let mut variables = (CODEX.point)(env, url);
        // Its own config says where the model is, which only it can read.
        variables.push(("OPENAI_SCRIPTED_BASE_URL", url.to_owned()));
        variables
    },
    flags: FLAGS,
    ..CODEX
};

mod claude {
    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn what_it_commits_in_a_sandbox_is_the_users() {
        super::committing::what_an_agent_commits_is_the_users(&super::CLAUDE_INSIDE);
    }

    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn a_loop_comes_to_its_proof_in_a_sandbox() {
        super::scenes::a_loop_to_its_proof(&super::CLAUDE_INSIDE);
    }

    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn an_agent_without_a_status_block_is_held_back_in_a_sandbox() {
        super::hook_scenes::held_back_once(&super::CLAUDE_INSIDE);
    }

    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn an_agent_is_reminded_after_compaction_in_a_sandbox() {
        super::hook_scenes::reminded_after_compaction(&super::CLAUDE_INSIDE);
    }
}

mod codex {
    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn what_it_commits_in_a_sandbox_is_the_users() {
        super::committing::what_an_agent_commits_is_the_users(&super::CODEX_INSIDE);
    }

    #[test]
    #[ignore = "needs the real program: run `scripts/compat`"]
    fn a_loop_comes_to_its_proof_in_a_sandbox() {
        super::scenes::a_loop_to_its_proof(&super::CODEX_INSIDE);
    }
}
