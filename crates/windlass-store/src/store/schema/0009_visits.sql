-- When a loop ended, and when its user last looked at the loops of a repository.

ALTER TABLE loops ADD COLUMN ended_at TEXT;            -- NULL while it runs or was cut off

UPDATE loops SET ended_at = (
    SELECT at FROM journal
    WHERE journal.loop = loops.id AND journal.type = 'loop_finished'
    ORDER BY seq DESC LIMIT 1
) WHERE ending IS NOT NULL;

CREATE TABLE visits (
    repository ANY  NOT NULL PRIMARY KEY,              -- its root
    at         TEXT NOT NULL
) STRICT;
