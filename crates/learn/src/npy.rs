//! NumPy's `.npy` files of 64-bit floats: lists of genes and populations.

/// A list.
pub fn list(values: &[f64]) -> Vec<u8> {
    file(&format!("({},)", values.len()), values.iter())
}

/// A matrix, by rows; rows are as long as the first.
pub fn matrix(rows: &[Vec<f64>]) -> Vec<u8> {
    let columns = rows.first().map_or(0, Vec::len);
    let values = rows.iter().flat_map(|row| row.iter().take(columns));
    file(&format!("({}, {columns})", rows.len()), values)
}

/// Format 1.0: the header is filled up so that the data begin at a multiple of 64.
fn file<'a>(shape: &str, values: impl Iterator<Item = &'a f64>) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Reads what [`matrix`] wrote.
///
/// # Errors
/// What is wrong, in words.
pub fn read_matrix(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let bad = || "is no matrix of this program".to_string();
    let rest = bytes.strip_prefix(b"\x93NUMPY\x01\x00").ok_or_else(bad)?;
    let (size, rest) = rest.split_first_chunk::<2>().ok_or_else(bad)?;
    let (header, data) =
        rest.split_at_checked(usize::from(u16::from_le_bytes(*size))).ok_or_else(bad)?;
    let header = String::from_utf8_lossy(header);
    let shape = header.split_once("'shape': (").and_then(|(_, tail)| tail.split_once(')'));
    let shape: Vec<usize> = shape
        .map(|(shape, _)| shape.split(',').filter_map(|n| n.trim().parse().ok()).collect())
        .unwrap_or_default();
    let [rows, columns] = shape[..] else { return Err(bad()) };
    let whole = rows.checked_mul(columns).and_then(|n| n.checked_mul(8));
    if whole != Some(data.len()) || !header.contains("'<f8'") {
        return Err("is cut short, or no matrix of this program".into());
    }
    if columns == 0 {
        return Ok(vec![Vec::new(); rows.min(1 << 20)]);
    }
    let number = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or_default());
    Ok(data
        .chunks_exact(8 * columns)
        .map(|row| row.chunks_exact(8).map(number).collect())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_comes_back_and_a_cut_one_does_not() {
        let rows = vec![vec![1.5, -2.0, 0.1], vec![f64::MAX, 0.0, 1e-300]];
        let bytes = matrix(&rows);
        assert_eq!(read_matrix(&bytes), Ok(rows));
        assert!(read_matrix(&bytes[..bytes.len() - 1]).is_err());
        assert!(read_matrix(&bytes[..20]).is_err());
        assert!(read_matrix(b"").is_err());
        assert_eq!((bytes.len() - 48) % 64, 0, "data begin at a multiple of 64");
    }
}
