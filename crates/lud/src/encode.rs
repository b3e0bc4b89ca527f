//! Positions and moves of ludeme games as numbers, see [`ludex_core::encode`](mod@ludex_core::encode).
//!
//! A position is a plane for each kind of piece over the sites of the board, where the pieces of the viewer come first, then
//! planes for the other attributes of pieces that the game uses, then a plane `table` whose cells hold the numbers beside
//! the board: whose turn it is, scores, dice, pieces in hands. Boards that fit a grid have planes of rows and columns.
//!
//! The rules do not bound the kinds of moves of a game, so both layouts come from the moves and pieces of a few random
//! games. A move of a kind that these games did not show takes one of [`SPARE`] numbers that have no fixed meaning.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ludex_core::encode::Features;
use ludex_core::{ActionSpace, Encoding, Game, Move, Player, Record, Seed, Turn};
use rustc_hash::FxHashMap;

use crate::engine::state::Cell;
use crate::engine::{Lud, State};
use crate::game::{LudGame, hash_of, hides};

/// Random games that are looked at, and plies of each.
const GAMES: u64 = 10;
const PLIES: u32 = 150;

/// Action numbers for moves of kinds that the random games did not show.
const SPARE: u32 = 32;

/// More action numbers than this are not dense any more.
const MOST_ACTIONS: u64 = 1 << 16;

/// Local states of pieces that are told apart in observations of games with hidden information.
const STATES: i16 = 8;

/// The layouts of a game.
#[derive(Debug)]
pub(crate) struct Coder {
    space: ActionSpace,
    /// By the bits of a move without its sites: the block of its numbers.
    blocks: FxHashMap<u64, Block>,
    /// Do moves that place pieces of one name share their numbers, whoever owns the pieces?
    shared: bool,
    sites: u32,
    encoding: Encoding,
    /// By site of the board: its cell in a plane.
    cells: Vec<u32>,
    /// Cells of a plane.
    area: u32,
    /// By component: the number of its name; and the number of names.
    stems: Vec<u32>,
    names: u32,
    /// By player who looks, component and state up to the number of players: the first feature of the plane of the piece.
    planes: Vec<u32>,
    players: usize,
    used: Used,
    /// The first feature of the planes of attributes.
    attributes: u32,
    /// The percepts of a hidden game about a site, by their hash.
    seen: FxHashMap<u64, Cell>,
}

/// Numbers of the moves of one kind.
#[derive(Debug, Clone, Copy)]
struct Block {
    first: u32,
    sites: Sites,
}

/// How many sites moves of a kind have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Sites {
    /// None, such as a pass.
    #[default]
    None,
    /// The site on which a piece is placed.
    One,
    /// The sites at which the move begins and ends.
    Two,
}

/// The attributes of pieces that a game uses.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    state: bool,
    count: bool,
    value: bool,
    rotation: bool,
    stacks: bool,
}

/// The bits of a move that are not its sites.
const KIND: u64 = !((0x3FFF << 46) | (0x3FFF << 32));
/// The bits of a move's own number.
const EXTRA: u64 = 0x3FFF << 8;
/// The bits of a move without a level.
const NO_LEVEL: u64 = 1 << 26;
/// Kinds of moves, see [`crate::code`].
const ADD: u64 = 3;
const PASS: u64 = 7;
const SWAP: u64 = 8;

/// The kinds of moves and the attributes of pieces that a few random games have shown.
#[derive(Default)]
struct Sample {
    /// By kind of move.
    kinds: BTreeMap<u64, Sites>,
    used: Used,
    /// Do all moves differ in more than the owner of a piece that they place?
    shared: bool,
    most: u32,
}

thread_local! {
    /// Marks of the numbers that are taken in a list of moves.
    static TAKEN: RefCell<Vec<u64>> = RefCell::default();
}

