//! A game with people at the table: one board a turn, commands beside moves, and steps that can be taken back.

use super::input::Input;
use crate::commands::default_agent;
use crate::output;
use anyhow::Context;
use console::Term;
use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Match, Move, Player, Rng, Seed, Transcript, Turn, short};
use std::time::Duration;

/// A game with people at the table.
pub(super) struct Session<'g> {
    game: &'g AnyGame,
    play: Match<'g, AnyGame>,
    seats: Vec<Chair>,
    specs: Vec<AgentSpec>,
    seed: Seed,
    luck: Rng,
    /// Steps that were taken back, the next one last.
    undone: Vec<Vec<Move>>,
    input: Input,
}

/// The occupant of a seat: a person or an agent.
enum Chair {
    Person,
    Agent { agent: Box<dyn Agent<AnyGame>>, budget: Budget },
}

/// A person's answer to the prompt.
enum Wish {
    Play(Move),
    /// The position has changed: begin the turn again.
    Again,
    Resign,
    Quit,
}

const HELP: &str = "\
  a move    its whole text, or a part that means one move alone: g7, e2e4, 4; or its number in the list
  ?         list your moves with their numbers
  hint      the best moves in the opinion of the default agent
  undo      take back to your last turn; redo goes forward again
  board     show the board again; position prints it as text for --position
  save F    write the game to a file; load F goes on with one
  resign    give up
  quit      leave";

impl<'g> Session<'g> {
    pub(super) fn new(
        game: &'g AnyGame,
        play: Match<'g, AnyGame>,
        specs: Vec<AgentSpec>,
        budget: &Budget,
        seed: Seed,
    ) -> anyhow::Result<Self> {
        let mut seats = Vec::new();
        for (i, spec) in specs.iter().enumerate() {
            spec.supports(game.info())?;
            seats.push(match super::is_human(spec) {
                true => Chair::Person,
                false => Chair::Agent {
                    agent: spec.build(
                        game,
                        Player(i as u8),
                        seed.named("agent").child(i as u64),
                    )?,
                    budget: spec.budget().or(budget),
                },
            });
        }
        let luck = seed.named("chance").rng();
        let undone = Vec::new();
        Ok(Session { game, play, seats, specs, seed, luck, undone, input: Input::stdin() })
    }

