//! The ludemes of boards: graphs, how they are made of numbers and of one another, and the items that hold them.
//!
//! A board is made once, before the rules are read, so its ludemes are not nodes: their readers build a [`Graph`].

// Numbers and polygons.
pub(super) mod dimensions;
pub(super) mod poly;

// Shapes.
pub(super) mod brick;
pub(super) mod celtic;
pub(super) mod hex;
pub(super) mod quadhex;
pub(super) mod rectangle;
pub(super) mod regular;
pub(super) mod repeat;
pub(super) mod spiral;
pub(super) mod square;
pub(super) mod tiling;
pub(super) mod tri;
pub(super) mod wedge;

// Shapes of other kinds.
pub(super) mod concentric;
pub(super) mod graph;

// Graphs of graphs.
pub(super) mod add;
pub(super) mod complete;
pub(super) mod cut;
pub(super) mod dual;
pub(super) mod faces;
pub(super) mod layers;
pub(super) mod merge;
pub(super) mod number;
pub(super) mod remove;
pub(super) mod transform;

// The boards.
pub(super) mod board;

use super::{Form, Read, form};
use crate::board::tiling::{Diagonals, SiteType};
use crate::board::{Board, Graph, graph::Point};
use crate::compile::slots::{Slots, takes_slots};
use crate::compile::{Ludeme, Value};
use ludex_core::diagnostic::Diagnostic;

pub(crate) type Result<T> = std::result::Result<T, Diagnostic>;

/// A board has no more vertices than this.
const MOST: usize = 20_000;

/// A form that is a graph.
const fn graph(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: fn(&mut GraphArgs<'_, '_>) -> Result<Graph>,
) -> Form {
    form("graph", text, meaning, example, Read::Graph(read))
}

/// The board that is being made.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// The kind of site on which pieces stand.
    pub(crate) sites: SiteType,
}

/// The arguments of a ludeme of boards.
pub(crate) struct GraphArgs<'d, 'l> {
    slots: Slots<'l>,
    draft: &'d mut Draft,
}

