//! One match from the player's side: the position, the legal moves, the choice.

use crate::belief::{Belief, Step};
use crate::message::{News, short};
use crate::player::{Log, Maker};
use crate::scramble;
use crate::table::Table;
use crate::turn::Turn as Thinking;
use ludex_agents::{Agent, AgentSpec, Budget, usual};
use ludex_core::deadline::Deadline;
use ludex_core::diagnostic::{Diagnostic, line_column};
use ludex_core::{AnyGame, Game, Info, Match, Move, Player, Record, Rng, Seed, View};
use ludex_gdl::game::{GdlGame, LoadError, Options};
use ludex_gdl::ground;
use ludex_gdl::kif::{self, Sexp};
use ludex_gdl::reasoner;
use ludex_gdl::rules::{LiteralKind, Rules, Term, TermKind};
use ludex_gdl::symbol::kw;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A role in a match.
pub(crate) struct Seat {
    table: Table,
    role: usize,
    spec: AgentSpec,
    agent: Option<Box<dyn Agent<AnyGame>>>,
    maker: Option<Maker>,
    sight: Sight,
    steps: u32,
    asked: bool,
    replied: Option<Move>,
    spelling: HashMap<String, String>,
    seed: Seed,
    rng: Rng,
    log: Log,
}

/// The player's knowledge of the true state.
enum Sight {
    /// The whole match. `witness` is the word by which percepts tell moves, where they do.
    Open { play: Box<Match<'static, AnyGame>>, witness: Option<String> },
    /// The worlds that the role's own moves and percepts leave possible, and the role's records.
    Hidden { belief: Box<Belief>, records: Vec<Record> },
}

impl Seat {
    /// Reads the rules, for at most about `time`, and sits down.
    ///
    /// # Errors
    /// Rules that don't load, or that have no such role.
    pub(crate) fn load(
        rules_text: &str,
        role: &str,
        agent: Option<&AgentSpec>,
        time: Duration,
        seed: Seed,
        log: Log,
    ) -> Result<Seat, String> {
        let (mut rules, found) = Rules::read(rules_text);
        let place = |found: &[Diagnostic]| {
            let first = found.iter().find(|d| d.is_error());
            first.map(|d| {
                let (line, column) = line_column(rules_text, d.span.start as usize);
                format!("rule {line}, column {column}: error[{}]: {}", d.code, d.message)
            })
        };
        if let Some(error) = place(&found) {
            return Err(error);
        }
        let witness = witness(&rules);
        if witness.is_some() {
            rules.rules.retain(|rule| rule.head.pred != kw::SEES);
        }
        let budget = ground::Budget { time, ..ground::Budget::default() };
        let options = Options { budget, ..Options::default() };
        let gdl = GdlGame::from_rules("kif:match", &rules, &options).map_err(|e| match &e {
            LoadError::Rules(found) => place(found).unwrap_or_else(|| e.to_string()),
            _ => e.to_string(),
        })?;
        let table = Table::new(gdl);
        let role = table.role(role).ok_or_else(|| {
            format!("no role `{}` (roles: {})", short(role), table.roles().join(", "))
        })?;
        let spec = choose_agent(agent, table.game().info(), &log)?;
        let sight = if table.game().info().hidden {
            let belief = Belief::new(table.reasoner(), role, seed.named("belief"));
            Sight::Hidden { belief: Box::new(belief), records: Vec::new() }
        } else {
            Sight::Open { play: Box::new(Match::owning(table.game().clone())), witness }
        };
        Ok(Seat {
            role,
            spec,
            agent: None,
            maker: None,
            sight,
            steps: 0,
            asked: false,
            replied: None,
            spelling: spelling(rules_text),
            seed,
            rng: seed.named("moves").rng(),
            log,
            table,
        })
    }

    /// One line on the game for people.
    pub(crate) fn summary(&self) -> String {
        let info = self.table.game().info();
        let role = self.table.roles().get(self.role).map_or("?", String::as_str);
        let sees = if info.hidden { "hides a part" } else { "open" };
        format!("{role} of {} roles, {sees}, {} plays", self.table.roles().len(), self.spec)
    }

    /// Builds the agent, which may take time, before the first move is asked for.
    pub(crate) fn sit_down(&mut self, maker: Option<Maker>) {
        self.maker = maker;
        if let Some(seat) = self.table.seat(self.role) {
            // An error is reported when the agent is asked for a move.
            self.agent = self.build(seat).ok();
        }
    }