    /// Plays to the end, or until a person leaves.
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        loop {
            let turn = self.play.turn();
            match turn {
                Turn::Over => return self.finish(),
                Turn::Chance => {
                    let drawn = self.play.sample_chance(&mut self.luck);
                    if !self.game.info().hidden {
                        output::line(format!("chance: {}", self.game.move_text(drawn)))?;
                    }
                    self.step(&[drawn]);
                }
                Turn::One(_) | Turn::Joint(_) => {
                    let mut joint = Vec::new();
                    let mut again = false;
                    for seat in turn.movers().iter() {
                        match self.choose(seat)? {
                            Wish::Play(mv) => joint.push(mv),
                            Wish::Again => {
                                again = true;
                                break;
                            }
                            Wish::Resign => return self.resigned(seat),
                            Wish::Quit => return output::line("You left the game."),
                        }
                    }
                    if !again {
                        self.tell(turn, &joint)?;
                        self.step(&joint);
                    }
                }
            }
        }
    }

    fn step(&mut self, joint: &[Move]) {
        // A new way forgets the steps that were taken back.
        if self.undone.pop().is_none_or(|next| next != joint) {
            self.undone.clear();
        }
        self.play.apply(joint);
    }

    /// Says what the agents played, as far as the people may know it.
    fn tell(&self, turn: Turn, joint: &[Move]) -> anyhow::Result<()> {
        let info = self.game.info();
        for (seat, &mv) in turn.movers().iter().zip(joint) {
            if matches!(self.seats[seat.index()], Chair::Person) {
                continue;
            }
            match info.hidden {
                true => output::line(format!("{} has moved", info.player(seat)))?,
                false => {
                    output::line(format!(
                        "{} plays {}",
                        info.player(seat),
                        self.game.move_text(mv)
                    ))?;
                }
            }
        }
        Ok(())
    }

    fn choose(&mut self, seat: Player) -> anyhow::Result<Wish> {
        match &mut self.seats[seat.index()] {
            Chair::Person => self.ask(seat),
            Chair::Agent { agent, budget } => {
                let mut pad = Vec::new();
                let view = match agent.cheats() {
                    true => self.play.cheating_view(seat, &mut pad),
                    false => self.play.view(seat, &mut pad),
                };
                let choice = agent.choose(self.game, &view, budget);
                let name = self.game.info().player(seat);
                Ok(Wish::Play(choice.with_context(|| format!("{name} gave no move"))?.mv))
            }
        }
    }

    /// Shows the board once and asks until there is a move or another wish.
    fn ask(&mut self, seat: Player) -> anyhow::Result<Wish> {
        self.show(seat)?;
        let mut legal = self.play.legal(seat);
        // A person looks for a move by its text, not in the order of the engine.
        legal.sort_by_cached_key(|&mv| natural(&self.game.move_text(mv)));
        let prompt = format!("{}, your move (or help): ", self.game.info().player(seat));
        loop {
            let Some(line) = self.input.ask(&prompt) else { return Ok(Wish::Quit) };
            let text = line.trim();
            // By its exact text first, so that a game may have a move called `undo`.
            if let Some(mv) = legal.iter().find(|&&mv| self.game.move_text(mv) == text) {
                return Ok(Wish::Play(*mv));
            }
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            match word {
                "" => {}
                "help" | "h" => output::line(HELP)?,
                "?" | "moves" => self.list(&legal)?,
                "board" | "b" => self.show(seat)?,
                "position" => self.position()?,
                "hint" => self.hint(seat)?,
                "resign" => return Ok(Wish::Resign),
                "quit" | "exit" | "q" => return Ok(Wish::Quit),
                "undo" | "u" if self.undo(seat) => return Ok(Wish::Again),
                "undo" | "u" => output::line("There is no move of yours to take back.")?,
                "redo" if self.redo(seat) => return Ok(Wish::Again),
                "redo" => output::line("No move was taken back.")?,
                "save" => self.save(rest)?,
                "load" => match self.load(rest) {
                    Ok(()) => return Ok(Wish::Again),
                    Err(error) => output::line(format!("{error:#}"))?,
                },
                _ => match self.meant(&legal, text) {
                    Ok(mv) => return Ok(Wish::Play(mv)),
                    Err(error) => output::line(error)?,
                },
            }
        }
    }

    /// The move that a person means: by its text or a part of it, or by its number in the list.
    fn meant(&self, legal: &[Move], text: &str) -> ludex_core::Result<Move> {
        short::find(self.game, legal, text).or_else(|error| {
            let number = text.trim_start_matches('#').parse::<usize>().ok();
            number.and_then(|n| legal.get(n.checked_sub(1)?)).copied().ok_or(error)
        })
    }

    fn show(&self, seat: Player) -> anyhow::Result<()> {
        let hidden = self.game.info().hidden;
        let last = self.play.len().checked_sub(1).and_then(|step| self.play.joint(step));
        let last = last.and_then(|joint| joint.last().copied()).filter(|_| !hidden);
        output::line("")?;
        let board = output::board(self.game, self.play.state(), hidden.then_some(seat), last);
        // The prompt says who moves.
        let lines = board.lines().filter(|line| !line.ends_with(" to move"));
        output::line(lines.collect::<Vec<_>>().join("\n").trim_end())?;
        // A board cannot show what a seat has seen on the way.
        if let Some(seen) = self.play.records(seat).last().filter(|_| hidden) {
            let text = self.game.percept_text(&seen.percept.0);
            if !text.is_empty() {
                output::line(format!("you have seen: {text}"))?;
            }
        }
        Ok(())
    }

    /// The position as text, which `--position` reads. All of it: so only where nothing is hidden.
    fn position(&self) -> anyhow::Result<()> {
        if self.game.info().hidden {
            return output::line("This game hides a part of its position.");
        }
        let state = self.play.state();
        output::line(self.game.forsyth(state).unwrap_or_else(|| self.game.position(state)))
    }

    /// The legal moves in columns that fit the terminal, with their numbers.
    fn list(&self, legal: &[Move]) -> anyhow::Result<()> {
        let items: Vec<String> = legal
            .iter()
            .enumerate()
            .map(|(i, &mv)| format!("{:>3} {}", i + 1, self.game.move_text(mv)))
            .collect();
        let widest = items.iter().map(|item| item.chars().count()).max().unwrap_or(1) + 2;
        let width = usize::from(Term::stdout().size().1).clamp(40, 160);
        let columns = (width / widest).max(1);
        let rows = items.len().div_ceil(columns);
        for row in 0..rows {
            let cells = items.iter().skip(row).step_by(rows);
            let line: String = cells.map(|item| format!("{item:<widest$}")).collect();
            output::line(line.trim_end())?;
        }
        Ok(())
    }

    fn hint(&self, seat: Player) -> anyhow::Result<()> {
        let spec = default_agent(self.game)?;
        let mut agent = spec.build(self.game, seat, self.seed.named("hint"))?;
        let mut pad = Vec::new();
        let view = self.play.view(seat, &mut pad);
        let budget = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let choice = agent.choose(self.game, &view, &budget)?;
        let best = choice.thought.candidates.iter().take(3);
        let list: Vec<String> = best
            .map(|c| format!("{} ({:.0} %)", self.game.move_text(c.mv), 100.0 * c.value))
            .collect();
        match list.is_empty() {
            true => output::line(format!("{spec} would play {}", self.game.move_text(choice.mv))),
            false => output::line(format!(
                "{spec} thinks of {}; the numbers are the payoff that you may expect, 100 % is a win",
                list.join(", ")
            )),
        }
    }

    /// Takes back steps until it is the person's turn again.
    fn undo(&mut self, seat: Player) -> bool {
        let now = self.play.len();
        let mut steps = now;
        let mut back = Match::at(self.game, self.play.origin().clone());
        let mut turns = Vec::new();
        for joint in self.play.joints() {
            turns.push(back.turn().includes(seat));
            back.apply(joint);
        }
        while steps > 0 && (steps == now || !turns[steps]) {
            steps -= 1;
        }
        if steps == now || !turns.get(steps).copied().unwrap_or(false) {
            return false;
        }
        for step in (steps..now).rev() {
            self.undone.extend(self.play.joint(step).map(<[Move]>::to_vec));
        }
        self.play.truncate(steps);
        self.forget();
        true
    }

    /// Makes the steps again that were taken back, up to the person's next turn.
    fn redo(&mut self, seat: Player) -> bool {
        let mut some = false;
        while let Some(joint) = self.undone.pop() {
            self.play.apply(&joint);
            some = true;
            if self.play.turn().includes(seat) {
                break;
            }
        }
        if some {
            self.forget();
        }
        some
    }

    /// Gives the agents fresh minds: what they remember belongs to another course of the game.
    fn forget(&mut self) {
        for (i, chair) in self.seats.iter_mut().enumerate() {
            let seed = self.seed.named("agent").child(i as u64);
            if let Chair::Agent { agent, .. } = chair
                && let Ok(fresh) = self.specs[i].build(self.game, Player(i as u8), seed)
            {
                *agent = fresh;
            }
        }
    }

    fn save(&self, path: &str) -> anyhow::Result<()> {
        if path.trim().is_empty() {
            return output::line("save needs the name of a file: save my-game.txt");
        }
        match std::fs::write(path.trim(), self.play.transcript().to_string()) {
            Ok(()) => {
                output::line(format!("{} is written; `load {0}` goes on with it", path.trim()))
            }
            Err(error) => output::line(format!("can't write {}: {error}", path.trim())),
        }
    }

    fn load(&mut self, path: &str) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(path.trim())
            .with_context(|| format!("can't read `{}`", path.trim()))?;
        let transcript: Transcript = text.parse()?;
        self.play = Match::replay(self.game, &transcript)?;
        self.undone.clear();
        self.forget();
        Ok(())
    }

    fn resigned(&self, seat: Player) -> anyhow::Result<()> {
        output::line(format!("{} resigns.", self.game.info().player(seat)))
    }

    /// The last position, all of it, and the result in words.
    fn finish(&self) -> anyhow::Result<()> {
        let last = self.play.len().checked_sub(1).and_then(|step| self.play.joint(step));
        let last = last.and_then(|joint| joint.last().copied());
        output::line("")?;
        output::line(output::board(self.game, self.play.state(), None, last).trim_end())?;
        let payoffs = self.play.payoffs().unwrap_or_default();
        let people = (0..self.seats.len()).filter(|&i| matches!(self.seats[i], Chair::Person));
        let people: Vec<usize> = people.collect();
        if let [me] = people.as_slice() {
            output::line(verdict(&payoffs, *me))?;
        }
        output::line(super::result_line(self.game, &payoffs))
    }
}

