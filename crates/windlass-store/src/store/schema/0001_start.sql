-- The first form of the store. Everything but `loops` (its first half), `loop_options`, `events`,
-- `requests` and `trust` follows from the events and is written in the same transaction as they are.
-- Times are RFC 3339 in UTC. Paths are TEXT, or BLOB where they are not UTF-8.

CREATE TABLE loops (
    number          INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were created
    id              TEXT    NOT NULL UNIQUE,
    name            TEXT    NOT NULL UNIQUE,
    kind            TEXT    NOT NULL,
    directory       ANY     NOT NULL,
    worktree        ANY,
    agent           TEXT    NOT NULL,
    epoch           INTEGER NOT NULL,                  -- who writes with an older one is fenced
    owner_pid       INTEGER NOT NULL,
    owner_started   INTEGER NOT NULL,
    owner_boot      TEXT    NOT NULL,
    last_seq        INTEGER NOT NULL DEFAULT 0,
    started_at      TEXT    NOT NULL,
    updated_at      TEXT    NOT NULL,
    active_ms       INTEGER NOT NULL DEFAULT 0,
    iteration       INTEGER NOT NULL DEFAULT 0,
    max_iterations  INTEGER NOT NULL DEFAULT 0,
    phase           TEXT    NOT NULL DEFAULT '',
    sessions        INTEGER NOT NULL DEFAULT 0,
    input_tokens    INTEGER NOT NULL DEFAULT 0,
    output_tokens   INTEGER NOT NULL DEFAULT 0,
    cost_usd        REAL,
    files_modified  INTEGER NOT NULL DEFAULT 0,
    circuit         TEXT    NOT NULL DEFAULT 'closed',
    circuit_reason  TEXT,
    ending          TEXT,                              -- JSON; NULL while it runs or was cut off
    verified        INTEGER NOT NULL DEFAULT 0,
    completion_text TEXT
) STRICT;

CREATE INDEX loops_by_directory ON loops (directory, number);
CREATE INDEX loops_by_worktree ON loops (worktree, number) WHERE worktree IS NOT NULL;

-- Apart from `loops`, for they hold whole prompts, and a list of all loops reads every row.
CREATE TABLE loop_options (
    loop    TEXT NOT NULL PRIMARY KEY REFERENCES loops (id) ON DELETE CASCADE,
    options TEXT NOT NULL                              -- JSON, frozen when the loop was started
) STRICT;

-- Only ever appended to. The words of agents and the prompts are kept once: where `session` is
-- set, `body` leaves them out, and they are in `messages` (by `session` and `sequence`) or in
-- `sessions`.
CREATE TABLE events (
    number   INTEGER PRIMARY KEY,
    loop     TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    at       TEXT    NOT NULL,
    type     TEXT    NOT NULL,
    body     TEXT    NOT NULL,                         -- JSON
    session  INTEGER,
    sequence INTEGER,
    UNIQUE (loop, seq)
) STRICT;

-- What resume and replay read, which must not pay for what agents said.
CREATE INDEX events_history ON events (loop, seq) WHERE type <> 'agent_said';

CREATE TABLE iterations (
    loop             TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL,
    started_at       TEXT    NOT NULL,
    duration_ms      INTEGER,
    tree             TEXT,
    head             TEXT,
    claim            TEXT,                             -- none, rejected, accepted
    rejected_because TEXT,                             -- JSON, a list of sentences
    files_changed    INTEGER NOT NULL DEFAULT 0,
    failure          TEXT,
    exit_code        INTEGER,
    preview          TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (loop, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    loop          TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    iteration     INTEGER NOT NULL,
    task          TEXT,
    place         TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    agent         TEXT    NOT NULL,
    model         TEXT,
    status        TEXT    NOT NULL,                    -- running, finished, failed, cancelled, interrupted
    outcome       TEXT,                                -- JSON
    problem       TEXT,
    tools         INTEGER NOT NULL DEFAULT 0,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd      REAL,
    exit_code     INTEGER,
    started_at    TEXT    NOT NULL,
    duration_ms   INTEGER,
    messages      INTEGER NOT NULL DEFAULT 0,
    claim         TEXT,                                -- the words that claim
    prompt        TEXT    NOT NULL,
    text          TEXT    NOT NULL DEFAULT ''          -- what it said last
) STRICT;

CREATE INDEX sessions_by_loop ON sessions (loop);
CREATE INDEX sessions_by_place ON sessions (loop, place);
CREATE INDEX sessions_running ON sessions (loop) WHERE status = 'running';
CREATE INDEX sessions_with_messages ON sessions (loop) WHERE messages > 0;

CREATE TABLE messages (
    number   INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    type     TEXT    NOT NULL,
    content  TEXT    NOT NULL,
    at       TEXT    NOT NULL,
    detail   TEXT,                                     -- JSON: what `content` does not tell
    UNIQUE (session, sequence)
) STRICT;

CREATE TABLE checks (
    id          INTEGER PRIMARY KEY,
    loop        TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    iteration   INTEGER NOT NULL,
    place       TEXT    NOT NULL,
    command     TEXT    NOT NULL,
    passed      INTEGER,
    exit_code   INTEGER,
    timed_out   INTEGER,
    duration_ms INTEGER,
    output_hash TEXT,
    tail        TEXT    NOT NULL DEFAULT '',
    tree        TEXT,
    started_at  TEXT    NOT NULL
) STRICT;

CREATE INDEX checks_by_place ON checks (loop, place);

CREATE TABLE findings (
    id              INTEGER PRIMARY KEY,
    loop            TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    identity        TEXT    NOT NULL,                  -- by which it is known again
    severity        TEXT    NOT NULL,                  -- HIGH, MEDIUM, LOW
    file            TEXT,
    line            INTEGER,
    end_line        INTEGER,
    title           TEXT    NOT NULL,
    description     TEXT    NOT NULL DEFAULT '',
    suggestion      TEXT,
    status          TEXT    NOT NULL,                  -- open, fixed, skipped
    first_iteration INTEGER NOT NULL,
    last_iteration  INTEGER NOT NULL,
    extra           TEXT                               -- JSON: fields that windlass does not know
) STRICT;

CREATE INDEX findings_by_loop ON findings (loop, identity);

CREATE TABLE requests (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    loop    TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    request TEXT    NOT NULL,                          -- cancel, cancel_after_iteration
    at      TEXT    NOT NULL
) STRICT;

CREATE INDEX requests_by_loop ON requests (loop);

CREATE TABLE trust (
    path ANY  NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    at   TEXT NOT NULL
) STRICT;
