//! Containers, pieces, regions, maps, tracks and dice, with the numbers that public records give them.

use std::sync::Arc;

use super::directions::{Directions, compass};
use super::planes::Plane;
use super::sites::Sites;
use super::track::Track;
use crate::board::{Board, Element, SiteType};
use crate::compile::slots::{is_kind, unsupported};
use crate::compile::{Ludeme, Value, fit_to};
use crate::ludemes::{Read, SitesOf, items};
use crate::tree::Node;
use ludex_core::diagnostic::Diagnostic;

/// A thing with sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The name of the container: `Board`, `Hand1`, `Dice0`.
    pub name: String,
    /// The first site of the container.
    pub from: u32,
    /// How many it has.
    pub sites: u32,
    /// The owner; 0 for a shared container.
    pub owner: usize,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Component {
    /// The name of the piece with the owner's number, such as `Pawn1`.
    pub name: String,
    /// The name in the description.
    pub stem: String,
    /// The owner: 0 for a neutral piece, the number after the last player for a shared one.
    pub owner: usize,
    /// Where it looks, if not where its player does, in sixteenths from the north.
    pub facing: Option<usize>,
    /// The description of its moves.
    pub moves: Option<Arc<Ludeme>>,
    /// The two states between which it flips.
    pub flips: Option<(i32, i32)>,
    /// The walks over the sites that a large piece covers.
    pub(crate) walks: Vec<Vec<super::leap::Turn>>,
    /// The paths from side to side of a tile.
    pub(crate) paths: Vec<super::paths::Path>,
}

/// Named sites.
#[derive(Clone, Debug)]
pub struct NamedRegion {
    /// Empty where there is none.
    pub name: String,
    /// The owner; 0 for none.
    pub owner: usize,
    /// The description of the sites.
    pub sites: Vec<Value>,
}

/// A clue of a deduction puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The kind of its sites, if it is named.
    pub kind: Option<SiteType>,
    /// The sites of the hint.
    pub sites: Vec<i32>,
    /// The number of the hint, if it has one.
    pub value: Option<i32>,
}

/// A die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Where it lies.
    pub site: u32,
    /// The numbers on its faces.
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
    /// The directions of the board.
    pub directions: Directions,
    /// The board first, then hands, then dice.
    pub containers: Vec<Container>,
    /// From 1 on; number 0 stands for nothing.
    pub components: Vec<Component>,
    /// By component: its owner.
    pub owners: Vec<u8>,
    /// By component: where it looks while it is not turned; nothing where that depends on who moves.
    pub(crate) looks: Vec<Option<u8>>,
    /// In order.
    pub regions: Vec<NamedRegion>,
    /// Name, and pairs.
    pub maps: Vec<(String, Vec<(Value, Value)>)>,
    /// The tracks.
    pub tracks: Vec<Track>,
    /// The clues of a puzzle.
    pub hints: Vec<Hint>,
    /// The dice.
    pub dice: Vec<Die>,
    /// Sites that have a name on every board.
    pub named: crate::board::regions::Regions,
    /// Sites of all containers.
    pub sites: usize,
    /// The sites of the board.
    pub on_board: Sites,
    /// The sites of all containers.
    pub everywhere: Sites,
    /// The kind of site that the board declares, whatever the rules say.
    pub declared: SiteType,
    /// The sites of other kinds of elements than that on which the board is played.
    pub(crate) planes: Vec<Plane>,
    /// The sites that each large piece covers, if there are large pieces.
    pub(crate) large: Option<super::large::Large>,
    /// Where the paths on tiles lead, if tiles have paths.
    pub(crate) paths: Option<super::paths::Paths>,
}

/// The kind of site that all rules name, if they all name the same and there is only a board.
fn played_on(game: &Arc<Ludeme>) -> Option<SiteType> {
    let (mut word, mut same) = (None, true);
    game.walk(&mut |ludeme| {
        let Some((form, read)) = ludeme.reader() else { return };
        same &= !matches!(read, Read::Item(..)) && form.makes != "track";
        if matches!(read, Read::Board(_)) {
            return;
        }
        // The sites of a container are its own; moves and turns have none.
        let siteless = form.sites == SitesOf::None || ludeme.typed("string").is_some();
        for (slot, given) in ludeme.slots() {
            if !slot.choices.iter().any(|choice| is_kind(&choice.kind, "siteType")) {
                continue;
            }
            match given {
                Some((_, Value::Word(given))) => {
                    same &= word.is_none_or(|word| word == given);
                    word = Some(given);
                }
                None if !siteless => same = false,
                _ => {}
            }
        }
    });
    word.filter(|_| same).and_then(|word| SiteType::named(word))
}

