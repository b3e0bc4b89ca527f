//! Containers, pieces, regions and maps, numbered as recorded games number them.

use std::rc::Rc;

use super::directions::{Directions, compass};
use crate::board::{Board, Element, SiteType};
use crate::compile::{Ludeme, Value};
use crate::error::Fault;
use crate::tree::Node;

/// A thing with sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its first site.
    pub from: u32,
    /// How many it has.
    pub sites: u32,
    /// Whose it is; 0 is nobody's.
    pub owner: usize,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name with the owner's number, e.g. `Pawn1`.
    pub name: String,
    /// The name in the description.
    pub stem: String,
    /// 0 is nobody's.
    pub owner: usize,
    /// Where it looks, if not where its player does.
    pub facing: Option<f64>,
    /// The description of its moves.
    pub moves: Option<Rc<Ludeme>>,
}

/// Named sites.
#[derive(Clone, Debug)]
pub struct NamedRegion {
    /// Empty where there is none.
    pub name: String,
    /// 0 is nobody's.
    pub owner: usize,
    /// What describes the sites.
    pub sites: Vec<Value>,
}

/// All that lies on the table.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// How many play.
    pub players: usize,
    /// By player: where they look.
    pub facing: Vec<f64>,
    /// The board.
    pub board: Board,
    /// Its directions.
    pub directions: Directions,
    /// The board first, then hands.
    pub containers: Vec<Container>,
    /// From 1 on; number 0 stands for nothing.
    pub components: Vec<Component>,
    /// In order.
    pub regions: Vec<NamedRegion>,
    /// Name, and pairs.
    pub maps: Vec<(String, Vec<(Value, Value)>)>,
    /// Sites of all containers.
    pub sites: usize,
}

fn unsupported(ludeme: &Ludeme) -> Fault {
    let text = &ludeme.signature().text;
    Fault::new("L050", ludeme.place, format!("({text}) is not supported yet"))
}

impl Equipment {
    /// The equipment of a game, whose tree is needed for the board.
    ///
    /// # Errors
    /// What is not supported yet.
    pub fn new(game: &Rc<Ludeme>, tree: &Node) -> Result<Equipment, Fault> {
        let fault = |message: &str| Fault::new("L051", game.place, message);
        let (players, facing) = players(game)?;
        let mut board = None;
        tree.walk(&mut |node| {
            let is = matches!(
                node.keyword(),
                Some("board" | "mancalaBoard" | "surakartaBoard" | "boardless")
            );
            if is && board.is_none() {
                board = Some(node);
            }
        });
        let board = Board::new(board.ok_or_else(|| fault("a game needs a board"))?)?;
        let elements = board.topology.elements(board.sites);
        let most = if board.sites == SiteType::Cell {
            elements.len()
        } else {
            elements.len().max(board.topology.cells.len())
        };
        let directions = Directions::new(elements);
        let on_board = Container { from: 0, sites: elements.len() as u32, owner: 0 };
        let mut equipment = Equipment {
            players,
            facing,
            directions,
            containers: vec![on_board],
            components: vec![Component {
                name: String::new(),
                stem: String::new(),
                owner: 0,
                facing: None,
                moves: None,
            }],
            regions: Vec::new(),
            maps: Vec::new(),
            sites: most,
            board,
        };
        let items = match game.args.iter().flatten().find_map(|(_, v)| match v {
            Value::Call(l) if l.signature().keyword == "equipment" => l.arg(0),
            _ => None,
        }) {
            Some(Value::List(items)) => items,
            _ => return Err(fault("a game needs equipment")),
        };
        // Hands before pieces: items are numbered by kind.
        for wanted in ["hand", "regions", "map", "piece"] {
            for item in items {
                let Value::Call(item) = item else { continue };
                if item.signature().keyword == wanted {
                    equipment.add(item)?;
                }
            }
        }
        let known = ["hand", "regions", "map", "piece", "board", "mancalaBoard", "surakartaBoard"];
        for item in items {
            if let Value::Call(item) = item
                && !known.contains(&item.signature().keyword.as_str())
            {
                return Err(unsupported(item));
            }
        }
        Ok(equipment)
    }

    /// The elements on which pieces stand.
    pub fn elements(&self) -> &[Element] {
        self.board.topology.elements(self.board.sites)
    }

