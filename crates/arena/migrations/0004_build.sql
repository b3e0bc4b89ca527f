-- The digest of the program that plays a run. Workers with another digest refuse the run.
ALTER TABLE run ADD COLUMN build TEXT;
