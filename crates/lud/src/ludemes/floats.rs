//! Numbers with a fraction in rules: `(toInt …)` and `(toBool …)` of such numbers, and `(payoff …)`.

use super::Read;
use super::prelude::*;

/// Makes a number of others; none where it is not defined.
type Calculate = fn(&[f64]) -> Option<f64>;

/// A number with a fraction.
pub(crate) enum Real {
    /// Always the same.
    Const(f64),
    /// A whole number.
    Int(Int),
    /// 1 if a condition holds, else 0.
    Bool(Bool),
    /// An operation on others.
    Of(&'static str, Table<Calculate>, Vec<Real>),
}

/// No operation has more operands than this in its evaluation at once.
const MOST_OPERANDS: usize = 16;

impl Real {
    /// The value; 0 where it is undefined.
    pub(crate) fn get(&self, c: &mut Context<'_>) -> f64 {
        match self {
            Real::Const(number) => *number,
            Real::Int(int) => f64::from(int.get(c)),
            Real::Bool(condition) => f64::from(u8::from(condition.holds(c))),
            Real::Of(_, calculate, parts) => {
                let mut values = [0.0; MOST_OPERANDS];
                for (value, part) in values.iter_mut().zip(parts) {
                    *value = part.get(c);
                }
                let given = values.get(..parts.len()).unwrap_or(&values);
                (**calculate)(given).filter(|number| number.is_finite()).unwrap_or(0.0)
            }
        }
    }

    /// The value without its fraction.
    fn whole(&self, c: &mut Context<'_>) -> i32 {
        self.get(c) as i32
    }
}

impl Field for Real {
    fn show(&self, out: &mut String) {
        match self {
            Real::Const(number) => out.push_str(&number.to_string()),
            Real::Int(int) => int.show(out),
            Real::Bool(condition) => condition.show(out),
            Real::Of(name, _, parts) => {
                out.push_str(&format!("({name} "));
                parts.show(out);
                out.push(')');
            }
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Real::Const(_) => {}
            Real::Int(int) => int.nodes(visit),
            Real::Bool(condition) => condition.nodes(visit),
            Real::Of(_, _, parts) => parts.nodes(visit),
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Real::Const(_) => Parts::NONE,
            Real::Int(int) => int.reads(),
            Real::Bool(condition) => condition.reads(),
            Real::Of(_, _, parts) => parts.reads(),
        }
    }
}

impl Args<'_, '_, '_> {
    /// A number with a fraction.
    pub(crate) fn real(&mut self, name: &str) -> Result<Real> {
        let value = self.value(name)?;
        self.real_of(value)
    }

    fn real_of(&mut self, value: &Value) -> Result<Real> {
        match value {
            Value::Int(number) => Ok(Real::Const(f64::from(*number))),
            Value::Float(number) => Ok(Real::Const(f64::from(*number))),
            Value::Call(call) => match call.reader() {
                Some((form, Read::Dimension(calculate))) => {
                    let parts = call.values().flat_map(Value::items);
                    let parts = parts.map(|part| self.real_of(part)).collect::<Result<Vec<_>>>()?;
                    if parts.len() > MOST_OPERANDS {
                        return Err(self.unsupported());
                    }
                    let name = form.text.split(' ').next().unwrap_or_default();
                    Ok(Real::Of(name, Table(calculate), parts))
                }
                Some((_, Read::Condition(_))) => {
                    Ok(Real::Bool(self.lower.bool(value, self.ludeme)?))
                }
                _ => Ok(Real::Int(self.lower.int(value, self.ludeme)?)),
            },
            Value::Bool(_) => Ok(Real::Bool(self.lower.bool(value, self.ludeme)?)),
            value => Ok(Real::Int(self.lower.int(value, self.ludeme)?)),
        }
    }

    /// `(toInt float)`.
    pub(super) fn whole(&mut self) -> Result<Int> {
        Ok(Int::of(Whole { number: self.real("float")? }))
    }

    /// `(toBool float)`.
    pub(super) fn not_zero(&mut self) -> Result<Bool> {
        Ok(Bool::of(NotZero { number: self.real("float")? }))
    }
}

node! {
    /// A number without its fraction.
    struct Whole = "toInt" { number: Real }
}

impl Number for Whole {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.number.whole(c)
    }
}

node! {
    /// A number is not 0.
    struct NotZero = "toBool" { number: Real }
}

impl Condition for NotZero {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.number.get(c) != 0.0
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number};

    #[test]
    fn fractions_are_cut_off() {
        assert_eq!(number("", "(toInt (sqrt 10.0))"), 3);
        assert_eq!(number("", "(toInt (/ (toFloat 7) 2.0))"), 3);
        assert_eq!(
            number("(place \"Disc1\" {0 1 2})", "(toInt (* 1.5 (toFloat (count Pieces))))"),
            4
        );
        assert!(holds("", "(toBool 0.5)") && !holds("", "(toBool (- 1.5 1.5))"));
    }
}
