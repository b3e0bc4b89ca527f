//! Containers, pieces, regions, maps, tracks and dice, with the numbers that public records give them.

use std::sync::Arc;

use super::directions::{Directions, compass};
use super::planes::Plane;
use super::sites::Sites;
use super::track::Track;
use crate::board::{Board, Element, SiteType};
use crate::compile::table::Kind;
use crate::compile::{Ludeme, Value};
use crate::tree::Node;
use ludex_core::diagnostic::Diagnostic;

/// A thing with sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its name: `Board`, `Hand1`, `Dice0`.
    pub name: String,
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
    /// 0 is nobody's, the number after the last player everybody's.
    pub owner: usize,
    /// Where it looks, if not where its player does, in sixteenths from the north.
    pub facing: Option<usize>,
    /// The description of its moves.
    pub moves: Option<Arc<Ludeme>>,
    /// The two states between which it flips.
    pub flips: Option<(i32, i32)>,
    /// The walks over the sites that a large piece covers.
    pub(crate) walks: Vec<Vec<super::leap::Turn>>,
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

/// A die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Where it lies.
    pub site: u32,
    /// What its faces show.
    pub faces: Vec<i32>,
    /// How often each comes up; all alike where empty.
    pub biased: Vec<i32>,
    /// The number of the hand of dice that it belongs to.
    pub hand: usize,
}

/// All that lies on the table.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// How many play.
    pub players: usize,
    /// By player: where they look, in sixteenths from the north.
    pub facing: Vec<usize>,
    /// Sixteenths of a turn that one rotation of a piece is.
    pub turn: usize,
    /// The board.
    pub board: Board,
    /// Its directions.
    pub directions: Directions,
    /// The board first, then hands, then dice.
    pub containers: Vec<Container>,
    /// From 1 on; number 0 stands for nothing.
    pub components: Vec<Component>,
    /// By component: its owner.
    pub owners: Vec<u8>,
    /// In order.
    pub regions: Vec<NamedRegion>,
    /// Name, and pairs.
    pub maps: Vec<(String, Vec<(Value, Value)>)>,
    /// The tracks.
    pub tracks: Vec<Track>,
    /// The dice.
    pub dice: Vec<Die>,
    /// Sites that have a name on every board.
    pub named: crate::board::regions::Regions,
    /// Sites of all containers.
    pub sites: usize,
    /// Those of the board.
    pub on_board: Sites,
    /// All of them.
    pub everywhere: Sites,
    /// What the board says that pieces stand on, whatever the rules say.
    pub declared: SiteType,
    /// The first loop of a Surakarta board and the number of its loops, where it is given.
    pub(crate) loops: Option<(usize, Option<usize>)>,
    /// The sites of other kinds of elements than that on which the board is played.
    pub(crate) planes: Vec<Plane>,
    /// What large pieces cover, if there are any.
    pub(crate) large: Option<super::large::Large>,
    /// Is a part of the board celtic?
    pub(crate) celtic: bool,
}

/// What all rules say that pieces stand on, if they all say so and only a board is there.
fn played_on(game: &Arc<Ludeme>) -> Option<SiteType> {
    let (mut word, mut same) = (None, true);
    game.walk(&mut |l| {
        let keyword = l.signature().keyword.as_str();
        same &= !matches!(keyword, "hand" | "dice" | "track" | "regions" | "map" | "piece");
        if BOARDS.contains(&keyword) {
            return;
        }
        // The sites of a container are its own; moves and turns have none.
        let counts = |word: &str| matches!(word, "Moves" | "Turns" | "MovesThisTurn" | "Players");
        let named = keyword == "count"
            && (l.typed("string").is_some() || l.arg(0).and_then(Value::word).is_some_and(counts));
        for (slot, arg) in l.slots() {
            let kinds =
                slot.choices.iter().any(|c| matches!(&c.kind, Kind::Type(k) if k == "siteType"));
            match arg {
                Some((_, Value::Word(given))) if kinds => {
                    same &= word.is_none_or(|word| word == given);
                    word = Some(given);
                }
                None if kinds && !named => same = false,
                _ => {}
            }
        }
    });
    match word.filter(|_| same)?.as_str() {
        "Cell" => Some(SiteType::Cell),
        "Edge" => Some(SiteType::Edge),
        "Vertex" => Some(SiteType::Vertex),
        _ => None,
    }
}

