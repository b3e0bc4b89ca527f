//! `(forEach Piece …)`: the moves of each piece of some players.

use std::sync::Arc;

use super::prelude::*;
use crate::engine::lots;

pub(super) const FORMS: &[Form] = &[effect(
    "forEach Piece [on:siteType] ([string] | [{string}]) ([container:int] | [string]) [moves] ([player] | [roleType]) [top:boolean] [then]",
    "The moves for each piece of the mover, or of other players, of these names, in this container: these moves, or \
     those of its kind.",
    "(play (forEach Piece))",
    read,
).on_all_kinds()
.joins()];

/// From so many pieces on they are drawn before they are asked for their moves.
const MANY: usize = 6;

/// Pieces may move as other pieces do, but not for ever.
const MOST_INSIDE: u8 = 4;

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let equipment = args.lower.equipment;
    let on = args.named_kind();
    let (top, mut names) = (args.flag("top", false)?, args.texts());
    // A name that no piece has is that of a container.
    let known = |name: &String| {
        equipment.components.iter().any(|kind| kind.stem == *name || kind.name == *name)
    };
    let place = match names.iter().position(|name| !known(name)) {
        Some(at) => {
            let name = names.remove(at);
            args.lower.container(&name).unwrap_or_else(|| args.lower.no_sites())
        }
        None => match on {
            Some(kind) => equipment.sites_on(kind),
            // Pieces on all kinds of elements.
            None => equipment.planes.iter().fold(equipment.on_board.clone(), |mut all, plane| {
                all.add(equipment.sites_on(plane.kind).words());
                all
            }),
        },
    };
    let kinds = if names.is_empty() { None } else { Some(args.lower.named(&names)) };
    let (container, containers) = (args.try_int("container")?, args.lower.containers());
    let who = args.try_who(&["player", "roleType"])?.unwrap_or(Who::Mover);
    let own = args.try_moves("moves")?.map(Arc::new);
    let bound = own.as_ref().map(|own| own.bound()).unwrap_or_default();
    let most = bound.most;
    let pieces = args.lower.trial(Pieces { own: own.clone(), bound: Table(bound) });
    Ok(Box::new(ForEachPiece { who, kinds, place, container, containers, top, own, most, pieces }))
}

node! {
    /// The moves of each piece.
    struct ForEachPiece = "forEach Piece", reads CELLS | STACKS | TURN | LISTS {
        who: Who,
        /// By component: does it count?
        kinds: Option<Vec<bool>>,
        place: Sites,
        container: Option<Int>,
        containers: Vec<Sites>,
        /// Only the top of a stack.
        top: bool,
        own: Option<Arc<Generator>>,
        /// The number of candidates of the moves.
        most: Most,
        pieces: Trial,
    }
}

impl Generate for ForEachPiece {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let who = self.who.get(c);
        let Some(mut sites) = self.sites(c, who) else { return };
        // Pieces of another player move as that player's.
        let (mover, next) = (c.state.s.mover, c.state.s.next);
        let other = ones(who).next().filter(|&player| {
            who.count_ones() == 1 && player != mover && player >= 1 && player <= c.equipment.players
        });
        // … and must be looked at while they do.
        let (lazy, listed) = (out.lazy, out.heads.len());
        if let Some(player) = other {
            (c.state.s.mover, c.state.s.next) = (player, mover);
            out.lazy = false;
        }
        let flat = !c.rules.stacking;
        if sites.len() >= MANY && flat && other.is_none() && self.pieces.waits(c, out) {
            self.draw_later(c, &mut sites, who, out);
        }
        for site in sites.iter() {
            self.at_site(c, site, who, out);
            if out.full() {
                break;
            }
        }
        if !c.state.relisted.is_empty() {
            self.once_more(c, who, out);
        }
        // The moves belong to the player to move, also those of pieces of other players.
        if other.is_some() {
            out.heads[listed..].iter_mut().for_each(|head| head.mover = mover as u16);
        }
        (c.state.s.mover, c.state.s.next) = (mover, next);
        out.lazy = lazy;
        c.free(sites);
    }
}

impl ForEachPiece {
    /// The sites that may have such pieces.
    fn sites(&self, c: &mut Context<'_>, who: u32) -> Option<Sites> {
        let layout = c.rules.layout;
        let place = match &self.container {
            None => &self.place,
            Some(number) => self.containers.get(number.get(c).max(0) as usize)?,
        };
        let mut sites = c.sites();
        if c.rules.stacking && !self.top {
            sites.add(place.words());
            sites.subtract(c.state.empty(layout));
        } else {
            ones(who).for_each(|owner| sites.add(c.state.owned(layout, owner)));
            sites.keep(place.words());
        }
        Some(sites)
    }

    /// The number of candidates of each of some pieces, if it is the same for all and known.
    fn same_for_all(&self, c: &Context<'_>, sites: &Sites, who: u32) -> Option<u32> {
        let (first, last) = (sites.first()?, sites.last()?);
        let one_owner = who.count_ones() == 1
            && c.rules.alike.get(who.trailing_zeros() as usize) == Some(&true);
        let same = self.kinds.is_none()
            && (self.own.is_some() || one_owner)
            && c.equipment.is_on_plane(first) == c.equipment.is_on_plane(last);
        let each = self.most_of(c, c.what(first)).at(c.equipment, first);
        (same && each > 0 && c.asked.borrowed < MOST_INSIDE).then_some(each)
    }

