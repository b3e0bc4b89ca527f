//! From the expression of a board to its graph.

use super::graph::{Graph, Point};
use super::mosaic::{self, Mosaic};
use super::operate;
use super::shapes::{self, Rings};
use super::tiling::{self, Diagonals, SiteType};
use crate::tree::{Form, Node};
use ludex_core::diagnostic::Diagnostic;

/// A board has no more vertices than this.
const MOST: usize = 20_000;

/// Crossings are sought between no more edges.
const MOST_CROSSING: usize = 400;

/// All pairs of no more vertices are joined.
const MOST_JOINED: usize = 200;

/// Builds graphs for boards on which pieces stand on `sites`.
pub struct Builder {
    /// What the pieces stand on.
    pub sites: SiteType,
}

type Result<T> = std::result::Result<T, Diagnostic>;

fn fault(node: &Node, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("L030", node.span, message)
}

/// The arguments of a call: those without a label in order, and those with one by name.
struct Args<'a> {
    call: &'a Node,
    plain: Vec<&'a Node>,
}

impl<'a> Args<'a> {
    fn of(call: &'a Node) -> Args<'a> {
        Args { call, plain: call.args().iter().filter(|a| a.label.is_none()).collect() }
    }

    fn named(&self, label: &str) -> Option<&'a Node> {
        self.call.args().iter().find(|a| a.label.as_deref() == Some(label))
    }

    fn word(&mut self) -> Option<&'a str> {
        match &self.plain.first()?.form {
            Form::Word(word) => {
                self.plain.remove(0);
                Some(word)
            }
            _ => None,
        }
    }

    fn flag(&self, label: &str, default: bool) -> bool {
        match self.named(label).map(|n| &n.form) {
            Some(Form::Word(word)) => word == "True",
            _ => default,
        }
    }

    fn first(&self) -> Result<&'a Node> {
        self.at(0)
    }

    fn at(&self, n: usize) -> Result<&'a Node> {
        self.plain.get(n).copied().ok_or_else(|| {
            fault(
                self.call,
                format!("({} …) lacks an argument", self.call.keyword().unwrap_or("?")),
            )
        })
    }
}

/// A number: plain or computed.
pub fn number(node: &Node) -> Result<f64> {
    match &node.form {
        Form::Int(n) => Ok(f64::from(*n)),
        Form::Float(x) => Ok(f64::from(*x)),
        Form::Call(_) => {
            // `(+ {a b c})` as well as `(+ a b)`.
            let given = match node.args() {
                [only] if is_list(only) => only.items(),
                all => all,
            };
            let args: Vec<f64> = given.iter().map(number).collect::<Result<_>>()?;
            let int = given.iter().all(is_whole);
            match (node.keyword(), args.as_slice()) {
                (Some("+"), all) => Ok(all.iter().sum()),
                (Some("*"), all) => Ok(all.iter().product()),
                (Some("-"), [a, b]) => Ok(a - b),
                (Some("-"), [a]) => Ok(-a),
                (Some("/"), [_, b]) if *b == 0.0 => Err(fault(node, "division by zero")),
                (Some("/"), [a, b]) => Ok(if int { (a / b).trunc() } else { a / b }),
                (Some("%"), [a, b]) if *b != 0.0 => Ok(a % b),
                (Some("^"), [a, b]) => Ok(a.powf(*b)),
                (Some("min"), [a, b]) => Ok(a.min(*b)),
                (Some("max"), [a, b]) => Ok(a.max(*b)),
                (Some("abs"), [a]) => Ok(a.abs()),
                (Some("sqrt"), [a]) => Ok(a.sqrt()),
                _ => Err(fault(node, "a number is expected here")),
            }
        }
        _ => Err(fault(node, "a number is expected here")),
    }
}

fn is_whole(node: &Node) -> bool {
    match &node.form {
        Form::Int(_) => true,
        Form::Call(_) => node.args().iter().all(is_whole),
        Form::List(items) => items.iter().all(is_whole),
        _ => false,
    }
}

