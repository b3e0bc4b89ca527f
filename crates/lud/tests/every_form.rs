//! Every form of the table, with each of its arguments: small games that use them load and play.
//!
//! The games are made from the table: a form with its mandatory arguments, and with each optional argument, each alternative
//! and each word of an enumeration in turn. A use that is refused must be listed in `REFUSED` with its reason, and every line of that list
//! must refuse something. `LUDEX_FORM` names the beginning of the forms to look at, and prints what is refused.

mod common;

use ludex_lud::compile::table::{Choice, Kind, Signature, Slot, Table};
use ludex_lud::engine::{Moves, Pad};

/// Uses that are refused: the beginning of the use, and why.
const REFUSED: &[(&str, &str)] = &[
    ("(card ", "no public description uses cards"),
    ("(deck", "no public description uses cards"),
    ("(deal Cards", "no public description uses cards"),
    ("(playCard", "no public description uses cards"),
    ("(move PlayCard", "no public description uses cards"),
    ("(split Deck", "no public description uses cards"),
    ("(set TrumpSuit", "no public description uses cards"),
    ("(move Set TrumpSuit", "no public description uses cards"),
    ("(domino", "dominoes are not read"),
    ("(deal Dominoes", "dominoes are not read"),
    ("(take Domino", "dominoes are not read"),
    ("(sites LineOfPlay)", "dominoes are not read"),
    ("(is PipsMatch", "dominoes are not read"),
    ("(die ", "dice that are pieces are not read"),
    ("(no Suicide", "no public description uses it"),
    ("(directions Random", "chance does not draw which moves there are"),
    ("(sites Random", "chance does not draw which moves there are"),
    ("(value Random (m", "a number between two others is drawn"),
    ("(brick", "these shapes are not read"),
    ("(celtic {", "these shapes are not read"),
    ("(celtic (poly", "these shapes are not read"),
    ("(quadhex 3 thirds", "these shapes are not read"),
    ("(hex NoShape", "it is no shape"),
    ("(tri NoShape", "it is no shape"),
    ("(square NoShape", "it is no shape"),
    ("(square Limping", "these shapes are not read"),
    ("(square (poly {{0 0} {0 3} {3 3} {3 0}}) diagonals", "these shapes are not read"),
    ("(concentric Target", "these shapes are not read"),
    ("(mancalaBoard 1 1 store:Inner", "where these stores lie is unknown"),
    ("(mancalaBoard 1 1 numStores:1", "where other stores lie is unknown"),
    ("(from at:EndOfTurn", "no turn is over while moves are listed"),
    ("(count Phases", "what it counts is unknown"),
    ("(count Steps newRotation", "pieces do not turn on their way"),
    ("(sites Distance newRotation", "pieces do not turn on their way"),
    ("(is Hidden ", "the parts are told apart where rules hide them together"),
    ("(sites Hidden ", "the parts are told apart where rules hide them together"),
    ("(remove 1 at:StartOfTurn", "when such a turn starts is unknown"),
    ("(move Remove 1 at:StartOfTurn", "when such a turn starts is unknown"),
    ("(set Rotation (to if:True)", "a piece must be named by its site"),
    ("(move Set Rotation (to if:True)", "a piece must be named by its site"),
    ("(expand 1 ", "regions of other containers are not read"),
    ("(expand \"Disc\"", "regions of other containers are not read"),
    ("(set Phase", "the colours of sites follow from the board"),
    ("(is Connected Regions", "regions are named by a role or listed"),
    ("(is Connected Vertices", "regions are named by a role or listed"),
    ("(- 3 3)", "a board of no sites"),
    ("(set {{1}}", "a site and a value are needed"),
    ("(set Cell {{1}}", "a site and a value are needed"),
    (
        "(place Random (sites Occupied by:All) {\"Disc\"} (is Mover P1)",
        "a flag must be written out",
    ),
    ("(poly {{", "a point has two coordinates"),
    ("(repeat 3 3 step:{{1.0}}", "a point has two coordinates"),
    ("(graph vertices:{{1.0}}", "a point has two coordinates"),
    ("(add vertices", "a point has two coordinates"),
    ("(add edges", "there is no such vertex"),
    ("(add cells", "there is no such vertex"),
    ("(remove (square 4) ", "a point has two coordinates"),
    ("(count \"Disc\")", "there is no such container"),
    ("(set Pot)", "a value is needed"),
    ("(forEach Die 1", "there is one hand of dice"),
    ("(is Odd)", "a number is needed"),
    ("(is Even)", "a number is needed"),
    ("(is Visited)", "a number is needed"),
    ("(is AnyDie)", "a number is needed"),
    ("(is PyramidCorners", "the board is no pyramid"),
    ("(is Target \"Disc\"", "there is no such container"),
    ("(coord \"Disc\")", "there is no such label"),
    ("(coord Cell \"Disc\")", "there is no such label"),
    ("(place \"Disc\"", "a place is needed"),
    ("(place Stack", "a place is needed"),
    ("(sites Major", "which sites are meant is unknown"),
    ("(sites Minor", "which sites are meant is unknown"),
    ("(sites Side)", "a side must be named"),
    ("(sites Side Cell)", "a side must be named"),
    ("(sites Axial)", "no pieces stand on edges"),
    ("(sites Horizontal)", "no pieces stand on edges"),
    ("(sites Vertical)", "no pieces stand on edges"),
    ("(sites Angled)", "no pieces stand on edges"),
    ("(sites Slash)", "no pieces stand on edges"),
    ("(sites Slosh)", "no pieces stand on edges"),
    ("(sites Hand", "the owner of a hand must be named"),
    ("(sites Winning", "the moves must be named"),
    ("(sites {\"Disc\"}", "there is no such label"),
    ("(sites Cell", "a region must be named"),
    ("(sites Row", "a row must be named"),
    ("(sites Column", "a column must be named"),
    ("(sites Phase", "a colour must be named"),
    ("(sites State", "a state must be named"),
    ("(sites Layer", "a layer must be named"),
    ("(set Neutral", "a place is needed"),
    ("(set P1", "a place is needed"),
    ("(set P2", "a place is needed"),
    ("(set Each", "a place is needed"),
    ("(set Shared", "a place is needed"),
    ("(set All", "a place is needed"),
    ("(set Mover", "a place is needed"),
    ("(set Next", "a place is needed"),
    ("(set Prev", "a place is needed"),
    ("(set NonMover", "a place is needed"),
    ("(set Enemy", "a place is needed"),
    ("(set Friend", "a place is needed"),
    ("(set Player", "a place is needed"),
    ("(is Crossing", "no pieces stand on edges"),
    ("(sites Crossing", "no pieces stand on edges"),
    ("(is Tree", "no pieces stand on edges"),
    ("(is SpanningTree", "no pieces stand on edges"),
    ("(is CaterpillarTree", "no pieces stand on edges"),
    ("(is RegularGraph", "no pieces stand on edges"),
    ("(is Path Cell", "cells have no paths"),
];