/// Is it a board?
fn is_board(ludeme: &Ludeme) -> bool {
    matches!(ludeme.reader(), Some((_, Read::Board(_))))
}

/// The first board among the items of the equipment of a tree, where the whole tree has no meaning.
fn board_of(tree: &Node) -> Option<(&Node, Arc<Ludeme>)> {
    let mut board = None;
    tree.walk(&mut |node| {
        if board.is_none() && node.keyword().is_some() {
            let item = fit_to(node, "item").filter(|item| is_board(item));
            board = item.map(|item| (node, item));
        }
    });
    board
}

impl Equipment {
    /// The equipment of a game.
    ///
    /// # Errors
    /// Everything that is not supported yet.
    pub fn new(game: &Arc<Ludeme>) -> Result<Equipment, Vec<Diagnostic>> {
        let fault = |message: &str| Diagnostic::error("L051", game.span, message);
        let items = game.call("equipment").and_then(|equipment| equipment.arg(0));
        let Some(Value::List(items)) = items else {
            return Err(vec![fault("a game needs equipment")]);
        };
        let board = items.iter().filter_map(Value::call).find(|item| is_board(item));
        let board = board.ok_or_else(|| fault("a game needs a board"));
        let board = board.and_then(|board| Board::new(board));
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
            paths: Vec::new(),
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
            looks: Vec::new(),
            regions: Vec::new(),
            maps: Vec::new(),
            tracks: Vec::new(),
            hints: Vec::new(),
            dice: Vec::new(),
            sites: most,
            named,
            declared,
            planes: Vec::new(),
            large: None,
            paths: None,
            on_board: Sites::default(),
            everywhere: Sites::default(),
            board,
        };
        let found = items::add_all(&mut equipment, items);
        if !found.is_empty() {
            return Err(found);
        }
        equipment.complete(game);
        Ok(equipment)
    }

    /// Works out what follows from the items: planes, the sites that pieces cover and join, owners.
    fn complete(&mut self, game: &Arc<Ludeme>) {
        crate::ludemes::add_loops(self);
        super::track::wind(&mut self.tracks);
        let hands = self.containers.len() > 1;
        self.add_planes(&super::planes::named(game, self.board.sites, hands));
        self.measure_large();
        self.lay_paths();
        // Players without pieces play with balls.
        if self.components.len() == 1 {
            for player in 1..=self.players {
                self.component(&format!("Ball{player}"), player);
            }
        }
        self.owners = self.components.iter().map(|k| k.owner as u8).collect();
        self.looks = self.components.iter().map(|k| self.looks_of(k)).collect();
        self.on_board = Sites::of(self.sites, 0..self.elements().len() as i32);
        self.everywhere = Sites::of(self.sites, 0..self.sites as i32);
    }

    /// Where a piece looks that is not turned, see [`Equipment::looks`].
    fn looks_of(&self, component: &Component) -> Option<u8> {
        let players = 1..=self.players;
        let own = || players.contains(&component.owner).then(|| self.facing.get(component.owner));
        let looks = component.facing.or_else(|| own().flatten().copied())?;
        Some((looks % 16) as u8)
    }

    /// The fault of the board of a tree that does not fit the table for other reasons, which were `found`.
    pub fn board_alone(tree: &Node, found: &[Diagnostic]) -> Option<Diagnostic> {
        let (node, board) = board_of(tree)?;
        let mut inside = false;
        node.walk(&mut |node| inside |= found.iter().any(|finding| finding.span == node.span));
        Board::new(&board).err().filter(|_| !inside)
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

    /// Adds a kind of piece.
    pub(crate) fn component(&mut self, stem: &str, owner: usize) -> &mut Component {
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
            paths: Vec::new(),
        });
        let last = self.components.len() - 1;
        &mut self.components[last]
    }
}

/// How many play, and where they look.
fn players(game: &Ludeme) -> Result<(usize, Vec<usize>), Diagnostic> {
    match game.call("players").and_then(|players| players.arg(0)) {
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
