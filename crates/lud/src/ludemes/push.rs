//! `(push …)`, `(attract …)`, `(take Control …)`: pieces that are pushed or drawn along lines, or change hands.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    effect(
        "push [from] direction [then]",
        "All pieces in a row from the origin go a step on. A piece that has no site to go to is lost.",
        "(push (from (last To)) E)",
        |args| {
            let (origin, directions) = (args.origin()?, args.value("direction")?);
            let directions = args.lower.directions(directions, args.ludeme)?;
            no_stacks(args)?;
            Ok(Box::new(Push { origin, directions }))
        },
    )
    .refuses("stacks: no record tells how they are pushed"),
    effect(
        "attract [from] [absoluteDirection] [then]",
        "All pieces in rows from the origin come as near to it as they can, and stay in order.",
        "(attract)",
        |args| {
            let (origin, directions) = (args.origin()?, args.directions(Direction::Adjacent)?);
            no_stacks(args)?;
            Ok(Box::new(Attract { origin, directions }))
        },
    ),
    effect(
        "take Control (of:roleType | Of:int) (by:roleType | By:int) ([at:int] | [to:region]) [siteType] [then]",
        "Pieces of one player become the same pieces of another.",
        "(take Control of:P1 by:P2)",
        control,
    ).on_all_kinds(),
];

/// How stacks are pushed is unknown.
fn no_stacks(args: &Args<'_, '_, '_>) -> Result<()> {
    if args.lower.stacking { Err(args.unsupported()) } else { Ok(()) }
}

node! {
    /// Pieces are pushed.
    struct Push = "push", reads CELLS | STATES, writes CELLS { origin: Region, directions: Dirs }
}

impl Generate for Push {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let equipment = c.equipment;
            for &ray in self.directions.rays(c, from).iter() {
                let mut pushed = c.cell(from);
                if pushed.what == 0 {
                    continue;
                }
                out.effect(Action::Remove { at: from, level: -1, count: u16::MAX });
                for &site in equipment.directions.line(ray) {
                    let (to, there) = (site as i32, c.cell(site as i32));
                    if there.what != 0 {
                        out.effect(Action::Remove { at: to, level: -1, count: u16::MAX });
                    }
                    let (what, count, state) = (pushed.what, 1, pushed.state);
                    out.effect(Action::Add { to, what, count, state, stack: false });
                    if there.what == 0 {
                        break;
                    }
                    pushed = there;
                }
            }
            true
        });
    }
}

node! {
    /// Pieces are drawn near.
    struct Attract = "attract", reads CELLS | STATES, writes CELLS { origin: Region, directions: Dirs }
}

impl Generate for Attract {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let equipment = c.equipment;
            for &ray in self.directions.rays(c, from).iter() {
                let line = equipment.directions.line(ray);
                let mut free = 0;
                for &site in line {
                    let (at, cell) = (site as i32, c.cell(site as i32));
                    if cell.what == 0 {
                        continue;
                    }
                    let to = line[free] as i32;
                    free += 1;
                    if to != at {
                        let (what, count, state) = (cell.what, cell.count, cell.state);
                        out.effect(Action::Remove { at, level: -1, count: u16::MAX });
                        out.effect(Action::Add { to, what, count, state, stack: false });
                    }
                }
            }
            true
        });
    }
}

fn control(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (of, by) = (args.who(&["of"])?, args.player(&["by"])?);
    let region = args.try_region(&["at", "to"])?;
    no_stacks(args)?;
    let equipment = args.lower.equipment;
    let region = region.unwrap_or_else(|| Region::Fixed(equipment.on_board.clone()));
    let all = &equipment.components;
    let same = |what: usize, owner: usize| {
        let mut like = all.iter().enumerate().skip(1);
        let found = like.find(|(_, kind)| kind.stem == all[what].stem && kind.owner == owner);
        found.map(|(number, _)| number as u16)
    };
    let table = (0..=equipment.players + 1)
        .map(|owner| (0..all.len()).map(|what| same(what, owner)).collect())
        .collect();
    Ok(Box::new(TakeControl { of, by, region, table: Table(table) }))
}

node! {
    /// Pieces change hands.
    struct TakeControl = "take Control", reads CELLS, writes CELLS {
        of: Who,
        by: Int,
        region: Region,
        /// By player and component: the same piece of that player.
        table: Table<Vec<Vec<Option<u16>>>>,
    }
}

impl Generate for TakeControl {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (of, by) = (self.of.get(c), self.by.player(c));
        self.region.each(c, |c, at| {
            let what = c.what(at);
            if what != 0
                && of >> c.owner(what) & 1 == 1
                && let Some(Some(what)) =
                    self.table.get(by).and_then(|kinds| kinds.get(what)).copied()
            {
                out.effect(Action::Promote { at, what });
            }
            true
        });
    }
}