fn size(node: &Node) -> Result<usize> {
    let n = number(node)?;
    if n.fract() != 0.0 || !(0.0..=1000.0).contains(&n) {
        return Err(fault(node, format!("{n} is no size of a board")));
    }
    Ok(n as usize)
}

fn numbers(node: &Node) -> Result<Vec<f64>> {
    node.items().iter().map(number).collect()
}

/// Points as `{{x y} {x y}}`.
fn points(node: &Node) -> Result<Vec<[f64; 2]>> {
    node.items()
        .iter()
        .map(|item| match numbers(item)?.as_slice() {
            [x, y, ..] => Ok([*x, *y]),
            _ => Err(fault(item, "a point has two coordinates")),
        })
        .collect()
}

/// Points as `{{x y} {x y z}}`.
fn points_in_space(node: &Node) -> Result<Vec<Point>> {
    node.items()
        .iter()
        .map(|item| match numbers(item)?.as_slice() {
            [x, y] => Ok([*x, *y, 0.0]),
            [x, y, z, ..] => Ok([*x, *y, *z]),
            _ => Err(fault(item, "a point has two or three coordinates")),
        })
        .collect()
}

/// The sides of an outline.
fn whole_sides(node: &Node) -> Result<Vec<i32>> {
    let sides = numbers(node)?;
    let around: f64 = sides.iter().map(|s| s.abs()).sum();
    if around > 600.0 {
        return Err(fault(node, "this outline is too large"));
    }
    if sides.is_empty() || sides.iter().any(|s| s.fract() != 0.0 || *s == 0.0) {
        return Err(fault(node, "sides are whole numbers"));
    }
    Ok(sides.into_iter().map(|s| s as i32).collect())
}

fn is_list(node: &Node) -> bool {
    matches!(node.form, Form::List(_))
}

impl Builder {
    /// The graph of an expression such as `(merge (square 3) (shift 3 0 (square 2)))`.
    pub fn graph(&self, node: &Node) -> Result<Graph> {
        let graph = self.build(node)?;
        if graph.vertices.len() > MOST {
            return Err(fault(node, format!("a board of more than {MOST} vertices")));
        }
        Ok(graph)
    }

    fn graphs(&self, args: &Args<'_>) -> Result<Vec<Graph>> {
        let list: Vec<&Node> = match args.plain.as_slice() {
            [only] if is_list(only) => only.items().iter().collect(),
            several => several.to_vec(),
        };
        list.into_iter().filter(|n| n.keyword().is_some()).map(|n| self.graph(n)).collect()
    }

    fn build(&self, node: &Node) -> Result<Graph> {
        let keyword = node.keyword().ok_or_else(|| fault(node, "a board's graph is expected"))?;
        let made = self.generated(keyword, node);
        let made = made.or_else(|| self.joined(keyword, node));
        let unknown = || {
            let message = format!("({keyword} …) is not supported as a board");
            Err(Diagnostic::error("L031", node.span, message))
        };
        made.or_else(|| self.changed(keyword, node)).unwrap_or_else(unknown)
    }

    /// A graph that is made from numbers; nothing for other words.
    fn generated(&self, keyword: &str, node: &Node) -> Option<Result<Graph>> {
        matches!(
            keyword,
            "square"
                | "rectangle"
                | "hex"
                | "tri"
                | "tiling"
                | "celtic"
                | "repeat"
                | "quadhex"
                | "brick"
                | "spiral"
                | "layers"
                | "wedge"
                | "regular"
                | "concentric"
                | "graph"
        )
        .then(|| self.generated_by(keyword, node))
    }

