-- One row a game, with everything that is needed to replay it.
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    created_ms BIGINT NOT NULL,
    version TEXT NOT NULL,
    config TEXT NOT NULL
);
CREATE TABLE game (
    run TEXT NOT NULL REFERENCES run (id),
    number BIGINT NOT NULL,
    game TEXT NOT NULL,
    position TEXT,
    agents TEXT NOT NULL,
    seed TEXT NOT NULL,
    moves TEXT NOT NULL,
    payoffs TEXT NOT NULL,
    forfeit TEXT,
    think_ms TEXT NOT NULL,
    overruns TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
