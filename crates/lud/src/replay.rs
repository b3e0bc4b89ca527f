//! Recorded games of another system, played again: every move must be legal, the number of legal
//! moves the same at every ply, every position the same, and so the end.

use crate::board::SiteType;
use crate::engine::perform::perform;
use crate::engine::{Action, Head, Kind, Lud, Moves, Pad, State};

/// A recorded game.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The path of the description from `lud/` on.
    pub game: String,
    /// `Heading/Item` each.
    pub options: Vec<String>,
    /// The moves, those of the setup among them.
    pub moves: Vec<Recorded>,
    /// Legal moves at each ply after the setup.
    pub counts: Vec<usize>,
    /// The legal moves themselves at each ply, where they were recorded.
    pub lists: Vec<Vec<Recorded>>,
    /// Moves of the setup.
    pub setup: usize,
    /// By player from 1: the rank; 0 where it was not decided.
    pub ranking: Vec<f64>,
    /// Did the game end? Otherwise it was cut short.
    pub over: bool,
}

/// A recorded move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// The player who made it; 0 in the setup.
    pub mover: usize,
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// The actions of the move: name and fields.
    pub actions: Vec<(String, Vec<(String, String)>)>,
}

impl Recorded {
    fn read(text: &str) -> Option<Recorded> {
        let text = text.strip_prefix("Move=").unwrap_or(text);
        let text = text.strip_prefix("[Move:")?.strip_suffix(']')?;
        let (head, tail) = text.split_once("actions=")?;
        let fields = |text: &str| -> Vec<(String, String)> {
            let pairs = text.split(',').filter_map(|part| part.split_once('='));
            pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        let head = fields(head);
        let number = |key: &str| {
            head.iter().find(|(k, _)| k == key).and_then(|(_, value)| value.parse::<i32>().ok())
        };
        let mut actions = Vec::new();
        for part in tail.split('[').filter(|part| !part.is_empty()) {
            let part = part.trim_end_matches(',').trim_end_matches(']');
            let (name, rest) = part.split_once(':').unwrap_or((part, ""));
            actions.push((name.to_owned(), fields(rest)));
        }
        Some(Recorded {
            mover: number("mover")?.max(0) as usize,
            from: number("from").unwrap_or(-1),
            to: number("to").unwrap_or(-1),
            actions,
        })
    }

    /// Has it an action of this name?
    pub fn has(&self, name: &str) -> bool {
        self.actions.iter().any(|(action, _)| action == name)
    }
}

impl Trial {
    /// Reads a recorded game.
    ///
    /// # Errors
    /// The line that is none of a recorded game.
    pub fn read(text: &str) -> Result<Trial, String> {
        let mut trial = Trial::default();
        let mut options = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let bad = || format!("line {}: {line:.60}", number + 1);
            if let Some(path) = line.strip_prefix("game=") {
                let path = path.split_once("/lud/").map_or(path, |(_, path)| path);
                trial.game = path.to_owned();
            } else if line == "START GAME OPTIONS" {
                options = true;
            } else if line == "END GAME OPTIONS" {
                options = false;
            } else if options {
                trial.options.push(line.to_owned());
            } else if line == "NEW LEGAL MOVES LIST" {
                trial.lists.push(Vec::new());
            } else if line.starts_with("[Move:") {
                let list = trial.lists.last_mut().ok_or_else(bad)?;
                list.push(Recorded::read(line).ok_or_else(bad)?);
            } else if line.starts_with("Move=") {
                trial.moves.push(Recorded::read(line).ok_or_else(bad)?);
            } else if let Some(count) = line.strip_prefix("LEGAL MOVES LIST SIZE = ") {
                trial.counts.push(count.parse().map_err(|_| bad())?);
            } else if let Some(count) = line.strip_prefix("numInitialPlacementMoves=") {
                trial.setup = count.parse().map_err(|_| bad())?;
            } else if let Some(list) = line.strip_prefix("rankings=") {
                let ranks: Result<Vec<f64>, _> = list.split(',').map(str::parse).collect();
                trial.ranking = ranks.map_err(|_| bad())?;
            } else if line.starts_with("winner=") || line.starts_with("endtype=") {
                trial.over = true;
            }
        }
        // Older records do not tell how long the setup is. Its moves have mover 0.
        let nobody = trial.moves.iter().take_while(|m| m.mover == 0).count();
        trial.setup = trial.setup.max(nobody);
        Ok(trial)
    }
}