impl Coder {
    pub(crate) fn new(game: &LudGame) -> Coder {
        let lud = game.lud();
        let equipment = &lud.equipment;
        let mut stems: Vec<&str> = Vec::new();
        let mut stem_of = vec![0; equipment.components.len()];
        for (kind, number) in equipment.components.iter().zip(&mut stem_of).skip(1) {
            let at = stems.iter().position(|known| *known == kind.stem);
            *number = at.unwrap_or(stems.len()) as u32;
            if at.is_none() {
                stems.push(&kind.stem);
            }
        }
        let sample = sample(game, &stem_of);
        let sites = equipment.sites as u32;
        let (space, blocks) = numbering(lud, &sample, &stem_of);
        let (cells, shape) = plane(lud);
        let mut coder = Coder {
            space,
            blocks,
            shared: sample.shared,
            sites,
            encoding: Encoding::default(),
            area: shape.iter().product::<usize>() as u32,
            cells,
            stems: stem_of,
            names: stems.len() as u32,
            planes: Vec::new(),
            players: equipment.players,
            attributes: 0,
            used: sample.used,
            seen: FxHashMap::default(),
        };
        let (states, kinds) = (equipment.players + 1, equipment.components.len());
        coder.planes = (0..equipment.players * kinds * states)
            .map(|at| {
                let (state, what) = ((at % states) as i16, (at / states % kinds) as u16);
                let cell = Cell { what, state, ..Cell::default() };
                coder.plane(lud, &cell, at / states / kinds + 1) * coder.area
            })
            .collect();
        coder.attributes = coder.plane_of_attribute(0, lud) * coder.area;
        coder.encoding = coder.layout(lud, &stems, shape);
        if game.info().hidden {
            coder.seen = simple_cells(lud);
        }
        coder
    }

    pub(crate) fn space(&self) -> ActionSpace {
        self.space
    }

    pub(crate) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The fixed number of a move. `last` holds the kind of the move before it in the list and the block of that kind: most
    /// lists have long runs of one kind.
    fn number(&self, mv: Move, last: &mut (u64, Option<Block>)) -> Option<u32> {
        if last.0 != mv.0 & KIND {
            let kind = if self.shared { shared_kind(mv, &self.stems) } else { mv.0 & KIND };
            *last = (mv.0 & KIND, self.blocks.get(&kind).copied());
        }
        let block = last.1?;
        let (from, to) = sites(mv);
        // Sites are counted from 1 here.
        let inside = |site: u32| site.checked_sub(1).filter(|&site| site < self.sites);
        match block.sites {
            Sites::None => (from == 0 && to == 0).then_some(block.first),
            Sites::One if from == to || from == 0 => Some(block.first + inside(to)?),
            Sites::One => None,
            Sites::Two => Some(block.first + inside(from)? * self.sites + inside(to)?),
        }
    }

