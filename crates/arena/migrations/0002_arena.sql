-- Runs that go on after a kill, on one machine or many. The same text for SQLite and PostgreSQL.
-- The tables of the first version stay under other names; nothing is lost.
ALTER TABLE game RENAME TO game_0001;
ALTER TABLE run RENAME TO run_0001;

-- One row an experiment. Games 0..next are played or leased; games 0..total are to be played.
CREATE TABLE run (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_ms BIGINT NOT NULL,
    version TEXT NOT NULL,
    config TEXT NOT NULL,
    agents TEXT NOT NULL,
    games TEXT NOT NULL,
    next BIGINT NOT NULL,
    total BIGINT NOT NULL,
    verdict TEXT
);

-- One row a process that plays.
CREATE TABLE worker (
    id BIGINT PRIMARY KEY,
    host TEXT NOT NULL,
    pid BIGINT NOT NULL,
    cpu TEXT NOT NULL,
    threads BIGINT NOT NULL,
    version TEXT NOT NULL,
    started_ms BIGINT NOT NULL
);

-- Numbers first..last that a worker plays now. Whoever finds the time up may take them over.
CREATE TABLE lease (
    run BIGINT NOT NULL REFERENCES run (id),
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    worker BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    PRIMARY KEY (run, first)
);

-- One row a game, with everything that is needed to replay it: `place` is the game's place in the
-- run's list of games, `seats` the agents' places in its list of agents.
CREATE TABLE game (
    run BIGINT NOT NULL REFERENCES run (id),
    number BIGINT NOT NULL,
    place BIGINT NOT NULL,
    seats TEXT NOT NULL,
    seed BIGINT NOT NULL,
    opening BIGINT NOT NULL,
    moves TEXT NOT NULL,
    steps BIGINT NOT NULL,
    payoffs TEXT NOT NULL,
    ending TEXT NOT NULL,
    forfeit TEXT,
    think_us TEXT NOT NULL,
    overruns TEXT,
    worker BIGINT NOT NULL,
    PRIMARY KEY (run, number)
);