/// Replays a recorded game.
///
/// # Errors
/// The first difference.
pub fn replay(game: &Lud, trial: &Trial) -> Result<(), String> {
    replay_until(game, trial, None)
}

/// The same, given up when it is too late.
///
/// # Errors
/// The first difference, or that there was no time.
pub fn replay_until(
    game: &Lud,
    trial: &Trial,
    deadline: Option<std::time::Instant>,
) -> Result<(), String> {
    walk(game, trial, &mut |_, _, ply| match deadline {
        Some(end) if std::time::Instant::now() > end => Err(format!("ply {ply}: out of time")),
        _ => Ok(()),
    })
}

/// The position before a ply of a recorded game and the legal moves there, if the record can be followed so far.
pub fn before(game: &Lud, trial: &Trial, ply: usize) -> Option<(State, Moves)> {
    let mut found = None;
    let _ = walk(game, trial, &mut |state, legal, now| match now == ply {
        true => {
            found = Some((state.clone(), legal.clone()));
            Err(String::new())
        }
        false => Ok(()),
    });
    found
}

/// Follows a record up to its end or to the first difference. `look` sees every ply with its legal moves first.
fn walk(
    game: &Lud,
    trial: &Trial,
    look: &mut dyn FnMut(&State, &Moves, usize) -> Result<(), String>,
) -> Result<(), String> {
    let (mut pad, mut legal) = (Pad::default(), Moves::default());
    let mut state = game.start();
    let (setup, play) = trial.moves.split_at(trial.setup.min(trial.moves.len()));
    let mut expected = game.bare();
    for m in setup {
        perform_recorded(game, &mut expected, m)?;
    }
    place_recorded(game, &mut state, &mut pad, setup, &expected);
    compare(game, &expected, &state).map_err(|what| format!("setup: {what}"))?;
    for (ply, recorded) in play.iter().enumerate() {
        if state.s.over {
            return Err(format!("ply {ply}: over, but a move follows"));
        }
        if game.legal(&mut state, &mut pad, &mut legal) {
            let faces = recorded
                .faces(game.of(&state))
                .or_else(|| unseen(game.of(&state), &state, recorded));
            let faces = faces.ok_or_else(|| format!("ply {ply}: dice are thrown"))?;
            game.roll(&mut state, &faces);
            game.legal(&mut state, &mut pad, &mut legal);
        }
        look(&state, &legal, ply)?;
        let list = trial.lists.get(ply);
        let detail =
            list.map(|list| differences(game.of(&state), &legal, list)).unwrap_or_default();
        let count = list.map(Vec::len).or_else(|| trial.counts.get(ply).copied());
        if let Some(count) = count
            && (legal.len() != count || !detail.is_empty())
        {
            let ours = legal.len();
            return Err(format!("ply {ply}: {ours} legal moves instead of {count}{detail}"));
        }
        if recorded.has("NextInstance") {
            let head = legal.heads.first().filter(|head| head.kind == Kind::NextGame);
            let head = head.ok_or_else(|| format!("ply {ply}: the game is not over"))?;
            game.apply(&mut state, &mut pad, &legal, *head);
            continue;
        }
        if game.is_simultaneous() {
            state = follow_joint(game, &state, &mut pad, &legal, recorded)
                .map_err(|what| format!("ply {ply}: {what}"))?;
            continue;
        }
        let next = play.get(ply + 1).map_or(0, |next| next.mover);
        state = follow(game.of(&state), &state, &mut pad, &legal, recorded, next)
            .map_err(|what| format!("ply {ply}: {what}"))?;
        game.pause(&mut state);
    }
    check_end(trial, &state)
}

