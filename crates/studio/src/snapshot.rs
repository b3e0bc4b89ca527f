//! A position for the page, as its viewer may see it.

use crate::driver::{joint_text, payoffs};
use crate::error::Result;
use crate::players;
use crate::shelf;
use crate::table::{Eye, Inner, Table, Viewer};
use crate::wire::{
    BoardInfo, PieceInfo, PlacedInfo, SeatInfo, Setting, SiteInfo, Snapshot, Step, word,
};
use ludex_core::scene::{ContainerKind, Scene, View};
use ludex_core::{AnyGame, Game, Player, Turn};
use ludex_draw::svg::{Frame, board_layer, piece_layer};

/// The fixed part of a table.
pub(crate) fn setting(table: &Table) -> Setting {
    let info = table.game.info();
    let (agents, usual) = players::able(info);
    Setting {
        table: table.id.clone(),
        game: table.name.clone(),
        title: info.title.clone(),
        facts: shelf::facts(&table.game),
        board: board(&table.scene),
        agents,
        usual,
        position: table.position.clone(),
        notation: crate::export::notation_of(&table.game),
        seed: table.seed.0,
    }
}

/// The board of a game.
pub(crate) fn board(scene: &Scene) -> BoardInfo {
    let frame = Frame::of(scene);
    let sizes = sizes(scene);
    let site = |(index, site): (usize, &ludex_core::scene::Site)| {
        let (x, y) = frame.point(site.x, site.y);
        let outline = site.corners.iter().chain(site.ends.iter().flatten());
        let container = scene.containers.get(site.container);
        SiteInfo {
            x,
            y,
            size: sizes.get(index).copied().unwrap_or(1.0),
            points: outline.map(|&[x, y]| frame.point(x, y).into()).collect(),
            kind: word(site.kind),
            label: site.label.clone(),
            place: container.filter(|c| c.kind != ContainerKind::Board).map(|c| c.name.clone()),
            neighbours: site.neighbours.iter().map(|(k, &v)| (k.clone(), v as u32)).collect(),
        }
    };
    let piece = |piece: &ludex_core::scene::Piece| PieceInfo {
        name: piece.name.clone(),
        letters: piece.letters.clone(),
        owner: piece.owner,
    };
    BoardInfo {
        view_box: frame.view_box(),
        svg: if scene.sites.is_empty() { String::new() } else { board_layer(scene) },
        sites: scene.sites.iter().enumerate().map(site).collect(),
        pieces: scene.pieces.iter().map(piece).collect(),
        colours: scene.colours.clone(),
    }
}

/// The distance of each site to its nearest neighbour, at most 1. Sites are sorted into squares of side 1, so that large
/// boards cost little.
fn sizes(scene: &Scene) -> Vec<f32> {
    use std::collections::HashMap;
    let square = |x: f32, y: f32| (x.floor() as i64, y.floor() as i64);
    let mut squares: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (index, site) in scene.sites.iter().enumerate() {
        squares.entry(square(site.x, site.y)).or_default().push(index);
    }
    let nearest = |(index, site): (usize, &ludex_core::scene::Site)| {
        let (column, row) = square(site.x, site.y);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        let near = around.filter_map(|square| squares.get(&square)).flatten();
        let distances = near.filter(|&&other| other != index).filter_map(|&other| {
            let other = scene.sites.get(other)?;
            Some((site.x - other.x).hypot(site.y - other.y))
        });
        distances.fold(1.0f32, f32::min)
    };
    scene.sites.iter().enumerate().map(nearest).collect()
}

/// The view of a position for an eye.
fn look(game: &AnyGame, state: &ludex_core::AnyState, eye: Eye) -> View {
    match eye {
        Eye::All => game.view(state, None),
        Eye::Seat(seat) => game.view(state, Some(seat)),
        Eye::Blind => View {
            facts: "The players see this position; spectators see it after the game.".into(),
            ..View::default()
        },
    }
}

/// The position after a step, for a viewer who knows the first `known` steps. `None`: the last step of the game.
///
/// # Errors
/// There is no such step.
pub(crate) fn snapshot(
    table: &Table,
    viewer: &Viewer,
    node: Option<usize>,
    known: usize,
) -> Result<Snapshot> {
    let inner = table.lock();
    let (game, eye) = (&table.game, inner.eye(&table.game, viewer));
    let id = node.unwrap_or(inner.live);
    let at = inner.tree.node(id)?;
    let view = look(game, &at.state, eye);
    let known = known.min(inner.tree.len());
    let steps = (known..inner.tree.len()).filter_map(|id| step(table, &inner, id, eye)).collect();
    let live = id == inner.live;
    let movers = match eye {
        Eye::Blind => Vec::new(),
        _ => view.movers.clone(),
    };
    Ok(Snapshot {
        table: table.id.clone(),
        version: table.version(),
        node: id as u32,
        live: inner.live as u32,
        first: known as u32,
        steps,
        seats: seats(&inner, viewer, eye),
        viewer: match eye {
            Eye::Seat(seat) => Some(seat.0),
            _ => None,
        },
        hides: eye != Eye::All,
        may_reveal: game.info().hidden && inner.may_reveal(game, viewer),
        svg: match table.scene.sites.is_empty() {
            true => String::new(),
            false => piece_layer(&table.scene, &view),
        },
        pieces: view.pieces.iter().map(|p| PlacedInfo::of(&table.scene, p)).collect(),
        dice: view.dice.clone(),
        counters: view.counters.clone(),
        facts: view.facts.clone(),
        position: (eye == Eye::All).then(|| game.position(&at.state)),
        turn: turn_word(at.turn, eye, &movers).into(),
        movers,
        moves: moves(table, &inner, id, viewer, eye),
        payoffs: payoffs(&inner, id).or_else(|| resigned(&inner, live)),
        resigned: inner.resigned.filter(|_| live),
        paused: inner.paused,
        pace: inner.pace,
        note: inner.note.clone(),
    })
}

