//! Least squares with or without a ridge, and kernel ridge regression. All systems are solved in the space of rows,
//! because there are fewer games than features.

use ludex_core::{Error, Result};
use ludex_model::fitted::Kernel;
use ludex_model::scaling::Scaling;
use ludex_model::{Fitted, Matrix};
use nalgebra::{DMatrix, SymmetricEigen};

/// The weights that minimise the sum of squares plus `ridge` times their squared length. For `ridge` = 0 these are the
/// shortest weights of least squares.
pub(crate) fn least_squares(x: &Matrix, y: &Matrix, ridge: f64) -> Fitted {
    let (mx, my) = (x.means(), y.means());
    let centred = |m: &Matrix, means: &[f64]| {
        DMatrix::from_fn(m.rows(), m.columns(), |i, j| m.get(i, j) - means[j])
    };
    let (a, b) = (centred(x, &mx), centred(y, &my));
    // X' (X X' + ridge)^+ y
    let gram = &a * a.transpose();
    let eigen = SymmetricEigen::new(gram);
    let most = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
    let floor = most * f64::EPSILON * x.rows().max(x.columns()) as f64;
    let inverse =
        eigen.eigenvalues.map(|value| if value > floor { 1.0 / (value + ridge) } else { 0.0 });
    let q = &eigen.eigenvectors;
    let mut coordinates = q.transpose() * b;
    for (mut row, inverse) in coordinates.row_iter_mut().zip(inverse.iter()) {
        row *= *inverse;
    }
    let weights = a.transpose() * (q * coordinates);
    let weights = Matrix::from_rows(
        x.columns(),
        weights.column_iter().map(|column| column.iter().copied().collect::<Vec<_>>()),
    );
    let shift = |w: &[f64]| w.iter().zip(&mx).map(|(w, m)| w * m).sum::<f64>();
    let bias = weights.iter().zip(&my).map(|(w, m)| m - shift(w)).collect();
    Fitted::Linear { weights, bias }
}

/// Kernel ridge regression with a radial kernel on scaled rows.
pub(crate) fn kernel_ridge(x: &Matrix, y: &Matrix, gamma: f64, ridge: f64) -> Result<Fitted> {
    let scaling = Scaling::fit(x, true, Some(5.0));
    let rows = scaling.apply_all(x);
    let kernel = Kernel::Rbf { gamma };
    let n = rows.rows();
    let mut gram = DMatrix::zeros(n, n);
    for i in 0..n {
        for j in 0..=i {
            let near = kernel.of(rows.row(i), rows.row(j));
            (gram[(i, j)], gram[(j, i)]) = (near, near);
        }
        gram[(i, i)] += ridge;
    }
    let bias = y.means();
    let targets = DMatrix::from_fn(n, y.columns(), |i, j| y.get(i, j) - bias[j]);
    let solved = gram.cholesky().ok_or_else(|| Error::BadParameter {
        name: "kernel".into(),
        reason: format!("the system can't be solved with a ridge as small as {ridge}"),
    })?;
    let weights = solved.solve(&targets);
    let weights = Matrix::from_rows(
        y.columns(),
        weights.row_iter().map(|row| row.iter().copied().collect::<Vec<_>>()),
    );
    Ok(Fitted::Kernel { scaling, kernel, rows, weights, bias })
}