    fn generated_by(&self, keyword: &str, node: &Node) -> Result<Graph> {
        let mut args = Args::of(node);
        match keyword {
            "square" => self.square(&mut args),
            "rectangle" => {
                let rows = size(args.first()?)?;
                let columns = args.plain.get(1).map_or(Ok(rows), |n| size(n))?;
                self.check(node, rows * columns)?;
                Ok(tiling::rectangle(rows, columns, self.sites, diagonals(&args)?))
            }
            "hex" => self.hex(&mut args),
            "tri" => self.tri(&mut args),
            "tiling" => self.mosaic(&mut args),
            "celtic" => {
                let rows = size(args.first()?)?;
                let columns = args.plain.get(1).map_or(Ok(rows), |n| size(n))?;
                self.check(node, rows * columns)?;
                Ok(mosaic::celtic(rows, columns))
            }
            "repeat" => self.repeat(&args),
            "quadhex" => {
                if args.flag("thirds", false) {
                    return Err(fault(node, "(quadhex … thirds:True) is not supported yet"));
                }
                let layers = size(args.first()?)?;
                self.check(node, layers * layers * 6)?;
                Ok(mosaic::quadhex(layers))
            }
            "brick" => {
                if let Some(shape) = args.word().filter(|w| !matches!(*w, "Square" | "Rectangle")) {
                    return Err(fault(node, format!("(brick {shape} …) is not supported")));
                }
                if args.flag("trim", false) {
                    return Err(fault(node, "(brick … trim:True) is not supported yet"));
                }
                let rows = size(args.first()?)?;
                let columns = args.plain.get(1).map_or(Ok(rows), |n| size(n))?;
                self.check(node, rows * columns)?;
                let (rows, columns) = (rows as i32, columns as i32);
                let places: Vec<(i32, i32)> =
                    (0..rows).flat_map(|y| (0..columns).map(move |x| (2 * x + y % 2, y))).collect();
                Ok(mosaic::bricks(&places))
            }
            "spiral" => {
                let number = |label: &str| {
                    let missing = || fault(node, format!("(spiral …) lacks {label}:"));
                    args.named(label).ok_or_else(missing).and_then(size)
                };
                let (_turns, sites) = (number("turns")?, number("sites")?);
                self.check(node, sites)?;
                Ok(shapes::spiral(sites, args.flag("clockwise", true)))
            }
            "layers" => {
                let layers = size(args.first()?)?;
                let ground = self.graph(args.at(1)?)?;
                self.check(node, layers * ground.vertices.len())?;
                Ok(operate::layers(&ground, layers))
            }
            "wedge" => {
                let rows = size(args.first()?)?;
                let columns = args.plain.get(1).map_or(Ok(3), |n| size(n))?;
                self.check(node, rows * columns)?;
                Ok(shapes::wedge(rows, columns))
            }
            "regular" => {
                let star = args.word() == Some("Star");
                let sides = size(args.first()?)?;
                if sides < 3 {
                    return Err(fault(node, "a polygon has at least three sides"));
                }
                Ok(if star { shapes::regular_star(sides) } else { shapes::regular(sides) })
            }
            "concentric" => self.concentric(&mut args),
            "graph" => self.plain_graph(&args),
            _ => Err(fault(node, "a board's graph is expected")),
        }
    }

    /// A graph that is made of others, joined or moved; nothing for other words.
    fn joined(&self, keyword: &str, node: &Node) -> Option<Result<Graph>> {
        matches!(keyword, "merge" | "union" | "intersect" | "shift" | "scale" | "rotate" | "skew")
            .then(|| self.joined_by(keyword, node))
    }