/// The position after a recorded move. Several moves may begin and end alike: the one that leads to the recorded position.
/// `next` moves afterwards, if that is known.
fn follow(
    game: &Lud,
    state: &State,
    pad: &mut Pad,
    legal: &Moves,
    recorded: &Recorded,
    next: usize,
) -> Result<State, String> {
    let mut expected = state.clone();
    perform_recorded(game, &mut expected, recorded)?;
    let (mut difference, mut found, mut tries) = (None, None, 0);
    let wanted = legal.heads.iter().filter(|&&head| matches(game, head, recorded));
    let mut ways: Vec<(Head, Vec<i32>)> = wanted.map(|&head| (head, Vec::new())).collect();
    ways.reverse();
    while let Some((head, tape)) = ways.pop() {
        let mut after = state.clone();
        after.tape.clone_from(&tape);
        // Records have the results of chance, not its draws.
        if let Some((least, most)) = game.attempt(&mut after, pad, legal, head) {
            tries += 1;
            // Mostly it is whether a number is small or great that matters.
            let all = (least + 1..most).rev().chain([most, least]);
            if tries < MOST_THROWS {
                ways.extend(all.map(|drawn| (head, [&tape[..], &[drawn]].concat())));
            }
            continue;
        }
        if after.to_clear.is_empty() {
            for at in std::mem::take(&mut expected.to_clear) {
                let action = Action::Remove { at, level: -1, count: u16::MAX };
                perform(&game.equipment, &game.rules, &mut expected, action);
            }
        }
        match compare(game, &expected, &after) {
            Ok(()) => {
                // Remembered values and the next player tell moves apart that look alike.
                let goes_on = next == 0 || after.s.over || after.s.mover == next;
                let sure = after.remembered == expected.remembered && goes_on;
                found = Some(after);
                if sure {
                    break;
                }
            }
            Err(what) => difference = difference.or(Some(what)),
        }
    }
    found.ok_or_else(|| {
        difference.unwrap_or_else(|| {
            let Recorded { from, to, mover, .. } = recorded;
            format!("the move {from} to {to} of player {mover} is not legal")
        })
    })
}

/// The position after the moves of all players, which a record has as one.
fn follow_joint(
    game: &Lud,
    state: &State,
    pad: &mut Pad,
    legal: &Moves,
    recorded: &Recorded,
) -> Result<State, String> {
    let mut expected = state.clone();
    perform_recorded(game, &mut expected, recorded)?;
    let mut heads = Vec::new();
    for player in 1..=game.equipment.players {
        let mut own = game.moves_of(legal, player).map(|(_, head)| head);
        let chosen = own.find(|&head| decided(game, head, player, recorded));
        // A player who has no move passes.
        if chosen.is_none() && game.moves_of(legal, player).next().is_some() {
            return Err(format!("the move of player {player} is not legal"));
        }
        heads.extend(chosen);
    }
    let mut after = state.clone();
    game.apply_joint(&mut after, pad, legal, &heads);
    compare(game, &expected, &after)?;
    Ok(after)
}

/// Is a move one of the moves that players chose at the same time?
fn decided(game: &Lud, head: Head, player: usize, recorded: &Recorded) -> bool {
    recorded.actions.iter().any(|(name, list)| {
        let fields = Fields { list, game, sites: game.equipment.sites };
        let is = fields.text("decision") == Some("true");
        is && match head.kind {
            Kind::Pass => name == "Pass",
            Kind::Bet => {
                let of = fields.number("player") == Some(player as i32);
                name == "Bet" && of && fields.number("bet") == Some(head.extra.into())
            }
            _ => {
                fields.ends() == Some((head.from, head.to))
                    || fields.site("to") == Some(head.to) && head.from == head.to
            }
        }
    })
}

/// Is the game over if and only if the recorded one is, and are the ranks the same?
fn check_end(trial: &Trial, state: &State) -> Result<(), String> {
    match (state.s.over, trial.over) {
        (true, false) => return Err("over, but the recorded game is not".into()),
        (false, true) => return Err("not over, but the recorded game is".into()),
        _ => {}
    }
    for (player, &rank) in trial.ranking.iter().enumerate().skip(1) {
        let ours = state.rank.get(player).copied().unwrap_or(0.0);
        if (f64::from(ours) - rank).abs() > 1e-6 {
            return Err(format!("player {player} has rank {ours} instead of {rank}"));
        }
    }
    Ok(())
}

