-- The ledger of findings, and the tasks that a loop gives out one at a time.

ALTER TABLE loops ADD COLUMN fixes INTEGER NOT NULL DEFAULT 0;         -- over all iterations
ALTER TABLE loops ADD COLUMN trajectory TEXT;                          -- JSON: findings of each review

ALTER TABLE loops ADD COLUMN task_list TEXT;                           -- the file with what remains

ALTER TABLE findings ADD COLUMN number INTEGER NOT NULL DEFAULT 0;     -- in its loop, from 1
ALTER TABLE findings ADD COLUMN standing TEXT NOT NULL DEFAULT 'new';  -- new, open, back: as last seen
ALTER TABLE findings ADD COLUMN reason TEXT;                           -- why it was skipped

CREATE UNIQUE INDEX findings_by_number ON findings (loop, number);

CREATE TABLE tasks (
    loop     TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    task     TEXT    NOT NULL,
    status   TEXT    NOT NULL,                         -- open, approved, escalated
    attempts INTEGER NOT NULL,                         -- iterations that it took so far
    PRIMARY KEY (loop, task)
) STRICT, WITHOUT ROWID;