    fn joined_by(&self, keyword: &str, node: &Node) -> Result<Graph> {
        let args = Args::of(node);
        match keyword {
            "merge" | "union" | "intersect" => {
                let graphs = self.graphs(&args)?;
                let mut graph = match keyword {
                    "merge" => operate::merge(&graphs),
                    "union" => operate::union(&graphs),
                    _ => operate::intersect(&graphs),
                };
                if args.flag("connect", false) {
                    operate::connect(&mut graph);
                }
                Ok(graph)
            }
            "shift" => {
                let (dx, dy) = (number(args.at(0)?)?, number(args.at(1)?)?);
                let dz = if args.plain.len() > 3 { number(args.at(2)?)? } else { 0.0 };
                let mut graph = self.graph(args.at(args.plain.len() - 1)?)?;
                graph.transform(|p| [p[0] + dx, p[1] + dy, p[2] + dz]);
                Ok(graph)
            }
            "scale" => {
                let sx = number(args.first()?)?;
                let sy = if args.plain.len() > 2 { number(args.at(1)?)? } else { sx };
                let sz = if args.plain.len() > 3 { number(args.at(2)?)? } else { 1.0 };
                let mut graph = self.graph(args.at(args.plain.len() - 1)?)?;
                graph.transform(|p| [p[0] * sx, p[1] * sy, p[2] * sz]);
                Ok(graph)
            }
            "rotate" => Ok(operate::rotate(self.graph(args.at(1)?)?, number(args.first()?)?)),
            "skew" => {
                let amount = number(args.first()?)?;
                let mut graph = self.graph(args.at(1)?)?;
                graph.transform(|p| [p[0] + p[1] * amount, p[1], p[2]]);
                Ok(graph)
            }
            _ => Err(fault(node, "a board's graph is expected")),
        }
    }

    /// A graph that is another one changed; nothing for other words.
    fn changed(&self, keyword: &str, node: &Node) -> Option<Result<Graph>> {
        matches!(
            keyword,
            "add"
                | "remove"
                | "hole"
                | "keep"
                | "clip"
                | "renumber"
                | "recoordinate"
                | "trim"
                | "makeFaces"
                | "dual"
                | "splitCrossings"
                | "subdivide"
                | "complete"
        )
        .then(|| self.changed_by(keyword, node))
    }

    fn changed_by(&self, keyword: &str, node: &Node) -> Result<Graph> {
        let mut args = Args::of(node);
        match keyword {
            "add" => self.add(&args),
            "remove" => self.remove(&args),
            "hole" | "keep" | "clip" => {
                let mut graph = self.graph(args.first()?)?;
                let polygon = polygon(args.at(1)?)?;
                match keyword {
                    "keep" => operate::keep(&mut graph, &polygon),
                    _ => operate::cut(&mut graph, &polygon, keyword == "clip"),
                }
                Ok(graph)
            }
            "renumber" => {
                let mut kinds = Vec::new();
                while let Some(kind) = args.word() {
                    kinds.push(kind);
                }
                let all = kinds.is_empty();
                let mut graph = self.graph(args.first()?)?;
                graph.reorder_some(
                    all || kinds.contains(&"Vertex"),
                    all || kinds.contains(&"Edge"),
                    all || kinds.contains(&"Cell"),
                );
                Ok(graph)
            }
            "recoordinate" => {
                while args.word().is_some() {}
                self.graph(args.first()?)
            }
            "trim" => {
                let mut graph = self.graph(args.first()?)?;
                operate::trim(&mut graph);
                Ok(graph)
            }
            "makeFaces" => {
                let mut graph = self.graph(args.first()?)?;
                graph.make_faces();
                Ok(graph)
            }
            "dual" => Ok(operate::dual(&self.graph(args.first()?)?)),
            "splitCrossings" => {
                let mut graph = self.graph(args.first()?)?;
                if graph.edges.len() > MOST_CROSSING {
                    return Err(fault(node, format!("more than {MOST_CROSSING} edges to split")));
                }
                operate::split_crossings(&mut graph);
                Ok(graph)
            }
            "subdivide" => {
                let mut graph = self.graph(args.first()?)?;
                let least = args.named("min").map_or(Ok(1), size)?;
                operate::subdivide(&mut graph, least);
                Ok(graph)
            }
            "complete" => {
                let mut graph = self.graph(args.first()?)?;
                let most = graph.faces.iter().map(Vec::len).max().unwrap_or(0);
                let each = args.flag("eachCell", false);
                let n = if each { most } else { graph.vertices.len() };
                if n > MOST_JOINED {
                    return Err(fault(node, format!("more than {MOST_JOINED} vertices to join")));
                }
                operate::complete(&mut graph, args.flag("eachCell", false));
                Ok(graph)
            }
            _ => Err(fault(node, "a board's graph is expected")),
        }
    }