/// Roles that no item of the equipment can belong to.
const NO_OWNERS: [&str; 8] =
    ["Mover", "Next", "Prev", "NonMover", "Enemy", "Friend", "Ally", "Player"];

/// Arguments that a game of two players, played on cells, has no meaning for, wherever they stand.
const MEANINGLESS: &[(&str, &str)] = &[
    ("Vertex", "these forms do not know several kinds of elements"),
    ("Edge", "these forms do not know several kinds of elements"),
    (":(is Mover P1)", "a flag must be written out"),
    ("(count Pieces)", "a number of the equipment must be written out"),
];

/// Values of types, the plainest first.
const VALUES: &[(&str, &[&str])] = &[
    ("boolean", &["True", "False", "(is Mover P1)"]),
    ("int", &["1", "(count Pieces)"]),
    ("float", &["1.0"]),
    ("dim", &["3"]),
    ("graph", &["(square 4)"]),
    ("poly", &["(poly {{0 0} {0 3} {3 3} {3 0}})"]),
    ("region", &["(sites Occupied by:All)", "(sites Board)"]),
    ("string", &["\"Disc\""]),
    ("ints", &["(array {1 2})", "(players All)"]),
    ("range", &["(range 1 2)", "(exact 1)", "(min 1)", "(max 2)"]),
    ("direction", &["Orthogonal", "Forward", "(directions {N S})"]),
    ("absoluteDirection", &["Orthogonal"]),
    ("moves", &["(move Add (to (sites Empty)))", "(forEach Piece)"]),
    ("effect", &["(moveAgain)", "(addScore Mover 1)"]),
    ("then", &["(then (moveAgain))"]),
    ("player", &["(player 1)", "(player (mover))"]),
    ("piece", &["(piece \"Disc\")", "(piece \"Disc1\")", "(piece 3)"]),
    ("from", &["(from (sites Occupied by:Mover))"]),
    ("to", &["(to (sites Empty))", "(to if:True)"]),
    ("between", &["(between if:(is Occupied (between)))", "(between (exact 1))"]),
    ("apply", &["(apply (moveAgain))", "(apply if:True)"]),
    ("rotations", &["(rotations Orthogonal)"]),
    ("step", &["(step Forward (to if:True))"]),
    ("flips", &["(flips 1 2)"]),
    ("track", &["(track \"Own\" {0 1 2 3})"]),
    ("values", &["(values Cell (range 1 3))"]),
    ("trackStep", &["1", "N", "End"]),
    ("pair", &["(pair 1 2)", "(pair P1 3)"]),
    ("count", &["(count \"Disc1\" 2)"]),
    ("result", &["(result Mover Win)"]),
    ("score", &["(score P1 1)"]),
    ("payoff", &["(payoff P1 1.0)"]),
    ("if", &["(if True (result Mover Win))"]),
    ("startRule", &["(place \"Disc1\" 0)"]),
    ("metaRule", &["(passEnd NoEnd)"]),
    ("item", &["(hand Each)"]),
    ("hint", &["(hint {0 1} 2)"]),
    ("card", &["(card Ace rank:1 value:1)"]),
    ("path", &["(path from:0 to:2 colour:1)"]),
    ("directionFacing", &["N"]),
];

