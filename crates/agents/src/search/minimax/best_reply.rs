//! Best-reply search among several opponents, in its form BRS+ (Schadd and Winands 2011; Esser,
//! Gras, Winands, Schadd and Lanctot 2013).
//!
//! A paranoid search looks at every combination of what all opponents do, and sees a few plies
//! far. Here only one of them, the one whose move hurts most, chooses freely between two moves of
//! the searcher; the others make the move that ordering puts first. In BRS they passed, which few
//! games allow; BRS+ keeps to legal lines. With two players it is plain alpha-beta.
//!
//! So a position is searched in two ways, before and after the free reply, and the table must not
//! mix them up.

/// Added to a position's key if the opponent to move is bound to its first move.
#[inline]
pub(crate) fn key(bound: bool) -> u64 {
    if bound { 0x6a09_e667_f3bc_c909 } else { 0 }
}