    fn check(&self, node: &Node, sites: usize) -> Result<()> {
        if sites == 0 || sites > MOST {
            return Err(fault(node, format!("a board of {sites} sites")));
        }
        Ok(())
    }

    fn square(&self, args: &mut Args<'_>) -> Result<Graph> {
        let shape = args.word();
        let first = args.first()?;
        let plain = is_list(first) || first.keyword() == Some("poly") || shape == Some("Diamond");
        if plain && diagonals(args)? != Diagonals::Implied {
            return Err(fault(first, "diagonals on this shape are not supported yet"));
        }
        if is_list(first) {
            let sides = whole_sides(first)?;
            return Ok(tiling::squares(&tiling::square_outline(&sides), self.sites));
        }
        if first.keyword() == Some("poly") {
            let polygon = polygon(first)?;
            self.check_reach(first, &polygon)?;
            return Ok(tiling::squares_in(&polygon));
        }
        let n = size(first)?;
        self.check(first, n * n)?;
        if args.flag("pyramidal", false) {
            return Ok(tiling::pyramid(n));
        }
        match shape {
            None | Some("Square" | "Rectangle") => {
                Ok(tiling::rectangle(n, n, self.sites, diagonals(args)?))
            }
            Some("Diamond") => Ok(tiling::squares(&tiling::square_diamond(n as i32), self.sites)),
            Some(other) => Err(fault(first, format!("(square {other} …) is not supported"))),
        }
    }

    /// Tilings of several polygons.
    fn mosaic(&self, args: &mut Args<'_>) -> Result<Graph> {
        let kind = args.word().unwrap_or_default();
        let Some(mosaic) = Mosaic::named(kind) else {
            return Err(fault(args.call, format!("(tiling {kind} …) is not supported")));
        };
        let first = args.first()?;
        if is_list(first) {
            return Ok(mosaic.graph(&tiling::outline(&whole_sides(first)?)));
        }
        if first.keyword() == Some("poly") {
            let polygon = polygon(first)?;
            self.check_reach(first, &polygon)?;
            return Ok(mosaic.graph(&mosaic::inside_polygon(&polygon, 1.0)));
        }
        let n = size(first)?;
        let m = args.plain.get(1).map(|node| size(node)).transpose()?;
        self.check(first, n * m.unwrap_or(n) * 8)?;
        let (n, second) = (n as i32, m.map(|m| m as i32));
        Ok(mosaic.graph(&match (mosaic.is_hexagonal(), second) {
            (true, None) => tiling::hexagon(n),
            (true, Some(m)) => tiling::outline(&[n, m, n, m, n]),
            (false, m) => {
                let m = m.unwrap_or(n);
                (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).collect()
            }
        }))
    }

    fn repeat(&self, args: &Args<'_>) -> Result<Graph> {
        let (rows, columns) = (size(args.at(0)?)?, size(args.at(1)?)?);
        let missing = || fault(args.call, "(repeat …) lacks step:{{x y} {x y}}");
        let [column_step, row_step] = points(args.named("step").ok_or_else(missing)?)?[..] else {
            return Err(missing());
        };
        let shapes = args.at(2)?;
        let shapes: Vec<Vec<[f64; 2]>> = match is_list(shapes) {
            true => shapes.items().iter().map(polygon).collect::<Result<_>>()?,
            false => vec![polygon(shapes)?],
        };
        let corners: usize = shapes.iter().map(Vec::len).sum();
        self.check(args.call, rows * columns * corners)?;
        Ok(mosaic::repeat((rows, columns), column_step, row_step, &shapes))
    }

