//! What ludemes with a value are lowered to: closures over the [`Context`]. What can be worked out
//! beforehand is, and evaluation has no words left to compare.

use super::context::Context;
use super::directions::Direction;
use super::lower::{Lower, unsupported};
use crate::compile::{Ludeme, Value};
use crate::error::Fault;

/// A function of the context.
pub type Function<T> = Box<dyn Fn(&mut Context<'_>) -> T + Send + Sync>;

pub(super) type Result<T> = std::result::Result<T, Fault>;

pub(super) fn constant<T: Clone + Send + Sync + 'static>(value: T) -> Function<T> {
    Box::new(move |_| value.clone())
}

/// Sites, ascending, each once.
pub fn sorted(mut sites: Vec<i32>) -> Vec<i32> {
    sites.sort_unstable();
    sites.dedup();
    sites
}

impl Lower<'_> {
    /// Directions.
    pub fn directions(&mut self, value: &Value, of: &Ludeme) -> Result<Function<Vec<Direction>>> {
        match value {
            Value::Word(word) => {
                Ok(constant(vec![Direction::named(word).ok_or_else(|| unsupported(of))?]))
            }
            Value::List(list) => {
                let all: Option<Vec<Direction>> =
                    list.iter().map(|v| Direction::named(v.word()?)).collect();
                Ok(constant(all.ok_or_else(|| unsupported(of))?))
            }
            Value::Call(l) if l.signature().keyword == "directions" => {
                if l.args.iter().flatten().count() != 1 {
                    return Err(unsupported(l));
                }
                match l.args.iter().flatten().next() {
                    Some((_, v)) if matches!(v, Value::Word(_) | Value::List(_)) => {
                        self.directions(v, l)
                    }
                    _ => Err(unsupported(l)),
                }
            }
            Value::Call(l) if l.signature().keyword == "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let yes = self.directions(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = self.directions(l.arg(2).ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c| if condition(c) { yes(c) } else { no(c) }))
            }
            Value::Call(l) => Err(unsupported(l)),
            _ => Err(unsupported(of)),
        }
    }

    /// The directions of a slot, or others where it is empty.
    pub fn direction_or(
        &mut self,
        l: &Ludeme,
        kind: &str,
        default: Direction,
    ) -> Result<Function<Vec<Direction>>> {
        match l.typed(kind) {
            Some(value) => self.directions(value, l),
            None => Ok(constant(vec![default])),
        }
    }
}
