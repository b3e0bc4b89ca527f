//! `(custodial …)`, `(intervene …)`, `(directional …)`, `(surround …)`: captures along lines and around a site.

use super::prelude::*;
use crate::engine::condition::holds;

pub(super) const FORMS: &[Form] = &[
    effect(
        "custodial [from] [absoluteDirection] [between] [to] [then]",
        "Pieces of others in a row between the origin and a piece of the mover are captured.",
        "(custodial (from (last To)) Orthogonal (between (max 1)))",
        custodial,
    ),
    effect(
        "directional [from] [direction] [to] [then]",
        "Pieces of others in a row from the origin on, in the direction of the last move, are captured.",
        "(directional)",
        directional,
    ),
    effect(
        "intervene [from] [absoluteDirection] [between] [to] [then]",
        "Pieces of others on both sides of the origin are captured.",
        "(intervene)",
        intervene,
    ),
    effect(
        "surround [from] [relationType] [between] [to] [except:int] [with:piece] [then]",
        "Pieces of others next to the origin are captured if pieces of the mover are all around them.",
        "(surround (from (last To)) Orthogonal)",
        surround,
    ),
];

impl Args<'_, '_, '_> {
    /// The origin of a capture: `(from …)`, or where the last move ended.
    pub(super) fn origin(&mut self) -> Result<Region> {
        let region = self.part("from", |from| from.try_region(&["region", "int"]))?.flatten();
        Ok(match region {
            Some(region) => region,
            None => Region::One(Int::LastTo(self.lower.last())),
        })
    }

    /// The pieces between: a condition, a range and an effect.
    pub(super) fn captured(&mut self) -> Result<Captured> {
        // Trails belong to slides, distances before and after to hops: they mean nothing here.
        let Between { condition, range, apply, before: _, after: _, trail: _ } = self.between()?;
        Ok(Captured { condition, range, apply })
    }
}

node! {
    /// Pieces that can be captured, and what becomes of them.
    pub(super) struct Captured = "between", reads CELLS | TURN | TEAMS, writes CELLS {
        pub(super) condition: Option<Test>,
        range: Bounds,
        apply: Option<Apply>,
    }
}

inner!(Captured);

impl Captured {
    /// Can the piece on a site be captured?
    pub(super) fn holds(&self, c: &mut Context<'_>, from: i32, site: i32) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, Registers { from, to: site, between: site, ..c.at }),
            None => is_enemy(c, site),
        }
    }

    pub(super) fn capture(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        match &self.apply {
            Some(apply) => apply.run_alone(c, at, out),
            None => take(c, at.between, out),
        }
    }
}

fn is_enemy(c: &Context<'_>, site: i32) -> bool {
    let owner = c.who(site);
    owner != 0 && !c.friends(owner, c.state.s.mover)
}

fn is_friend(c: &Context<'_>, site: i32) -> bool {
    c.what(site) != 0 && c.friends(c.who(site), c.state.s.mover)
}

/// Appends the capture of the piece on a site.
fn take(c: &Context<'_>, site: i32, out: &mut Moves) {
    if c.what(site) != 0 {
        let action = Action::Remove { at: site, level: -1, count: 1 };
        out.push(c.state.s.mover, Kind::Effect, site, site, action);
    }
}

/// Captures the piece on the end of a move.
fn take_end(to: &To, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
    match &to.apply {
        Some(apply) => apply.run_alone(c, at, out),
        None => take(c, at.to, out),
    }
}

fn custodial(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (origin, directions) = (args.origin()?, args.directions(Direction::Adjacent)?);
    Ok(Box::new(Custodial { origin, directions, between: args.captured()?, to: args.to()? }))
}

node! {
    /// Pieces between the origin and a piece of the mover.
    struct Custodial = "custodial", reads CELLS | TURN | TEAMS {
        origin: Region,
        directions: Dirs,
        between: Captured,
        to: To,
    }
}

