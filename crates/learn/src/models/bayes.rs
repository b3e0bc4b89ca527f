//! Naive Bayes: independent normal distributions, one a class and column.

use ludex_model::{Fitted, Matrix};

/// Classes are the targets; a class that no row has is never chosen. To every variance a
/// billionth of the largest variance of a column is added, as scikit-learn does.
pub(crate) fn bayes(x: &Matrix, labels: &[usize], classes: usize) -> Fitted {
    let widest = x.deviations().into_iter().map(|d| d * d).fold(0.0, f64::max);
    let floor = (1e-9 * widest).max(f64::MIN_POSITIVE);
    let mut prior = Vec::with_capacity(classes);
    let (mut means, mut variances) = (Vec::new(), Vec::new());
    for class in 0..classes {
        let members: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == class).collect();
        let rows = x.select(&members);
        prior.push((members.len() as f64 / labels.len().max(1) as f64).ln());
        let squares = rows.deviations().into_iter().map(|d| d * d + floor);
        variances.push(squares.collect::<Vec<f64>>());
        means.push(rows.means());
    }
    let columns = x.columns();
    let [mean, variance] = [means, variances].map(|rows| Matrix::from_rows(columns, rows));
    Fitted::Bayes { prior, mean, variance }
}