fn unsupported(ludeme: &Ludeme) -> Diagnostic {
    let text = &ludeme.signature().text;
    Diagnostic::error("L050", ludeme.span, format!("({text}) is not supported yet"))
}

/// The first board of a tree.
fn board_of(tree: &Node) -> Option<&Node> {
    let mut board = None;
    tree.walk(&mut |node| {
        if node.keyword().is_some_and(|k| BOARDS.contains(&k)) && board.is_none() {
            board = Some(node);
        }
    });
    board
}

/// Items besides the board, in the order in which they are numbered.
const ITEMS: [&str; 5] = ["hand", "dice", "regions", "map", "piece"];

pub(super) const BOARDS: [&str; 4] = ["board", "mancalaBoard", "surakartaBoard", "boardless"];

impl Equipment {
    /// The equipment of a game, whose tree is needed for the board.
    ///
    /// # Errors
    /// Everything that is not supported yet.
    pub fn new(game: &Arc<Ludeme>, tree: &Node) -> Result<Equipment, Vec<Diagnostic>> {
        let fault = |message: &str| Diagnostic::error("L051", game.span, message);
        let missing = || fault("a game needs a board");
        let board = board_of(tree).ok_or_else(missing).and_then(Board::new);
        let (mut board, (players, facing)) = match (board, players(game)) {
            (Ok(board), Ok(players)) => (board, players),
            (board, players) => return Err(board.err().into_iter().chain(players.err()).collect()),
        };
        let declared = board.sites;
        if let Some(kind) = played_on(game) {
            board.sites = kind;
        }
        let elements = board.topology.elements(board.sites);
        let (here, cells) = (elements.len(), board.topology.cells.len());
        let most = if board.sites == SiteType::Cell { here } else { here.max(cells) };
        let directions = Directions::new(&board.radials(board.sites));
        let named = board.regions(board.sites);
        let name = "Board".to_owned();
        let on_board = Container { name, from: 0, sites: here as u32, owner: 0 };
        let nothing = Component {
            name: String::new(),
            stem: String::new(),
            owner: 0,
            facing: None,
            moves: None,
            flips: None,
            walks: Vec::new(),
        };
        let turn = match directions.turns() {
            0 => 1,
            n => (16 / n).max(1),
        };
        let mut equipment = Equipment {
            players,
            facing,
            turn,
            directions,
            containers: vec![on_board],
            components: vec![nothing],
            owners: Vec::new(),
            regions: Vec::new(),
            maps: Vec::new(),
            tracks: Vec::new(),
            dice: Vec::new(),
            sites: most,
            named,
            declared,
            loops: None,
            planes: Vec::new(),
            large: None,
            celtic: false,
            on_board: Sites::default(),
            everywhere: Sites::default(),
            board,
        };
        let items = game.call("equipment").and_then(|equipment| equipment.arg(0));
        let Some(Value::List(items)) = items else {
            return Err(vec![fault("a game needs equipment")]);
        };
        equipment.look_at_board(game);
        let found = equipment.add_all(items);
        if !found.is_empty() {
            return Err(found);
        }
        let hands = equipment.containers.len() > 1;
        equipment.add_planes(&super::planes::named(game, equipment.board.sites, hands));
        equipment.measure_large();
        // Players without pieces play with balls.
        if equipment.components.len() == 1 {
            for player in 1..=players {
                equipment.component(&format!("Ball{player}"), player);
            }
        }
        equipment.owners = equipment.components.iter().map(|k| k.owner as u8).collect();
        equipment.on_board = Sites::of(equipment.sites, 0..here as i32);
        equipment.everywhere = Sites::of(equipment.sites, 0..equipment.sites as i32);
        Ok(equipment)
    }