    /// The number of candidates of a piece.
    fn most_of(&self, c: &Context<'_>, what: usize) -> Most {
        match &self.own {
            Some(_) => self.most,
            None => c.rules.bounds.get(what).map_or(Most::UNKNOWN, |bound| bound.most),
        }
    }

    /// Adds one lot of candidates for all pieces that have as many, and takes their sites out.
    fn draw_later(&self, c: &mut Context<'_>, sites: &mut Sites, who: u32, out: &mut Moves) {
        if let Some(each) = self.same_for_all(c, sites, who) {
            self.pieces.at_each(c, sites, each, out);
            return sites.clear();
        }
        let (mut rest, mut alike, equipment) = (c.sites(), c.sites(), c.equipment);
        rest.add(sites.words());
        while let Some(first) = rest.first() {
            let (what, on_plane) = (c.what(first), equipment.is_on_plane(first));
            let each = self.most_of(c, what).at(equipment, first);
            if each == 0 || c.asked.borrowed >= MOST_INSIDE {
                rest.remove(first);
                continue;
            }
            alike.clear();
            let any_kind = self.own.is_some() && self.kinds.is_none();
            let same = rest.iter().filter(|&site| {
                (any_kind || c.what(site) == what) && equipment.is_on_plane(site) == on_plane
            });
            same.for_each(|site| alike.insert(site));
            rest.subtract(alike.words());
            sites.subtract(alike.words());
            if self.counts(what) {
                self.pieces.at_each(c, &alike, each, out);
            }
        }
        c.free(rest);
        c.free(alike);
    }

    fn counts(&self, what: usize) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.get(what) == Some(&true))
    }

    /// Appends the moves from sites that are listed more than once, or although they are empty.
    fn once_more(&self, c: &mut Context<'_>, who: u32, out: &mut Moves) {
        let within = |c: &mut Context<'_>, site: i32| match &self.container {
            None => self.place.contains(site),
            Some(number) => {
                let number = usize::try_from(number.get(c)).ok();
                number.and_then(|n| self.containers.get(n)).is_some_and(|k| k.contains(site))
            }
        };
        for at in 0..c.state.relisted.len() {
            let times = c.state.relisted[at];
            let (site, what) = ((at / c.state.kinds) as i32, at % c.state.kinds);
            if times == 0 || who >> c.owner(what) & 1 == 0 || !within(c, site) {
                continue;
            }
            for _ in 0..times {
                self.piece(c, site, OFF, what, out);
            }
        }
    }

    /// Appends the moves of the pieces on a site.
    fn at_site(&self, c: &mut Context<'_>, site: i32, who: u32, out: &mut Moves) {
        if c.rules.stacking && !self.top {
            for level in 0..c.state.height(site) {
                let what = usize::from(c.state.level(site, level).what);
                if who >> c.owner(what) & 1 == 1 {
                    self.piece(c, site, level, what, out);
                }
            }
            return;
        }
        let level = if c.rules.stacking { c.state.height(site) - 1 } else { OFF };
        self.piece(c, site, level, c.what(site), out);
    }

    /// Appends the moves of a piece.
    fn piece(&self, c: &mut Context<'_>, site: i32, level: i32, what: usize, out: &mut Moves) {
        if !self.counts(what) {
            return;
        }
        c.with_piece(site, level, |c| moves_of(c, self.own.as_deref(), what, out));
    }
}

/// Appends these moves, or those of a kind of piece.
fn moves_of(c: &mut Context<'_>, own: Option<&Generator>, what: usize, out: &mut Moves) {
    let rules = c.rules;
    match (own, rules.pieces.get(what)) {
        (Some(moves), _) => moves.generate(c, out),
        (None, Some(Some(moves))) if c.asked.borrowed < MOST_INSIDE => {
            c.asked.borrowed += 1;
            moves.generate(c, out);
            c.asked.borrowed -= 1;
        }
        _ => {}
    }
}

node! {
    /// The moves of pieces, as candidates.
    struct Pieces = "pieces", reads CELLS { own: Option<Arc<Generator>>, bound: Table<Bound> }
}

impl Candidates for Pieces {
    fn most(&self) -> Most {
        self.bound.most
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let (what, rules) = (c.what(at.from), c.rules);
        let bound = if self.own.is_some() { &*self.bound } else { &rules.bounds[what] };
        if !bound.attempt(c, at, number, out) {
            let own = self.own.as_deref();
            let most = bound.most.at(c.equipment, at.from);
            lots::candidate(c, number, most, out, |c, out| moves_of(c, own, what, out));
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let what = c.what(at.from);
        moves_of(c, self.own.as_deref(), what, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn each_piece_of_the_mover_has_these_moves() {
        let start = "(place \"Disc1\" {0 8}) (place \"King1\" 2) (place \"Disc2\" 4)";
        let play =
            |kind: &str| format!("(forEach Piece {kind} (move Step N (to if:(is Empty (to)))))");
        assert_eq!(moves(start, &play("")), [(0, 3), (2, 5)]);
        assert_eq!(moves(start, &play("\"King\"")), [(2, 5)]);
    }
}
