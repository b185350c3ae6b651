-- What agents say of how they stand, and what rules and screens ask about it.

ALTER TABLE loops ADD COLUMN final_status TEXT;                        -- JSON, the last status block
ALTER TABLE loops ADD COLUMN waiting TEXT;                             -- JSON: until, what, reason
ALTER TABLE loops ADD COLUMN tasks_completed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE loops ADD COLUMN tasks_open INTEGER;                       -- NULL without a task file
ALTER TABLE loops ADD COLUMN tasks_done INTEGER;

ALTER TABLE sessions ADD COLUMN session_id TEXT;                       -- the agent's own
ALTER TABLE sessions ADD COLUMN denied INTEGER NOT NULL DEFAULT 0;     -- tools that it was denied

-- How many sessions all loops started in the last hour.
CREATE INDEX sessions_by_start ON sessions (started_at);
