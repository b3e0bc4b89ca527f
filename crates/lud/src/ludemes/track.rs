//! `(trackSite …)`, `(sites Track …)`, `(firstMoveOnTrack …)`, `(max Distance …)`: tracks as rules see them.

use super::prelude::*;
use crate::engine::track::Track;

pub(super) const FORMS: &[Form] = &[
    number(
        "trackSite FirstSite ([player] | [roleType]) [string] [from:int] [If:boolean]",
        "The first site of the track, from a site on, for whose `(to)` the condition holds; -1 for none.",
        "(trackSite FirstSite if:(is Empty (to)))",
        |args| {
            let (tracks, player) = tracks_of(args)?;
            Ok(Int::of(FirstSite {
                tracks,
                player,
                from: args.try_int("from")?,
                condition: args.try_bool("if")?,
            }))
        },
    ),
    number(
        "trackSite EndSite ([player] | [roleType]) [string]",
        "The last site of the track.",
        "(trackSite EndSite Mover)",
        |args| {
            let (tracks, player) = tracks_of(args)?;
            Ok(Int::of(EndSite { tracks, player }))
        },
    ),
    number(
        "trackSite Move [from:int] ([roleType] | [player] | [string]) steps:int",
        "The site so many steps along the track; -1 beyond its end.",
        "(trackSite Move from:(from) steps:(pips))",
        advance,
    ),
    number(
        "count StepsOnTrack ([roleType] | [player] | [string]) [int] [int]",
        "The number of steps along the track from one site to another; -1 where it does not lead there.",
        "(count StepsOnTrack (last From) (last To))",
        steps_on_track,
    ),
    region(
        "sites Track ([player] | [roleType]) [string] [from:int] [to:int]",
        "The sites of the track, or a part of it.",
        "(sites Track Mover)",
        sites,
    )
    .on_board(),
    effect(
        "firstMoveOnTrack [string] [roleType] moves [then]",
        "The moves of the first `(site)` of the track that has any.",
        "(firstMoveOnTrack \"Track\" Mover (move (from (site)) (to (sites Empty))))",
        |args| {
            let (tracks, player) = tracks_of(args)?;
            Ok(Box::new(FirstMoveOnTrack { tracks, player, moves: args.moves("moves")? }))
        },
    ),
    // All moves stay legal, whatever distance their turns lead (decided by Backgammon, ply 4, and Nard, ply 0).
    effect(
        "max Distance [string] [roleType] moves [then]",
        "The moves.",
        "(max Distance \"Track\" Mover (forEach Piece))",
        |args| {
            tracks_of(args)?;
            args.moves("moves")
        },
    ),
];

/// The tracks that a form names, and whose they are.
fn tracks_of(args: &mut Args<'_, '_, '_>) -> Result<(Table<Vec<usize>>, Int)> {
    let tracks = tracks(args)?;
    let player = args.try_player(&["player", "roleType"])?.unwrap_or(Int::Mover);
    Ok((tracks, player))
}

fn tracks(args: &mut Args<'_, '_, '_>) -> Result<Table<Vec<usize>>> {
    let tracks = args.text("string");
    let tracks = args.lower.tracks_named(tracks);
    if tracks.is_empty() { Err(args.unsupported()) } else { Ok(Table(tracks)) }
}

/// The first track of these that is a player's, or everybody's.
fn track_of<'a>(tracks: &'a [Track], numbers: &[usize], player: usize) -> Option<&'a Track> {
    let all = || numbers.iter().filter_map(|&number| tracks.get(number));
    all()
        .find(|track| track.owner == player)
        .or_else(|| all().find(|track| track.owner == 0))
        .or_else(|| all().next())
}

/// The first track of these that is a player's, or that of everybody where the number is 0.
fn owned_track<'a>(tracks: &'a [Track], numbers: &[usize], player: usize) -> Option<&'a Track> {
    let mut all = numbers.iter().filter_map(|&number| tracks.get(number));
    all.find(|track| track.owner == player)
}

fn steps_on_track(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (tracks, player) = tracks_of(args)?;
    let last = args.lower.last();
    let from = args.try_int("int")?.unwrap_or_else(|| super::last::last_from(last));
    let to = args.try_int("int")?.unwrap_or(Int::LastTo(last));
    Ok(Int::of(StepsOnTrack { tracks, player, from, to }))
}

node! {
    /// The number of steps from one site of a track to another.
    struct StepsOnTrack = "count StepsOnTrack" { tracks: Table<Vec<usize>>, player: Int, from: Int, to: Int }
}

impl Number for StepsOnTrack {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (player, from, to) = (self.player.player(c), self.from.get(c), self.to.get(c));
        let Some(track) = track_of(&c.equipment.tracks, &self.tracks, player) else { return OFF };
        let place = |site: i32| track.sites.iter().position(|&own| own == site);
        let (Some(from), Some(to)) = (place(from), place(to)) else { return OFF };
        match to.checked_sub(from) {
            Some(steps) => steps as i32,
            None if track.looped => (track.sites.len() + to - from) as i32,
            None => OFF,
        }
    }
}

node! {
    /// The end of a track.
    struct EndSite = "trackSite EndSite" { tracks: Table<Vec<usize>>, player: Int }
}

impl Number for EndSite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let player = self.player.player(c);
        let track = track_of(&c.equipment.tracks, &self.tracks, player);
        track.and_then(|track| track.sites.last()).copied().unwrap_or(OFF)
    }
}

node! {
    /// The first site of a track for which a condition holds.
    struct FirstSite = "trackSite FirstSite" {
        tracks: Table<Vec<usize>>,
        player: Int,
        from: Option<Int>,
        condition: Option<Bool>,
    }
}