/// A throw of the dice that leaves nothing but a pass: where it does, the throw is not recorded.
fn unseen(game: &Lud, state: &State, recorded: &Recorded) -> Option<Vec<u16>> {
    if !recorded.has("Pass") {
        return None;
    }
    let dice = &game.equipment.dice;
    let faces = |die: &crate::engine::equipment::Die| die.faces.len().max(1);
    let throws = dice.iter().map(faces).try_fold(1usize, usize::checked_mul)?;
    let (mut pad, mut legal) = (Pad::default(), Moves::default());
    (0..throws.min(MOST_THROWS)).find_map(|mut n| {
        let throw = dice.iter().map(|die| {
            let face = n % faces(die);
            n /= faces(die);
            face as u16
        });
        let throw: Vec<u16> = throw.collect();
        let mut state = state.clone();
        game.roll(&mut state, &throw);
        game.legal(&mut state, &mut pad, &mut legal);
        let passes = legal.len() == 1 && matches(game, legal.heads[0], recorded);
        passes.then_some(throw)
    })
}

/// The number of throws that are compared.
const MOST_THROWS: usize = 10_000;

/// Chance places the pieces of the start where they were recorded, and draws the numbers that lead there.
fn place_recorded(
    game: &Lud,
    state: &mut State,
    pad: &mut Pad,
    setup: &[Recorded],
    expected: &State,
) {
    let mut tries = 0;
    if let Some(placed) = opened(game, state.clone(), pad, setup, expected, &mut tries) {
        *state = placed;
    }
}

/// The state after the start as it was recorded. Draws are not recorded: the ones that lead there are looked for.
fn opened(
    game: &Lud,
    mut state: State,
    pad: &mut Pad,
    setup: &[Recorded],
    expected: &State,
    tries: &mut usize,
) -> Option<State> {
    let adds = |what: u16| {
        setup.iter().filter(move |m| {
            let is = |(k, v): &(String, String)| k == "what" && v.parse() == Ok(what);
            m.actions.iter().any(|(name, fields)| name == "Add" && fields.iter().any(is))
        })
    };
    let mut sites = Vec::new();
    while state.s.opening > 0 {
        game.scatter_sites(&mut state, pad, &mut sites);
        let Some(what) = game.scattered(&mut state, pad) else {
            return sites.iter().find_map(|&drawn| {
                *tries += 1;
                let mut after = state.clone();
                game.scatter(&mut after, pad, drawn);
                let mut placed = after.cells.iter().zip(&expected.cells);
                let fits = placed.all(|(ours, theirs)| ours.what == 0 || ours == theirs);
                let goes_on = fits && *tries < MOST_THROWS;
                if !goes_on {
                    return None;
                }
                opened(game, after, pad, setup, expected, tries)
            });
        };
        let to = adds(what).map(|m| m.to).find(|to| sites.contains(to))?;
        game.scatter(&mut state, pad, to);
    }
    compare(game, expected, &state).is_ok().then_some(state)
}

/// The moves that one list has more often than the other.
fn differences(game: &Lud, legal: &Moves, list: &[Recorded]) -> String {
    let mut left: Vec<&Recorded> = list.iter().collect();
    let mut extra = Vec::new();
    for &head in &legal.heads {
        match left.iter().position(|m| matches(game, head, m)) {
            Some(at) => drop(left.swap_remove(at)),
            None => extra.push(format!("{:?} {}-{}", head.kind, head.from, head.to)),
        }
    }
    let missing: Vec<String> = left.iter().map(|m| format!("{}-{}", m.from, m.to)).collect();
    let part = |name: &str, list: &[String]| match list {
        [] => String::new(),
        list => format!("; {name} {}", list[..list.len().min(8)].join(" ")),
    };
    part("missing", &missing) + &part("not expected", &extra)
}

