//! Finds boards in the facts of a rule sheet, by the domains of arguments alone.
//!
//! A relation describes a board if some of its arguments are coordinates: their values have an order (numbers, letters, words
//! that end in a number), and in every position they determine the other arguments, as `(cell 3 2 x)` has one piece on each
//! square. Two coordinates make a board; with three there are several boards in a row, with four a board of boards.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A fact, or a move: a word and its arguments as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) head: String,
    pub(super) args: Vec<String>,
}

impl Fact {
    /// Reads a KIF term.
    pub(super) fn read(text: &str) -> Option<Fact> {
        let (tree, _) = crate::kif::read(text);
        match tree.first()? {
            crate::kif::Sexp::Word(word, _) => {
                Some(Fact { head: word.to_lowercase(), args: Vec::new() })
            }
            crate::kif::Sexp::List(items, _) => {
                let mut words = items.iter().map(|item| item.to_string().to_lowercase());
                Some(Fact { head: words.next()?, args: words.collect() })
            }
        }
    }
}

/// One coordinate: its values in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) values: Vec<String>,
    /// Are the values letters?
    pub(super) letters: bool,
}

impl Axis {
    /// The place of a value on the axis.
    pub(super) fn place(&self, value: &str) -> Option<usize> {
        self.values.iter().position(|known| known == value)
    }
}

/// The longest axis of a board.
const LONGEST: usize = 64;

/// The most sites of a board.
const MOST_SITES: usize = 4096;

/// One of so many facts may be a second one about the same square: some sheets let pieces meet.
const MOST_DOUBLES: usize = 8;

/// A relation that describes a board.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) head: String,
    pub(super) arity: usize,
    /// The arguments that are coordinates, two to four.
    pub(super) coordinates: Vec<usize>,
    pub(super) axes: Vec<Axis>,
    /// How many combinations of coordinates occur.
    pub(super) places: usize,
}

impl Relation {
    /// The coordinates of a fact of this relation, as places on the axes.
    pub(super) fn place(&self, fact: &Fact) -> Option<Vec<usize>> {
        if fact.head != self.head || fact.args.len() != self.arity {
            return None;
        }
        let places = self.coordinates.iter().zip(&self.axes);
        places.map(|(&argument, axis)| axis.place(fact.args.get(argument)?)).collect()
    }

    /// The arguments of a fact that are no coordinates.
    pub(super) fn content<'a>(&self, fact: &'a Fact) -> Vec<&'a str> {
        let others = (0..fact.args.len()).filter(|i| !self.coordinates.contains(i));
        others.filter_map(|i| fact.args.get(i)).map(String::as_str).collect()
    }

    fn sites(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }
}

/// The order of a value among others of its kind: letters before the number at the end, and the number.
fn split(value: &str) -> (&str, Option<u64>) {
    let stem = value.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, value[stem.len()..].parse().ok())
}

/// The axis of some values, if they have an order.
fn axis(values: &BTreeSet<&str>) -> Option<Axis> {
    if values.len() < 2 || values.len() > LONGEST {
        return None;
    }
    let letters =
        values.iter().all(|value| value.len() == 1 && value.as_bytes()[0].is_ascii_alphabetic());
    if letters {
        // Letters of a board follow each other: `x`, `o`, `b` are pieces.
        let codes: Vec<u8> = values.iter().map(|value| value.as_bytes()[0]).collect();
        let (first, last) = (codes.iter().min()?, codes.iter().max()?);
        let close = usize::from(last - first) < values.len() + 1;
        let values = values.iter().map(|value| (*value).to_string()).collect();
        return close.then_some(Axis { values, letters: true });
    }
    let parts: Vec<(&str, u64)> = values
        .iter()
        .map(|value| split(value))
        .map(|(stem, number)| Some((stem, number?)))
        .collect::<Option<_>>()?;
    let stem = parts.first()?.0;
    if parts.iter().any(|part| part.0 != stem) {
        return None;
    }
    let (least, most) = (parts.iter().map(|p| p.1).min()?, parts.iter().map(|p| p.1).max()?);
    // Numbers that lie far apart are amounts.
    if most - least >= 2 * values.len() as u64 + 2 {
        return None;
    }
    let values: Vec<String> = match most - least < LONGEST as u64 {
        true => (least..=most).map(|number| format!("{stem}{number}")).collect(),
        false => return None,
    };
    Some(Axis { values, letters: false })
}

/// All facts of one relation: those that can hold at all, and those that hold in each sampled position.
struct Table<'a> {
    all: Vec<&'a Fact>,
    positions: Vec<Vec<&'a Fact>>,
}

/// The relations that describe boards, the largest first.
pub(super) fn boards(known: &[Fact], positions: &[Vec<Fact>]) -> Vec<Relation> {
    let mut tables: FxHashMap<(&str, usize), Table<'_>> = FxHashMap::default();
    let everything = known.iter().chain(positions.iter().flatten());
    for fact in everything.filter(|fact| (2..=6).contains(&fact.args.len())) {
        let empty = || Table { all: Vec::new(), positions: vec![Vec::new(); positions.len()] };
        tables.entry((&fact.head, fact.args.len())).or_insert_with(empty).all.push(fact);
    }
    for (number, position) in positions.iter().enumerate() {
        for fact in position {
            if let Some(table) = tables.get_mut(&(fact.head.as_str(), fact.args.len())) {
                table.positions[number].push(fact);
            }
        }
    }
    let mut found: Vec<Relation> =
        tables.iter().filter_map(|(&(head, arity), table)| board(head, arity, table)).collect();
    found.sort_by(|a, b| (b.places, b.arity, &a.head).cmp(&(a.places, a.arity, &b.head)));
    found
}

