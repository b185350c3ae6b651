-- What a loop is for, from its options: the beginning of its prompt, its task file or its pull request.
-- The index keeps it, so that a list of all loops reads no prompt.

ALTER TABLE loop_options ADD COLUMN task TEXT GENERATED ALWAYS AS (
    CASE WHEN json_valid(options) THEN
        substr(trim(coalesce(
            nullif(options ->> '$.prompt', ''),
            nullif(options ->> '$.task', ''),
            options ->> '$.tasks',
            'pull request ' || (options ->> '$.number')
        ), char(9, 10, 13, 32)), 1, 500)
    END
) VIRTUAL;

CREATE INDEX loop_options_by_task ON loop_options (loop, task);