    pub(crate) fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        if self.space.fixed == 0 {
            return out.extend(0..legal.len() as u32);
        }
        let begin = out.len();
        TAKEN.with_borrow_mut(|taken| {
            taken.resize(taken.len().max(self.space.fixed as usize / 64 + 1), 0);
            let mut spare = self.space.fixed;
            let mut last = (u64::MAX, None);
            for &mv in legal {
                let number = self.number(mv, &mut last);
                let free = number.filter(|&n| taken[n as usize / 64] >> (n % 64) & 1 == 0);
                out.push(free.unwrap_or(spare));
                match free {
                    Some(n) => taken[n as usize / 64] |= 1 << (n % 64),
                    None => spare += 1,
                }
            }
            for &n in out.iter().skip(begin).filter(|&&n| n < self.space.fixed) {
                taken[n as usize / 64] = 0;
            }
        });
    }

    /// Planes: the names of pieces for each player relative to the viewer and for pieces of no player, then attributes,
    /// then the table.
    fn layout(&self, lud: &Lud, stems: &[&str], shape: Vec<usize>) -> Encoding {
        let players = lud.equipment.players;
        let mut names = Vec::new();
        for place in 0..=players {
            let owner = match place {
                0 => "own".to_owned(),
                place if place == players => "neutral".to_owned(),
                place => format!("next {place}"),
            };
            names.extend(stems.iter().map(|stem| format!("{owner} {}", stem.to_lowercase())));
        }
        let used = self.used;
        let attributes = [
            (used.state, "state"),
            (used.count, "count"),
            (used.value, "value"),
            (used.rotation, "rotation"),
            (used.stacks, "stack height"),
            (lud.rules.hidden, "unknown"),
        ];
        names.extend(attributes.iter().filter(|(used, _)| *used).map(|(_, name)| name.to_string()));
        let tables = self.numbers(lud).div_ceil(self.area.max(1) as usize);
        names.extend((0..tables).map(|_| "table".to_owned()));
        let shape = match shape[..] {
            [rows, columns] => vec![names.len(), rows, columns],
            _ => vec![names.len() * self.area as usize],
        };
        Encoding { shape, names }
    }

    /// How many numbers the table holds: whose turn, scores, dice, pieces in hands by name.
    fn numbers(&self, lud: &Lud) -> usize {
        let layout = lud.rules.layout;
        let held = lud.equipment.sites.saturating_sub(self.cells.len());
        2 * layout.players + layout.dice + held * self.names as usize
    }

    /// Writes what `seat` sees of a position. `me` is the number of its player, which may have changed sides.
    pub(crate) fn encode(&self, lud: &Lud, state: &State, me: usize, out: &mut Features) {
        for site in 0..state.cells.len() {
            let Some(cell) = state.cells.get(site).filter(|cell| cell.what != 0) else { continue };
            let under = state.under.get(site).map_or(0, Vec::len);
            self.put_cell(site, cell, me, under, out);
        }
        self.put_table(lud, Some(state), me, out);
    }

    /// Writes what a seat knows of a position with hidden parts from its percepts alone.
    pub(crate) fn encode_hidden(
        &self,
        lud: &Lud,
        origin: &State,
        me: usize,
        records: &[Record],
        out: &mut Features,
    ) {
        let words = lud.rules.layout.words;
        // A site whose contents the seat does not know has no entry.
        let mut cells: BTreeMap<usize, Cell> = BTreeMap::new();
        let open = origin.s.opening == 0;
        for (site, cell) in origin.cells.iter().enumerate().filter(|_| open) {
            if hides(origin, words, me, site, true) {
                cells.insert(site, Cell::default());
            } else if !hides(origin, words, me, site, false) {
                cells.insert(site, *cell);
            }
        }
        for word in records.iter().flat_map(|record| &record.percept.0) {
            if word >> 62 != 0 {
                continue;
            }
            let site = (word >> 48) as usize;
            match self.seen.get(&(word & 0xFFFF_FFFF_FFFF)) {
                Some(cell) => cells.insert(site, *cell),
                None => cells.remove(&site),
            };
        }
        let unknown = self.plane_of_attribute(5, lud);
        for site in 0..origin.cells.len() {
            match cells.get(&site) {
                Some(cell) if cell.what != 0 => self.put_cell(site, cell, me, 0, out),
                Some(_) => {}
                None => {
                    let cell = self.cells.get(site);
                    out.extend(cell.map(|&cell| (unknown * self.area + cell, 1.0)));
                }
            }
        }
        self.put_table(lud, None, me, out);
    }

    /// The plane of the pieces of a name for an owner, relative to the player `me`.
    fn plane(&self, lud: &Lud, cell: &Cell, me: usize) -> u32 {
        let players = lud.equipment.players;
        let kind = usize::from(cell.what);
        let owner = lud.equipment.owners.get(kind).map_or(0, |&owner| usize::from(owner));
        // The state of a neutral piece is often the player whose colour is up, as in Reversi.
        let owner = match owner {
            owner if (1..=players).contains(&owner) => owner,
            _ => usize::try_from(cell.state).unwrap_or(0),
        };
        let place = match owner {
            owner if (1..=players).contains(&owner) => (owner + players - me) % players,
            _ => players,
        };
        place as u32 * self.names + self.stems.get(kind).copied().unwrap_or(0)
    }

    fn plane_of_attribute(&self, number: usize, lud: &Lud) -> u32 {
        let used = self.used;
        let flags = [used.state, used.count, used.value, used.rotation, used.stacks];
        let before = flags.iter().take(number).filter(|used| **used).count() as u32;
        (lud.equipment.players as u32 + 1) * self.names + before
    }

    fn put_cell(&self, site: usize, cell: &Cell, me: usize, under: usize, out: &mut Features) {
        let Some(&at) = self.cells.get(site) else { return };
        // A state that is no player's number counts as 0.
        let state = usize::try_from(cell.state).unwrap_or(0);
        let state = if state <= self.players { state } else { 0 };
        let kind = (me - 1) * self.stems.len() + usize::from(cell.what);
        let Some(&plane) = self.planes.get(kind * (self.players + 1) + state) else { return };
        out.push((plane + at, 1.0));
        let used = self.used;
        let mut plane = self.attributes + at;
        let mut put = |used: bool, value: f32| {
            if used {
                if value != 0.0 {
                    out.push((plane, value));
                }
                plane += self.area;
            }
        };
        put(used.state, f32::from(cell.state));
        put(used.count, f32::from(cell.count));
        put(used.value, f32::from(cell.value));
        put(used.rotation, f32::from(cell.rotation));
        put(used.stacks, under as f32 + 1.0);
    }

    /// Writes the numbers beside the board. Where the state is hidden, only the pieces in open sites are known.
    fn put_table(&self, lud: &Lud, state: Option<&State>, me: usize, out: &mut Features) {
        let Some(state) = state else { return };
        let layout = lud.rules.layout;
        let hidden = u32::from(lud.rules.hidden);
        let mut at = (self.plane_of_attribute(5, lud) + hidden) * self.area;
        let mut put = |value: f32| {
            if value != 0.0 {
                out.push((at, value));
            }
            at += 1;
        };
        let players = layout.players;
        let player = |place: usize| (me - 1 + place) % players + 1;
        for place in 0..players {
            put(f32::from(u8::from(state.s.mover == player(place) && !state.s.over)));
        }
        for place in 0..players {
            let score = state.numbers.get(layout.score(player(place))).copied().unwrap_or(0);
            put(score as f32);
        }
        for die in 0..layout.dice {
            put(state.numbers.get(layout.die(die)).copied().unwrap_or(0) as f32);
        }
        for site in self.cells.len()..lud.equipment.sites {
            for name in 0..self.names {
                let cell = state.cells.get(site).filter(|cell| cell.what != 0);
                let here = cell.filter(|cell| {
                    self.stems.get(usize::from(cell.what)).is_some_and(|&stem| stem == name)
                });
                put(here.map_or(0.0, |cell| f32::from(cell.count.max(1))));
            }
        }
    }
}

