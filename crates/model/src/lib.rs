//! Models of games: what describes a game, and what a trained model says about it.
//!
//! - [`matrix`]: tables of numbers;
//! - [`scaling`]: numbers of one size, distances;
//! - [`tree`], [`fitted`]: models after training, as plain data;
//! - [`mod@file`]: model files; [`pmml`]: forests for and from other programs;
//! - [`npy`]: NumPy's files of numbers;
//! - [`mod@describe`]: one named vector for any game.
//!
//! Training is `ludex-learn`'s; what is here is small, so that a player can carry a model.

pub mod describe;
pub mod file;
pub mod fitted;
pub mod matrix;
pub mod npy;
pub mod pmml;
pub mod scaling;
pub mod tree;

pub use describe::{Effort, describe};
pub use file::{Answer, Model};
pub use fitted::Fitted;
pub use matrix::{Matrix, argmax};
pub use tree::Tree;