impl Generate for Custodial {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let rays = self.directions.rays(c, from);
            let (least, most) = self.between.range.range(c, 1);
            let equipment = c.equipment;
            for &ray in rays.iter() {
                let line = equipment.directions.line(ray);
                let mut count = 0;
                // After the most that may be between comes the end.
                while let Some(&site) = line.get(count)
                    && (count as i32) < most
                    && self.between.holds(c, from, site as i32)
                {
                    count += 1;
                }
                let Some(&end) = line.get(count) else { continue };
                if (count as i32) < least.max(1) {
                    continue;
                }
                let here = Registers { from, to: end as i32, ..c.at };
                let closed = match self.to.given {
                    true => self.to.allows(c, here),
                    false => is_friend(c, end as i32),
                };
                if closed {
                    for &site in &line[..count] {
                        let here = Registers { between: site as i32, ..here };
                        self.between.capture(c, here, out);
                    }
                }
            }
            true
        });
    }
}

fn intervene(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (origin, directions) = (args.origin()?, args.directions(Direction::Adjacent)?);
    // Without a range, one piece on either side.
    let Captured { condition, range, apply } = args.captured()?;
    if apply.is_some() {
        return Err(args.unsupported());
    }
    let one = range.least.is_none() && range.most.is_none();
    let range = if one { Bounds { most: Some(Int::Const(1)), ..Bounds::NONE } } else { range };
    Ok(Box::new(Intervene { origin, directions, condition, range, to: args.to()? }))
}

node! {
    /// Pieces on both sides of the origin.
    struct Intervene = "intervene", reads CELLS | TURN | TEAMS, writes CELLS {
        origin: Region,
        directions: Dirs,
        /// The condition on the piece that comes between.
        condition: Option<Test>,
        /// How many pieces on either side.
        range: Bounds,
        to: To,
    }
}

impl Intervene {
    /// Can the piece on a site be captured?
    fn hits(&self, c: &mut Context<'_>, here: Registers) -> bool {
        match self.to.given {
            true => self.to.allows(c, here),
            false => is_enemy(c, here.to),
        }
    }

    /// Captures along two opposite lines, if both hold enough pieces.
    fn capture(&self, c: &mut Context<'_>, from: i32, lines: [&[u32]; 2], out: &mut Moves) {
        let (least, most) = self.range.range(c, 1);
        let at = c.at;
        let here = |site: u32| Registers { from, to: site as i32, between: site as i32, ..at };
        let mut runs = [0; 2];
        for (run, line) in runs.iter_mut().zip(lines) {
            while let Some(&site) = line.get(*run)
                && (*run as i32) < most
                && self.hits(c, here(site))
            {
                *run += 1;
            }
        }
        if runs.iter().all(|&run| run as i32 >= least.max(1)) {
            for (run, line) in runs.into_iter().zip(lines) {
                line[..run].iter().for_each(|&site| take_end(&self.to, c, here(site), out));
            }
        }
    }
}

impl Generate for Intervene {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let asked = Registers { from, to: from, between: from, ..c.at };
            if !holds(self.condition.as_ref(), c, asked) {
                return true;
            }
            let rays = self.directions.rays(c, from);
            let equipment = c.equipment;
            for &ray in rays.iter() {
                let back = equipment.directions.rays[ray as usize].opposite;
                if back > ray {
                    let lines = [ray, back].map(|ray| equipment.directions.line(ray));
                    self.capture(c, from, lines, out);
                }
            }
            true
        });
    }
}

fn directional(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let origin = args.origin()?;
    let directions = match args.take("direction") {
        Some(value) => args.lower.directions(value, args.ludeme)?,
        None => args.lower.same_direction(),
    };
    Ok(Box::new(Directional { origin, directions, to: args.to()? }))
}

node! {
    /// Pieces in a row from the origin on.
    struct Directional = "directional", reads CELLS | TURN | TEAMS, writes CELLS {
        origin: Region,
        directions: Dirs,
        to: To,
    }
}

