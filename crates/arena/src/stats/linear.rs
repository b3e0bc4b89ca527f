//! The little linear algebra that ratings need: dense systems of some hundred unknowns.

/// The inverse of a square matrix by Gauss-Jordan elimination with pivoting; `None` where it is
/// singular.
#[expect(clippy::needless_range_loop, reason = "rows and columns of one matrix")]
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut a: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let mut row = row.clone();
            row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
            row
        })
        .collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))?;
        if a[pivot][column].abs() < 1e-300 {
            return None;
        }
        a.swap(column, pivot);
        let scale = a[column][column];
        a[column].iter_mut().for_each(|x| *x /= scale);
        for row in 0..n {
            let factor = a[row][column];
            if row != column && factor != 0.0 {
                for k in column..2 * n {
                    a[row][k] -= factor * a[column][k];
                }
            }
        }
    }
    Some(a.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// The product of two matrices.
pub(super) fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| (0..columns).map(|j| row.iter().zip(b).map(|(x, b)| x * b[j]).sum()).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let a = vec![vec![2.0, 1.0, 0.0], vec![1.0, 3.0, 1.0], vec![0.0, 1.0, 4.0]];
        let one = product(&a, &inverse(&a).unwrap());
        for (i, row) in one.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                assert!((x - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        assert!(inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    }
}
