//! Whether a step acts, and what a resumed loop knows it again by.

use super::Step;

impl Step {
    /// Whether it does something in the world, so that it must be written down before.
    pub fn acts(&self) -> bool {
        match self {
            Self::Session(_)
            | Self::Check(_)
            | Self::Originals(_)
            | Self::Restore { .. }
            | Self::Tick { .. }
            | Self::Keep { .. }
            | Self::Write { .. }
            | Self::Head(_)
            | Self::Post(_)
            | Self::Push { .. }
            | Self::Ask { .. }
            | Self::Wait { .. }
            | Self::Hook(_)
            | Self::Conclude { .. }
            | Self::Advance(_)
            | Self::Commit { .. } => true,
            Self::Snapshot { .. }
            | Self::Unresolved { .. }
            | Self::Dirty
            | Self::Read { .. }
            | Self::Base { .. }
            | Self::Gather { .. }
            | Self::Fingerprint { .. }
            | Self::Guard(_)
            | Self::Guarded { .. }
            | Self::Programs
            | Self::Mark
            | Self::Diff { .. } => false,
        }
    }

    /// Whether it runs something that is not windlass, and may change files.
    pub fn may_change_files(&self) -> bool {
        matches!(self, Self::Session(_) | Self::Check(_) | Self::Originals(_) | Self::Hook(_))
    }

    /// What a resumed loop compares, so that it never takes one step for another. Prompts and
    /// trees are left out: they come from the journal.
    pub fn fingerprint(&self) -> String {
        match self {
            Self::Session(step) => format!("session {} {}", step.role, step.agent),
            Self::Check(step) => format!("check {}", step.command),
            Self::Snapshot { .. } => "snapshot".to_owned(),
            Self::Restore { .. } => "restore".to_owned(),
            Self::Dirty => "dirty".to_owned(),
            Self::Read { path } => format!("read {path}"),
            Self::Fingerprint { .. } => "fingerprint".to_owned(),
            Self::Guard(_) => "guard".to_owned(),
            Self::Guarded { .. } => "guarded".to_owned(),
            Self::Originals(_) => "originals".to_owned(),
            Self::Programs => "programs".to_owned(),
            Self::Base { .. } => "base".to_owned(),
            Self::Tick { path, task } => format!("tick {path} {task}"),
            Self::Keep { .. } => "keep".to_owned(),
            Self::Write { path, .. } => format!("write {path}"),
            Self::Gather { .. } => "gather".to_owned(),
            Self::Head(_) => "head".to_owned(),
            Self::Post(post) => format!("post {}", post.word()),
            Self::Push { branch, .. } => format!("push {branch}"),
            Self::Ask { .. } => "ask".to_owned(),
            Self::Mark => "mark".to_owned(),
            Self::Diff { .. } => "diff".to_owned(),
            Self::Wait { .. } => "wait".to_owned(),
            Self::Hook(step) => format!("hook {}", step.on),
            Self::Unresolved { .. } => "unresolved".to_owned(),
            Self::Conclude { .. } => "conclude".to_owned(),
            Self::Advance(step) => format!("advance {}", step.branch),
            Self::Commit { .. } => "commit".to_owned(),
        }
    }
}