    fn build(&self, seat: Player) -> Result<Box<dyn Agent<AnyGame>>, String> {
        let (game, seed) = (self.table.game(), self.seed.named("mind"));
        match &self.maker {
            Some(maker) => Ok(maker(game, seat, seed)),
            None => self.spec.build(game, seat, seed).map_err(|e| e.to_string()),
        }
    }

    /// Takes in the news and answers with a move by `until`. As soon as any legal move is known
    /// it goes to `turn`, and so does every better one, in case thinking takes too long.
    pub(crate) fn play(&mut self, news: &News, until: Instant, turn: &Thinking) -> String {
        let stops = vec![turn.stop.clone()];
        let deadline = Deadline { wall: Some(until), stops, ..Deadline::default() };
        // A step of the match itself must be right, so it is made outside of the deadline. A belief may be cut short.
        let open = matches!(self.sight, Sight::Open { .. });
        if open {
            self.advance(news, until);
        }
        let _scope = deadline.enter();
        if !open {
            let left = until.saturating_duration_since(Instant::now());
            self.advance(news, Instant::now() + left / 2);
        }
        self.asked = true;
        let legal = self.legal();
        let Some(&first) = legal.first() else {
            self.say("no legal move is known here");
            return "nil".into();
        };
        self.replied = Some(first);
        turn.offer(legal.iter().map(|&mv| (mv, self.text(mv))).collect());
        let mv = if legal.len() == 1 { first } else { self.think(&legal, until, turn) };
        // If the time was up meanwhile, the other thread has sent another move.
        let mv = turn.make(mv);
        self.replied = Some(mv);
        self.text(mv)
    }

    /// The match is over: takes in the last news. Returns the player's result, where it is known.
    pub(crate) fn stop(&mut self, news: &News) -> Option<f32> {
        let Sight::Open { .. } = self.sight else { return None };
        self.advance(news, Instant::now());
        let (Sight::Open { play, .. }, Some(seat)) = (&self.sight, self.table.seat(self.role))
        else {
            return None;
        };
        play.payoffs()?.get(seat.index()).copied()
    }

    fn say(&self, text: &str) {
        (self.log)(text);
    }

    /// A move in the words of the rules as they came.
    fn text(&self, mv: Move) -> String {
        let text = self.table.game().move_text(mv);
        let respell = |word: &str| {
            self.spelling.get(&word.to_lowercase()).map_or(word, |spelled| spelled).to_string()
        };
        let (tree, _) = kif::read(&text);
        tree.first().map_or(text, |term| scramble::map(term, &respell))
    }

    fn legal(&self) -> Vec<Move> {
        match &self.sight {
            Sight::Open { play, .. } => self.table.legal(play.state(), self.role),
            Sight::Hidden { belief, .. } => {
                let legal = belief.legal(self.table.reasoner());
                legal.into_iter().map(|mv| Move(mv.into())).collect()
            }
        }
    }

    /// Has a step been made since the last message?
    fn has_stepped(&self, news: &News) -> bool {
        match (&news.own, &self.sight) {
            (Some((steps, _)), _) => *steps > self.steps,
            (None, Sight::Open { witness: None, .. }) => {
                news.seen.as_ref().is_some_and(|moves| !moves.is_empty())
            }
            // An empty list of percepts is news, too. Only the first message comes before the first step.
            (None, _) => self.asked,
        }
    }

    fn advance(&mut self, news: &News, until: Instant) {
        if !self.has_stepped(news) {
            return;
        }
        self.steps += 1;
        if let Some((steps, _)) = news.own
            && steps != self.steps
        {
            self.say(&format!("the host is at step {steps}, expected {}", self.steps));
            self.steps = steps;
        }
        let seen = news.seen.as_deref().unwrap_or(&[]);
        let own = news.own.as_ref().and_then(|(_, own)| own.as_deref());
        match self.sight {
            Sight::Open { .. } => self.advance_open(seen, own),
            Sight::Hidden { .. } => self.advance_hidden(seen, own, until),
        }
    }

