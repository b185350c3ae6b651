//! The words that decide what a reviewer's line comes to: data. The corpus of answers decides what
//! is added.

/// Words after `APPROVED` that make it feedback: the approval hangs on something, or something is
/// still to be done.
pub(super) const CONDITIONS: [&str; 22] = [
    "after",
    "although",
    "assuming",
    "but",
    "conditional",
    "conditionally",
    "contingent",
    "except",
    "first",
    "fix",
    "however",
    "if",
    "must",
    "needs",
    "once",
    "pending",
    "provided",
    "should",
    "though",
    "todo",
    "unless",
    "until",
];

/// Words that begin a remark which takes the approval back, where nothing but punctuation follows
/// them: `APPROVED: no issues` approves, and `APPROVED: no` and `APPROVED: no, …` do not.
pub(super) const NO: [&str; 10] =
    ["0", "denied", "false", "n", "nah", "never", "no", "nope", "not", "rejected"];

/// Words that do so after `not`, whatever follows.
pub(super) const NOT: [&str; 6] = ["approved", "ready", "really", "quite", "until", "yet"];

/// What a label before a verdict names, as in `Verdict:` and `Final decision:`.
pub(super) const LABELS: [&str; 15] = [
    "answer",
    "assessment",
    "conclusion",
    "decision",
    "judgement",
    "judgment",
    "outcome",
    "recommendation",
    "response",
    "result",
    "review",
    "reviewer",
    "status",
    "summary",
    "verdict",
];

/// Words that may stand beside it in a label.
pub(super) const OF_LABELS: [&str; 12] = [
    "code",
    "final",
    "is",
    "my",
    "our",
    "overall",
    "pr",
    "reviewer's",
    "review's",
    "task",
    "the",
    "this",
];

/// Words that no sentence ends with: what follows on the next line belongs to them.
pub(super) const LEADING: [&str; 24] = [
    "as", "barely", "be", "before", "being", "cannot", "hardly", "if", "never", "non", "nor",
    "not", "once", "or", "say", "saying", "than", "to", "un", "unless", "until", "when", "without",
    "yet",
];

/// Words that go on with the sentence of the line before, in lower case.
pub(super) const FOLLOWING: [&str; 17] = [
    "after", "although", "as", "assuming", "but", "except", "however", "if", "once", "only", "or",
    "pending", "provided", "though", "unless", "until", "when",
];

/// Signs that say no.
pub(super) const CROSSES: [char; 14] =
    ['❌', '❎', '✗', '✘', '✖', '🚫', '👎', '⛔', '🛑', '🔴', '❓', '❔', '⁉', '🙅'];

/// Names of signs that say no, as in `:x:`.
pub(super) const CROSS_NAMES: [&str; 9] = [
    "-1",
    "no_entry",
    "no_entry_sign",
    "octagonal_sign",
    "question",
    "red_circle",
    "stop_sign",
    "thumbsdown",
    "x",
];
