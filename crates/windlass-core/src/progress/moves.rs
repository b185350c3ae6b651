//! What can move in an iteration, what it is called on every screen, and how much it counts.

use crate::{
    evidence::PlaceKind,
    text::count::{agree, count},
};

/// What moved in one iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moved {
    moves: Vec<Move>,
    idle: Option<Idle>,
}

/// How much a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing moved.
    Nothing,
    /// Something that may lead to work, or come before it.
    Hint,
    /// Work that no check has confirmed.
    Work,
    /// A check, a task or a review confirms it.
    Result,
}

/// One thing that moved.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Fewer tests fail than ever before.
    FewerFailing {
        /// How many fewer.
        fewer: u32,
        /// How many still do.
        left: u32,
    },
    /// A check passes that failed.
    CheckPasses,
    /// A check says less of what is wrong than ever before.
    FewerComplaints,
    /// A number that a check tells is better than ever before.
    Figure {
        /// The line that it stands in.
        of: String,
        /// The best so far.
        from: f64,
        /// The number now.
        to: f64,
    },
    /// Tasks are done.
    TasksDone {
        /// How many.
        count: u32,
    },
    /// Fewer findings are open.
    FewerFindings {
        /// How many fewer.
        fewer: usize,
        /// How many still are.
        left: usize,
    },
    /// Other tests fail, in a combination that was not there before.
    OtherFailing,
    /// A check fails in a way that was not there before.
    OtherOutput,
    /// There are more tasks.
    TasksAdded {
        /// How many.
        count: u32,
    },
    /// A task was reported as blocked, so that others have their turn.
    TaskBlocked,
    /// Files hold what they did not hold before.
    Files {
        /// How many.
        count: u32,
    },
    /// Files got more of what they hold already.
    Padded {
        /// How many.
        count: u32,
    },
    /// Prose or logs changed where no check says that the work is not done.
    Notes,
    /// Names or style changed in files in which they had not changed before.
    Restyled {
        /// How many.
        count: u32,
    },
    /// What changed before was committed.
    Committed,
    /// Work went to another place than the files of the work tree.
    Place {
        /// What it is.
        kind: PlaceKind,
        /// What people call it.
        name: String,
    },
    /// Only numbers, names or style changed, in files in which they had changed before.
    Retouched {
        /// How many.
        count: u32,
    },
    /// The agent reports what it had not reported before.
    News,
}

/// A change of nothing but numbers, dates, ids, names or style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retouched {
    /// In files in which only these had changed before.
    Again,
    /// In other files than before.
    Fresh,
}

/// What the changed files came to, where that is no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Prose or logs about the work.
    Prose,
    /// Files are back at what they held before.
    Back,
}

impl Moved {
    /// Adds one thing that moved.
    pub(super) fn add(&mut self, one: Move) {
        if !self.moves.contains(&one) {
            self.moves.push(one);
        }
    }

    /// Notes what the changed files came to.
    pub(super) fn add_idle(&mut self, idle: Idle) {
        self.idle.get_or_insert(idle);
    }

    /// What moved, what counts most first.
    pub fn moves(&self) -> Vec<&Move> {
        let mut moves: Vec<&Move> = self.moves.iter().collect();
        moves.sort_by_key(|one| std::cmp::Reverse(one.weight()));
        moves
    }

    /// What the changed files came to, where that is no progress.
    pub fn idle(&self) -> Option<Idle> {
        self.idle
    }

    /// What happened to files in place of progress, in words; `None` where nothing did.
    pub(crate) fn instead(&self) -> Option<String> {
        let of_files = |one: &&Move| matches!(one, Move::Retouched { .. });
        let hint = self.moves.iter().find(of_files).map(Move::words);
        hint.or_else(|| self.idle.map(|idle| idle.words().to_owned()))
    }

    /// What there is to say of it beyond the number of changed files, in a few words.
    pub fn beyond_files(&self) -> Option<String> {
        let is_other = |one: &&Move| !matches!(one, Move::Files { .. });
        let moves: Vec<String> =
            self.moves().into_iter().filter(is_other).map(Move::words).collect();
        match (moves.is_empty(), self.is_progress(), self.idle) {
            (false, ..) => Some(moves.join(", ")),
            (true, false, Some(idle)) => Some(idle.words().to_owned()),
            (true, ..) => None,
        }
    }

    /// How much it counts: as much as what counts most.
    pub fn weight(&self) -> Weight {
        self.moves.iter().map(Move::weight).max().unwrap_or(Weight::Nothing)
    }

    /// Whether a check, a task or a review confirms that something moved.
    pub fn is_confirmed(&self) -> bool {
        self.weight() == Weight::Result
    }

    /// Whether something moved that counts as progress.
    pub fn is_progress(&self) -> bool {
        self.weight() >= Weight::Work
    }

