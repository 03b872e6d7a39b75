-- Version 1 of the tables. docs/scale.md describes them; a later version is a new file.

-- Baselines with their history. `kind` is 'named' (saved under a name) or 'page' (of a page of a
-- check). `key` is a hash of what identifies a baseline on its branch: addresses can be longer than
-- an index allows.
CREATE TABLE baseline (
    version bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('named', 'page')),
    branch text NOT NULL,
    key bytea NOT NULL,
    name text NOT NULL,
    browser text NOT NULL,
    route text NOT NULL,
    width bigint NOT NULL,
    height bigint NOT NULL,
    scope text NOT NULL,
    depth text NOT NULL,
    hash text NOT NULL,
    captured_at text NOT NULL,
    written_as int NOT NULL,
    fingerprint text NOT NULL,
    picture bytea CHECK (octet_length(picture) <= 8388608),
    current boolean NOT NULL,
    accepted_by text NOT NULL,
    accepted_at timestamptz NOT NULL DEFAULT now()
);
-- Pictures are compressed already.
ALTER TABLE baseline ALTER COLUMN picture SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX baseline_current ON baseline (key, branch) WHERE current;
CREATE INDEX baseline_versions ON baseline (key, branch, version);
CREATE INDEX baseline_names ON baseline (kind, name);

-- One row for each `check enqueue`.
CREATE TABLE run (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token text NOT NULL UNIQUE,
    subject text NOT NULL,
    plan text NOT NULL,
    branch text NOT NULL,
    base_branch text NOT NULL,
    pages bigint NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    stopped_at timestamptz
);

-- The pages of a run. `state`: 0 waiting, 1 leased, 2 done. `fence` counts the leases of a page; a
-- result is accepted only with the newest one. `turn` orders the waiting pages.
CREATE TABLE job (
    run bigint NOT NULL REFERENCES run,
    number bigint NOT NULL,
    page text NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    turn bigint NOT NULL,
    fence int NOT NULL DEFAULT 0,
    lease_until timestamptz,
    worker text,
    PRIMARY KEY (run, number)
) WITH (
    fillfactor = 60,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 20000
);
CREATE INDEX job_waiting ON job (run, turn) WHERE state = 0;
CREATE INDEX job_leased ON job (run, number) WHERE state = 1;

-- Exactly one row for each page that is done.
CREATE TABLE result (
    run bigint NOT NULL,
    number bigint NOT NULL,
    fence int NOT NULL,
    worker text NOT NULL,
    verdict text NOT NULL,
    fails boolean NOT NULL,
    result text NOT NULL,
    before bytea CHECK (octet_length(before) <= 8388608),
    after bytea CHECK (octet_length(after) <= 8388608),
    delivered_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (run, number)
);
ALTER TABLE result ALTER COLUMN before SET STORAGE EXTERNAL;
ALTER TABLE result ALTER COLUMN after SET STORAGE EXTERNAL;