    /// Adds all items, which are numbered by kind, and finds those that have no meaning yet.
    fn add_all(&mut self, items: &[Value]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let calls = || items.iter().filter_map(Value::call);
        let keyword = |item: &Ludeme| item.signature().keyword.as_str();
        for wanted in ITEMS {
            // Tiles are numbered among the pieces.
            let wanted = calls().filter(|item| {
                keyword(item) == wanted || wanted == "piece" && keyword(item) == "tile"
            });
            found.extend(wanted.filter_map(|item| self.add(item).err()));
        }
        for item in calls() {
            if BOARDS.contains(&keyword(item)) {
                found.extend(self.add_tracks(item).err());
            } else if !ITEMS.contains(&keyword(item)) && keyword(item) != "tile" {
                found.push(unsupported(item));
            }
        }
        found
    }

    /// What rules must know of how the board is made.
    fn look_at_board(&mut self, game: &Arc<Ludeme>) {
        game.walk(&mut |ludeme| match ludeme.signature().keyword.as_str() {
            "celtic" => self.celtic = true,
            "surakartaBoard" => {
                let number = |label: &str| match ludeme.labelled(label) {
                    Some(Value::Int(number)) => usize::try_from(*number).ok(),
                    _ => None,
                };
                self.loops = Some((number("from").unwrap_or(1), number("loops")));
            }
            _ => {}
        });
    }

    /// What is wrong with the board of a tree that does not fit the table for other reasons, which
    /// were `found`.
    pub fn board_alone(tree: &Node, found: &[Diagnostic]) -> Option<Diagnostic> {
        let board = board_of(tree)?;
        let mut inside = false;
        board.walk(&mut |node| inside |= found.iter().any(|finding| finding.span == node.span));
        Board::new(board).err().filter(|_| !inside)
    }

    /// The elements on which pieces stand.
    pub fn elements(&self) -> &[Element] {
        self.board.topology.elements(self.board.sites)
    }

    /// The hand of a player.
    pub fn hand(&self, player: usize) -> Option<&Container> {
        self.containers[1..].iter().find(|h| h.owner == player && h.name.starts_with("Hand"))
    }

    /// The component of a name that belongs to a player.
    pub fn component_of(&self, stem: &str, owner: usize) -> Option<usize> {
        self.components
            .iter()
            .skip(1)
            .position(|k| k.owner == owner && k.stem == stem)
            .map(|n| n + 1)
    }

    /// The players that a role of equipment stands for.
    pub fn owners_of(&self, role: &str) -> Option<Vec<usize>> {
        match role {
            "Each" => Some((1..=self.players).collect()),
            "Neutral" => Some(vec![0]),
            "Shared" | "All" => Some(vec![self.players + 1]),
            _ => {
                role.strip_prefix('P')?.parse().ok().filter(|&p| p <= self.players).map(|p| vec![p])
            }
        }
    }

    fn component(&mut self, stem: &str, owner: usize) -> &mut Component {
        let numbered = owner > 0 && owner <= self.players;
        let name = if numbered { format!("{stem}{owner}") } else { stem.to_owned() };
        let name = if owner == 0 { format!("{stem}0") } else { name };
        self.components.push(Component {
            name,
            stem: stem.to_owned(),
            owner,
            facing: None,
            moves: None,
            flips: None,
            walks: Vec::new(),
        });
        let last = self.components.len() - 1;
        &mut self.components[last]
    }

    /// Adds an item of the equipment.
    fn add(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        match item.signature().keyword.as_str() {
            "hand" => self.add_hand(item),
            "dice" => self.add_dice(item),
            "piece" | "tile" => self.add_piece(item),
            "regions" => self.add_regions(item),
            "map" => self.add_map(item),
            _ => Err(unsupported(item)),
        }
    }

