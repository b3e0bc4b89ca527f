//! Rows, columns, layers and labels of sites.

use super::graph::near;
use super::topology::Element;
use crate::tree::letters;

/// Coordinates nearer than this are the same.
const SAME: f64 = 0.001;
/// Coordinates on lattices nearer than this are the same: the lines of a lattice are computed, so they are less exact.
const SAME_LINE: f64 = 0.01;

/// Gives every element its row, column and layer, from the bottom left, and a label such as `B3`.
///
/// Sites of a triangular lattice have rows along its flattest lines and columns along its steepest
/// ones to the left, squares on their tips along their sides, and so do crossings of upright and
/// slanted lines where fewer of the slanted ones hold all; on all other boards rows and columns are
/// upright.
pub(super) fn assign(elements: &mut [Element], crossings: bool) {
    let axes = axes(elements, crossings);
    let same = if axes.is_some() { SAME_LINE } else { SAME };
    let (along, across) = axes.unwrap_or((0.0, 90.0));
    let rows = ranks(places(elements, along).collect(), same);
    let columns = ranks(places(elements, across).map(|place| -place).collect(), same);
    let layers = ranks(elements.iter().map(|e| e.centre[2]).collect(), SAME);
    let several = layers.iter().any(|&layer| layer > 0);
    for (i, element) in elements.iter_mut().enumerate() {
        (element.row, element.column, element.layer) = (rows[i], columns[i], layers[i]);
        element.label = format!("{}{}", letters(columns[i] as u32 + 1), rows[i] + 1);
        if several {
            element.label.push_str(&format!("/{}", layers[i]));
        }
    }
}

/// The stores of a mancala board, between its rows, count as part of the lowest.
pub(crate) fn lower_stores(holes: &mut [Element]) {
    let is_store = |e: &Element| e.centre[1].fract() != 0.0;
    if !holes.iter().any(is_store) {
        return;
    }
    for hole in holes {
        hole.row = if is_store(hole) { 0 } else { hole.centre[1] as usize };
        hole.label = format!("{}{}", letters(hole.column as u32 + 1), hole.row + 1);
    }
}

/// How far elements are to the left of a line through the origin.
fn places(elements: &[Element], degrees: f64) -> impl Iterator<Item = f64> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    elements.iter().map(move |e| e.centre[1] * cos - e.centre[0] * sin)
}

/// How many lines of a direction hold all elements.
fn lines(elements: &[Element], degrees: f64) -> usize {
    ranks(places(elements, degrees).collect(), SAME_LINE).into_iter().max().unwrap_or(0)
}

/// The number of each value among the different ones, in ascending order.
fn ranks(values: Vec<f64>, same: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| near(values[a], values[b]));
    let mut ranks = vec![0; values.len()];
    let (mut rank, mut last) = (0, None);
    for i in order {
        if last.is_some_and(|last: f64| values[i] - last > same) {
            rank += 1;
        }
        last = Some(values[i]);
        ranks[i] = rank;
    }
    ranks
}

/// The directions in degrees of the rows and columns of a triangular lattice, or of squares on
/// their tips; `None` if this is neither.
fn axes(elements: &[Element], crossings: bool) -> Option<(f64, f64)> {
    let mut directions: Vec<f64> = Vec::new();
    let mut most = 0;
    for element in elements {
        most = most.max(element.orthogonal.len());
        for &n in &element.orthogonal {
            let to = elements.get(n)?.centre;
            let (dx, dy) = (to[0] - element.centre[0], to[1] - element.centre[1]);
            let degrees = dy.atan2(dx).to_degrees().rem_euclid(180.0);
            let degrees = if degrees > 179.0 { 0.0 } else { degrees };
            if !directions.iter().any(|d| (d - degrees).abs() < 1.0) {
                directions.push(degrees);
            }
        }
    }
    directions.sort_by(f64::total_cmp);
    match directions[..] {
        [a, b] if (a - 45.0).abs() < 1.0 && (b - 135.0).abs() < 1.0 => Some((a, b)),
        [a, b, c] if most > 3 && (b - a - 60.0).abs() < 1.0 && (c - b - 60.0).abs() < 1.0 => {
            Some((a, c))
        }
        [a, b, c, d]
            if crossings
                && [a, b, c, d]
                    .iter()
                    .zip([0.0, 45.0, 90.0, 135.0])
                    .all(|(x, y)| (x - y).abs() < 1.0) =>
        {
            let count = |a: f64, b: f64| lines(elements, a) + lines(elements, b);
            (count(b, d) < count(a, c)).then_some((b, d))
        }
        _ => None,
    }
}
