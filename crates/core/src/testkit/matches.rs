//! The laws of [`Match`]: undo restores everything, text and JSON play the same match again, and a view shows no
//! hidden state.

use crate::game::Game;
use crate::matches::Match;
use crate::player::Player;
use crate::random::Seed;
use crate::transcript::Transcript;

/// How many steps of the match are played.
const STEPS: usize = 48;

/// Plays the first steps of a random match and checks the laws of [`Match`] along them.
pub(super) fn check<G: Game>(game: &G, seed: Seed, readable: bool) -> Result<(), String> {
    let mut rng = seed.named("match").rng();
    let mut play = Match::new(game);
    while play.len() < STEPS && !play.is_over() {
        views(&play)?;
        let before = mark(&play);
        play.apply_random(&mut rng);
        // undo plays the match again, so undoing every step of a long match would take quadratic time.
        if play.len() < 16 || play.len() == STEPS {
            let after = mark(&play);
            let last = play.joint(play.len() - 1).unwrap_or_default().to_vec();
            law!(play.undo(), "a step can't be undone: {}", before.0);
            law!(mark(&play) == before, "undo does not restore the match: {}", before.0);
            play.try_apply(&last).map_err(|e| format!("a step can't be made again: {e}"))?;
            law!(mark(&play) == after, "a step after undo differs: {}", before.0);
        }
    }
    replays(&play)?;
    if readable && play.len() > 1 {
        // Undo and replay again, from a position in the middle.
        let half = play.len() / 2;
        let moves: Vec<_> = play.joints().skip(half).map(<[_]>::to_vec).collect();
        play.truncate(half);
        let mut late = Match::at(game, play.state().clone());
        moves.iter().for_each(|joint| late.apply(joint));
        replays(&late)?;
    }
    Ok(())
}

/// All that a match shows: position, hash, turn, the position before, legal moves and records of all seats.
fn mark<G: Game>(play: &Match<'_, G>) -> (String, u64, String) {
    let game = play.game();
    let seats = (0..game.info().seats()).map(|seat| Player(seat as u8));
    let known: Vec<_> = seats.map(|seat| (play.legal(seat), play.records(seat).to_vec())).collect();
    let joints: Vec<_> = play.joints().collect();
    let rest = format!("{:?} {} {joints:?} {known:?}", play.turn(), game.position(play.before()));
    (play.position(), game.hash(play.state()), rest)
}

/// A view shows the state exactly where the game has no hidden information.
fn views<G: Game>(play: &Match<'_, G>) -> Result<(), String> {
    let hidden = play.game().info().hidden;
    let mut pad = Vec::new();
    for seat in play.turn().movers().iter() {
        let view = play.view(seat, &mut pad);
        law!(view.state().is_none() == hidden, "a view shows a hidden state, or hides an open one");
        law!(view.legal() == play.legal(seat), "a view lists other moves than the match");
    }
    Ok(())
}

/// Text and JSON give an equal match for every seat.
fn replays<G: Game>(play: &Match<'_, G>) -> Result<(), String> {
    let transcript = play.transcript();
    let text = transcript.to_string();
    let parsed: Transcript = text.parse().map_err(|e| format!("own transcript refused: {e}"))?;
    law!(parsed == transcript, "a transcript reads back as another:\n{text}");
    let json = Transcript::from_json(&transcript.to_json());
    law!(json.as_ref() == Ok(&transcript), "a transcript's JSON reads back as another:\n{text}");
    let again = Match::replay(play.game(), &parsed)
        .map_err(|e| format!("own transcript can't be replayed: {e}\n{text}"))?;
    law!(mark(&again) == mark(play), "a replayed transcript gives another match:\n{text}");
    Ok(())
}
