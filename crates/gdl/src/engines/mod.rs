//! The engines that play a rule sheet, all behind the trait [`Reasoner`](reasoner::Reasoner).
//!
//! | engine | works on | for |
//! |---|---|---|
//! | [`lanes`] (T0) | the net, one game a bit | hundreds of random games at once |
//! | [`single`] (T1) | the net, by differences | one state, step by step |
//! | [`joins`] (T2) | the clauses, by joins | rules whose grounding explodes |
//! | [`naive`] (T3) | the rules as they were written | the oracle of tests |

pub mod joins;
pub mod lanes;
pub mod naive;
pub(crate) mod names;
pub(crate) mod patience;
pub mod reasoner;
pub(crate) mod single;