    /// The graph of `(boardless Tiling [size])`: a board so large that its border is never met.
    pub fn boardless(&self, node: &Node) -> Result<Graph> {
        let mut args = Args::of(node);
        let kind = args.word().unwrap_or_default();
        let n = args.plain.first().map_or(Ok(41), |n| size(n))?;
        self.check(node, n * n)?;
        match kind {
            "Square" => Ok(tiling::rectangle(n, n, SiteType::Cell, Diagonals::Implied)),
            "Hexagonal" => Ok(tiling::hexagons(&tiling::hexagon(n as i32 / 2 + 1), true)),
            "Triangular" => Ok(tiling::triangles(&tiling::triangle(n as i32 + 1))),
            _ => Err(fault(node, "a boardless game is Square, Hexagonal or Triangular")),
        }
    }

    /// A polygon's corners are not too far away.
    fn check_reach(&self, node: &Node, polygon: &[[f64; 2]]) -> Result<()> {
        match polygon.iter().flatten().all(|c| c.abs() <= 100.0) {
            true => Ok(()),
            false => Err(fault(node, "this outline is too large")),
        }
    }

    fn hex(&self, args: &mut Args<'_>) -> Result<Graph> {
        let (places, upright) = self.places(args, 0)?;
        Ok(tiling::hexagons(&places, upright))
    }

    fn tri(&self, args: &mut Args<'_>) -> Result<Graph> {
        let shape = args.plain.first().and_then(|n| match &n.form {
            Form::Word(word) => Some(word.clone()),
            _ => None,
        });
        let (mut places, _) = if shape.is_none() && !is_list(args.first()?) && args.plain.len() == 1
        {
            (tiling::triangle(self.lattice(args.first()?)?), true)
        } else {
            self.places(args, i32::from(self.sites == SiteType::Cell))?
        };
        places.sort_unstable_by_key(|p| (p.1, p.0));
        Ok(tiling::triangles(&places))
    }

    /// The size of a triangular lattice: cells have one vertex more to a side.
    fn lattice(&self, node: &Node) -> Result<i32> {
        let n = size(node)?;
        self.check(node, n * n)?;
        Ok(n as i32 + i32::from(self.sites == SiteType::Cell))
    }

    fn places(&self, args: &mut Args<'_>, more: i32) -> Result<(Vec<tiling::Place>, bool)> {
        let shape = args.word();
        let first = args.first()?;
        if is_list(first) {
            return Ok((tiling::outline(&whole_sides(first)?), true));
        }
        if first.keyword() == Some("poly") {
            let polygon = polygon(first)?;
            self.check_reach(first, &polygon)?;
            // Hexagons of side 1 are wider apart than vertices.
            let step = if more == 0 && self.sites == SiteType::Cell { 3.0f64.sqrt() } else { 1.0 };
            return Ok((mosaic::inside_polygon(&polygon, step), true));
        }
        let n = size(first)? as i32 + more;
        let second = args.plain.get(1).map(|node| size(node)).transpose()?.map(|m| m as i32 + more);
        let widest = n.max(second.unwrap_or(n)) as usize;
        self.check(
            first,
            if shape == Some("Rectangle") {
                n as usize * second.unwrap_or(n) as usize
            } else {
                widest * widest
            },
        )?;
        let m = second.unwrap_or(n);
        Ok(match (shape, second) {
            (None | Some("Hexagon"), None) => (tiling::hexagon(n), true),
            (None | Some("Hexagon"), Some(m)) => (tiling::outline(&[n, m, n, m, n]), true),
            (Some("Limping"), _) => (tiling::outline(&[n, n + 1, n, n + 1, n]), true),
            (Some("Diamond"), None) => (tiling::diamond(n, n), false),
            (Some("Diamond" | "Prism"), Some(m)) => (tiling::prism(n, m), false),
            (Some("Prism"), None) => (tiling::prism(n, n), false),
            (Some("Triangle"), _) => (tiling::triangle(n), true),
            (Some("Rectangle" | "Square"), _) => (tiling::staggered(n, m), true),
            (Some("Star"), _) => (tiling::star(n), true),
            (Some(other), _) => {
                return Err(fault(first, format!("the shape {other} is not supported")));
            }
        })
    }