fn matches(game: &Lud, head: Head, recorded: &Recorded) -> bool {
    let decision = |name: &str| {
        recorded.actions.iter().any(|(action, fields)| {
            action == name && fields.iter().any(|(k, v)| k == "decision" && v == "true")
        })
    };
    match head.kind {
        Kind::Pass => decision("Pass"),
        Kind::Swap => decision("Swap"),
        Kind::Propose => says(game, head, recorded, "Propose", "proposition"),
        Kind::Vote => says(game, head, recorded, "Vote", "vote"),
        _ => {
            usize::from(head.mover) == recorded.mover
                && game.equipment.element(head.from) == recorded.from
                && game.equipment.element(head.to) == recorded.to
                && !decision("Pass")
        }
    }
}

/// Is a word proposed, or voted for, that was recorded?
fn says(game: &Lud, head: Head, recorded: &Recorded, action: &str, field: &str) -> bool {
    let word = usize::from(head.extra).checked_sub(1).and_then(|n| game.rules.words.get(n));
    let chosen = recorded.actions.iter().find(|(name, fields)| {
        name == action && fields.iter().any(|(k, v)| k == "decision" && v == "true")
    });
    let named = |(_, fields): &(String, Vec<(String, String)>)| {
        fields.iter().any(|(k, v)| k == field && Some(v) == word)
    };
    // The words of the games of a match are not known here.
    word.is_none() || chosen.is_some_and(named)
}

impl Recorded {
    /// The faces that dice show, where they are thrown.
    fn faces(&self, game: &Lud) -> Option<Vec<u16>> {
        let mut faces = vec![None; game.equipment.dice.len()];
        for (name, fields) in &self.actions {
            if name != "SetStateAndUpdateDice" {
                continue;
            }
            let number = |key: &str| fields.iter().find(|(k, _)| k == key)?.1.parse::<u32>().ok();
            let (site, face) = (number("site")?, number("state")?);
            let die = game.equipment.dice.iter().position(|d| d.site == site)?;
            faces[die] = faces[die].or(Some(face as u16));
        }
        faces.into_iter().collect()
    }
}

/// Does what recorded actions say to a state.
fn perform_recorded(game: &Lud, state: &mut State, m: &Recorded) -> Result<(), String> {
    let mut used = false;
    for (name, fields) in &m.actions {
        let fields = Fields { list: fields, game, sites: state.cells.len() };
        // Before the decision, dice are thrown by chance, after it by a consequence.
        used |= name == "UseDie" || fields.text("decision") == Some("true");
        let action = match name.as_str() {
            "Add" => Some(add_recorded(game, state, &fields)?),
            name => match piece_action(game, state, name, &fields)? {
                None => other_action(game, state, name, &fields, used),
                action => action,
            },
        };
        if let Some(action) = action {
            perform(&game.equipment, &game.rules, state, action);
        }
    }
    Ok(())
}

/// The fields of a recorded action.
struct Fields<'a> {
    list: &'a [(String, String)],
    game: &'a Lud,
    /// How many sites the game has.
    sites: usize,
}

impl<'a> Fields<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        self.list.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    fn number(&self, key: &str) -> Option<i32> {
        self.text(key).and_then(|value| value.parse().ok())
    }

    fn small(&self, key: &str) -> i16 {
        self.number(key).unwrap_or(0) as i16
    }

    fn count(&self, key: &str, default: u16) -> u16 {
        self.number(key).map_or(default, |number| number as u16)
    }

    fn level(&self, key: &str) -> i16 {
        self.number(key).unwrap_or(-1) as i16
    }

    fn site(&self, key: &str) -> Option<i32> {
        let kind = self.text(if key == "from" { "typeFrom" } else { "typeTo" });
        let kind = kind.or_else(|| self.text("type")).and_then(SiteType::named);
        let equipment = &self.game.equipment;
        let own = equipment.board.sites;
        let site = self.number(key).map(|site| equipment.converted(site, kind.unwrap_or(own)));
        site.filter(|&site| site >= 0 && (site as usize) < self.sites)
    }

    /// The site at which an action ends.
    fn to(&self) -> Result<i32, String> {
        self.site("to").ok_or_else(|| "an action off the board".to_owned())
    }

    /// Both ends of an action.
    fn ends(&self) -> Option<(i32, i32)> {
        Some((self.site("from")?, self.site("to")?))
    }
}

