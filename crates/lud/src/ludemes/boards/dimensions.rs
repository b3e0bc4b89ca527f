//! The numbers that describe boards: whole ones, `dim`, and others, `float`.

use super::{Result, fault};
use crate::compile::slots::Slots;
use crate::compile::{Ludeme, Value};
use crate::ludemes::{Form, Read, form};

/// A number made of others; none where it is not defined.
type Calculate = fn(&[f64]) -> Option<f64>;

const fn dim(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    calculate: Calculate,
) -> Form {
    form("dim", text, meaning, example, Read::Dimension(calculate))
}

const fn float(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    calculate: Calculate,
) -> Form {
    form("float", text, meaning, example, Read::Dimension(calculate))
}

#[rustfmt::skip]
pub(in crate::ludemes) const FORMS: &[Form] = &[
    dim("abs dim", "Without its sign.", "(abs 3)", |of| Some(of.first()?.abs())),
    dim("+ dim dim", "The sum.", "(+ 3 3)", sum),
    dim("+ {dim}", "The sum.", "(+ {2 3})", sum),
    dim("/ dim dim", "The quotient, without its fraction.", "(/ 3 3)", |of| quotient(of).map(f64::trunc)),
    dim("max dim dim", "The larger one.", "(max 3 3)", largest),
    dim("min dim dim", "The smaller one.", "(min 3 3)", smallest),
    dim("* dim dim", "The product.", "(* 3 3)", product),
    dim("* {dim}", "The product.", "(* {2 3})", product),
    dim("^ dim dim", "The power.", "(^ 3 3)", power),
    dim("- dim dim", "The difference.", "(- 3 3)", difference),
    float("toFloat (boolean | int)", "The whole number, or 1 for a condition that holds, else 0.", "(toFloat (count Moves))",
        |of| of.first().copied()),
    float("abs float", "Without its sign.", "(abs 2.5)", |of| Some(of.first()?.abs())),
    float("+ float float", "The sum.", "(+ 2.5 2.5)", sum),
    float("+ {float}", "The sum.", "(+ {2.5 3.5})", sum),
    float("cos float", "The cosine of an angle in radians.", "(cos 0.5)", |of| Some(of.first()?.cos())),
    float("/ float float", "The quotient.", "(/ 2.5 2.5)", quotient),
    float("exp float", "The exponential.", "(exp 0.5)", |of| Some(of.first()?.exp())),
    float("log float", "The natural logarithm.", "(log 2.5)", |of| Some(of.first()?.ln())),
    float("log10 float", "The logarithm to base 10.", "(log10 2.5)", |of| Some(of.first()?.log10())),
    float("max float float", "The larger one.", "(max 2.5 2.5)", largest),
    float("max {float}", "The largest one.", "(max {2.5 3.5})", largest),
    float("min float float", "The smaller one.", "(min 2.5 2.5)", smallest),
    float("min {float}", "The smallest one.", "(min {2.5 3.5})", smallest),
    float("* float float", "The product.", "(* 2.5 2.5)", product),
    float("* {float}", "The product.", "(* {2.5 3.5})", product),
    float("^ float float", "The power.", "(^ 2.5 2.5)", power),
    float("sin float", "The sine of an angle in radians.", "(sin 0.5)", |of| Some(of.first()?.sin())),
    float("sqrt float", "The square root.", "(sqrt 2.5)", |of| Some(of.first()?.sqrt())),
    float("- float float", "The difference.", "(- 2.5 2.5)", difference),
    float("tan float", "The tangent of an angle in radians.", "(tan 0.5)", |of| Some(of.first()?.tan())),
];

fn sum(of: &[f64]) -> Option<f64> {
    Some(of.iter().sum())
}

fn product(of: &[f64]) -> Option<f64> {
    Some(of.iter().product())
}

fn difference(of: &[f64]) -> Option<f64> {
    Some(of.first()? - of.get(1)?)
}

fn quotient(of: &[f64]) -> Option<f64> {
    Some(of.first()? / of.get(1)?)
}

fn power(of: &[f64]) -> Option<f64> {
    Some(of.first()?.powf(*of.get(1)?))
}

fn largest(of: &[f64]) -> Option<f64> {
    of.iter().copied().reduce(f64::max)
}

fn smallest(of: &[f64]) -> Option<f64> {
    of.iter().copied().reduce(f64::min)
}

/// The number that a value of a ludeme is.
pub(super) fn value(given: &Value, within: &Ludeme) -> Result<f64> {
    match given {
        Value::Int(number) => Ok(f64::from(*number)),
        Value::Float(number) => Ok(f64::from(*number)),
        Value::Call(ludeme) => {
            let Some((_, Read::Dimension(calculate))) = ludeme.reader() else {
                return Err(Slots::new(ludeme).unsupported());
            };
            let of = ludeme.values().flat_map(Value::items).map(|part| value(part, ludeme));
            let of: Vec<f64> = of.collect::<Result<_>>()?;
            let made = calculate(&of).filter(|number| number.is_finite());
            made.ok_or_else(|| fault(ludeme, "this number is not defined"))
        }
        _ => Err(fault(within, "a number is expected here")),
    }
}