/// The sites of a move, each plus one; 0 for none.
fn sites(mv: Move) -> (u32, u32) {
    ((mv.0 >> 46 & 0x3FFF) as u32, (mv.0 >> 32 & 0x3FFF) as u32)
}

/// Is it a move that places a piece? Its own number is the piece.
fn adds(mv: Move) -> bool {
    mv.0 >> 60 == ADD
}

/// The bits of a move that are not its sites, with the name of a piece instead of the piece itself.
fn shared_kind(mv: Move, stems: &[u32]) -> u64 {
    if !adds(mv) {
        return mv.0 & KIND;
    }
    let piece = (mv.0 >> 8 & 0x3FFF) as usize;
    let stem = stems.get(piece).copied().unwrap_or(0);
    mv.0 & KIND & !EXTRA | u64::from(stem) << 8
}

/// Plays random games and looks at all moves and pieces.
fn sample(game: &LudGame, stems: &[u32]) -> Sample {
    let mut sample = Sample { shared: true, ..Sample::default() };
    for number in 0..GAMES {
        let mut rng = Seed(0x1ead).child(number).rng();
        let mut position = game.start();
        let mut legal = Vec::new();
        for _ in 0..PLIES {
            let mv = match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => game.sample_chance(&position, &mut rng),
                _ => {
                    legal.clear();
                    game.moves(&position, Player(0), &mut legal);
                    sample.look(&legal, &position.state, stems);
                    let Some(&mv) = legal.get(rng.index(legal.len())) else { break };
                    mv
                }
            };
            game.apply(&mut position, &[mv]);
        }
    }
    sample
}

impl Sample {
    fn look(&mut self, legal: &[Move], state: &State, stems: &[u32]) {
        let mut met = rustc_hash::FxHashSet::default();
        for &mv in legal {
            let (from, to) = sites(mv);
            let count = match (from, to) {
                (0, 0) => Sites::None,
                (from, to) if from == to || from == 0 => Sites::One,
                _ => Sites::Two,
            };
            let kind = self.kinds.entry(mv.0 & KIND).or_default();
            *kind = (*kind).max(count);
            if adds(mv) {
                self.shared &= met.insert((shared_kind(mv, stems), from, to));
            }
        }
        self.most = self.most.max(legal.len() as u32);
        for cell in state.cells.iter().filter(|cell| cell.what != 0) {
            self.used.state |= cell.state != 0;
            self.used.count |= cell.count > 1;
            self.used.value |= cell.value != 0;
            self.used.rotation |= cell.rotation != 0;
        }
        self.used.stacks |= state.under.iter().any(|under| !under.is_empty());
    }
}

