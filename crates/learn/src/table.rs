//! Tables of games as CSV: a name, then numbers.

use crate::file::FileError;
use ludex_model::Matrix;
use std::collections::HashMap;
use std::path::Path;

/// A text that is not a table of numbers.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The text is not CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A cell is not a finite number.
    #[error("line {line}, {column}: `{value}` is not a number")]
    Number {
        /// The line in the text, from 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// The text of the cell.
        value: String,
    },
    /// Two rows have the same name.
    #[error("line {line}: `{name}` is there twice")]
    Twice {
        /// The line of the second row.
        line: u64,
        /// The name.
        name: String,
    },
    /// There are no rows or no columns.
    #[error("not a table: each line needs a name and at least one number")]
    Empty,
    /// The table has other columns than expected.
    #[error("the columns are not {0}")]
    Columns(String),
}

/// One row of numbers per game, with the names of rows and columns.
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
    /// Reads a CSV file. The first line has the names of the columns, the first column the names of the rows.
    ///
    /// # Errors
    /// The file can't be read, is not a table of numbers, or names a row twice.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path).map_err(|error| FileError::new(path, error))?;
        Self::parse(&text).map_err(|error| FileError::new(path, error))
    }

    /// Reads a table from CSV text.
    ///
    /// # Errors
    /// The text is not a table of numbers, or names a row twice.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers()?.clone();
        let columns: Vec<String> = header.iter().skip(1).map(str::to_string).collect();
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        let mut seen = std::collections::HashSet::new();
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            let name = record.get(0).unwrap_or_default().to_string();
            if !seen.insert(name.clone()) {
                return Err(TableError::Twice { line, name });
            }
            let mut row = Vec::with_capacity(columns.len());
            for (value, column) in record.iter().skip(1).zip(&columns) {
                match value.trim().parse::<f64>() {
                    Ok(number) if number.is_finite() => row.push(number),
                    _ => {
                        let (column, value) = (column.clone(), value.to_string());
                        return Err(TableError::Number { line, column, value });
                    }
                }
            }
            names.push(name);
            rows.push(row);
        }
        if columns.is_empty() || names.is_empty() {
            return Err(TableError::Empty);
        }
        let values = Matrix::from_rows(columns.len(), rows);
        Ok(Table { names, columns, values })
    }

    /// The table as CSV. `key` is the name of the first column.
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

    /// The index of each row by its name.
    pub fn places(&self) -> HashMap<&str, usize> {
        self.names.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect()
    }

    /// The rows that both tables have, in the order of this table, with the columns of both.
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

    /// Adds a row of named numbers. A new column is 0 in all earlier rows; a column that the row lacks is 0 in it.
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

    /// The table of these rows, in this order.
    pub fn select(&self, rows: &[usize]) -> Table {
        Table {
            names: rows.iter().map(|&i| self.names[i].clone()).collect(),
            columns: self.columns.clone(),
            values: self.values.select(rows),
        }
    }

    /// The table of these columns, in this order.
    pub fn select_columns(&self, columns: &[usize]) -> Table {
        Table {
            names: self.names.clone(),
            columns: columns.iter().map(|&j| self.columns[j].clone()).collect(),
            values: self.values.select_columns(columns),
        }
    }
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
        let says = |text: &str| Table::parse(text).unwrap_err().to_string();
        assert_eq!(says("g,x\na,1\nb,two\n"), "line 3, x: `two` is not a number");
        assert_eq!(says("g,x\na,1\na,2\n"), "line 3: `a` is there twice");
        assert!(says("").contains("not a table"));
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
