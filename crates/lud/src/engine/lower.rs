//! From ludemes to functions: what all kinds of them share.

use std::rc::Rc;

use super::context::Context;
use super::equipment::Equipment;
use super::functions::Function;
use super::moves::Generator;
use super::state::OFF;
use crate::board::SiteType;
use crate::compile::table::Kind;
use crate::compile::{Ludeme, Value};
use crate::error::Fault;

type Result<T> = std::result::Result<T, Fault>;

/// The fault of a form that has no meaning yet.
pub fn unsupported(ludeme: &Ludeme) -> Fault {
    let signature = ludeme.signature();
    let first = ludeme.arg(0).and_then(Value::word).map(|w| format!(" {w}")).unwrap_or_default();
    let message = format!("({}{first} …) is not supported yet in this form", signature.keyword);
    Fault::new("L050", ludeme.place, message).with_hint(format!("the form is ({})", signature.text))
}

/// Lowers the rules of one game.
pub struct Lower<'a> {
    /// What lies on the table.
    pub equipment: &'a Equipment,
    /// The whole game.
    pub game: Rc<Ludeme>,
    /// Names of variables.
    pub vars: Vec<String>,
    /// Consequences of moves.
    pub thens: Vec<Generator>,
    /// By component: its moves.
    pub pieces: Vec<Option<Generator>>,
    /// Do rules ask where pieces stood first?
    pub starts: bool,
    /// Do rules ask whether players can move?
    pub asks_moves: bool,
}