/// Adds a piece; the last of the actions that this takes is left to the caller.
fn add_recorded(game: &Lud, state: &mut State, fields: &Fields<'_>) -> Result<Action, String> {
    let to = fields.to()?;
    let levels = game.rules.stacking && fields.text("level").is_some();
    let stack = fields.text("stack") == Some("true") || levels;
    let (what, count, local) =
        (fields.count("what", 0), fields.count("count", 1), fields.small("state"));
    let add = Action::Add { to, what, count, state: local, stack };
    let turn = fields.number("rotation").map(|turn| Action::Rotation(to, turn as i16));
    let value = fields.number("value");
    let value = value.map(|value| Action::Value { at: to, level: -1, value: value as i16 });
    let mut last = add;
    for next in [turn, value].into_iter().flatten() {
        perform(&game.equipment, &game.rules, state, last);
        last = next;
    }
    Ok(last)
}

/// A recorded action on pieces.
fn piece_action(
    game: &Lud,
    state: &State,
    name: &str,
    fields: &Fields<'_>,
) -> Result<Option<Action>, String> {
    Ok(Some(match name {
        "Remove" if fields.text("applied") == Some("false") => Action::Clear(fields.to()?),
        "Remove" => Action::Remove {
            at: fields.to()?,
            level: fields.level("level"),
            count: fields.count("count", u16::MAX),
        },
        "Move" => match fields.ends() {
            Some((from, to)) => move_action(game, fields, from, to),
            None => return Ok(None),
        },
        "StackMove" => match fields.ends() {
            Some((from, to)) => {
                let many = fields.number("numLevel").unwrap_or(1);
                Action::MoveStack { from, level: (state.height(from) - many).max(0) as i16, to }
            }
            None => return Ok(None),
        },
        "Copy" => match fields.ends() {
            Some((from, to)) => Action::Copy { from, to },
            None => return Ok(None),
        },
        "Insert" => {
            let (level, what) = (fields.level("level"), fields.count("what", 0));
            Action::Insert { to: fields.to()?, level, what }
        }
        "Promote" => Action::Promote { at: fields.to()?, what: fields.count("what", 0) },
        "SetCount" => {
            let (count, what) = (fields.count("count", 0), fields.count("what", 0));
            Action::Count { at: fields.to()?, count, what }
        }
        "SetState" => {
            let (level, value) = (fields.level("level"), fields.small("state"));
            Action::State { at: fields.to()?, level, value }
        }
        "SetValue" => {
            let (level, value) = (fields.level("level"), fields.small("value"));
            Action::Value { at: fields.to()?, level, value }
        }
        "SetRotation" => Action::Rotation(fields.to()?, fields.small("rotation")),
        _ => return Ok(None),
    }))
}

/// A recorded move of a piece, of a stack, of a part of a pile, or of a seed that is sown.
fn move_action(game: &Lud, fields: &Fields<'_>, from: i32, to: i32) -> Action {
    let sows = game.rules.writes.has(crate::engine::node::Parts::SOWING);
    match fields.number("count") {
        _ if fields.text("stack") == Some("true") => {
            Action::MoveStack { from, level: fields.level("levelFrom").max(0), to }
        }
        Some(count) => Action::MoveCount { from, to, count: count as u16 },
        None if sows && fields.text("decision").is_none() => Action::Sow { from, to, count: 1 },
        None => {
            let (level, onto) = (fields.level("levelFrom"), fields.level("levelTo"));
            Action::Move { from, level, to, onto }
        }
    }
}

