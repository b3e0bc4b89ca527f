//! Populations of players that play each other: selection, recombination, mutation.
