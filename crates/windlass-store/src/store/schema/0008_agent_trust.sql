-- What repositories have agents run or obey, by digests: single entries that their users trust; those
-- that a loop was refused for last, so that `windlass trust` can show them; and those that were there
-- when a loop began or that its sessions left.

CREATE TABLE agent_trust (
    root  ANY  NOT NULL,
    entry TEXT NOT NULL,
    at    TEXT NOT NULL,
    PRIMARY KEY (root, entry)
) STRICT;

CREATE TABLE agent_refused (
    root  ANY  NOT NULL,
    entry TEXT NOT NULL,
    told  TEXT NOT NULL,
    PRIMARY KEY (root, entry)
) STRICT;

CREATE TABLE agent_seen (
    loop        TEXT    NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
    entry       TEXT    NOT NULL,
    is_confined INTEGER NOT NULL,
    PRIMARY KEY (loop, entry, is_confined)
) STRICT;