    fn concentric(&self, args: &mut Args<'_>) -> Result<Graph> {
        let shape = args.word();
        let rings = args.named("rings").map_or(Ok(3), size)?;
        let sides = match shape {
            Some("Square") => 4,
            Some("Triangle") => 3,
            Some("Hexagon") => 6,
            Some(other) => {
                return Err(fault(args.call, format!("(concentric {other} …) is not supported")));
            }
            None => match args.named("sides") {
                Some(sides) => size(sides)?,
                None => return self.circles(args.first()?, args.flag("stagger", false)),
            },
        };
        self.check(args.call, rings * sides)?;
        Ok(shapes::rings(Rings {
            sides,
            rings,
            midpoints: args.flag("midpoints", true),
            join_midpoints: args.flag("joinMidpoints", true),
            join_corners: args.flag("joinCorners", false),
        }))
    }

    fn circles(&self, list: &Node, stagger: bool) -> Result<Graph> {
        let counts = numbers(list)?;
        let most = MOST as f64;
        if counts.is_empty() || counts.iter().any(|c| c.fract() != 0.0 || c.abs() > most) {
            return Err(fault(list, "numbers of sites on circles are expected"));
        }
        if counts.iter().map(|c| c.abs()).sum::<f64>() > most {
            return Err(fault(list, format!("a board of more than {MOST} sites")));
        }
        if self.sites == SiteType::Cell && counts.len() > 1 {
            let counts: Vec<i32> = counts.iter().map(|&c| c as i32).collect();
            return Ok(shapes::circles_of_cells(&counts, stagger));
        }
        Ok(shapes::circles(&counts.iter().map(|&c| c as i32).collect::<Vec<_>>()))
    }

    /// The graph of `(mancalaBoard rows columns …)`.
    pub fn mancala(&self, node: &Node) -> Result<Graph> {
        let args = Args::of(node);
        let (rows, columns) = (size(args.at(0)?)?, size(args.at(1)?)?);
        self.check(node, rows * columns)?;
        let stores = match args.named("store").map(|n| &n.form) {
            Some(Form::Word(word)) if word == "None" => false,
            Some(Form::Word(word)) if word == "Inner" => {
                return Err(fault(node, "(mancalaBoard … store:Inner) is not supported yet"));
            }
            _ => true,
        };
        if let Some(number) = args.named("numStores")
            && stores
            && size(number)? != 2
        {
            return Err(fault(number, "only two stores are supported yet"));
        }
        Ok(shapes::mancala(rows, columns, stores))
    }

    fn plain_graph(&self, args: &Args<'_>) -> Result<Graph> {
        let mut graph = Graph::default();
        if let Some(list) = args.named("vertices") {
            graph.vertices = points_in_space(list)?;
        }
        if let Some(list) = args.named("edges") {
            for pair in list.items() {
                let ends = numbers(pair)?;
                let [a, b] = ends[..] else { return Err(fault(pair, "an edge has two ends")) };
                let last = graph.vertices.len() as f64;
                if !(0.0..last).contains(&a) || !(0.0..last).contains(&b) {
                    return Err(fault(pair, "there is no such vertex"));
                }
                graph.edges.push((a as usize, b as usize));
            }
        }
        graph.make_faces();
        Ok(graph)
    }