/// The kind of turn. A seat of a game with hidden information learns only whether it moves itself.
pub(crate) fn turn_word(turn: Turn, eye: Eye, movers: &[u8]) -> &'static str {
    match (turn, eye) {
        (Turn::Over, _) => "over",
        (_, Eye::Seat(_) | Eye::Blind) if movers.is_empty() => "others",
        (_, Eye::Seat(_) | Eye::Blind) => "one",
        (Turn::Chance, _) => "chance",
        (Turn::One(_), _) => "one",
        (Turn::Joint(_), _) => "joint",
    }
}

fn resigned(inner: &Inner, live: bool) -> Option<Vec<f32>> {
    let loser = inner.resigned.filter(|_| live)?;
    let others = inner.seats.len().saturating_sub(1).max(1) as f32;
    let payoff = |seat: usize| if seat == usize::from(loser) { 0.0 } else { 1.0 / others };
    Some((0..inner.seats.len()).map(payoff).collect())
}

fn seats(inner: &Inner, viewer: &Viewer, eye: Eye) -> Vec<SeatInfo> {
    let game = inner.tree.game();
    let turn = inner.tree.node(inner.live).map_or(Turn::Over, |node| node.turn);
    let seat = |(index, seat): (usize, &crate::table::Seat)| {
        let player = Player(index as u8);
        let yours = viewer.seats.contains(&player.0);
        let chosen = inner.pending.get(index).is_some_and(Option::is_some);
        let known = eye == Eye::All || eye == Eye::Seat(player);
        SeatInfo {
            name: game.info().player(player).to_string(),
            agent: seat.label().to_string(),
            yours,
            waiting: known && turn.includes(player) && !chosen && inner.resigned.is_none(),
        }
    };
    inner.seats.iter().enumerate().map(seat).collect()
}

/// A step as an eye sees it: everything, or a seat's own move and what it was told.
fn step(table: &Table, inner: &Inner, id: usize, eye: Eye) -> Option<Step> {
    let (game, node) = (&table.game, inner.tree.node(id).ok()?);
    let before = node.parent.and_then(|parent| inner.tree.node(parent).ok());
    let mut step = Step {
        id: id as u32,
        parent: node.parent.map(|parent| parent as u32),
        ply: node.ply,
        ..Step::default()
    };
    match (before, eye) {
        (None, _) => {}
        (Some(before), Eye::All) => {
            step.text = joint_text(game, &node.joint);
            step.movers = before.turn.movers().iter().map(|p| p.0).collect();
            if let [mv] = *node.joint {
                let info = table.describe(mv, 0, 0);
                (step.from, step.to) = (info.from, info.to);
            }
            step.values = payoffs(inner, id).or_else(|| node.values.clone());
        }
        (Some(_), Eye::Seat(seat)) => {
            let record = inner.tree.record(id, seat)?;
            let told = game.percept_text(&record.percept.0);
            if let Some(mv) = record.own {
                let info = table.describe(mv, 0, seat.0);
                (step.text, step.from, step.to) = (info.text, info.from, info.to);
                step.movers = vec![seat.0];
            }
            if !told.is_empty() && told != step.text {
                let join = if step.text.is_empty() { "" } else { " → " };
                step.text = format!("{}{join}{told}", step.text);
            }
        }
        (Some(_), Eye::Blind) => {}
    }
    Some(step)
}

/// The moves that the viewer may make at a step.
fn moves(
    table: &Table,
    inner: &Inner,
    id: usize,
    viewer: &Viewer,
    eye: Eye,
) -> Vec<crate::wire::MoveInfo> {
    let live = id == inner.live;
    if !live && inner.may_branch(&table.game).is_err() || live && inner.resigned.is_some() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for &seat in &viewer.seats {
        let chosen = live && inner.pending.get(usize::from(seat)).is_some_and(Option::is_some);
        let other = matches!(eye, Eye::Seat(eye) if eye.0 != seat);
        if chosen || other {
            continue;
        }
        let legal = inner.tree.legal(id, Player(seat));
        out.extend(legal.iter().enumerate().map(|(i, &mv)| table.describe(mv, i, seat)));
    }
    out
}

/// The pieces after a line of moves that is not played, where everything is public.
///
/// # Errors
/// The viewer may not see the whole position, or there is no such step.
pub(crate) fn preview(
    table: &Table,
    viewer: &Viewer,
    node: usize,
    line: &[String],
) -> Result<String> {
    let inner = table.lock();
    let game = &table.game;
    if game.info().hidden && inner.eye(game, viewer) != Eye::All {
        return Err(crate::error::Error::Forbidden("this position has hidden parts".into()));
    }
    let mut state = inner.tree.node(node)?.state.clone();
    drop(inner);
    for text in line.iter().take(64) {
        let read = match game.turn(&state) {
            Turn::One(mover) => game.parse_move(&state, mover, text),
            Turn::Chance => game.parse_chance(&state, text),
            Turn::Joint(_) | Turn::Over => break,
        };
        if !read.is_ok_and(|mv| game.try_apply(&mut state, &[mv]).is_ok()) {
            break;
        }
    }
    Ok(piece_layer(&table.scene, &game.view(&state, None)))
}
