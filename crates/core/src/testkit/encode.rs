//! The laws of [`encode`](mod@crate::encode) and [`batch`](crate::batch).

use crate::batch::{AutoReset, Batch, Buffers, Rules};
use crate::encode::Features;
use crate::erased::AnyGame;
use crate::game::{Game, Move};
use crate::matches::Match;
use crate::player::Player;
use crate::random::Seed;
use std::collections::HashSet;

/// Steps of one random match whose encodings are checked.
const STEPS: usize = 200;

/// Plays one random match and checks the observations of all seats and the action numbers of all movers.
pub(super) fn check<G: Game + Clone>(game: &G, seed: Seed) -> Result<(), String> {
    let width = game.encoding().width();
    let space = game.action_space();
    let erased = AnyGame::new(game.clone());
    law!(erased.encoding() == game.encoding(), "the erased game has another encoding");
    law!(erased.action_space() == space, "the erased game has another action space");
    let mut rng = seed.rng();
    let (mut play, mut other) = (Match::new(game), Match::new(&erased));
    let (mut pad, mut other_pad) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        for seat in 0..game.info().seats() {
            let seat = Player(seat as u8);
            let mut features = Features::new();
            game.encode(&play.view(seat, &mut pad), &mut features);
            let places: HashSet<u32> = features.iter().map(|&(at, _)| at).collect();
            law!(places.len() == features.len(), "a feature stands twice in step {step}");
            law!(
                places.iter().all(|&at| (at as usize) < width),
                "a feature is not below {width} in step {step}"
            );
            law!(features.iter().all(|(_, value)| value.is_finite()), "a feature is not finite");
            let mut again = Features::new();
            erased.encode(&other.view(seat, &mut other_pad), &mut again);
            law!(features == again, "the erased game encodes step {step} in another way");
            check_numbers(game, &pad, space.size(), space.fixed)?;
        }
        if play.is_over() {
            break;
        }
        let mut other_rng = rng.clone();
        play.apply_random(&mut rng);
        other.apply_random(&mut other_rng);
    }
    check_batches(game, seed)
}

fn check_numbers<G: Game>(game: &G, legal: &[Move], size: u32, fixed: u32) -> Result<(), String> {
    let mut numbers = Vec::new();
    game.actions(legal, &mut numbers);
    law!(numbers.len() == legal.len(), "{} numbers for {} moves", numbers.len(), legal.len());
    let set: HashSet<_> = numbers.iter().collect();
    law!(set.len() == numbers.len(), "two legal moves have one action number");
    for (&mv, &number) in legal.iter().zip(&numbers) {
        let text = game.move_text(mv);
        law!(number < size, "action number {number} of {text} is not below {size}");
        // A number with one meaning does not depend on the rest of the list.
        if number < fixed {
            let mut alone = Vec::new();
            game.actions(&[mv], &mut alone);
            law!(alone == [number], "{text} alone has the number {alone:?}, not {number}");
        }
    }
    Ok(())
}

/// A batch split in two gives the same as a whole one, and the erased batch the same as the typed one.
fn check_batches<G: Game + Clone>(game: &G, seed: Seed) -> Result<(), String> {
    let rules = Rules { reset: AutoReset::SameStep, longest: 60, ..Rules::default() };
    let erased = AnyGame::new(game.clone());
    let mut whole = Batch::new(game, 0..5, rules, seed);
    let mut parts = [erased.batch(0..2, rules, seed), erased.batch(2..5, rules, seed)];
    let mut out = Buffers::new(game, 5);
    let mut outs = [Buffers::new(game, 2), Buffers::new(game, 3)];
    whole.reset(game, None, &mut out.frame());
    for (part, out) in parts.iter_mut().zip(&mut outs) {
        erased.reset_batch(part, None, &mut out.frame());
    }
    for _ in 0..80 {
        let mut actions = vec![0; 5];
        whole.random_actions(&mut actions);
        whole.step(game, &actions, &mut out.frame());
        let mut from = 0;
        for (part, out) in parts.iter_mut().zip(&mut outs) {
            let mut own = vec![0; out.players.len()];
            erased.random_actions(part, &mut own);
            law!(actions[from..][..own.len()] == own, "batches of other sizes draw other actions");
            from += own.len();
            erased.step_batch(part, &own, &mut out.frame());
        }
        let [first, second] = &outs;
        let same = out.observations
            == [first.observations.as_slice(), &second.observations].concat()
            && out.masks == [first.masks.as_slice(), &second.masks].concat()
            && out.rewards == [first.rewards.as_slice(), &second.rewards].concat()
            && out.terminated == [first.terminated.as_slice(), &second.terminated].concat();
        law!(same, "a batch in parts differs from the whole batch");
        law!(out.illegal.iter().all(|illegal| !illegal), "a random legal action is illegal");
    }
    law!(whole.overflow() == 0, "a list of {} moves does not fit", whole.overflow());
    Ok(())
}
