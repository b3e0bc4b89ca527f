//! Tables of games as CSV: a name, then numbers.

use ludex_core::{Error, Result};
use ludex_model::Matrix;
use std::collections::HashMap;
use std::path::Path;

/// A row of numbers a game, with the names of rows and columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The names of the rows.
    pub names: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The numbers.
    pub values: Matrix,
}

impl Table {
    /// Reads a CSV file: the first line has the names of the columns, the first column those of
    /// the rows.
    ///
    /// # Errors
    /// A file that is not there, is no table of numbers, or names a row twice; with the line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| bad(path, e.to_string()))?;
        Self::parse(&text).map_err(|reason| bad(path, reason))
    }

    /// Reads a table from text; the error says what is wrong and where.
    ///
    /// # Errors
    /// As [`read`](Table::read).
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(|e| e.to_string())?.clone();
        let columns: Vec<String> = header.iter().skip(1).map(str::to_string).collect();
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        let mut seen = std::collections::HashSet::new();
        for record in reader.records() {
            let record = record.map_err(|e| e.to_string())?;
            let line = record.position().map_or(0, csv::Position::line);
            let name = record.get(0).unwrap_or_default().to_string();
            if !seen.insert(name.clone()) {
                return Err(format!("line {line}: `{name}` is there twice"));
            }
            let mut row = Vec::with_capacity(columns.len());
            for (value, column) in record.iter().skip(1).zip(&columns) {
                match value.trim().parse::<f64>() {
                    Ok(number) if number.is_finite() => row.push(number),
                    _ => return Err(format!("line {line}, {column}: `{value}` is no number")),
                }
            }
            names.push(name);
            rows.push(row);
        }
        if columns.is_empty() || names.is_empty() {
            return Err("no table: a name and at least one number a line are due".into());
        }
        let values = Matrix::from_rows(columns.len(), rows);
        Ok(Table { names, columns, values })
    }

    /// As CSV.
    pub fn to_csv(&self, key: &str) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = std::iter::once(key).chain(self.columns.iter().map(String::as_str));
        let mut written = writer.write_record(header);
        for (name, row) in self.names.iter().zip(self.values.iter()) {
            let cells = row.iter().map(|v| v.to_string());
            written = written
                .and_then(|()| writer.write_record(std::iter::once(name.clone()).chain(cells)));
        }
        // Writing into memory does not fail.
        let bytes = written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// The place of each name.
    pub fn places(&self) -> HashMap<&str, usize> {
        self.names.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect()
    }

    /// The rows that `other` has too, in the order of this table, with the columns of both.
    pub fn join(&self, other: &Table) -> Table {
        let places = other.places();
        let both = self.names.iter().enumerate();
        let both: Vec<(usize, usize)> =
            both.filter_map(|(i, name)| Some((i, *places.get(name.as_str())?))).collect();
        let columns = [self.columns.as_slice(), &other.columns].concat();
        let rows = both.iter().map(|&(i, j)| [self.values.row(i), other.values.row(j)].concat());
        Table {
            names: both.iter().map(|&(i, _)| self.names[i].clone()).collect(),
            values: Matrix::from_rows(columns.len(), rows),
            columns,
        }
    }

    /// Adds a row of named numbers; a column that is new is 0 in the rows before, one that this row
    /// lacks is 0 in it.
    pub fn add<'a>(&mut self, name: &str, row: impl Iterator<Item = (&'a str, f64)>) {
        let mut places: HashMap<String, usize> =
            self.columns.iter().enumerate().map(|(i, column)| (column.clone(), i)).collect();
        let mut cells = vec![0.0; self.columns.len()];
        for (column, value) in row {
            let place = *places.entry(column.to_string()).or_insert_with(|| {
                self.columns.push(column.to_string());
                cells.push(0.0);
                cells.len() - 1
            });
            cells[place] = value;
        }
        let width = cells.len();
        let wide = |row: &[f64]| {
            let mut row = row.to_vec();
            row.resize(width, 0.0);
            row
        };
        let rows: Vec<Vec<f64>> = self.values.iter().map(wide).chain([cells.clone()]).collect();
        self.names.push(name.to_string());
        self.values = Matrix::from_rows(width, rows);
    }

    /// These rows, in this order.
    pub fn select(&self, rows: &[usize]) -> Table {
        Table {
            names: rows.iter().map(|&i| self.names[i].clone()).collect(),
            columns: self.columns.clone(),
            values: self.values.select(rows),
        }
    }

    /// These columns, in this order.
    pub fn select_columns(&self, columns: &[usize]) -> Table {
        Table {
            names: self.names.clone(),
            columns: columns.iter().map(|&j| self.columns[j].clone()).collect(),
            values: self.values.select_columns(columns),
        }
    }
}

fn bad(path: &Path, reason: String) -> Error {
    Error::BadParameter { name: path.display().to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tables_are_joined_in_the_order_of_the_first() {
        let a = Table::parse("g,x\nc,1\na,2\nb,3\n").unwrap();
        let b = Table::parse("g,y\nb,5\nc,6\n").unwrap();
        let both = a.join(&b);
        assert_eq!(both.names, ["c", "b"]);
        assert_eq!(both.values, Matrix::from_rows(2, [[1.0, 6.0], [3.0, 5.0]]));
        assert_eq!(Table::parse(&both.to_csv("g")).unwrap(), both);
    }

    #[test]
    fn a_row_with_new_columns_widens_the_table() {
        let mut table = Table::default();
        table.add("a", [("x", 1.0), ("y", 2.0)].into_iter());
        table.add("b", [("z", 3.0), ("x", 4.0)].into_iter());
        assert_eq!(table.columns, ["x", "y", "z"]);
        assert_eq!(table.values, Matrix::from_rows(3, [[1.0, 2.0, 0.0], [4.0, 0.0, 3.0]]));
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_place() {
        let says = |text: &str| Table::parse(text).unwrap_err();
        assert_eq!(says("g,x\na,1\nb,two\n"), "line 3, x: `two` is no number");
        assert_eq!(says("g,x\na,1\na,2\n"), "line 3: `a` is there twice");
        assert!(says("").contains("no table"));
        assert!(says("g,x\na,1,2\n").contains("fields"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_table_or_refused(text in "[a-c,0-9\"\n.]{0,60}") {
            if let Ok(table) = Table::parse(&text) {
                prop_assert_eq!(table.values.rows(), table.names.len());
            }
        }
    }
}
