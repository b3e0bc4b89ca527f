//! A game as a file: text, JSON, PGN or SGF, a picture, or a moving picture (SVG or GIF).

use crate::driver::joint_text;
use crate::error::{Error, Result};
use crate::table::{Eye, Table, Viewer};
use crate::tree::Node;
use ludex_arena::notation::Played;
use ludex_core::scene::MoveSites;
use ludex_core::{AnyGame, AnyState, Game, Move, Transcript, Turn};
use ludex_draw::Marks;
use ludex_draw::svg::{Frame, board_layer, piece_layer};
use std::fmt::Write;

/// The most positions of a moving picture.
const MOST_FRAMES: usize = 400;
/// The width of a GIF in pixels, and the time of a position in hundredths of a second.
const GIF_WIDTH: u32 = 420;
const GIF_DELAY: u16 = 80;

/// A file: its media type, the end of its name, and its content.
pub(crate) type File = (&'static str, &'static str, Vec<u8>);

/// The line that ends with a step, as a file.
///
/// # Errors
/// The viewer may not see the whole game, or the format is unknown.
pub(crate) fn file(
    table: &Table,
    viewer: &Viewer,
    node: Option<usize>,
    format: &str,
) -> Result<File> {
    let inner = table.lock();
    if inner.eye(&table.game, viewer) != Eye::All {
        return Err(Error::Forbidden(
            "a game with hidden information is exported after its end".into(),
        ));
    }
    let line = inner.tree.line(node.unwrap_or(inner.live));
    let nodes: Vec<&Node> = line.iter().filter_map(|&id| inner.tree.node(id).ok()).collect();
    let game = &table.game;
    match format {
        "text" | "json" => {
            let steps = nodes.iter().skip(1).map(|node| {
                node.joint.iter().map(|&mv| game.move_text(mv)).collect::<Vec<String>>()
            });
            let transcript = Transcript {
                game: table.name.clone(),
                rules: game.info().source.to_string(),
                position: table.position.clone(),
                steps: steps.collect(),
            };
            Ok(match format {
                "text" => ("text/plain; charset=utf-8", "txt", transcript.to_string().into()),
                _ => ("application/json", "json", format!("{:#}\n", transcript.to_json()).into()),
            })
        }
        "svg" => {
            let Some(node) = nodes.last() else { return Err(Error::Missing("no position".into())) };
            Ok(("image/svg+xml", "svg", picture(table, node).into()))
        }
        "animation" => Ok(("image/svg+xml", "svg", animation(table, &nodes).into())),
        "gif" => {
            let shown = nodes.iter().take(MOST_FRAMES).map(|node| picture(table, node));
            let documents: Vec<String> = shown.collect();
            // Drawing takes seconds: the table must not wait for it.
            drop(inner);
            let gif = ludex_draw::gif(&documents, GIF_WIDTH, GIF_DELAY);
            let gif = gif.ok_or_else(|| Error::Fault("the pictures cannot be drawn".into()))?;
            Ok(("image/gif", "gif", gif))
        }
        "notation" => notation(table, &nodes),
        "position" => {
            let Some(node) = nodes.last() else { return Err(Error::Missing("no position".into())) };
            let text = game.forsyth(&node.state).unwrap_or_else(|| game.position(&node.state));
            Ok(("text/plain; charset=utf-8", "txt", format!("{text}\n").into()))
        }
        other => {
            let text = "there are text, json, notation, position, svg, animation and gif";
            Err(Error::Bad(format!("no format `{other}`; {text}")))
        }
    }
}

/// A position with its last move as an SVG document.
fn picture(table: &Table, node: &Node) -> String {
    let last = match *node.joint {
        [mv] => Some(table.game.move_sites(mv)),
        _ => None,
    };
    let marks = Marks { last, ..Marks::default() };
    ludex_draw::svg(&table.scene, &table.game.view(&node.state, None), &marks)
}