/// Values of a type, the plainest first.
fn values(kind: &Kind, label: Option<&str>) -> Vec<String> {
    let name = match kind {
        Kind::Literal(word) => return vec![word.clone()],
        Kind::List(inner) => {
            let one = values(inner, label);
            return one.iter().take(12).map(|item| format!("{{{item}}}")).collect();
        }
        Kind::Type(name) => name.as_str(),
    };
    match (name, label) {
        ("boolean", Some("if" | "ifAfterwards")) => vec!["(is Mover P1)".to_owned()],
        ("int", Some("level")) => vec!["0".to_owned()],
        ("string", Some("container")) => vec!["\"Board\"".to_owned()],
        _ => match VALUES.iter().find(|(of, _)| *of == name) {
            Some((_, list)) => list.iter().map(|&text| text.to_owned()).collect(),
            None => Table::get().words(name).to_vec(),
        },
    }
}

fn argument(choice: &Choice, value: &str) -> String {
    match &choice.label {
        Some(label) => format!("{label}:{value}"),
        None => value.to_owned(),
    }
}

/// All uses of a form: the plainest, then with every argument in turn.
fn uses(form: &Signature) -> Vec<String> {
    let all = |slot: &Slot| -> Vec<String> {
        let choices = slot.choices.iter();
        choices
            .flat_map(|choice| {
                let values = values(&choice.kind, choice.label.as_deref());
                values.into_iter().map(|value| argument(choice, &value)).collect::<Vec<_>>()
            })
            .collect()
    };
    let first: Vec<Option<String>> = form
        .slots
        .iter()
        .map(|slot| if slot.optional { None } else { all(slot).into_iter().next() })
        .collect();
    let text = |args: &[Option<String>]| {
        let args = args.iter().flatten().map(|arg| format!(" {arg}"));
        format!("({}{})", form.keyword, args.collect::<String>())
    };
    let mut list = vec![text(&first)];
    for (number, slot) in form.slots.iter().enumerate() {
        for value in all(slot) {
            let mut args = first.clone();
            args[number] = Some(value);
            let one = text(&args);
            if !list.contains(&one) {
                list.push(one);
            }
        }
    }
    list
}

/// A small game around a use of a form of a type; nothing for parts that others read.
fn game(kind: &str, text: &str, board: &str) -> Option<String> {
    let mut parts = Parts { board: board.to_owned(), ..Parts::default() };
    match kind {
        "boolean" => parts.play = format!("(move Add (to (sites Empty) if:{text}))"),
        "int" => parts.play = format!("(move Add (to (sites Empty)) (then (set Counter {text})))"),
        "float" => {
            parts.play =
                format!("(move Add (to (sites Empty)) (then (set Counter (toInt {text}))))");
        }
        "dim" => parts.board = format!("(square {text})"),
        "poly" => parts.board = format!("(square {text})"),
        "graph" => parts.board = text.to_owned(),
        "region" => parts.play = format!("(move Select (from {text}))"),
        "ints" => parts.play = format!("(forEach Value {text} (move Pass))"),
        "direction" => {
            parts.play = format!("(forEach Piece (move Step {text} (to if:(is Empty (to)))))");
        }
        "moves" => parts.play = text.to_owned(),
        "effect" => {
            parts.play = format!("(move Select (from (sites Occupied by:Mover)) (then {text}))");
        }
        "startRule" => parts.start = text.to_owned(),
        "metaRule" => parts.meta = text.to_owned(),
        "endRule" => parts.end = text.to_owned(),
        "result" => parts.end = format!("(if (is Full) {text})"),
        "range" => {
            parts.play = format!(
                "(move Slide (from (sites Occupied by:Mover)) (between {text} if:(is Empty (between))) (to if:(is Empty (to))))"
            );
        }
        "item"
            if text.starts_with("(board")
                || text.starts_with("(mancalaBoard")
                || text.starts_with("(surakartaBoard") =>
        {
            parts.board_item = Some(text.to_owned());
        }
        "item" => parts.items = text.to_owned(),
        _ => return None,
    }
    Some(parts.text())
}

