-- What an agent says without anything between takes one row: `count` events from `seq` on, whose
-- words are the messages from `sequence` on. `events` still shows each of them.

ALTER TABLE events RENAME TO journal;
ALTER TABLE journal ADD COLUMN count INTEGER NOT NULL DEFAULT 1;

CREATE VIEW events AS
SELECT j.loop,
       j.seq + coalesce(m.sequence - j.sequence, 0) AS seq,
       coalesce(m.at, j.at)                         AS at,
       j.type,
       j.body,
       j.session,
       coalesce(m.sequence, j.sequence)             AS sequence
FROM journal j
LEFT JOIN messages m
       ON m.session = j.session AND m.sequence BETWEEN j.sequence AND j.sequence + j.count - 1;