/// The result of a game for one seat, in words.
fn verdict(payoffs: &[f32], me: usize) -> &'static str {
    let mine = payoffs.get(me).copied().unwrap_or(0.0);
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let alone = payoffs.iter().filter(|payoff| **payoff == best).count() == 1;
    match (payoffs.len(), mine == best, alone) {
        (1, ..) if mine >= 1.0 => "You solved it.",
        (1, ..) => "The game is over.",
        (_, true, true) => "You won.",
        (_, true, false) => "A draw.",
        (_, false, _) => "You lost.",
    }
}

/// A key that sorts texts by their letters and the values of their numbers: `b2` before `b10`.
fn natural(text: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[word..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - word);
        let value = rest[word..word + number].parse().unwrap_or(u64::MAX);
        parts.push((rest[..word].to_owned(), value));
        rest = &rest[word + number..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{natural, verdict};

    #[test]
    fn a_result_is_said_in_words() {
        assert_eq!(verdict(&[1.0, 0.0], 0), "You won.");
        assert_eq!(verdict(&[1.0, 0.0], 1), "You lost.");
        assert_eq!(verdict(&[0.5, 0.5], 1), "A draw.");
        assert_eq!(verdict(&[1.0], 0), "You solved it.");
    }

    #[test]
    fn moves_are_listed_in_the_order_of_their_letters_and_numbers() {
        let mut moves =
            vec!["hold", "B10", "A2", "B2", "99999999999999999999999", "A10", "A10-B3", "A10-B11"];
        moves.sort_by_cached_key(|text| natural(text));
        let expected =
            ["99999999999999999999999", "A2", "A10", "A10-B3", "A10-B11", "B2", "B10", "hold"];
        assert_eq!(moves, expected);
    }
}
