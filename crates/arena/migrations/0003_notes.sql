-- What minds said of themselves in a game, as a JSON list; nothing where they said nothing.
ALTER TABLE game ADD COLUMN notes TEXT;