    fn add_hand(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        let size = match item.labelled("size") {
            Some(Value::Int(size)) if (1..1000).contains(size) => *size as u32,
            None => 1,
            _ => return Err(unsupported(item)),
        };
        for owner in self.item_owners(item, "Shared")? {
            let (name, from) = (format!("Hand{owner}"), self.sites as u32);
            self.containers.push(Container { name, from, sites: size, owner });
            self.sites += size as usize;
        }
        Ok(())
    }

    /// The owners of an item, or those of a role where none is named.
    fn item_owners(&self, item: &Ludeme, default: &str) -> Result<Vec<usize>, Diagnostic> {
        let role = item.typed("roleType").and_then(Value::word).unwrap_or(default);
        self.owners_of(role).ok_or_else(|| unsupported(item))
    }

    fn add_piece(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        let stem = item.values().find_map(Value::text).unwrap_or_default();
        let facing = match item.typed("directionFacing").and_then(Value::word) {
            Some(word) => Some(compass(word).ok_or_else(|| unsupported(item))?),
            None => None,
        };
        // The paths of tiles have no meaning yet.
        let is_path = |value: &Value| {
            let first = value.items().first().and_then(Value::call);
            first.is_some_and(|call| call.signature().keyword == "path")
        };
        if item.values().any(is_path) {
            return Err(unsupported(item));
        }
        let walks = walks(item).ok_or_else(|| unsupported(item))?;
        let moves = item.typed("moves").and_then(Value::call);
        let flips = match item.typed("flips").and_then(Value::call) {
            Some(flips) => match (flips.arg(0), flips.arg(1)) {
                (Some(Value::Int(a)), Some(Value::Int(b))) => Some((*a, *b)),
                _ => return Err(unsupported(item)),
            },
            None => None,
        };
        for owner in self.item_owners(item, "Each")? {
            let component = self.component(stem, owner);
            component.facing = facing;
            component.moves = moves.cloned();
            component.flips = flips;
            component.walks = walks.clone();
        }
        Ok(())
    }

    fn add_regions(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        let role = item.typed("roleType").and_then(Value::word);
        let number = role.and_then(|role| role.strip_prefix('P')).and_then(|n| n.parse().ok());
        let owners = match (role, number) {
            (None, _) => vec![0],
            // A player who does not play may have a region.
            (_, Some(player)) => vec![player],
            (Some(role), None) => self.owners_of(role).ok_or_else(|| unsupported(item))?,
        };
        let sites = item.values().find_map(|value| match value {
            Value::List(list) => Some(list.clone()),
            Value::Call(_) => Some(vec![value.clone()]),
            Value::Word(word) if Some(word.as_str()) != role => Some(vec![value.clone()]),
            _ => None,
        });
        let sites = sites.ok_or_else(|| unsupported(item))?;
        let name = item.values().find_map(Value::text).unwrap_or_default();
        for owner in owners {
            self.regions.push(NamedRegion { name: name.to_owned(), owner, sites: sites.clone() });
        }
        Ok(())
    }

