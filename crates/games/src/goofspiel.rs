//! Goofspiel for two: `goofspiel(cards=5,order=random)`. Each player holds the cards 1 to
//! `cards`; prizes of the same values are turned up one by one, at random or in `ascending` or
//! `descending` order. Both bid a card at once: the higher takes the prize, equal bids discard it.
//! Who has more points at the end wins; the payoff of a tie is 1/2.
//!
//! Moves are cards, `3`; chance turns up a prize, `3`. A position is both hands, the prizes still
//! face down, the prize on the table and the points: `1,2,5 2,3,4 1,3 5 4-0`; `-` where there is
//! nothing.

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::bad_position;
use crate::table;
use ludex_core::cpu::{self, Cpu};
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, Placed, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Players, Result, Rng, Spec, Turn, View};
use std::collections::HashSet;

/// The order of the prizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Random,
    Descending,
    Ascending,
}

ludex_core::words!(Order { Random = "random", Descending = "descending", Ascending = "ascending" });

/// The rules. A [`Move`] is a card's value; so is an outcome of chance.
#[derive(Debug, Clone)]
pub struct Goofspiel {
    info: Info,
    cards: u32,
    order: Order,
}

/// A position: bit n of a set is the card n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    hands: [u16; 2],
    /// The prizes face down.
    prizes: u16,
    /// The prize on the table, 0 for none.
    prize: u8,
    points: [u8; 2],
}

pub(crate) const ENTRY: Entry = Entry {
    name: "goofspiel",
    title: "Goofspiel: bid cards for prizes, both at once",
    params: || Params::default().describe(),
    examples: &["goofspiel", "goofspiel(cards=4,order=descending)"],
    position: "1,2,3,5 1,2,4,5 1,2,5 4 3-0",
    open: |spec| Goofspiel::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `goofspiel`.
    struct Params {
        /// Cards a hand.
        cards: u32 = 5, 1..=13;
        /// Order of the prizes.
        order: Order = Order::Random;
    }
    places = 2;
}

impl Goofspiel {
    /// The game with the parameters `cards` and `order`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("goofspiel", &Params::default()).to_string();
        let Params { cards, order } = params;
        let title = format!("Goofspiel, {cards} cards, prizes {order}");
        let mut info = Info::new(name, title, &["first", "second"]);
        info.chance = order == Order::Random;
        info.simultaneous = true;
        info.longest = Some(if info.chance { 2 * cards } else { cards });
        info.action_keys = Some(2 * (cards + 1));
        Ok(Goofspiel { info, cards, order })
    }

    /// All cards.
    fn suit(&self) -> u16 {
        ((1 << self.cards) - 1) << 1
    }

    /// Turns up the next prize where the order is fixed.
    fn turn_up(&self, state: &mut State) {
        let next = match self.order {
            Order::Random => return,
            _ if state.prizes == 0 => return,
            Order::Descending => state.prizes.ilog2(),
            Order::Ascending => state.prizes.trailing_zeros(),
        };
        state.prize = next as u8;
        state.prizes &= !(1 << next);
    }

    /// Reads a set of cards.
    fn read_cards(&self, text: &str) -> Result<u16, String> {
        let mut set = 0;
        for word in text.split(',').filter(|_| text != "-") {
            match word.parse::<u32>() {
                Ok(card) if (1..=self.cards).contains(&card) && set >> card & 1 == 0 => {
                    set |= 1 << card;
                }
                Ok(card) if (1..=self.cards).contains(&card) => {
                    return Err(format!("card {card} is there twice"));
                }
                _ => return Err(format!("`{word}` is not a card from 1 to {}", self.cards)),
            }
        }
        Ok(set)
    }

    /// Can these points result from the cards that were played? Any pair of bids may have been made for any
    /// prize, so only the numbers of wins and ties count.
    fn reachable(&self, state: &State) -> bool {
        let suit = self.suit();
        let gone = suit & !state.prizes & !(1 << state.prize);
        let won = shares(gone, state.points);
        let pairs = pairings(suit & !state.hands[0], suit & !state.hands[1]);
        pairs.iter().any(|pair| won.contains(pair))
    }
}

