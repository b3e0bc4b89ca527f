//! Chromosomes: a few genes in a name, or many in a file (JSON, or NumPy's `.npy`).

use ludex_core::{Error, Result, Spec};
use ludex_games::ludo::values::Kind;
use std::fmt;
use std::path::Path;

/// Genes, or where they are.
#[derive(Debug, Clone, PartialEq)]
pub enum Chromosome {
    /// Genes that make a fair player of its kind.
    Usual,
    /// These genes.
    Genes(Vec<f64>),
    /// Those of a file.
    File(String),
}

/// Genes by hand: to leave home and to hit count most.
const SIMPLE: [f64; 4] = [1.3, 0.7, 0.8, 1.2];
/// Genes that one published run of the paper's evolution ended with: of the opponents the strongest
/// counts most.
pub const ADVANCED: [f64; 7] = [0.553, 0.376, 0.519, 0.619, 0.472, 0.300, 0.084];

fn bad(name: &str, reason: String) -> Error {
    Error::BadParameter { name: name.into(), reason }
}

impl Chromosome {
    pub(crate) fn read(spec: &Spec, kind: Kind) -> Result<Self> {
        let most = if kind == Kind::Full { 0 } else { kind.genes() };
        spec.expect(&["file"], most)?;
        let listed: Vec<&Spec> = spec.positional().collect();
        match (spec.get("file"), listed.len()) {
            (Some(file), 0) if file.name == "usual" => Ok(Chromosome::Usual),
            (Some(file), 0) => Ok(Chromosome::File(file.name.clone())),
            (Some(_), _) => Err(bad(&spec.name, "either genes or a file, not both".into())),
            (None, 0) if kind == Kind::Full => Err(bad(
                &spec.name,
                "23,800 genes come from a file, as in ludo-full(file=best.npy)".into(),
            )),
            (None, 0) => Ok(Chromosome::Usual),
            (None, n) if n != kind.genes() => {
                Err(bad(&spec.name, format!("{} genes are due, not {n}", kind.genes())))
            }
            (None, _) => {
                let genes = listed.iter().map(|gene| match gene.name.parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(value),
                    _ => Err(bad(&spec.name, format!("`{}` is no gene", gene.name))),
                });
                Ok(Chromosome::Genes(genes.collect::<Result<_>>()?))
            }
        }
    }

    /// The genes.
    ///
    /// # Errors
    /// A file that can't be read, or with another number of genes.
    pub(crate) fn load(&self, kind: Kind) -> Result<Vec<f64>> {
        let genes = match self {
            Chromosome::Usual if kind == Kind::Simple => SIMPLE.to_vec(),
            Chromosome::Usual => ADVANCED.to_vec(),
            Chromosome::Genes(genes) => genes.clone(),
            Chromosome::File(file) => read_file(Path::new(file))
                .map_err(|reason| bad("chromosome", format!("{file}: {reason}")))?,
        };
        match genes.len() == kind.genes() && genes.iter().all(|gene| gene.is_finite()) {
            true => Ok(genes),
            false => Err(bad(
                "chromosome",
                format!("a {} player has {} genes, not {}", kind.name(), kind.genes(), genes.len()),
            )),
        }
    }
}

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chromosome::Usual => Ok(()),
            Chromosome::Genes(genes) => {
                let genes: Vec<String> = genes.iter().map(ToString::to_string).collect();
                write!(f, "({})", genes.join(","))
            }
            Chromosome::File(file) => write!(f, "(file={})", Spec::new(file)),
        }
    }
}

fn read_file(path: &Path) -> std::result::Result<Vec<f64>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    match bytes.starts_with(b"\x93NUMPY") {
        true => read_npy(&bytes),
        false => serde_json::from_slice(&bytes).map_err(|e| format!("not a list of genes: {e}")),
    }
}

/// A one-dimensional NumPy array of little-endian floats (format 1 to 3).
fn read_npy(bytes: &[u8]) -> std::result::Result<Vec<f64>, String> {
    let cut = || "the file is cut short".to_string();
    let major = *bytes.get(6).ok_or_else(cut)?;
    let (length, at) = match major {
        1 => {
            let size = bytes.get(8..10).ok_or_else(cut)?;
            (u32::from(u16::from_le_bytes([size[0], size[1]])), 10)
        }
        _ => {
            let size = bytes.get(8..12).ok_or_else(cut)?;
            (u32::from_le_bytes([size[0], size[1], size[2], size[3]]), 12)
        }
    };
    let header = bytes.get(at..at + length as usize).ok_or_else(cut)?;
    let header = String::from_utf8_lossy(header);
    let data = bytes.get(at + length as usize..).ok_or_else(cut)?;
    if header.contains("'fortran_order': True") {
        return Err("expected the order of C, which NumPy writes for lists of genes".into());
    }
    let wide = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or_default());
    let narrow = |chunk: &[u8]| f32::from_le_bytes(chunk.try_into().unwrap_or_default());
    if header.contains("'<f8'") {
        Ok(data.chunks_exact(8).map(wide).collect())
    } else if header.contains("'<f4'") {
        Ok(data.chunks_exact(4).map(|chunk| f64::from(narrow(chunk))).collect())
    } else {
        Err("expected an array of <f8 or <f4".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_numpy_is_read_in_both_widths() {
        let file = |kind: &str, data: &[u8]| {
            let mut header =
                format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2,), }}");
            while (10 + header.len() + 1) % 64 != 0 {
                header.push(' ');
            }
            header.push('\n');
            let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
            bytes.extend((header.len() as u16).to_le_bytes());
            bytes.extend(header.as_bytes());
            bytes.extend(data);
            bytes
        };
        let wide: Vec<u8> = [1.5f64, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read_npy(&file("<f8", &wide)), Ok(vec![1.5, -2.0]));
        let narrow: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read_npy(&file("<f4", &narrow)), Ok(vec![1.5, -2.0]));
        assert!(read_npy(&file("<i8", &wide)).is_err());
        assert!(read_npy(b"\x93NUMPY\x01").is_err());
    }
}