    fn add_map(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        let lists: Vec<&[Value]> = item
            .values()
            .filter(|value| matches!(value, Value::List(_)))
            .map(Value::items)
            .collect();
        let pair = |value: &Value| {
            let pair = value.call()?;
            Some((pair.arg(0)?.clone(), pair.arg(1)?.clone()))
        };
        let pairs = match lists[..] {
            [keys, values] => Some(keys.iter().cloned().zip(values.iter().cloned()).collect()),
            [pairs] => pairs.iter().map(pair).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let name = item.values().find_map(Value::text).unwrap_or("Map");
        self.maps.push((name.to_owned(), pairs.ok_or_else(|| unsupported(item))?));
        Ok(())
    }

    fn add_dice(&mut self, item: &Ludeme) -> Result<(), Diagnostic> {
        let number = |value: Option<&Value>| match value {
            Some(Value::Int(n)) => Ok(Some(*n)),
            None => Ok(None),
            _ => Err(unsupported(item)),
        };
        let numbers = |value: &Value| match value {
            Value::List(list) => list
                .iter()
                .map(|v| if let Value::Int(n) = v { Some(*n) } else { None })
                .collect::<Option<Vec<i32>>>()
                .ok_or_else(|| unsupported(item)),
            _ => Err(unsupported(item)),
        };
        let sides = number(item.labelled("d"))?.unwrap_or(6).clamp(1, 1000);
        let count = number(item.labelled("num"))?.unwrap_or(1);
        if !(1..=32).contains(&count) {
            return Err(unsupported(item));
        }
        let from = number(item.labelled("from"))?.unwrap_or(1);
        let shared = match item.labelled("faces") {
            Some(list) => numbers(list)?,
            None => (from..from.saturating_add(sides)).collect(),
        };
        let biased = match item.labelled("biased") {
            Some(list) => numbers(list)?,
            None => Vec::new(),
        };
        let by_die = match item.labelled("facesByDie") {
            Some(Value::List(lists)) => lists.iter().map(numbers).collect::<Result<Vec<_>, _>>()?,
            _ => Vec::new(),
        };
        let hand = self.containers.iter().filter(|k| k.name.starts_with("Dice")).count();
        let first = self.sites as u32;
        let owner = self.players + 1;
        let name = format!("Dice{hand}");
        self.containers.push(Container { name, from: first, sites: count as u32, owner });
        for die in 0..count as usize {
            let faces = by_die.get(die).cloned().unwrap_or_else(|| shared.clone());
            let site = first + die as u32;
            self.dice.push(Die { site, faces, biased: biased.clone(), hand });
            let number = self.dice.len();
            self.component("Die", owner).name = format!("Die{number}");
        }
        self.sites += count as usize;
        Ok(())
    }

    fn add_tracks(&mut self, board: &Ludeme) -> Result<(), Diagnostic> {
        let mut tracks = Vec::new();
        for (_, value) in board.args().iter().flatten() {
            match value {
                Value::Call(l) if l.signature().keyword == "track" => tracks.push(l.clone()),
                Value::List(list) => tracks.extend(list.iter().filter_map(|v| match v {
                    Value::Call(l) if l.signature().keyword == "track" => Some(l.clone()),
                    _ => None,
                })),
                _ => {}
            }
        }
        for track in tracks {
            let track = Track::new(&track, self)?;
            self.tracks.push(track);
        }
        Ok(())
    }
}

/// The walks of a large tile: one or several lists of steps.
fn walks(item: &Ludeme) -> Option<Vec<Vec<super::leap::Turn>>> {
    use super::leap::Turn;
    let is_step = |value: &Value| value.word().is_some_and(|word| matches!(word, "F" | "L" | "R"));
    let lists = item.values().filter(|value| matches!(value, Value::List(_)));
    for list in lists {
        let items = list.items();
        if items.first().is_some_and(is_step) {
            return Some(vec![Turn::walk(list)?]);
        }
        let steps = |item: &Value| item.items().first().is_some_and(is_step);
        if items.first().is_some_and(|item| matches!(item, Value::List(_)) && steps(item)) {
            return Turn::walks(list);
        }
    }
    Some(Vec::new())
}

/// How many play, and where they look.
fn players(game: &Ludeme) -> Result<(usize, Vec<usize>), Diagnostic> {
    let list = game.args().iter().flatten().find_map(|(_, v)| match v {
        Value::Call(l) if l.signature().keyword == "players" => l.arg(0),
        _ => None,
    });
    match list {
        // Without directions of their own all look the same way.
        Some(Value::Int(n)) if (1..=16).contains(n) => Ok((*n as usize, vec![0; *n as usize + 1])),
        Some(Value::List(list)) if (1..=16).contains(&list.len()) => {
            let mut facing = vec![0];
            for player in list {
                let Value::Call(player) = player else { continue };
                let bearing = player.arg(0).and_then(Value::word).and_then(compass);
                facing.push(bearing.ok_or_else(|| unsupported(player))?);
            }
            Ok((list.len(), facing))
        }
        _ => Err(Diagnostic::error("L051", game.span, "a game has 1 to 16 players")),
    }
}
