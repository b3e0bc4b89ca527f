//! `(count Stack …)`, `(size Stack …)`, `(forEach Level …)`: stacks of pieces.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number("count Stack [stackDirection] [siteType] (at:int | to:region) [If:boolean] [stop:boolean]",
        "The number of levels of the stacks for which the condition holds, up to one for which `stop:` holds.",
        "(count Stack FromTop at:(to) if:(= (who at:(to) level:(level)) P1))", count).on_all_kinds().needs(Parts::STACKS).on_board(),
    number("size Stack [siteType] ([in:region] | [at:int])", "The number of levels of the stacks.",
        "(size Stack at:(to))", |args| Ok(Int::of(SizeStack { region: args.region_or_last(&["in", "at"])? }))).on_all_kinds()
        .needs(Parts::STACKS),
    region("forEach Level [siteType] at:int [stackDirection] [If:boolean] [startAt:int]",
        "The numbers of the levels of a stack for which the condition holds.",
        "(forEach Level at:(to) if:(= (who at:(to) level:(level)) P1))", levels).on_all_kinds().needs(Parts::STACKS),
    effect("forEach Level [siteType] int [stackDirection] moves [then]", "The moves for each `(level)` of a stack.",
        "(forEach Level (to) (remove (to) level:(level)))", for_each).on_all_kinds().sites_in(&["int"]).needs(Parts::STACKS).joins(),
];

fn count(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let down = args.word("stackDirection") == Some("FromTop");
    let region = args.one_region(&["at", "to"])?;
    let (condition, stop) = (args.try_bool("if")?, args.try_bool("stop")?);
    Ok(Int::of(CountStack { region, condition, stop, down }))
}

node! {
    /// Levels of stacks for which a condition holds.
    struct CountStack = "count Stack", reads STACKS {
        region: Region,
        condition: Option<Bool>,
        stop: Option<Bool>,
        /// From the top down.
        down: bool,
    }
}

impl Number for CountStack {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut count = 0;
        self.region.each(c, |c, site| {
            let height = c.state.height(site);
            for level in 0..height {
                let level = if self.down { height - 1 - level } else { level };
                let at = Registers { to: site, site, level, ..c.at };
                if self.stop.as_ref().is_some_and(|stop| stop.holds_at(c, at)) {
                    break;
                }
                let fits = self.condition.as_ref().is_none_or(|f| f.holds_at(c, at));
                count += i32::from(fits);
            }
            true
        });
        count
    }
}

node! {
    /// The number of levels of stacks.
    struct SizeStack = "size Stack", reads STACKS { region: Region }
}

impl Number for SizeStack {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut count = 0;
        self.region.each(c, |c, site| {
            count += c.state.height(site);
            true
        });
        count
    }
}

fn levels(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let at = args.int("at")?;
    let up = args.word("stackDirection") == Some("FromBottom");
    let (condition, start) = (args.try_bool("if")?, args.try_int("startAt")?);
    Ok(Region::of_node(Levels { at, up, condition, start }))
}

node! {
    /// The numbers of levels.
    struct Levels = "forEach Level", reads STACKS {
        at: Int,
        /// From the bottom up.
        up: bool,
        condition: Option<Bool>,
        start: Option<Int>,
    }
}

impl SiteSet for Levels {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let site = self.at.get(c);
        let height = c.state.height(site);
        let levels = match (self.start.as_ref().map(|start| start.get(c)), self.up) {
            (Some(start), true) => start.max(0)..height,
            (Some(start), false) => 0..start.saturating_add(1).min(height),
            (None, _) => 0..height,
        };
        for level in levels {
            let at = Registers { level, ..c.at };
            if self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, at)) {
                out.insert(level);
            }
        }
    }
}

fn for_each(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (site, moves) = (args.int("int")?, args.moves("moves")?);
    let top = args.word("stackDirection") != Some("FromBottom");
    args.lower.leaves_levels |= args.lower.following == 0;
    Ok(Box::new(ForEachLevel { site, top, moves }))
}

node! {
    /// Moves for each level of a stack.
    struct ForEachLevel = "forEach Level", reads STACKS {
        site: Int,
        /// From the top down.
        top: bool,
        moves: Generator,
    }
}

impl Generate for ForEachLevel {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let site = self.site.get(c);
        let height = c.state.height(site);
        for number in 0..height {
            let level = if self.top { height - 1 - number } else { number };
            c.left_level = None;
            c.with(Registers { level, ..c.at }, |c| self.moves.generate(c, out));
            // The last level stays `(level)` until the next piece is looked at (decided by Chonpa, ply 184, and Rithmomachia, ply 460).
            if c.rules.leaves_levels {
                (c.at.level, c.left_level) = (level, Some(level));
            }
            if out.full() {
                break;
            }
        }
    }
}