    /// Whether nothing moved but numbers, dates, ids, names or style; and whether that was in files in which only
    /// these had changed before.
    pub(crate) fn only_retouched(&self) -> Option<Retouched> {
        let is = |wanted: fn(&Move) -> bool| self.moves.iter().any(wanted);
        let again = is(|one| matches!(one, Move::Retouched { .. }));
        let fresh = is(|one| matches!(one, Move::Restyled { .. }));
        let other = is(|one| one.weight() >= Weight::Work && !matches!(one, Move::Restyled { .. }));
        match (other, again, fresh) {
            (false, true, _) => Some(Retouched::Again),
            (false, false, true) => Some(Retouched::Fresh),
            _ => None,
        }
    }

    /// Whether a check says what it did not say before.
    pub(crate) fn check_moved(&self) -> bool {
        let of_check = |one: &Move| {
            matches!(
                one,
                Move::FewerFailing { .. }
                    | Move::CheckPasses
                    | Move::FewerComplaints
                    | Move::Figure { .. }
                    | Move::OtherFailing
                    | Move::OtherOutput
            )
        };
        self.moves.iter().any(of_check)
    }

    /// What this iteration adds to a count that a rule keeps, in halves: one with real work counts half.
    pub(crate) fn halves(&self) -> u32 {
        if self.moves.iter().any(Move::is_real) { 1 } else { 2 }
    }

    /// All of it in a few words: "2 fewer failing tests, 3 files changed".
    pub fn words(&self) -> String {
        let moves: Vec<String> = self.moves().into_iter().map(Move::words).collect();
        match (moves.as_slice(), self.idle) {
            ([], None) => "nothing".to_owned(),
            ([], Some(idle)) => idle.words().to_owned(),
            _ => moves.join(", "),
        }
    }
}

impl Move {
    /// How much it counts.
    pub fn weight(&self) -> Weight {
        match self {
            Self::FewerFailing { .. }
            | Self::CheckPasses
            | Self::FewerComplaints
            | Self::Figure { .. }
            | Self::TasksDone { .. }
            | Self::FewerFindings { .. } => Weight::Result,
            Self::OtherFailing
            | Self::OtherOutput
            | Self::TasksAdded { .. }
            | Self::TaskBlocked
            | Self::Files { .. }
            | Self::Padded { .. }
            | Self::Notes
            | Self::Restyled { .. }
            | Self::Committed
            | Self::Place { .. } => Weight::Work,
            Self::Retouched { .. } | Self::News => Weight::Hint,
        }
    }

    /// Whether it is work that may lead to the goal without any check that says so yet: not more of the same, not
    /// notes, not another style.
    fn is_real(&self) -> bool {
        let is_other = matches!(self, Self::Padded { .. } | Self::Notes | Self::Restyled { .. });
        self.weight() >= Weight::Work && !is_other
    }

    /// Whether it is a commit that HEAD moved to.
    pub(super) fn is_head(&self) -> bool {
        matches!(self, Self::Place { kind: PlaceKind::Head, .. })
    }

    /// What it is called.
    pub fn words(&self) -> String {
        match self {
            Self::FewerFailing { fewer, left } => {
                format!("{fewer} fewer failing {} ({left} left)", agree(*fewer, "test", "tests"))
            }
            Self::CheckPasses => "a check passes".to_owned(),
            Self::FewerComplaints => "a check reports fewer problems".to_owned(),
            Self::Figure { of, from, to } => format!("{from} → {to} in `{of}`"),
            Self::TasksDone { count: n } => format!("{} done", count(*n, "task")),
            Self::FewerFindings { fewer, left } => {
                format!("{fewer} fewer {} ({left} left)", agree(*fewer, "finding", "findings"))
            }
            Self::OtherFailing => "other tests fail".to_owned(),
            Self::OtherOutput => "a check fails differently".to_owned(),
            Self::TasksAdded { count: n } => format!("{} added", count(*n, "task")),
            Self::TaskBlocked => "a task is blocked".to_owned(),
            Self::Files { count: n } => format!("{} changed", count(*n, "file")),
            Self::Padded { count: n } => format!("more of the same in {}", count(*n, "file")),
            Self::Notes => "notes changed".to_owned(),
            Self::Restyled { count: n } => format!("names or style in {}", count(*n, "more file")),
            Self::Committed => "a new commit".to_owned(),
            Self::Place { kind, name } => place(*kind, name),
            Self::Retouched { .. } => "only numbers, names or style".to_owned(),
            Self::News => "a new report".to_owned(),
        }
    }
}

fn place(kind: PlaceKind, name: &str) -> String {
    match kind {
        PlaceKind::Head => "a new commit".to_owned(),
        PlaceKind::Branch => format!("moved on branch {name}"),
        PlaceKind::Stash => "moved in the stash".to_owned(),
        PlaceKind::Worktree => format!("moved in worktree {name}"),
        PlaceKind::Submodule => format!("moved in submodule {name}"),
        PlaceKind::Nested => format!("moved in repository {name}"),
        PlaceKind::Ignored => format!("moved in ignored {name}"),
        PlaceKind::Unknown => format!("moved in {name}"),
    }
}

impl Idle {
    /// What it is called.
    pub fn words(self) -> &'static str {
        match self {
            Self::Prose => "only prose changed",
            Self::Back => "files are back at an earlier state",
        }
    }
}