impl Lower<'_> {
    /// Refuses sites of another kind than those of the board.
    pub fn same_site_type(&self, l: &Ludeme) -> Result<()> {
        let slots = l.signature().slots.iter().zip(&l.args);
        for (slot, arg) in slots {
            let Some((choice, Value::Word(word))) = arg else { continue };
            let is_type = slot
                .choices
                .get(*choice)
                .is_some_and(|c| matches!(&c.kind, Kind::Type(name) if name == "siteType"));
            let here = match self.equipment.board.sites {
                SiteType::Cell => "Cell",
                SiteType::Edge => "Edge",
                SiteType::Vertex => "Vertex",
            };
            // Hands have cells, whatever the board has.
            let of_hand = word == "Cell" && self.equipment.containers.len() > 1;
            if is_type && word != here && !of_hand {
                return Err(unsupported(l));
            }
        }
        Ok(())
    }

    /// The number of a variable.
    pub fn var(&mut self, name: &str) -> usize {
        match self.vars.iter().position(|known| known == name) {
            Some(number) => number,
            None => {
                self.vars.push(name.to_owned());
                self.vars.len() - 1
            }
        }
    }

    /// The component of a name, with or without its owner's number.
    pub fn component(&self, name: &str) -> Option<usize> {
        let all = &self.equipment.components;
        let exact = all.iter().position(|k| k.name == name);
        exact.or_else(|| all.iter().position(|k| k.stem == name)).filter(|&n| n > 0)
    }

    /// The site of a label such as `B3`.
    pub fn site(&self, label: &str) -> Option<i32> {
        self.equipment.elements().iter().position(|e| e.label == label).map(|n| n as i32)
    }

    /// The sites nearest to the middle of the board.
    pub fn centres(&self) -> Vec<i32> {
        let elements = self.equipment.elements();
        let middle = self.equipment.board.graph.middle();
        let far = |i: usize| crate::board::graph::distance(elements[i].centre, middle);
        let least = (0..elements.len()).map(far).fold(f64::INFINITY, f64::min);
        (0..elements.len()).filter(|&i| far(i) < least + 0.01).map(|i| i as i32).collect()
    }

    /// By site: does it lie on the outside of the board?
    pub fn outer(&self) -> Vec<bool> {
        let board = &self.equipment.board;
        let graph = &board.graph;
        // An edge with one face beside it is on the outside.
        let mut beside = vec![0; graph.edges.len()];
        let number: rustc_hash::FxHashMap<(usize, usize), usize> =
            graph.edges.iter().enumerate().map(|(e, &(a, b))| ((a.min(b), a.max(b)), e)).collect();
        for face in &graph.faces {
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                if let Some(&e) = number.get(&(a.min(b), a.max(b))) {
                    beside[e] += 1;
                }
            }
        }
        let mut outer_vertex = vec![false; graph.vertices.len()];
        for (e, &(a, b)) in graph.edges.iter().enumerate() {
            if beside[e] < 2 {
                (outer_vertex[a], outer_vertex[b]) = (true, true);
            }
        }
        match board.sites {
            SiteType::Vertex => outer_vertex,
            SiteType::Edge => beside.iter().map(|&n| n < 2).collect(),
            SiteType::Cell => graph
                .faces
                .iter()
                .map(|face| {
                    face.iter().enumerate().any(|(i, &a)| {
                        let b = face[(i + 1) % face.len()];
                        number.get(&(a.min(b), a.max(b))).is_some_and(|&e| beside[e] < 2)
                    })
                })
                .collect(),
        }
    }

    /// By site: its colour if neighbours across sides have different ones.
    pub fn colours(&self) -> Vec<i32> {
        let elements = self.equipment.elements();
        let mut colours = vec![-1; elements.len()];
        for start in 0..elements.len() {
            if colours[start] >= 0 {
                continue;
            }
            colours[start] = 0;
            let mut todo = std::collections::VecDeque::from([start]);
            while let Some(here) = todo.pop_front() {
                for &n in &elements[here].orthogonal {
                    if colours[n] < 0 {
                        let used: Vec<i32> =
                            elements[n].orthogonal.iter().map(|&m| colours[m]).collect();
                        colours[n] = (0..).find(|k| !used.contains(k)).unwrap_or(0);
                        todo.push_back(n);
                    }
                }
            }
        }
        colours
    }

    /// The outer sites on a side of the board: those that look more to it than to another.
    pub fn side(&self, word: &str) -> Option<Vec<i32>> {
        let elements = self.equipment.elements();
        let bearing = super::directions::compass(word)?;
        let (sin, cos) = bearing.to_radians().sin_cos();
        let outer = self.outer();
        let middle = self.equipment.board.graph.middle();
        let along = |i: usize| {
            let p = elements[i].centre;
            (p[0] - middle[0]) * sin + (p[1] - middle[1]) * cos
        };
        let most = (0..elements.len()).map(along).fold(f64::NEG_INFINITY, f64::max);
        // A straight side lies at right angles to its bearing.
        let sites: Vec<i32> = (0..elements.len())
            .filter(|&i| outer[i] && along(i) > most - 0.3)
            .map(|i| i as i32)
            .collect();
        (sites.len() > 1).then_some(sites)
    }

    /// Does this word stand for players?
    pub fn is_role(&self, word: &str) -> bool {
        matches!(word, "Mover" | "Next" | "Prev" | "Neutral" | "Shared" | "All" | "Player")
            || word.strip_prefix('P').is_some_and(|n| n.parse::<usize>().is_ok())
    }

    /// An entry of a map that is known beforehand.
    pub fn entry(&mut self, value: &Value, of: &Ludeme) -> Result<i32> {
        match value {
            Value::Int(n) => Ok(*n),
            Value::Word(word) => match word.strip_prefix('P').and_then(|n| n.parse().ok()) {
                Some(player) => Ok(player),
                None if word == "Neutral" => Ok(0),
                None => Err(unsupported(of)),
            },
            Value::Str(label) => {
                let component = || self.component(label).map(|n| n as i32);
                self.site(label).or_else(component).ok_or_else(|| unsupported(of))
            }
            _ => Err(unsupported(of)),
        }
    }

    /// The one player of an argument: a role, a number, or `(player …)`.
    pub fn player(&mut self, l: &Ludeme, slot: usize) -> Result<Function<usize>> {
        match l.arg(slot) {
            Some(Value::Word(word)) => Ok(match word.as_str() {
                "Mover" => Box::new(|c| c.state.mover),
                "Next" => Box::new(|c| c.state.next),
                "Prev" => Box::new(|c| c.state.prev),
                "Player" => Box::new(|c| usize::try_from(c.at.player).unwrap_or(0)),
                "Neutral" | "Shared" | "All" => Box::new(|_| 0),
                word => {
                    let player = word.strip_prefix('P').and_then(|n| n.parse::<usize>().ok());
                    let player = player.ok_or_else(|| unsupported(l))?;
                    Box::new(move |_| player)
                }
            }),
            Some(Value::Call(k)) if k.signature().result == "player" => self.player(k, 0),
            Some(value) => {
                let number = self.int(value, l)?;
                Ok(Box::new(move |c| usize::try_from(number(c)).unwrap_or(0)))
            }
            None => Err(unsupported(l)),
        }
    }

    /// The players of a role.
    pub fn roles(&mut self, value: &Value, of: &Ludeme) -> Result<Function<Vec<usize>>> {
        let all = |c: &Context<'_>| (1..=c.equipment.players).collect::<Vec<usize>>();
        Ok(match value {
            Value::Word(word) => match word.as_str() {
                "Mover" => Box::new(|c| vec![c.state.mover]),
                "Next" => Box::new(|c| vec![c.state.next]),
                "Prev" => Box::new(|c| vec![c.state.prev]),
                "All" => Box::new(|c| (0..=c.equipment.players).collect()),
                "Each" => Box::new(move |c| all(c)),
                "Neutral" | "Shared" => Box::new(|_| vec![0]),
                "NonMover" | "Enemy" => {
                    Box::new(move |c| all(c).into_iter().filter(|&p| p != c.state.mover).collect())
                }
                "Friend" => Box::new(|c| vec![c.state.mover]),
                "Player" => Box::new(|c| vec![usize::try_from(c.at.player).unwrap_or(0)]),
                word => {
                    let player = word.strip_prefix('P').and_then(|n| n.parse::<usize>().ok());
                    let player = player.ok_or_else(|| unsupported(of))?;
                    Box::new(move |_| vec![player])
                }
            },
            Value::Call(k) if k.signature().result == "player" => {
                let who = self.player(k, 0)?;
                Box::new(move |c| vec![who(c)])
            }
            _ => return Err(unsupported(of)),
        })
    }

    /// The component of an argument `(piece …)`, for the mover where it names a stem; the mover's
    /// first without one.
    pub fn piece(&mut self, l: &Ludeme) -> Result<Function<i32>> {
        let Some(Value::Call(piece)) = l.typed("piece") else {
            return Ok(Box::new(|c| {
                let mover = c.state.mover;
                let all = &c.equipment.components;
                all.iter().position(|k| k.owner == mover).map_or(OFF, |n| n as i32)
            }));
        };
        if piece.labelled("state").is_some() {
            return Err(unsupported(piece));
        }
        match piece.arg(0) {
            Some(Value::Str(name)) => {
                let name = name.clone();
                Ok(Box::new(move |c| {
                    let all = &c.equipment.components;
                    let mover = c.state.mover;
                    let own = all.iter().position(|k| k.stem == name && k.owner == mover);
                    let exact = || all.iter().position(|k| k.name == name);
                    let any = || all.iter().position(|k| k.stem == name);
                    own.or_else(exact).or_else(any).map_or(OFF, |n| n as i32)
                }))
            }
            Some(value @ (Value::Int(_) | Value::Call(_))) => self.int(value, piece),
            _ => Err(unsupported(piece)),
        }
    }
}
