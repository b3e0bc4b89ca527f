//! Models of games: the features of a game, and the predictions of a trained model.
//!
//! - [`matrix`]: tables of numbers;
//! - [`scaling`]: columns on one scale, distances between rows;
//! - [`tree`], [`fitted`]: models after training, as plain data;
//! - [`mod@file`]: model files; [`pmml`]: forests for and from other programs;
//! - [`npy`]: NumPy's files of numbers;
//! - [`mod@describe`]: one named vector for any game.
//!
//! Models are trained by `ludex-learn`. This crate has only what an agent needs to use a model.

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