    fn add(&self, args: &Args<'_>) -> Result<Graph> {
        let mut graph = match args.plain.first() {
            Some(node) => self.graph(node)?,
            None => Graph::default(),
        };
        if let Some(list) = args.named("vertices") {
            for point in points_in_space(list)? {
                graph.vertex(point);
            }
        }
        for label in ["edges", "Edges"] {
            for pair in args.named(label).map_or(&[][..], Node::items) {
                let ends = vertices_of(pair, &mut graph, true)?;
                if let [a, b] = ends[..] {
                    graph.edge(a, b);
                }
            }
        }
        // Of a curve only its ends are in the graph.
        for curve in args.named("edgesCurved").map_or(&[][..], Node::items) {
            let [from, to, ..] = points_in_space(curve)?[..] else {
                return Err(fault(curve, "a curve has two ends"));
            };
            let (a, b) = (graph.vertex(from), graph.vertex(to));
            graph.edge(a, b);
        }
        for label in ["cells", "Cells"] {
            for cell in args.named(label).map_or(&[][..], Node::items) {
                let around = vertices_of(cell, &mut graph, true)?;
                graph.face(&around);
            }
        }
        if args.flag("connect", false) {
            operate::connect(&mut graph);
        }
        Ok(graph)
    }

    fn remove(&self, args: &Args<'_>) -> Result<Graph> {
        let mut graph = self.graph(args.first()?)?;
        let trim = args.flag("trimEdges", true);
        if let Some(poly) = args.plain.get(1) {
            let polygon = polygon(poly)?;
            operate::cut(&mut graph, &polygon, true);
        }
        if let Some(list) = args.named("cells").or(args.named("Cells")) {
            let numbers: Vec<usize> =
                numbers(list)?.into_iter().filter(|n| *n >= 0.0).map(|n| n as usize).collect();
            operate::remove_faces(&mut graph, &numbers, trim);
        }
        if let Some(list) = args.named("edges").or(args.named("Edges")) {
            for pair in list.items() {
                if let [a, b] = vertices_of(pair, &mut graph, false)?[..] {
                    operate::remove_edge(&mut graph, a, b);
                }
            }
        }
        if let Some(list) = args.named("vertices").or(args.named("Vertices")) {
            if list.items().first().is_some_and(is_list) {
                for point in points_in_space(list)? {
                    if let Some(v) = graph.find(point) {
                        graph.remove_vertices(|w| w == v);
                    }
                }
            } else {
                let gone = numbers(list)?;
                graph.remove_vertices(|v| gone.contains(&(v as f64)));
            }
        }
        Ok(graph)
    }
}

/// The vertices of an edge or a cell: by number, or by place.
fn vertices_of(node: &Node, graph: &mut Graph, make: bool) -> Result<Vec<usize>> {
    if node.items().first().is_some_and(is_list) {
        let mut found = Vec::new();
        for p in points_in_space(node)? {
            match graph.find(p) {
                Some(v) => found.push(v),
                None if make => found.push(graph.vertex(p)),
                None => return Ok(Vec::new()),
            }
        }
        return Ok(found);
    }
    let mut found = Vec::new();
    for n in numbers(node)? {
        if n < 0.0 || n as usize >= graph.vertices.len() {
            return Err(fault(node, format!("there is no vertex {n}")));
        }
        found.push(n as usize);
    }
    Ok(found)
}

fn polygon(node: &Node) -> Result<Vec<[f64; 2]>> {
    if node.args().iter().any(|arg| arg.label.as_deref() == Some("rotns")) {
        return Err(fault(node, "(poly … rotns:) is not supported yet"));
    }
    match node.args().first() {
        Some(list) if node.keyword() == Some("poly") => points(list),
        _ => Err(fault(node, "(poly {{x y} …}) is expected")),
    }
}

fn diagonals(args: &Args<'_>) -> Result<Diagonals> {
    let Some(node) = args.named("diagonals") else { return Ok(Diagonals::Implied) };
    Ok(match &node.form {
        Form::Word(word) => match word.as_str() {
            "Implied" => Diagonals::Implied,
            "Solid" => Diagonals::Solid,
            "SolidNoSplit" => Diagonals::SolidNoSplit,
            "Alternating" => Diagonals::Alternating,
            "Concentric" => Diagonals::Concentric,
            "Radiating" => Diagonals::Radiating,
            _ => return Err(fault(node, "no such kind of diagonals")),
        },
        _ => return Err(fault(node, "a kind of diagonals is expected")),
    })
}