impl Number for FirstSite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let player = self.player.player(c);
        let equipment = c.equipment;
        let Some(track) = track_of(&equipment.tracks, &self.tracks, player) else { return OFF };
        let start = self.from.as_ref().map_or(0, |from| track.index(from.get(c)).unwrap_or(0));
        let count = track.sites.len();
        for step in 0..count {
            let at = start + step;
            if at >= count && !track.looped {
                break;
            }
            let site = track.sites[at % count];
            let here = Registers { to: site, site, ..c.at };
            if self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, here)) {
                return site;
            }
        }
        OFF
    }
}

fn advance(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let name = args.text("string");
    let mut tracks = args.lower.tracks_named(name);
    // A name that no track has means the player's first one.
    if tracks.is_empty() {
        tracks = args.lower.tracks_named(None);
    }
    if tracks.is_empty() {
        return Err(args.unsupported());
    }
    let tracks = Table(tracks);
    let player = args.try_player(&["player", "roleType"])?.unwrap_or(Int::Mover);
    let (from, steps) = (args.try_int("from")?, args.int("steps")?);
    let equipment = args.lower.equipment;
    // The tracks of every player, all where a player has none.
    let by_player = |player: usize| {
        let own = |number: &usize| [player, 0].contains(&equipment.tracks[*number].owner);
        let of: Vec<usize> = tracks.iter().copied().filter(own).collect();
        if of.is_empty() { tracks.to_vec() } else { of }
    };
    let by_player = Table((0..=equipment.players).map(by_player).collect());
    Ok(Int::of(Advance { player, from: from.unwrap_or(Int::From), steps, by_player, tracks }))
}

node! {
    /// A site along a track.
    struct Advance = "trackSite Move", reads CELLS | STACKS | TRACKS {
        player: Int,
        from: Int,
        steps: Int,
        by_player: Table<Vec<Vec<usize>>>,
        tracks: Table<Vec<usize>>,
    }
}

impl Number for Advance {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let from = self.from.get(c);
        let steps = self.steps.get(c);
        let player = self.player.player(c);
        let equipment = c.equipment;
        // The track that the piece is on.
        let of = self.by_player.get(player).unwrap_or(&self.tracks);
        let on = of.iter().find(|&&number| equipment.tracks[number].index(from).is_some());
        let Some(&number) = on.or(of.first()) else { return OFF };
        let track = &equipment.tracks[number];
        let mut what = match c.state.level(from, c.at.level).what {
            0 => c.cell(from).what,
            what => what,
        };
        // In a stack the player's own piece counts, whichever is meant.
        if track.winding.is_some() && c.owner(what.into()) != player {
            let levels = (0..c.state.height(from)).rev();
            let mut whats = levels.map(|level| c.state.level(from, level).what);
            let own = whats.find(|&what| c.owner(what.into()) == player);
            what = own.unwrap_or(what);
        }
        let place = track.place(c.state, what, from).or(track.looped.then_some(0));
        let to = place.and_then(|place| track.step(place, steps));
        to.map_or(OFF, |place| track.sites[place])
    }
}

fn sites(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let named = args.has("string");
    let tracks = tracks(args)?;
    let player = args.try_player(&["player", "roleType"])?;
    let iterated = !named && player.is_none();
    let player = player.unwrap_or(Int::Const(0));
    let (from, to) = (args.try_int("from")?, args.try_int("to")?);
    Ok(Region::of_node(SitesTrack { tracks, player, iterated, from, to }))
}

node! {
    /// The sites of a track.
    struct SitesTrack = "sites Track" {
        tracks: Table<Vec<usize>>,
        player: Int,
        /// Does it stand for the track that is gone through, if there is one?
        iterated: bool,
        from: Option<Int>,
        to: Option<Int>,
    }
}

impl SiteSet for SitesTrack {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let player = self.player.player(c);
        let equipment = c.equipment;
        let here = usize::try_from(c.at.track).ok().filter(|_| self.iterated);
        let here = here.and_then(|number| equipment.tracks.get(number));
        let track = here.or_else(|| match self.iterated {
            true => owned_track(&equipment.tracks, &self.tracks, 0),
            false => track_of(&equipment.tracks, &self.tracks, player),
        });
        let Some(track) = track else { return };
        let first = match &self.from {
            Some(from) => track.index(from.get(c)),
            None => Some(0),
        };
        // From a site that is not on the track there are no sites.
        let Some(first) = first else { return };
        let sites = &track.sites;
        let Some(to) = &self.to else {
            return sites[first..].iter().for_each(|&site| out.insert(site));
        };
        // Round a loop, if need be.
        let (to, round) = (to.get(c), if track.looped { first } else { 0 });
        for &site in sites[first..].iter().chain(&sites[..round]) {
            out.insert(site);
            if site == to {
                break;
            }
        }
    }
}

node! {
    /// The moves of the first site of a track that has any.
    struct FirstMoveOnTrack = "firstMoveOnTrack" { tracks: Table<Vec<usize>>, player: Int, moves: Generator }
}

impl Generate for FirstMoveOnTrack {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let player = self.player.player(c);
        let equipment = c.equipment;
        let Some(track) = track_of(&equipment.tracks, &self.tracks, player) else { return };
        let before = out.len();
        let lazy = std::mem::take(&mut out.lazy);
        for &site in track.sites.iter().filter(|&&site| site >= 0) {
            c.with(Registers { site, ..c.at }, |c| self.moves.generate(c, out));
            if out.len() > before {
                break;
            }
        }
        out.lazy = lazy;
    }
}
