//! The layout of training rows for growing trees.
//!
//! Most features of games have two values, and the rarer value is rare. So each row keeps the list of the columns in which
//! it has the rarer value, and one pass over these lists gives the sums of all two-valued columns of a node. Equal columns
//! are stored once.

use ludex_model::Matrix;
use rustc_hash::FxHashMap;

/// A column of two values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flag {
    /// The threshold between the two values.
    pub(crate) threshold: f64,
    /// Is the rarer value the smaller one?
    pub(crate) low: bool,
}

/// A column of more values.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    /// The value of each row.
    pub(crate) values: Vec<f64>,
    /// The rows in the order of their values.
    pub(crate) order: Vec<u32>,
}

/// All columns of a table that are not constant.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) rows: usize,
    pub(crate) flags: Vec<Flag>,
    /// The flags in which each row has the rarer value.
    pub(crate) sparse: Vec<Vec<u32>>,
    pub(crate) numbers: Vec<Number>,
    /// For each column of the table: the index of its flag, or of its number after all flags. `None` for a constant column.
    /// Equal columns have the same index.
    pub(crate) places: Vec<Option<u32>>,
    /// For each flag and number: the equal columns of the table.
    pub(crate) twins: Vec<Vec<u32>>,
}

impl Columns {
    pub(crate) fn new(x: &Matrix) -> Self {
        let rows = x.rows();
        let (mut flags, mut numbers) = (Vec::new(), Vec::<Number>::new());
        let mut sparse = vec![Vec::new(); rows];
        let mut seen: FxHashMap<Vec<u64>, (bool, u32)> = FxHashMap::default();
        // Numbers come after all flags, so their indices are known at the end.
        let mut places = Vec::with_capacity(x.columns());
        for j in 0..x.columns() {
            let values = x.column(j);
            let key: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
            if let Some(&place) = seen.get(&key) {
                places.push(Some(place));
                continue;
            }
            let (low, high) = values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
            if low >= high || values.is_empty() {
                places.push(None);
                continue;
            }
            let place = if values.iter().all(|&v| v == low || v == high) {
                let lows = values.iter().filter(|&&v| v == low).count();
                let rare = if 2 * lows < rows { low } else { high };
                let place = flags.len() as u32;
                flags.push(Flag { threshold: 0.5 * (low + high), low: rare == low });
                for (row, value) in values.iter().enumerate() {
                    if *value == rare {
                        sparse[row].push(place);
                    }
                }
                (false, place)
            } else {
                let mut order: Vec<u32> = (0..rows as u32).collect();
                order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
                numbers.push(Number { values, order });
                (true, numbers.len() as u32 - 1)
            };
            seen.insert(key, place);
            places.push(Some(place));
        }
        let shift = |(number, place): (bool, u32)| place + u32::from(number) * flags.len() as u32;
        let places: Vec<Option<u32>> = places.into_iter().map(|place| place.map(shift)).collect();
        let mut twins = vec![Vec::new(); flags.len() + numbers.len()];
        for (column, place) in places.iter().enumerate() {
            if let Some(place) = place {
                twins[*place as usize].push(column as u32);
            }
        }
        Columns { rows, flags, sparse, numbers, places, twins }
    }
}