/// How many of the prizes in `gone` each player took, in all ways that make these points.
fn shares(gone: u16, [first, second]: [u8; 2]) -> HashSet<(u32, u32)> {
    let (points, most) = (usize::from(first), gone.count_ones() as usize);
    // Indexed by the prizes of the first player, the prizes of the second and the points of the first. The
    // value is the set of points that the second may have, as bits (at most 1 + ... + 13 = 91).
    let mut reached = vec![vec![vec![0u128; points + 1]; most + 1]; most + 1];
    reached[0][0][0] = 1;
    for prize in indices(gone.into()) {
        let value = prize as usize;
        for a in (0..=most).rev() {
            for b in (0..=most).rev() {
                for p in (0..=points).rev() {
                    if a > 0 && p >= value {
                        reached[a][b][p] |= reached[a - 1][b][p - value];
                    }
                    if b > 0 {
                        reached[a][b][p] |= reached[a][b - 1][p] << prize;
                    }
                }
            }
        }
    }
    let mut out = HashSet::new();
    for (a, row) in (0..).zip(&reached) {
        for (b, cell) in (0..).zip(row) {
            if cell[points].unbounded_shr(second.into()) & 1 == 1 {
                out.insert((a, b));
            }
        }
    }
    out
}

/// How many bids each player won, in all ways to pair the cards that both have played.
fn pairings(first: u16, second: u16) -> HashSet<(u32, u32)> {
    // From low cards to high: the wins of each player and the ties so far. A card in none of these pairs
    // still waits for a higher card to beat it.
    let mut reached = HashSet::from([(0, 0, 0)]);
    let (mut seen, mut also_seen) = (0, 0);
    for card in 1..16 {
        let (mine, yours) = (first >> card & 1 == 1, second >> card & 1 == 1);
        let mut next = HashSet::new();
        for &(a, b, ties) in &reached {
            let (waiting, also_waiting) = (seen - a - b - ties, also_seen - a - b - ties);
            if mine && yours {
                next.insert((a, b, ties + 1));
            }
            for beats in [false, true] {
                for also_beats in [false, true] {
                    if (!beats || mine && also_waiting > 0) && (!also_beats || yours && waiting > 0)
                    {
                        next.insert((a + u32::from(beats), b + u32::from(also_beats), ties));
                    }
                }
            }
        }
        reached = next;
        seen += u32::from(mine);
        also_seen += u32::from(yours);
    }
    reached
        .into_iter()
        .filter(|(a, b, ties)| a + b + ties == seen)
        .map(|(a, b, _)| (a, b))
        .collect()
}

fn list(set: u16) -> String {
    match set {
        0 => "-".into(),
        _ => indices(set.into()).map(|card| card.to_string()).collect::<Vec<_>>().join(","),
    }
}

