//! NumPy's `.npy` files of floats: lists of genes, and whole populations.

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

/// Is this such a file?
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array of little-endian floats in the order of C (formats 1 to 3): its shape, and its
/// values.
///
/// # Errors
/// What is wrong, in words.
pub fn read(bytes: &[u8]) -> Result<(Vec<usize>, Vec<f64>), String> {
    let cut = || "the file is cut short".to_string();
    let rest = bytes.strip_prefix(MAGIC).ok_or("no file of NumPy")?;
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (u32::from(u16::from_le_bytes([*low, *high])), rest),
        [_, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        _ => return Err(cut()),
    };
    let (header, data) = rest.split_at_checked(length as usize).ok_or_else(cut)?;
    let header = String::from_utf8_lossy(header);
    if header.contains("'fortran_order': True") {
        return Err("expected the order of C, which NumPy writes for lists of genes".into());
    }
    let wide = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or_default());
    let narrow = |chunk: &[u8]| f32::from_le_bytes(chunk.try_into().unwrap_or_default());
    let values: Vec<f64> = if header.contains("'<f8'") {
        data.chunks_exact(8).map(wide).collect()
    } else if header.contains("'<f4'") {
        data.chunks_exact(4).map(|chunk| f64::from(narrow(chunk))).collect()
    } else {
        return Err("expected an array of <f8 or <f4".into());
    };
    let shape = header.split_once("'shape': (").and_then(|(_, tail)| tail.split_once(')'));
    let shape: Vec<usize> = shape
        .map(|(shape, _)| shape.split(',').filter_map(|n| n.trim().parse().ok()).collect())
        .unwrap_or_default();
    let count = shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size));
    match count == Some(values.len()) {
        true => Ok((shape, values)),
        false => Err(cut()),
    }
}

/// Reads a matrix by rows.
///
/// # Errors
/// What is wrong, in words.
pub fn read_matrix(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    match read(bytes)? {
        (shape, values) if shape.len() == 2 && shape[1] > 0 => {
            Ok(values.chunks_exact(shape[1]).map(<[f64]>::to_vec).collect())
        }
        _ => Err("expected a matrix".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_comes_back_and_a_cut_one_does_not() {
        let rows = vec![vec![1.5, -2.0, 0.1], vec![f64::MAX, 0.0, 1e-300]];
        let bytes = matrix(&rows);
        assert_eq!(read_matrix(&bytes), Ok(rows));
        for length in [bytes.len() - 1, bytes.len() - 8, 20, 7, 0] {
            assert!(read_matrix(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!((bytes.len() - 48) % 64, 0, "data begin at a multiple of 64");
        assert!(read_matrix(&list(&[1.0])).is_err());
    }

    #[test]
    fn lists_are_read_in_both_widths() {
        let wide = list(&[1.5, -2.0]);
        assert_eq!(read(&wide), Ok((vec![2], vec![1.5, -2.0])));
        let with = |kind: &[u8], data: &[u8]| {
            let mut bytes = wide.clone();
            let at = bytes.windows(3).position(|three| three == b"<f8").unwrap();
            bytes[at..at + 3].copy_from_slice(kind);
            bytes.truncate(bytes.len() - 16);
            bytes.extend(data);
            bytes
        };
        let narrow: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read(&with(b"<f4", &narrow)), Ok((vec![2], vec![1.5, -2.0])));
        assert!(read(&with(b"<i8", &[0; 16])).is_err());
    }
}