    fn advance_open(&mut self, seen: &[String], own: Option<&str>) {
        let Sight::Open { play, witness } = &mut self.sight else { return };
        let state = play.state();
        let roles = self.table.roles();
        let mut told: Vec<Option<String>> = vec![None; roles.len()];
        if let Some(witness) = witness {
            for term in seen {
                if let Some((role, mv)) = testimony(term, witness)
                    && let Some(place) = self.table.role(&role).and_then(|r| told.get_mut(r))
                {
                    *place = Some(mv);
                }
            }
        } else if seen.len() == roles.len() {
            told = seen.iter().cloned().map(Some).collect();
        }
        if let (Some(own), Some(place)) = (own, told.get_mut(self.role)) {
            place.get_or_insert(own.to_string());
        }
        let mut all = Vec::new();
        for (role, name) in roles.iter().enumerate() {
            let term = told.get(role).and_then(Option::as_deref);
            let legal = term.and_then(|term| self.table.find(state, role, term));
            let mv = legal.or_else(|| {
                let term = term.map_or("nothing".into(), short);
                let text = format!("`{term}` is no legal move of {name} here; going on without");
                (self.log)(&text);
                let own = self.replied.filter(|_| role == self.role);
                own.or_else(|| self.table.legal(state, role).first().copied())
            });
            all.push(mv.unwrap_or_default());
        }
        let legal = |(role, mv): (usize, &Move)| self.table.legal(state, role).contains(mv);
        if play.is_over() || !all.iter().enumerate().all(legal) {
            (self.log)("the host goes on, but the game can't; staying where it is");
            return;
        }
        self.table.step(play, &all);
    }

    fn advance_hidden(&mut self, seen: &[String], own: Option<&str>, until: Instant) {
        let Sight::Hidden { belief, .. } = &mut self.sight else { return };
        let rules = self.table.reasoner();
        belief.goes_on(rules);
        let told = own.and_then(|term| {
            let mut states = belief.states().iter();
            let found = states.find_map(|state| rules.find_move(state, self.role, term));
            if found.is_none() {
                (self.log)(&format!("`{}` is no legal move of ours here", short(term)));
            }
            found.map(|mv| Move(mv.into()))
        });
        let Some(own) = told.or(self.replied) else { return };
        let number = own.0 as u32;
        let step = match belief.step(rules, number, seen, until) {
            Step::Explained(step) => Some(step),
            // The match has gone on, and so must the player, or it would send moves of the step before. The step that
            // it goes on with is a guess, and the next percepts may contradict the guess, too.
            Step::Unexplained { proved, instead } => {
                let why = if proved {
                    "rules and record contradict each other: no world explains the percepts"
                } else {
                    "no world was found in time that explains the percepts"
                };
                let (seen, own) = (short(&seen.join(" ")), self.table.game().move_text(own));
                let then = match instead {
                    Some(_) => "going on as if nothing were known of this step",
                    None => "and the game can't go on; staying where it is",
                };
                (self.log)(&format!("step {}: {why} ({seen}) after `{own}`; {then}", self.steps));
                instead
            }
        };
        if let Some((before, joint)) = step {
            self.remember(&before, &joint);
        }
        if let Sight::Hidden { belief, .. } = &mut self.sight {
            belief.goes_on(self.table.reasoner());
        }
    }

    /// Records a step that explains what was seen, as a referee would.
    fn remember(&mut self, before: &reasoner::State, joint: &[u32]) {
        let Sight::Hidden { records, .. } = &mut self.sight else { return };
        let position = self.table.reasoner().facts(before).join(" ");
        let Ok(state) = self.table.game().parse_position(&position) else { return };
        let all: Vec<Move> = joint.iter().map(|&mv| Move(mv.into())).collect();
        let mut play = Match::at(self.table.game(), state);
        self.table.step(&mut play, &all);
        let seat = self.table.seat(self.role).unwrap_or_default();
        records.extend_from_slice(play.records(seat));
    }

    /// The agent's choice; any legal move where the agent fails.
    fn think(&mut self, legal: &[Move], until: Instant, turn: &Thinking) -> Move {
        let first = legal.first().copied().unwrap_or_default();
        let Some(seat) = self.table.seat(self.role) else {
            return legal.get(self.rng.index(legal.len())).copied().unwrap_or(first);
        };
        let left = until.saturating_duration_since(Instant::now());
        if left < Duration::from_millis(1) {
            return first;
        }
        let _shown = turn.best.enter();
        match self.ask(seat, legal, left) {
            Ok(mv) if legal.contains(&mv) => mv,
            Ok(_) => {
                self.say("the agent chose an illegal move; playing the first legal one");
                first
            }
            Err(reason) => {
                self.say(&format!("the agent failed: {reason}; playing any legal move"));
                legal.get(self.rng.index(legal.len())).copied().unwrap_or(first)
            }
        }
    }