impl Game for Goofspiel {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        let suit = self.suit();
        let mut state = State { hands: [suit; 2], prizes: suit, prize: 0, points: [0; 2] };
        self.turn_up(&mut state);
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.prize > 0 {
            Turn::Joint(Players::all(2))
        } else if state.prizes != 0 {
            Turn::Chance
        } else {
            Turn::Over
        }
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        let hand = state.hands[usize::from(player.0 & 1)];
        out.extend(indices(hand.into()).map(|card| Move(card.into())));
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        cpu: C,
        state: &State,
        player: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        let hand = state.hands[usize::from(player.0 & 1)];
        Move(cpu.nth_bit(hand.into(), rng.below(hand.count_ones())).trailing_zeros().into())
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(self.cards)
    }

    /// The lowest card has the number 0.
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| (mv.0 as u32).saturating_sub(1)));
    }

    fn encoding(&self) -> Encoding {
        let groups = ["own hand", "other hand", "prizes face down", "prize", "points"];
        Encoding::flat(4 * self.cards as usize + 2, &groups)
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let seat = view.seat().index() & 1;
        let prize = if state.prize > 0 { 1 << state.prize } else { 0 };
        let sets = [state.hands[seat], state.hands[seat ^ 1], state.prizes, prize];
        for (block, set) in (0..).zip(sets) {
            let first = block * self.cards;
            out.extend(indices(set.into()).map(|card| (first + card - 1, 1.0)));
        }
        let all = (self.cards * (self.cards + 1) / 2) as f32;
        let points = [state.points[seat], state.points[seat ^ 1]].map(|n| f32::from(n) / all);
        out.extend((4 * self.cards..).zip(points));
    }

    fn chances(&self, state: &State, out: &mut Vec<(Move, f64)>) {
        let each = 1.0 / f64::from(state.prizes.count_ones());
        out.extend(indices(state.prizes.into()).map(|prize| (Move(prize.into()), each)));
    }

    #[inline]
    fn sample_chance(&self, state: &State, rng: &mut Rng) -> Move {
        let k = rng.below(state.prizes.count_ones());
        Move(cpu::nth_bit(state.prizes.into(), k).trailing_zeros().into())
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let card = |mv: Move| mv.0 & 15;
        match *joint {
            [first, second] => {
                let (a, b) = (card(first), card(second));
                state.hands[0] &= !(1 << a);
                state.hands[1] &= !(1 << b);
                if a != b {
                    state.points[usize::from(b > a)] += state.prize;
                }
                state.prize = 0;
                self.turn_up(state);
            }
            [prize, ..] => {
                state.prize = card(prize) as u8;
                state.prizes &= !(1 << card(prize));
            }
            [] => {}
        }
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let [a, b] = state.points;
        out[0] = match a.cmp(&b) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        out[1] = 1.0 - out[0];
    }

    fn hash(&self, state: &State) -> u64 {
        let [a, b] = state.hands.map(u64::from);
        let [p, q] = state.points.map(u64::from);
        let cards = a << 48 | b << 32 | u64::from(state.prizes) << 16 | p << 8 | q;
        hash([cards, state.prize.into()])
    }

    fn move_text(&self, mv: Move) -> String {
        mv.0.to_string()
    }

    fn position(&self, state: &State) -> String {
        let [a, b] = state.hands.map(list);
        let prize = if state.prize > 0 { state.prize.to_string() } else { "-".into() };
        let [p, q] = state.points;
        format!("{a} {b} {} {prize} {p}-{q}", list(state.prizes))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [first, second, prizes, prize, points] = words[..] else {
            return bad_position(text, "expected `HAND HAND PRIZES PRIZE POINTS-POINTS`");
        };
        let sets = [first, second, prizes, prize].map(|word| self.read_cards(word));
        let [Ok(a), Ok(b), Ok(prizes), Ok(prize)] = sets else {
            let reason = sets.into_iter().find_map(Result::err).unwrap_or_default();
            return bad_position(text, reason);
        };
        let points = match points.split_once('-').map(|(p, q)| (p.parse(), q.parse())) {
            Some((Ok(p), Ok(q))) => [p, q],
            _ => return bad_position(text, format!("`{points}` is not points such as `4-0`")),
        };
        if prize.count_ones() > 1 {
            return bad_position(text, "one prize at a time lies on the table");
        }
        if prize & prizes != 0 {
            return bad_position(text, "the prize on the table is among those face down");
        }
        let rounds = prizes.count_ones() + prize.count_ones();
        if a.count_ones() != rounds || b.count_ones() != rounds {
            return bad_position(text, format!("{rounds} prizes are left, so {rounds} cards each"));
        }
        let prize = if prize == 0 { 0 } else { prize.trailing_zeros() as u8 };
        let state = State { hands: [a, b], prizes, prize, points };
        if self.order != Order::Random {
            let mut expected = State { prizes: prizes | 1 << prize & self.suit(), ..state };
            self.turn_up(&mut expected);
            let all = expected.prizes | 1 << expected.prize & self.suit();
            let in_order = match self.order {
                Order::Ascending => self.suit() & !((1u32 << (self.cards + 1 - rounds)) - 1) as u16,
                _ => self.suit() & ((1u32 << (rounds + 1)) - 1) as u16,
            };
            if expected != state || all != in_order {
                return bad_position(text, "the prizes come in another order");
            }
        }
        if !self.reachable(&state) {
            return bad_position(text, "no play of the cards that are gone gives these points");
        }
        Ok(state)
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        mv.0 * 2 + u64::from(player.0 & 1)
    }

    /// The hands of both players with the prizes between them; the prize on the table lies beside.
    fn scene(&self) -> Scene {
        let rows = [("first", 0.0), ("second", 2.6), ("prize", 1.3)].into_iter();
        let row = |(name, y): (&'static str, f32)| {
            (1..=self.cards)
                .map(move |i| table::site(format!("{name} {i}"), (i - 1) as f32 * 0.8, y))
        };
        let mut sites: Vec<_> = rows.flat_map(row).collect();
        sites.push(table::site("prize on the table", self.cards as f32 * 0.8 + 0.6, 1.3));
        let owners = [Some(0), Some(1), None];
        let card = |owner| (1..=self.cards).map(move |i| table::card(&i.to_string(), owner));
        table::scene(self, sites, owners.into_iter().flat_map(card).collect())
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> scene::View {
        let cards = self.cards as usize;
        let [first, second] = state.hands;
        let rows = [first, second, state.prizes].into_iter().enumerate();
        let mut pieces: Vec<Placed> = rows
            .flat_map(|(row, set)| {
                let held = (1..=cards).filter(move |card| set >> card & 1 == 1);
                held.map(move |card| row * cards + card - 1)
            })
            .map(|place| Placed::new(place, place))
            .collect();
        if state.prize > 0 {
            pieces.push(Placed::new(3 * cards, 2 * cards + usize::from(state.prize) - 1));
        }
        table::view(self, state, viewer, pieces)
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let mut text = String::new();
        for (name, (hand, points)) in
            self.info.players.iter().zip(state.hands.iter().zip(state.points))
        {
            text += &format!("{name:<7} {points:>2} points, hand {}\n", list(*hand));
        }
        let prize = if state.prize > 0 { state.prize.to_string() } else { "-".into() };
        text + &format!("prize   {prize}, to come {}\n", list(state.prizes))
    }

    fn terms(&self) -> &[&'static str] {
        &["points"]
    }

    /// `points`: the lead in points, of all points.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let p = usize::from(player.0 & 1);
        let sum = (self.cards * (self.cards + 1) / 2) as f32;
        if let [points, ..] = out {
            *points = (f32::from(state.points[p]) - f32::from(state.points[p ^ 1])) / sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Goofspiel {
        Goofspiel::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms() {
        for name in [
            "goofspiel",
            "goofspiel(13)",
            "goofspiel(1)",
            "goofspiel(cards=4,order=descending)",
            "goofspiel(6,ascending)",
        ] {
            conform(&game(name));
        }
    }

    #[test]
    fn the_higher_bid_takes_the_prize_and_ties_discard_it() {
        let game = game("goofspiel(3,descending)");
        let mut state = game.start();
        for (a, b, position) in
            [(2, 1, "1,3 2,3 1 2 3-0"), (3, 3, "1 2 - 1 3-0"), (1, 2, "- - - - 3-1")]
        {
            game.try_apply(&mut state, &[Move(a), Move(b)]).unwrap();
            assert_eq!(game.position(&state), position);
        }
        let mut out = [0.0; 2];
        game.payoffs(&state, &mut out);
        assert_eq!(out, [1.0, 0.0]);
    }

    #[test]
    fn equal_points_are_half_each() {
        let game = game("goofspiel(3)");
        let mut out = [0.0; 2];
        game.payoffs(&game.parse_position("- - - - 3-3").unwrap(), &mut out);
        assert_eq!(out, [0.5, 0.5]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game("goofspiel(3)");
        for (text, reason) in [
            ("1,2,3 1,2,3 1,2,3 - 0-0", "ok"),
            ("1,2,3 1,2,3 1,2 3 0-0", "ok"),
            ("1,2,3 1,2,3 1,2 3", "expected"),
            ("1,2,3 1,2,3 1,2,3 3 0-0", "face down"),
            ("1,2 1,2,3 1,2 3 0-0", "cards each"),
            ("1,2,3 1,2,3 1,2 3 1-0", "these points"),
            ("1,2 1,2 1,2 - 0-0", "ok"),
            ("1,2 1,3 1,2 - 0-0", "these points"),
            ("1,2 1,3 1,2 - 3-0", "ok"),
            ("1,2 1,3 1,2 - 2-0", "these points"),
            ("1,2 1,3 1,2 - 0-3", "these points"),
            ("2 2 2 - 4-0", "these points"),
            ("2 2 2 - 1-3", "ok"),
            ("3 1 2 - 1-3", "these points"),
            ("3 1 2 - 0-4", "ok"),
            ("3 1 2 - 0-3", "ok"),
            ("1,4 1,3 1,2 - 2-0", "not a card"),
            ("1,1 1,3 1,2 - 2-0", "twice"),
            ("1,2 1,3 1,2 - 2", "not points"),
        ] {
            match game.parse_position(text) {
                Ok(_) => assert_eq!(reason, "ok", "{text}"),
                Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
            }
        }
        let game = self::game("goofspiel(3,descending)");
        assert!(game.parse_position("1,2,3 1,2,3 1,2 3 0-0").is_ok());
        assert!(game.parse_position("1,2,3 1,2,3 1,3 2 0-0").is_err());
        assert!(game.parse_position("1,2,3 1,2,3 1,2,3 - 0-0").is_err());
        assert!(game.parse_position("1,2 1,2 1 3 0-0").is_err());
    }
}