/// The coordinates of one relation, with as few of them as determine the rest.
fn board(head: &str, arity: usize, table: &Table<'_>) -> Option<Relation> {
    let axes: Vec<Option<Axis>> = (0..arity)
        .map(|argument| axis(&table.all.iter().map(|fact| fact.args[argument].as_str()).collect()))
        .collect();
    let ordered: Vec<usize> = (0..arity).filter(|&argument| axes[argument].is_some()).collect();
    for count in 2..=4.min(ordered.len()) {
        let mut best: Option<Relation> = None;
        for coordinates in subsets(&ordered, count) {
            let chosen: Vec<Axis> =
                coordinates.iter().filter_map(|&argument| axes[argument].clone()).collect();
            let places: FxHashSet<Vec<&str>> = table
                .all
                .iter()
                .map(|fact| coordinates.iter().map(|&i| fact.args[i].as_str()).collect())
                .collect();
            let relation = Relation {
                head: head.to_owned(),
                arity,
                coordinates,
                axes: chosen,
                places: places.len(),
            };
            let fits = relation.sites() <= MOST_SITES
                && relation.sites() >= 4
                && 10 * relation.places >= 3 * relation.sites()
                && determines(&relation, table);
            if fits && best.as_ref().is_none_or(|best| relation.places > best.places) {
                best = Some(relation);
            }
        }
        if best.is_some() {
            return best;
        }
    }
    None
}

/// Do the coordinates determine the other arguments in nearly all positions, and is the relation no mere list of counters?
fn determines(relation: &Relation, table: &Table<'_>) -> bool {
    let key = |fact: &Fact, of: &[usize]| -> Vec<String> {
        of.iter().map(|&argument| fact.args[argument].clone()).collect()
    };
    let mut counters = relation.arity == relation.coordinates.len();
    let (mut facts, mut doubles) = (0, 0);
    for position in &table.positions {
        let mut contents: FxHashSet<Vec<String>> = FxHashSet::default();
        let mut firsts: FxHashSet<String> = FxHashSet::default();
        for fact in position {
            facts += 1;
            doubles += usize::from(!contents.insert(key(fact, &relation.coordinates)));
            let first = relation.coordinates.first().map(|&argument| fact.args[argument].clone());
            counters &= firsts.insert(first.unwrap_or_default());
        }
    }
    // A relation that has one value for each first argument is a list of counters, such as the heaps of Nim.
    facts > 0 && MOST_DOUBLES * doubles <= facts && !counters
}

/// The ways to choose so many of some numbers, in order.
fn subsets(of: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (i, &first) in of.iter().enumerate() {
        for mut rest in subsets(&of[i + 1..], count - 1) {
            rest.insert(0, first);
            out.push(rest);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(texts: &[String]) -> Vec<Fact> {
        texts.iter().filter_map(|text| Fact::read(text)).collect()
    }

    fn squares(width: u32, height: u32, piece: &str) -> Vec<String> {
        (1..=width)
            .flat_map(|x| (1..=height).map(move |y| (x, y)))
            .map(|(x, y)| format!("(cell {x} {y} {piece})"))
            .collect()
    }

    #[test]
    fn a_relation_with_one_piece_on_each_square_is_a_board() {
        let position = facts(&squares(3, 4, "b"));
        let found = boards(&position, std::slice::from_ref(&position));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].coordinates, [0, 1]);
        assert_eq!((found[0].axes[0].values.len(), found[0].axes[1].values.len()), (3, 4));
        let fact = Fact::read("(Cell 2 4 x)").unwrap();
        assert_eq!(found[0].place(&fact), Some(vec![1, 3]));
        assert_eq!(found[0].content(&fact), ["x"]);
    }

    #[test]
    fn letters_and_numbers_with_a_stem_are_coordinates() {
        let texts: Vec<String> = ["a", "b", "c"]
            .iter()
            .flat_map(|x| [1, 2, 3].map(|y| format!("(at pawn {x} row{y})")))
            .collect();
        let position = facts(&texts);
        let found = boards(&position, std::slice::from_ref(&position));
        assert_eq!(found[0].coordinates, [1, 2]);
        assert!(found[0].axes[0].letters);
        assert_eq!(found[0].axes[1].values, ["row1", "row2", "row3"]);
    }

    #[test]
    fn counters_are_no_board() {
        let one = facts(&["(heap a 3)".into(), "(heap b 5)".into(), "(heap c 4)".into()]);
        let two = facts(&["(heap a 3)".into(), "(heap b 4)".into(), "(heap c 4)".into()]);
        assert!(boards(&[], &[one, two]).is_empty());
        let pieces = facts(&["(holds white x)".into(), "(holds black o)".into()]);
        assert!(boards(&pieces, std::slice::from_ref(&pieces)).is_empty());
    }

    #[test]
    fn a_third_coordinate_makes_several_boards() {
        let texts: Vec<String> = (1..=2)
            .flat_map(|board| {
                squares(3, 3, "b")
                    .into_iter()
                    .map(move |s| s.replace("(cell", &format!("(cell {board}")))
            })
            .collect();
        let position = facts(&texts);
        let found = boards(&position, std::slice::from_ref(&position));
        assert_eq!(found[0].coordinates, [0, 1, 2]);
    }
}
