-- What windlass added to the system prompt of the session's agent.

ALTER TABLE sessions ADD COLUMN lesson TEXT;
