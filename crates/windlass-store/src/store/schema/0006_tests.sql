-- How many tests a check ran, and what it was run for. Checks of a claim have no `part`; those before
-- the first session are of the baseline, and those on the tests as they were of the originals.

ALTER TABLE checks ADD COLUMN tests TEXT;              -- JSON: passed, failed, skipped, failing
ALTER TABLE checks ADD COLUMN part TEXT;               -- baseline, originals, originals_alone