/// A recorded action on dice, values or variables. Dice that are played twice are laid after they were used.
fn other_action(
    game: &Lud,
    state: &State,
    name: &str,
    fields: &Fields<'_>,
    used: bool,
) -> Option<Action> {
    let layout = game.rules.layout;
    let player = fields.number("player").unwrap_or(0).max(0) as usize;
    let site = fields.number("site").unwrap_or(-1);
    let die = || game.equipment.dice.iter().position(|die| die.site as i32 == site);
    let value = || fields.number("value");
    Some(match name {
        "SetStateAndUpdateDice" if used => {
            Action::Die { site, die: die()? as u16, face: fields.count("state", 0) }
        }
        "UseDie" => Action::UseDie(die()? as u16),
        "ForgetValue" | "RememberValue" => {
            let called = fields.text("name").unwrap_or_default();
            let list = game.rules.memories.iter().position(|own| own == called)? as u16;
            match name {
                "ForgetValue" => Action::Forget(list, value()?),
                _ => Action::Remember(list, value()?, false),
            }
        }
        "SetCounter" => Action::Counter(fields.number("counter").unwrap_or(0)),
        // A variable without a name is recorded as temporary.
        "SetVar" | "SetTemp" => {
            let name = fields.text("name").unwrap_or_default();
            let value = value().or_else(|| fields.number("temp")).unwrap_or(0);
            match game.rules.vars.iter().position(|own| own == name) {
                Some(var) => Action::Number(layout.var(var) as u16, value),
                None => Action::Temp(value),
            }
        }
        "SetValueOfPlayer" => Action::Number(layout.value(player) as u16, value().unwrap_or(0)),
        "SetScore" => {
            let at = layout.score(player);
            let score = fields.number("score").unwrap_or(0);
            let more = if fields.text("add") == Some("true") { state.numbers[at] } else { 0 };
            Action::Number(at as u16, score.wrapping_add(more))
        }
        _ => return None,
    })
}

/// Compares what lies on the table, and the scores.
fn compare(game: &Lud, expected: &State, ours: &State) -> Result<(), String> {
    let dice = &game.equipment.dice;
    for (site, (a, b)) in expected.cells.iter().zip(&ours.cells).enumerate() {
        if dice.iter().any(|d| d.site as usize == site) {
            continue;
        }
        if a != b {
            let text = |c: &crate::engine::state::Cell| {
                let (what, count) = (c.what, c.count);
                format!("{count} of {what} (state {}, value {})", c.state, c.value)
            };
            return Err(format!("site {site} holds {} instead of {}", text(b), text(a)));
        }
    }
    for (site, (a, b)) in expected.under.iter().zip(&ours.under).enumerate() {
        if a != b {
            return Err(format!(
                "under the top of site {site} are {} and not {}",
                b.len(),
                a.len()
            ));
        }
    }
    let layout = game.rules.layout;
    if !ours.s.over && ours.s.moves > 0 && expected.s.counter + 1 != ours.s.counter {
        let (a, b) = (expected.s.counter + 1, ours.s.counter);
        return Err(format!("the counter is {b} instead of {a}"));
    }
    for var in 0..layout.vars {
        let (a, b) = (expected.numbers[layout.var(var)], ours.numbers[layout.var(var)]);
        // A variable may hold a site of another kind of elements than the board is played on.
        if a != b && a != game.equipment.element(b) {
            let name = game.rules.vars.get(var).map_or("", String::as_str);
            return Err(format!("the variable \"{name}\" is {b} instead of {a}"));
        }
    }
    for player in 1..=layout.players {
        let (a, b) = (expected.numbers[layout.value(player)], ours.numbers[layout.value(player)]);
        if a != b {
            return Err(format!("player {player} has value {b} instead of {a}"));
        }
    }
    for die in 0..layout.dice {
        let (a, b) = (expected.numbers[layout.die(die)], ours.numbers[layout.die(die)]);
        if a != b {
            return Err(format!("die {die} shows {b} instead of {a}"));
        }
    }
    for player in 1..=layout.players {
        let (a, b) = (expected.numbers[layout.score(player)], ours.numbers[layout.score(player)]);
        // The last move may be followed by a count of scores that is not recorded.
        if a != b && !ours.s.over {
            return Err(format!("player {player} has score {b} instead of {a}"));
        }
    }
    Ok(())
}