/// The action numbers. Games whose only decisions place pieces have no spare numbers.
fn numbering(lud: &Lud, sample: &Sample, stems: &[u32]) -> (ActionSpace, FxHashMap<u64, Block>) {
    let places_only = places_only(lud, sample);
    let mut kinds: BTreeMap<u64, Sites> = BTreeMap::new();
    for (&kind, &sites) in &sample.kinds {
        let kind = if sample.shared { shared_kind(Move(kind), stems) } else { kind };
        let known = kinds.entry(kind).or_default();
        *known = (*known).max(sites);
    }
    let all = u64::from(lud.equipment.sites as u32);
    let mut blocks = FxHashMap::default();
    let mut first = 0u64;
    for (kind, sites) in kinds {
        blocks.insert(kind, Block { first: first as u32, sites });
        first += match sites {
            Sites::None => 1,
            Sites::One => all,
            Sites::Two => all * all,
        };
        if first > MOST_ACTIONS {
            return (ActionSpace::slots(sample.most.saturating_mul(2)), FxHashMap::default());
        }
    }
    if places_only {
        // A player without a move passes, also where random games did not show it. No two passes are legal at once.
        let known = blocks.iter().find(|(kind, _)| *kind >> 60 == PASS).map(|(_, block)| *block);
        let pass = known.unwrap_or(Block { first: first as u32, sites: Sites::None });
        first += u64::from(known.is_none());
        for extra in [0, 1 << 8] {
            blocks.insert(PASS << 60 | NO_LEVEL | extra, pass);
        }
    }
    let spare = if places_only { 0 } else { SPARE };
    (ActionSpace { fixed: first as u32, slots: spare }, blocks)
}

/// Do all decisions of the rules place pieces, pass or change sides? Then random games have shown all kinds of moves, but
/// for passes.
fn places_only(lud: &Lud, sample: &Sample) -> bool {
    let written = |name: &str| lud.features.iter().any(|(known, n)| known == name && *n != 0.0);
    let others = ["TwoSitesMoves", "PromotionDecision", "RemoveDecision", "RotationDecision"];
    let words = ["BetDecision", "VoteDecision", "ProposeDecision"];
    let plain = |kind: &u64| [ADD, PASS, SWAP].contains(&(kind >> 60)) && kind & 0xFF == 0;
    written("AddDecision")
        && !others.iter().chain(&words).any(|name| written(name))
        && sample.kinds.keys().all(plain)
        && sample.shared
        && lud.equipment.containers.len() == 1
}

/// By site of the board its cell in a plane, and the shape of a plane: rows and columns where the board fits a grid.
fn plane(lud: &Lud) -> (Vec<u32>, Vec<usize>) {
    let equipment = &lud.equipment;
    let on_board = equipment.containers.first().map_or(0, |board| board.sites as usize);
    let elements = equipment.elements();
    let elements = elements.get(..on_board.min(elements.len())).unwrap_or_default();
    let rows = elements.iter().map(|e| e.row + 1).max().unwrap_or(1);
    let columns = elements.iter().map(|e| e.column + 1).max().unwrap_or(1);
    let cells: Vec<u32> = elements.iter().map(|e| (e.row * columns + e.column) as u32).collect();
    let different: rustc_hash::FxHashSet<u32> = cells.iter().copied().collect();
    let fits = different.len() == on_board && rows * columns <= 4 * on_board.max(1);
    match fits {
        true => (cells, vec![rows, columns]),
        false => ((0..on_board as u32).collect(), vec![on_board.max(1)]),
    }
}

/// The contents of sites that percepts can be read back to: nothing, or one piece of any kind and of a few states.
fn simple_cells(lud: &Lud) -> FxHashMap<u64, Cell> {
    let mut known = FxHashMap::default();
    let stacks = lud.start().under;
    let under = stacks.first().map(|_| Vec::<Cell>::new());
    let mut add = |cell: Cell| {
        let hash = hash_of(&(Some(&cell), under.as_ref())) >> 16;
        known.insert(hash & 0xFFFF_FFFF_FFFF, cell);
    };
    add(Cell::default());
    for what in 1..lud.equipment.components.len() {
        for state in 0..STATES {
            add(Cell { what: what as u16, count: 1, state, ..Cell::default() });
        }
    }
    known
}