impl Generate for Directional {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let rays = self.directions.rays(c, from);
            let equipment = c.equipment;
            for &ray in rays.iter() {
                for &site in equipment.directions.line(ray) {
                    let site = site as i32;
                    let here = Registers { from, to: site, ..c.at };
                    let hit = match self.to.given {
                        true => self.to.allows(c, here),
                        false => c.what(site) != 0 && !c.friends(c.who(site), c.state.s.mover),
                    };
                    if !hit {
                        break;
                    }
                    take_end(&self.to, c, here, out);
                }
            }
            true
        });
    }
}

fn surround(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let origin = match args.has("from") {
        true => args.origin()?,
        false => Region::One(Int::of(FromOrLast { last: args.lower.last() })),
    };
    let (directions, between) = (args.directions(Direction::Adjacent)?, args.captured()?);
    let (to, except) = (args.to()?, args.int_or("except", 0)?);
    let with = args.part("with", |piece| {
        let values = piece.take_any(&["string", "int", "{string}", "{int}"]);
        let values = values.map_or(&[][..], Value::items);
        let names: Vec<String> = values.iter().filter_map(Value::text).map(str::to_owned).collect();
        let numbers = values.iter().filter(|value| value.text().is_none());
        let numbers = numbers.map(|value| piece.lower.int(value, piece.ludeme));
        let numbers = numbers.collect::<Result<Vec<Int>>>()?;
        Ok((piece.lower.named(&names), numbers))
    })?;
    Ok(Box::new(Surround { origin, directions, between, to, except, with }))
}

node! {
    /// `(from)`, or where the last move ended if that is nowhere.
    struct FromOrLast = "from or last" { last: Last }
}

impl Number for FromOrLast {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        match c.at.from {
            OFF => c.state.s.last.to(self.last),
            from => from,
        }
    }
}

node! {
    /// Pieces next to the origin that have no way out.
    struct Surround = "surround", reads CELLS | TURN | TEAMS {
        origin: Region,
        directions: Dirs,
        between: Captured,
        to: To,
        /// The number of open sites around it that are allowed.
        except: Int,
        /// One of these kinds of pieces must be around.
        with: Option<(Vec<bool>, Vec<Int>)>,
    }
}

impl Surround {
    /// Is a site closed in?
    fn closed(&self, c: &mut Context<'_>, from: i32, site: i32) -> bool {
        let except = self.except.get(c);
        let (mut open, mut found) = (0, self.with.is_none());
        let equipment = c.equipment;
        for &ray in self.directions.rays(c, site).iter() {
            let end = equipment.directions.line(ray)[0] as i32;
            let here = Registers { from, to: end, between: site, ..c.at };
            let closed = match self.to.given {
                true => self.to.allows(c, here),
                false => is_friend(c, end),
            };
            open += i32::from(!closed);
            let what = c.what(end);
            found |= self.with.as_ref().is_some_and(|(named, numbers)| {
                named.get(what) == Some(&true)
                    || what > 0 && numbers.iter().any(|number| number.get(c) == what as i32)
            });
        }
        open <= except && found
    }
}

impl Generate for Surround {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let around = self.directions.rays(c, from);
            let equipment = c.equipment;
            for &ray in around.iter() {
                let site = equipment.directions.line(ray)[0] as i32;
                if self.between.holds(c, from, site) && self.closed(c, from, site) {
                    let here = Registers { from, to: site, between: site, ..c.at };
                    self.between.capture(c, here, out);
                }
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn pieces_between_two_of_the_mover_are_captured() {
        let add = "(move Add (to (sites Empty)) (then (custodial (from (last To)) Orthogonal
            (between (max 1) if:(is Enemy (who at:(between))) (apply (remove (between))))
            (to if:(is Friend (who at:(to)))))))";
        let start = "(place \"Disc1\" 0) (place \"Disc2\" {1 5})";
        assert_eq!(after(start, add, 2), "0:1 2:1 5:2");
        assert_eq!(after(start, add, 8), "0:1 1:2 5:2 8:1");
    }
}
