//! The list of the native games, and the door that opens one by its name.

use crate::{
    Breakthrough, Connect4, Goofspiel, Kuhn, Ludo, Minichess, Nim, Pig, Ropasci360, Rps, TicTacToe,
    params::refuse,
};
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, Error, Result, Spec};

/// A game of the list.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name that opens it.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// What can be set, in the order of plain arguments.
    pub parameters: &'static [Parameter],
    /// Names that open versions of it.
    pub examples: &'static [&'static str],
    /// A position that is not the start, in the game's notation.
    pub position: &'static str,
    open: fn(&Spec) -> Result<AnyGame>,
}

/// A parameter of a game.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its key.
    pub key: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What it means and which values it takes.
    pub about: &'static str,
}

const fn parameter(key: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { key, default, about }
}

static CATALOG: [Entry; 11] = [
    Entry {
        name: "breakthrough",
        title: "Breakthrough: bring a piece to the last row",
        parameters: &[
            parameter("columns", "8", "2 to 16; columns x rows at most 64"),
            parameter("rows", "8", "4 to 32"),
        ],
        examples: &["breakthrough", "breakthrough(6,6)"],
        position: "bbbbbbbb/bb1bbbbb/2b5/8/8/1w6/w1wwwwww/wwwwwwww w",
        open: |spec| Breakthrough::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "connect4",
        title: "Connect Four: drop stones, four in a row wins",
        parameters: &[
            parameter("columns", "7", "1 to 26; columns x (rows + 1) at most 64"),
            parameter("rows", "6", "1 to 63"),
            parameter("line", "4", "stones in a row that win, 2 or more"),
        ],
        examples: &["connect4", "connect4(5,4)", "connect4(columns=8,rows=7,line=5)"],
        position: "7/7/7/3o3/3x3/2oxx2",
        open: |spec| Connect4::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "goofspiel",
        title: "Goofspiel: bid cards for prizes, both at once",
        parameters: &[
            parameter("cards", "5", "cards a hand, 1 to 13"),
            parameter("order", "random", "of the prizes: random, descending or ascending"),
        ],
        examples: &["goofspiel", "goofspiel(cards=4,order=descending)"],
        position: "1,2,3,5 1,2,4,5 1,2,5 4 3-0",
        open: |spec| Goofspiel::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "kuhn",
        title: "Kuhn poker: three cards, one bet, hidden hands",
        parameters: &[],
        examples: &["kuhn"],
        position: "JQ:pb",
        open: |spec| Kuhn::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "ludo",
        title: "Ludo: four players race four tokens each round the board",
        parameters: &[parameter(
            "stars",
            "paper",
            "fixed: a token on the star that another jumps from stays there",
        )],
        examples: &["ludo", "ludo(stars=fixed)"],
        position: "5,-1,-1,-1/-1,-1,14,-1/-1,-1,-1,99/67,-1,-1,-1 2 6",
        open: |spec| Ludo::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "minichess",
        title: "Minichess on 5 rows and 4 columns: take the king",
        parameters: &[
            parameter("quiet", "50", "half-moves without capture or pawn move that draw, 1 to 400"),
            parameter("promotion", "queen", "queen or none"),
        ],
        examples: &["minichess", "minichess(quiet=20)", "minichess(promotion=none)"],
        position: "k2r/p2p/P1pP/2PR/3K b 0",
        open: |spec| Minichess::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "nim",
        title: "Nim: take counters from one pile, who takes the last wins",
        parameters: &[
            parameter("piles", "3,4,5", "plain arguments: up to 16 piles of up to 1000"),
            parameter("misere", "false", "true: who takes the last counter loses"),
        ],
        examples: &["nim", "nim(2,3,2)", "nim(1,3,5,7,misere=true)"],
        position: "3,1,5 second",
        open: |spec| Nim::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "pig",
        title: "Pig: roll on or hold, a 1 loses the turn",
        parameters: &[
            parameter("target", "100", "points that win, 2 to 1000"),
            parameter("players", "2", "2 to 10"),
        ],
        examples: &["pig", "pig(target=50,players=3)"],
        position: "12,30 2 7",
        open: |spec| Pig::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "ropasci360",
        title: "RoPaSci 360: rocks, papers and scissors hunt each other, both move at once",
        parameters: &[],
        examples: &["ropasci360"],
        position: "-4,3=r -3,0=r 2,-2=P 4,-3=S | 2,2 | 4",
        open: |spec| Ropasci360::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "rps",
        title: "Rock-Paper-Scissors: both choose at once",
        parameters: &[parameter("rounds", "1", "1 to 10000")],
        examples: &["rps", "rps(rounds=10)"],
        position: "0 0",
        open: |spec| Rps::new(spec).map(AnyGame::new),
    },
    Entry {
        name: "tictactoe",
        title: "Tic-Tac-Toe: three in a row",
        parameters: &[],
        examples: &["tictactoe"],
        position: "2x/1o1/3",
        open: |spec| TicTacToe::new(spec).map(AnyGame::new),
    },
];

/// All native games, by name.
pub fn catalog() -> &'static [Entry] {
    &CATALOG
}

/// Opens a game by a string such as `connect4(5,4)`.
///
/// # Errors
/// The string can't be read, no game has this name, or it does not take these parameters.
pub fn open(name: &str) -> Result<AnyGame> {
    open_spec(&name.parse()?)
}

/// Opens a game by a parsed name.
///
/// # Errors
/// No game has this name, or it does not take these parameters.
pub fn open_spec(spec: &Spec) -> Result<AnyGame> {
    let Some(entry) = CATALOG.iter().find(|entry| entry.name == spec.name) else {
        return Err(Error::Unknown {
            what: "game",
            name: spec.name.clone(),
            hint: did_you_mean(&spec.name, CATALOG.iter().map(|entry| entry.name)),
        });
    };
    if let Some((key, _)) = spec.budget.first() {
        return refuse(spec, format!("a game takes no budget such as `@{key}`"));
    }
    (entry.open)(spec)
}