    fn ask(&mut self, seat: Player, legal: &[Move], left: Duration) -> Result<Move, String> {
        let mut agent = match self.agent.take() {
            Some(agent) => agent,
            None => self.build(seat)?,
        };
        let game = self.table.game();
        let mut budget: Budget = self.spec.budget().clone();
        budget.time = Some(budget.time.map_or(left, |own| own.min(left)));
        let origin;
        let mut pad = Vec::new();
        let view = match &self.sight {
            Sight::Open { play, .. } => play.view(seat, &mut pad),
            // The true state is unknown here; a view of a hidden game shows none.
            Sight::Hidden { records, .. } => {
                origin = game.start();
                View::new(game, &origin, seat, records, &origin, legal)
            }
        };
        let answer = catch_unwind(AssertUnwindSafe(|| agent.choose(game, &view, &budget)));
        match answer {
            // An agent that panicked is not asked again: the next move gets a new one.
            Err(_) => Err("it panicked".into()),
            Ok(choice) => {
                self.agent = Some(agent);
                choice.map(|choice| choice.mv).map_err(|e| e.to_string())
            }
        }
    }
}

/// The agent that was asked for, where it can play this game, else the usual agent for such a game.
fn choose_agent(wanted: Option<&AgentSpec>, info: &Info, log: &Log) -> Result<AgentSpec, String> {
    if let Some(spec) = wanted {
        match spec.supports(info) {
            Ok(()) => return Ok(spec.clone()),
            Err(error) => log(&error.to_string()),
        }
    }
    usual(info).parse().map_err(|e: ludex_core::Error| e.to_string())
}

/// The words of the rules by their lower case, spelled as they came first.
fn spelling(rules: &str) -> HashMap<String, String> {
    let mut words = HashMap::new();
    let mut open: Vec<Sexp> = kif::read(rules).0;
    open.reverse();
    while let Some(sexp) = open.pop() {
        match sexp {
            Sexp::Word(word, _) => {
                words.entry(word.to_lowercase()).or_insert(word);
            }
            Sexp::List(items, _) => open.extend(items.into_iter().rev()),
        }
    }
    words
}

/// The word `w` of a rule `(<= (sees ?p (w ?q ?m)) (role ?p) (does ?q ?m))`: everybody sees all
/// moves. Hosts for GDL-II add it to rules of GDL, which are then as open as before.
fn witness(rules: &Rules) -> Option<String> {
    let var = |term: &Term| match term.kind {
        TermKind::Var(v) => Some(v),
        _ => None,
    };
    rules.rules.iter().find_map(|rule| {
        let [player, seen] = rule.head.args.as_slice() else { return None };
        let TermKind::Fun(word, args) = &seen.kind else { return None };
        let [other, mv] = args.as_slice() else { return None };
        let (player, other, mv) = (var(player)?, var(other)?, var(mv)?);
        let distinct = HashSet::from([player, other, mv]).len() == 3;
        let conditions: Option<Vec<_>> = rule
            .body
            .iter()
            .map(|literal| match &literal.kind {
                LiteralKind::Pos(atom) => {
                    let vars: Option<Vec<_>> = atom.args.iter().map(var).collect();
                    vars.map(|vars| (atom.pred, vars))
                }
                _ => None,
            })
            .collect();
        let conditions = conditions?;
        let role = (kw::ROLE, vec![player]);
        let does = (kw::DOES, vec![other, mv]);
        let said = rule.head.pred == kw::SEES && distinct && conditions.len() == 2;
        (said && conditions.contains(&role) && conditions.contains(&does))
            .then(|| rules.symbols.name(*word).to_string())
    })
}

/// What `(w role move)` says.
fn testimony(term: &str, witness: &str) -> Option<(String, String)> {
    let (tree, _) = kif::read(term);
    let [Sexp::List(items, _)] = tree.as_slice() else { return None };
    let [word, role, mv] = items.as_slice() else { return None };
    let same = word.word().is_some_and(|word| word.eq_ignore_ascii_case(witness));
    same.then(|| (role.to_string(), mv.to_string()))
}