/// The name of the notation in which a game can be written.
pub(crate) fn notation_of(game: &AnyGame) -> Option<String> {
    let (agents, states) = (&game.info().players, [game.start()]);
    let played = Played { game, agents, states: &states, moves: &[], payoffs: None };
    played.text().map(|(name, _)| name.to_uppercase())
}

/// The game in the notation of its community, PGN or SGF.
fn notation(table: &Table, nodes: &[&Node]) -> Result<File> {
    let game = &table.game;
    let states: Vec<AnyState> = nodes.iter().map(|node| node.state.clone()).collect();
    let moves: Vec<Move> = nodes.iter().skip(1).filter_map(|n| n.joint.first().copied()).collect();
    let over = states.last().filter(|state| game.turn(state) == Turn::Over);
    let payoffs = over.map(|state| {
        let mut payoffs = vec![0.0; game.info().seats()];
        game.payoffs(state, &mut payoffs);
        payoffs
    });
    let agents = &game.info().players;
    let payoffs = payoffs.as_deref();
    let written = Played { game, agents, states: &states, moves: &moves, payoffs }.text();
    match written {
        Some(("pgn", text)) => Ok(("application/vnd.chess-pgn", "pgn", text.into())),
        Some((_, text)) => Ok(("application/x-go-sgf", "sgf", text.into())),
        None => Err(Error::Missing("this game has no notation of its own".into())),
    }
}

/// All positions one after the other, a second each, without a script.
fn animation(table: &Table, nodes: &[&Node]) -> String {
    let (game, scene) = (&table.game, &table.scene);
    let frame = Frame::of(scene);
    let (width, height) = (frame.width(), frame.height() + 0.8);
    let shown = &nodes[..nodes.len().min(MOST_FRAMES)];
    let whole = shown.len() as f32 + 2.0;
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.2} {height:.2}' width='{:.0}' \
         height='{:.0}' role='img'><rect width='100%' height='100%' fill='#fbf9f4'/>",
        width * 48.0,
        height * 48.0
    );
    if !scene.sites.is_empty() {
        out.push_str(&board_layer(scene));
    }
    for (index, node) in shown.iter().enumerate() {
        let last = index + 1 == shown.len();
        let from = index as f32 / whole;
        let to = if last { 1.0 } else { (index + 1) as f32 / whole };
        let _ = write!(out, "<g visibility='{}'>", if index == 0 { "visible" } else { "hidden" });
        let _ = match index {
            0 => write!(
                out,
                "<animate attributeName='visibility' dur='{whole}s' repeatCount='indefinite' \
                 calcMode='discrete' keyTimes='0;{to:.5}' values='visible;hidden'/>"
            ),
            _ => write!(
                out,
                "<animate attributeName='visibility' dur='{whole}s' repeatCount='indefinite' \
                 calcMode='discrete' keyTimes='0;{from:.5};{:.5}' values='hidden;visible;{}'/>",
                to.min(0.99999),
                if last { "visible" } else { "hidden" }
            ),
        };
        let view = game.view(&node.state, None);
        if let [mv] = *node.joint {
            marks(&mut out, table, &frame, &game.move_sites(mv));
        }
        out.push_str(&piece_layer(scene, &view));
        let text = joint_text(game, &node.joint);
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(
            out,
            "<text x='.4' y='{:.2}' font-size='.4' font-family='sans-serif' fill='#26282c'>{}. {text}</text></g>",
            height - 0.3,
            node.ply
        );
    }
    out.push_str("</svg>\n");
    out
}

fn marks(out: &mut String, table: &Table, frame: &Frame, sites: &MoveSites) {
    for site in [sites.from, sites.to].into_iter().flatten() {
        let Some(site) = table.scene.sites.get(site) else { continue };
        let (x, y) = frame.point(site.x, site.y);
        let _ = write!(
            out,
            "<circle cx='{x:.2}' cy='{y:.2}' r='.46' fill='#ffd24d' fill-opacity='.5'/>"
        );
    }
}