    /// The players that a role of equipment stands for.
    pub fn owners(&self, role: &str) -> Option<Vec<usize>> {
        match role {
            "Each" => Some((1..=self.players).collect()),
            "Neutral" | "Shared" | "All" => Some(vec![0]),
            _ => {
                role.strip_prefix('P')?.parse().ok().filter(|&p| p <= self.players).map(|p| vec![p])
            }
        }
    }

    fn add(&mut self, item: &Rc<Ludeme>) -> Result<(), Fault> {
        let word = |l: &Ludeme| {
            l.args.iter().flatten().find_map(|(_, v)| match v {
                Value::Word(word) => Some(word.clone()),
                _ => None,
            })
        };
        let text = item.args.iter().flatten().find_map(|(_, v)| match v {
            Value::Str(text) => Some(text.clone()),
            _ => None,
        });
        match item.signature().keyword.as_str() {
            "hand" => {
                let role = word(item).unwrap_or_else(|| "Shared".to_owned());
                let size = match item.labelled("size") {
                    Some(Value::Int(n)) if (1..1000).contains(n) => *n as u32,
                    None => 1,
                    _ => return Err(unsupported(item)),
                };
                for owner in self.owners(&role).ok_or_else(|| unsupported(item))? {
                    let from = self.sites as u32;
                    self.containers.push(Container { from, sites: size, owner });
                    self.sites += size as usize;
                }
            }
            "piece" => {
                let stem = text.unwrap_or_default();
                let role = item.typed("roleType").and_then(Value::word).unwrap_or("Shared");
                let facing = item.typed("directionFacing").and_then(Value::word).and_then(compass);
                let moves = match item.typed("moves") {
                    Some(Value::Call(moves)) => Some(moves.clone()),
                    _ => None,
                };
                for owner in self.owners(role).ok_or_else(|| unsupported(item))? {
                    let name = format!("{stem}{owner}");
                    self.components.push(Component {
                        name,
                        stem: stem.clone(),
                        owner,
                        facing,
                        moves: moves.clone(),
                    });
                }
            }
            "regions" => {
                let owner = word(item).filter(|w| w.starts_with('P'));
                let owner = owner.and_then(|w| w[1..].parse().ok()).unwrap_or(0);
                let sites = item.args.iter().flatten().find_map(|(choice, value)| match value {
                    Value::List(list) => Some(list.clone()),
                    Value::Call(_) => Some(vec![value.clone()]),
                    _ => {
                        let _ = choice;
                        None
                    }
                });
                let sites = sites.ok_or_else(|| unsupported(item))?;
                self.regions.push(NamedRegion { name: text.unwrap_or_default(), owner, sites });
            }
            "map" => {
                let mut pairs = Vec::new();
                let Some(Value::List(list)) = item
                    .args
                    .iter()
                    .flatten()
                    .map(|(_, v)| v)
                    .find(|v| matches!(v, Value::List(_)))
                else {
                    return Err(unsupported(item));
                };
                for pair in list {
                    let Value::Call(pair) = pair else { return Err(unsupported(item)) };
                    let (Some(a), Some(b)) = (pair.arg(0), pair.arg(1)) else {
                        return Err(unsupported(item));
                    };
                    pairs.push((a.clone(), b.clone()));
                }
                self.maps.push((text.unwrap_or_default(), pairs));
            }
            _ => return Err(unsupported(item)),
        }
        Ok(())
    }
}

/// How many play, and where they look.
fn players(game: &Ludeme) -> Result<(usize, Vec<f64>), Fault> {
    let list = game.args.iter().flatten().find_map(|(_, v)| match v {
        Value::Call(l) if l.signature().keyword == "players" => l.arg(0),
        _ => None,
    });
    match list {
        Some(Value::Int(n)) if (1..=16).contains(n) => {
            Ok((*n as usize, vec![0.0; *n as usize + 1]))
        }
        Some(Value::List(list)) if (1..=16).contains(&list.len()) => {
            let mut facing = vec![0.0];
            for player in list {
                let Value::Call(player) = player else { continue };
                let bearing = player.arg(0).and_then(Value::word).and_then(compass);
                facing.push(bearing.ok_or_else(|| unsupported(player))?);
            }
            Ok((list.len(), facing))
        }
        _ => Err(Fault::new("L051", game.place, "a game has 1 to 16 players")),
    }
}