takes_slots!('l, GraphArgs<'_, 'l>);

impl Draft {
    /// Reads the board that an item of the equipment is.
    pub(crate) fn board(item: &Ludeme) -> Result<Board> {
        let mut draft = Draft { sites: SiteType::Cell };
        match item.reader() {
            Some((_, Read::Board(reader))) => draft.read(item, reader),
            _ => Err(Slots::new(item).unsupported()),
        }
    }

    /// Reads a ludeme: all of its arguments, or it is an error.
    fn read<T>(
        &mut self,
        ludeme: &Ludeme,
        reader: fn(&mut GraphArgs<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        let mut args = GraphArgs { slots: Slots::new(ludeme), draft: self };
        args.take_words();
        let value = reader(&mut args)?;
        args.finish()?;
        Ok(value)
    }

    /// The graph of a value.
    fn graph(&mut self, value: &Value, within: &Ludeme) -> Result<Graph> {
        let Value::Call(ludeme) = value else { return Err(Slots::new(within).unsupported()) };
        let graph = match ludeme.reader() {
            Some((_, Read::Graph(reader))) => self.read(ludeme, reader)?,
            _ => return Err(Slots::new(ludeme).unsupported()),
        };
        if graph.vertices.len() > MOST {
            return Err(fault(ludeme, format!("a board of more than {MOST} vertices")));
        }
        Ok(graph)
    }
}

/// The error of a board.
fn fault(ludeme: &Ludeme, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("L030", ludeme.span, message)
}

/// Where the sites of a tiling are.
enum Outline {
    /// Inside these sides, which turn left, or right where they are negative.
    Sides(Vec<i32>),
    /// Inside a polygon.
    Polygon(Vec<[f64; 2]>),
}

impl GraphArgs<'_, '_> {
    fn sites(&self) -> SiteType {
        self.draft.sites
    }

    fn fault(&self, message: impl Into<String>) -> Diagnostic {
        fault(self.ludeme, message)
    }

    /// A board has at least one site, and not too many.
    fn check(&self, sites: usize) -> Result<()> {
        if sites == 0 || sites > MOST {
            return Err(self.fault(format!("a board of {sites} sites")));
        }
        Ok(())
    }

    /// Takes a graph whose circles, if it has any, no longer lie around the middle of the board.
    fn graph(&mut self) -> Result<Graph> {
        self.round_graph().map(|graph| Graph { pivot: None, ..graph })
    }

    /// Takes a graph as it is.
    fn round_graph(&mut self) -> Result<Graph> {
        let value = self.value("graph")?;
        self.draft.graph(value, self.slots.ludeme)
    }

    /// Takes all graphs.
    fn graphs(&mut self) -> Result<Vec<Graph>> {
        let mut values = Vec::new();
        while let Some(value) = self.take_any(&["graph", "{graph}"]) {
            values.extend(value.items());
        }
        let ludeme = self.ludeme;
        let graph = |value| self.draft.graph(value, ludeme);
        let plain = |graph| Graph { pivot: None, ..graph };
        values.into_iter().map(graph).map(|graph| graph.map(plain)).collect()
    }

    /// Takes a number, if it is there.
    fn try_number(&mut self, name: &str) -> Result<Option<f64>> {
        let ludeme = self.ludeme;
        self.take(name).map(|value| dimensions::value(value, ludeme)).transpose()
    }

    /// Takes a number.
    fn number(&mut self, name: &str) -> Result<f64> {
        let value = self.value(name)?;
        dimensions::value(value, self.ludeme)
    }

    /// Takes a size, if it is there.
    fn try_size(&mut self, name: &str) -> Result<Option<usize>> {
        let Some(number) = self.try_number(name)? else { return Ok(None) };
        if number.fract() != 0.0 || !(0.0..=1000.0).contains(&number) {
            return Err(self.fault(format!("{number} is no size of a board")));
        }
        Ok(Some(number as usize))
    }

    /// Takes a size.
    fn size(&mut self, name: &str) -> Result<usize> {
        self.try_size(name)?.ok_or_else(|| self.unsupported())
    }

    /// Takes rows and columns; there are as many of both where only one number is given.
    fn rows_and_columns(&mut self) -> Result<(usize, usize)> {
        let rows = self.size("dim")?;
        let columns = self.try_size("dim")?.unwrap_or(rows);
        self.check(rows * columns)?;
        Ok((rows, columns))
    }

    /// The numbers of a list.
    fn numbers(&self, list: &Value) -> Result<Vec<f64>> {
        list.items().iter().map(|value| dimensions::value(value, self.ludeme)).collect()
    }

    /// Points as `{{x y} {x y}}`.
    fn points(&self, list: &Value) -> Result<Vec<[f64; 2]>> {
        let points = self.points_in_space(list)?;
        Ok(points.into_iter().map(|[x, y, _]| [x, y]).collect())
    }

    /// Points as `{{x y} {x y z}}`.
    fn points_in_space(&self, list: &Value) -> Result<Vec<Point>> {
        let point = |item: &Value| match self.numbers(item)?.as_slice() {
            [x, y] => Ok([*x, *y, 0.0]),
            [x, y, z, ..] => Ok([*x, *y, *z]),
            _ => Err(self.fault("a point has two or three coordinates")),
        };
        list.items().iter().map(point).collect()
    }

    /// The vertices of an edge or a cell: by number, or by place. A place without a vertex gets one where `make` is set.
    fn vertices_of(&self, value: &Value, graph: &mut Graph, make: bool) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        if matches!(value.items().first(), Some(Value::List(_))) {
            for point in self.points_in_space(value)? {
                match graph.find(point) {
                    Some(vertex) => found.push(vertex),
                    None if make => found.push(graph.vertex(point)),
                    None => return Ok(Vec::new()),
                }
            }
            return Ok(found);
        }
        for number in self.numbers(value)? {
            if number < 0.0 || number as usize >= graph.vertices.len() {
                return Err(self.fault(format!("there is no vertex {number}")));
            }
            found.push(number as usize);
        }
        Ok(found)
    }

    /// Takes a polygon or sides, if they are there.
    fn try_outline(&mut self) -> Result<Option<Outline>> {
        if let Some(sides) = self.take("{dim}") {
            return self.sides(sides).map(|sides| Some(Outline::Sides(sides)));
        }
        if !self.has("poly") {
            return Ok(None);
        }
        let polygon = self.polygon()?;
        match polygon.iter().flatten().all(|c| c.abs() <= 100.0) {
            true => Ok(Some(Outline::Polygon(polygon))),
            false => Err(self.fault("this outline is too large")),
        }
    }

    fn sides(&self, list: &Value) -> Result<Vec<i32>> {
        let sides = self.numbers(list)?;
        if sides.iter().map(|side| side.abs()).sum::<f64>() > 600.0 {
            return Err(self.fault("this outline is too large"));
        }
        if sides.is_empty() || sides.iter().any(|side| side.fract() != 0.0 || *side == 0.0) {
            return Err(self.fault("sides are whole numbers"));
        }
        Ok(sides.into_iter().map(|side| side as i32).collect())
    }

    /// Takes a polygon.
    fn polygon(&mut self) -> Result<Vec<[f64; 2]>> {
        let value = self.value("poly")?;
        self.corners(value)
    }

    /// The corners of a polygon.
    fn corners(&mut self, value: &Value) -> Result<Vec<[f64; 2]>> {
        match value {
            Value::Call(ludeme) => self.draft.read(ludeme, poly::read),
            _ => Err(self.unsupported()),
        }
    }

    /// Takes the kind of diagonals.
    fn diagonals(&mut self) -> Result<Diagonals> {
        let Some(word) = self.word("diagonals") else { return Ok(Diagonals::Implied) };
        Diagonals::named(word).ok_or_else(|| self.fault("no such kind of diagonals"))
    }
}
