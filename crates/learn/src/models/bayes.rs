//! Naive Bayes: an independent normal distribution for each class and column.

use ludex_model::{Fitted, Matrix};

/// Fits naive Bayes. The classes are the targets; a class without rows is never chosen. As in scikit-learn, a billionth of
/// the largest variance of a column is added to every variance.
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