#[derive(Default)]
struct Parts {
    board: String,
    board_item: Option<String>,
    items: String,
    meta: String,
    start: String,
    play: String,
    end: String,
}

impl Parts {
    fn text(&self) -> String {
        let or =
            |own: &str, other: &str| if own.is_empty() { other.to_owned() } else { own.to_owned() };
        let play = or(&self.play, "(or (move Add (to (sites Empty))) (move Pass))");
        let end = or(&self.end, "(if (is Full) (result Mover Win))");
        let board = self.board_item.clone().unwrap_or_else(|| {
            format!("(board {} (track \"Disc\" {{0 1 2 3}} P1 directed:True))", self.board)
        });
        format!(
            "(game \"Form\" (players 2) (equipment {{
              {board}
              (piece \"Disc\" Each N (flips 1 2) (move Step (to if:(is Empty (to)))))
              (piece \"Rock\" Neutral) (hand Each) (dice num:2) (map {{(pair 1 2)}})
              (map \"Disc\" {{(pair 1 2)}})
              (regions \"Disc\" (sites {{0 1}})) (regions P1 (sites {{2}})) (regions P2 (sites {{1}})) {}
            }}) (rules (meta {{{}}}) (start {{(place \"Disc1\" {{1 2}}) (place \"Disc2\" 3) (place \"Rock\" 0) {}}})
              (play {play}) (end {end})))",
            self.items, self.meta, self.start
        )
    }
}

/// Loads a game and plays a few moves.
fn try_out(text: &str) -> Result<(), String> {
    let game = common::game(text)?;
    let game = game.lud();
    for pick in 0..3 {
        let mut state = game.start();
        let (mut pad, mut legal) = (Pad::default(), Moves::default());
        for ply in 0..12 {
            if state.s.over {
                break;
            }
            game.legal(&mut state, &mut pad, &mut legal);
            let count = legal.heads.len();
            if count == 0 {
                break;
            }
            let head = legal.heads[(pick * 7 + ply * 3 * pick) % count];
            game.apply(&mut state, &mut pad, &legal, head);
        }
    }
    Ok(())
}

/// Is a use refused for a reason that is known? The number of its line in `REFUSED`, if it has one.
fn reason(kind: &str, text: &str) -> Option<Option<usize>> {
    let line = REFUSED.iter().position(|(start, _)| text.starts_with(start));
    let role = || {
        let role = |role: &str| text.split([' ', ')', '{', '}']).any(|word| word == role);
        kind == "item" && NO_OWNERS.iter().any(|name| role(name))
    };
    // Two players play, in no team, so others own nothing.
    let absent = || {
        let word = |word: &str| {
            let number =
                |prefix: &str| word.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
            number("P").is_some_and(|player| player > 2)
                || number("Team").is_some()
                || word == "TeamMover"
        };
        text.split([' ', ')', '(', '{', '}', ':']).any(word)
    };
    let meaningless = || MEANINGLESS.iter().any(|(part, _)| text.contains(part));
    match line {
        Some(line) => Some(Some(line)),
        None => (role() || absent() || meaningless()).then_some(None),
    }
}

#[test]
fn every_use_of_a_form_loads_and_plays() {
    let only = std::env::var("LUDEX_FORM").ok();
    let (mut all, mut unknown) = (0, Vec::new());
    let mut known = vec![false; REFUSED.len()];
    for form in &Table::get().signatures {
        if only.as_ref().is_some_and(|only| !form.text.starts_with(only)) {
            continue;
        }
        for text in uses(form) {
            let Some(game) = game(&form.result, &text, "(square 3)") else { continue };
            all += 1;
            let Err(why) = try_out(&game) else { continue };
            let why = why.lines().next().unwrap_or_default().to_owned();
            if only.is_some() {
                println!("{} | {text} | {why}", form.result);
            }
            match reason(&form.result, &text) {
                Some(line) => line.into_iter().for_each(|line| known[line] = true),
                None => unknown.push(format!("{} | {text} | {why}", form.result)),
            }
        }
    }
    assert!(unknown.is_empty(), "{} refused:\n{}", unknown.len(), unknown.join("\n"));
    if only.is_none() {
        assert!(all > 5000, "only {all} uses");
        let stale = REFUSED.iter().zip(known).filter(|(_, known)| !known);
        let stale: Vec<_> = stale.map(|((start, _), _)| start).collect();
        assert!(stale.is_empty(), "these are read now: {stale:?}");
    }
}
