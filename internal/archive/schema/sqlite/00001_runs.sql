-- +goose Up

-- Times are microseconds since 1970, UTC. What identifies a row of machines, conditions and tracks is hashed
-- into its key, since names in run files may be longer than an index takes.

-- A kind of machine: what makes times comparable.
CREATE TABLE machines (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,
    label      TEXT NOT NULL,
    arch       TEXT NOT NULL,
    cpu        TEXT NOT NULL,
    cpus       DOUBLE PRECISION NOT NULL,
    hypervisor TEXT NOT NULL,
    product    TEXT NOT NULL
);

-- What may change on it from one run to the next.
CREATE TABLE conditions (
    id        INTEGER PRIMARY KEY,
    key       TEXT NOT NULL UNIQUE,
    kernel    TEXT NOT NULL,
    go        TEXT NOT NULL,
    tool      TEXT NOT NULL,
    microcode TEXT NOT NULL
);

CREATE TABLE versions (
    id      INTEGER PRIMARY KEY,
    version TEXT NOT NULL UNIQUE
);

CREATE TABLE runs (
    id             INTEGER PRIMARY KEY,
    sha256         TEXT NOT NULL UNIQUE,
    header         TEXT NOT NULL, -- SHA-256 of the file's first line, by which a run that has grown is found
    whole          BIGINT NOT NULL, -- 1 where the file has its end record
    second_of      TEXT NOT NULL, -- sha256 of the run that this one is the second look at
    started        BIGINT NOT NULL,
    filed          BIGINT NOT NULL,
    suite          TEXT NOT NULL,
    title          TEXT NOT NULL,
    note           TEXT NOT NULL,
    machine        BIGINT NOT NULL REFERENCES machines (id),
    condition      BIGINT NOT NULL REFERENCES conditions (id),
    confidence     TEXT NOT NULL,
    partial        BIGINT NOT NULL,
    wrong          BIGINT NOT NULL,
    measured       BIGINT NOT NULL, -- rows besides the laboratory's own
    cells          BIGINT NOT NULL,
    seconds        DOUBLE PRECISION,
    bytes          BIGINT NOT NULL
);
CREATE INDEX runs_started ON runs (started, id);
CREATE INDEX runs_machine ON runs (machine, started, id);
CREATE INDEX runs_header ON runs (header);
CREATE INDEX runs_second_of ON runs (second_of);

-- The run files, each compressed with zstd.
CREATE TABLE files (
    run  BIGINT PRIMARY KEY REFERENCES runs (id),
    zstd BLOB NOT NULL
);

-- A subject on a case and a machine: what has a history. The version is empty, but where a run has several side by side.
CREATE TABLE tracks (
    id             INTEGER PRIMARY KEY,
    key            TEXT NOT NULL UNIQUE,
    machine        BIGINT NOT NULL REFERENCES machines (id),
    experiment     TEXT NOT NULL,
    algorithm      TEXT NOT NULL,
    mode           TEXT NOT NULL,
    operation      TEXT NOT NULL,
    bytes          BIGINT NOT NULL,
    parameters     TEXT NOT NULL,
    library        TEXT NOT NULL,
    version        TEXT NOT NULL,
    implementation TEXT NOT NULL,
    call_path      TEXT NOT NULL,
    runtime        TEXT NOT NULL,
    environment    TEXT NOT NULL,
    twin           BIGINT NOT NULL -- 1, or its number among equal trials of a run
);
CREATE INDEX tracks_machine ON tracks (machine);

-- A row of a run's document. Its id is run * 2^20 + trial, so that the cells of a run lie together.
CREATE TABLE cells (
    id               INTEGER PRIMARY KEY,
    run              BIGINT NOT NULL,
    track            BIGINT NOT NULL,
    started          BIGINT NOT NULL, -- of the run
    version          BIGINT NOT NULL,
    status           BIGINT NOT NULL, -- 0 ok, 1 incorrect, 2 unsupported, 3 crashed, 4 unstable, 5 another
    flags            BIGINT NOT NULL, -- 1 withheld, 2 exhibit, 4 of the laboratory, 8 not measured yet
    ns               DOUBLE PRECISION, -- per operation, the median
    ns_low           DOUBLE PRECISION,
    ns_high          DOUBLE PRECISION,
    level            DOUBLE PRECISION NOT NULL, -- of the interval; 0 without one
    clock            BIGINT NOT NULL, -- 0 none, 1 cpu, 2 process, 3 wall
    bytes_per_second DOUBLE PRECISION,
    cycles_per_byte  DOUBLE PRECISION,
    allocs           DOUBLE PRECISION,
    samples          BIGINT NOT NULL,
    blocks           BIGINT NOT NULL,
    warnings         BIGINT NOT NULL
);
CREATE INDEX cells_track ON cells (track, started);

-- What a scenario measured of a cell beside its time.
CREATE TABLE metrics (
    cell  BIGINT NOT NULL,
    name  TEXT NOT NULL,
    unit  TEXT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    low   DOUBLE PRECISION,
    high  DOUBLE PRECISION,
    level DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (cell, name)
);

-- The ids are run * 2^20 + n.
CREATE TABLE comparisons (
    id       INTEGER PRIMARY KEY,
    base     BIGINT NOT NULL, -- cells
    other    BIGINT NOT NULL,
    ratio    DOUBLE PRECISION NOT NULL, -- of other's speed to base's
    low      DOUBLE PRECISION,
    high     DOUBLE PRECISION,
    level    DOUBLE PRECISION NOT NULL,
    verdict  TEXT NOT NULL,
    headline BIGINT NOT NULL
);

CREATE TABLE distributions (
    cell      BIGINT NOT NULL,
    name      TEXT NOT NULL,
    unit      TEXT NOT NULL,
    p50       DOUBLE PRECISION NOT NULL,
    p90       DOUBLE PRECISION NOT NULL,
    p95       DOUBLE PRECISION,
    p99       DOUBLE PRECISION,
    p999      DOUBLE PRECISION,
    most      DOUBLE PRECISION NOT NULL,
    mean      DOUBLE PRECISION NOT NULL,
    count     BIGINT NOT NULL,
    histogram BLOB, -- HdrHistogram, V2 compressed
    PRIMARY KEY (cell, name)
);

-- What checks found, and their reports, each compressed with zstd.
CREATE TABLE checks (
    id       INTEGER PRIMARY KEY,
    sha256   TEXT NOT NULL UNIQUE,
    started  BIGINT NOT NULL,
    filed    BIGINT NOT NULL,
    suite    TEXT NOT NULL,
    machine  BIGINT NOT NULL REFERENCES machines (id),
    tool     TEXT NOT NULL,
    verdict  TEXT NOT NULL,
    severity TEXT NOT NULL,
    wrong    BIGINT NOT NULL,
    slower   BIGINT NOT NULL,
    failed   BIGINT NOT NULL,
    trials   BIGINT NOT NULL,
    report   BLOB NOT NULL
);
CREATE INDEX checks_machine ON checks (machine, suite, started, id);
CREATE INDEX checks_started ON checks (started, id);

CREATE TABLE check_runs (
    checked BIGINT NOT NULL REFERENCES checks (id),
    run     TEXT NOT NULL, -- sha256
    PRIMARY KEY (checked, run)
);
CREATE INDEX check_runs_run ON check_runs (run);
