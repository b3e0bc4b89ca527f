//! `(forEach Direction …)`: moves for each site in some directions.

use super::prelude::*;
use crate::engine::condition::holds;
use crate::engine::parts::From;

pub(super) const FORMS: &[Form] = &[effect(
    "forEach Direction [from] [direction] [between] (to | moves) [then]",
    "The moves for each site in the directions, from so many steps to so many, as long as `(between if:…)` holds.",
    "(forEach Direction Orthogonal (to if:(is Empty (to)) (apply (add (to)))))",
    read,
)
.needs(Parts::ROTATIONS)
.joins()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (from, directions) = (args.from()?, args.directions(Direction::Adjacent)?);
    // Only the condition and the range of `(between …)` have a meaning here.
    let Between { condition, range, apply: _, trail: _, before: _, after: _ } = args.between()?;
    let to = args.to()?;
    let to = to.given.then_some(to);
    Ok(Box::new(ForEachDirection {
        from,
        directions,
        range,
        condition,
        to,
        moves: args.try_moves("moves")?,
    }))
}

node! {
    /// Moves in each direction.
    struct ForEachDirection = "forEach Direction", reads CELLS | ROTATIONS {
        from: From,
        directions: Dirs,
        range: Bounds,
        condition: Option<Test>,
        to: Option<To>,
        moves: Option<Generator>,
    }
}

impl Generate for ForEachDirection {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let origin = c.at.from;
        self.from.each(c, out, |c, at, out| {
            // Inside another direction, forward is where that one leads.
            let heading = c.heading;
            let looks = std::mem::replace(&mut c.looks, heading);
            let rays = c.with(at, |c| self.directions.rays(c, at.from));
            c.looks = looks;
            // The move begins where the outermost does.
            let at = Registers { from: if origin >= 0 { origin } else { at.from }, ..at };
            let least = self.range.least.as_ref().map_or(1, |least| least.get(c));
            let most = self.range.most.as_ref().map_or(1, |most| most.get(c));
            let equipment = c.equipment;
            for &ray in rays.iter() {
                let bearing = equipment.directions.rays[ray as usize].bearing;
                c.heading = Some((bearing / 22.5).round() as usize % 16);
                self.along(c, at, equipment.directions.line(ray), (least, most), out);
                if out.full() {
                    break;
                }
            }
            c.heading = heading;
        });
    }
}

impl ForEachDirection {
    /// Appends the moves along a line.
    fn along(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        line: &[u32],
        (least, most): (i32, i32),
        out: &mut Moves,
    ) {
        for (number, &site) in line.iter().enumerate() {
            let (site, steps) = (site as i32, number as i32 + 1);
            if steps > most {
                break;
            }
            let here = Registers { to: site, site, between: site, ..at };
            if steps >= least {
                match (&self.to, &self.moves) {
                    (Some(to), _) => {
                        if !to.allows(c, here) {
                            break;
                        }
                        // The effect lists the moves, if there is one.
                        match to.apply.as_ref().and_then(|apply| apply.effect.as_ref()) {
                            Some(effect) => c.with(here, |c| effect.generate(c, out)),
                            None => drop(to.go_on(c, here, Gait::Piece, out)),
                        }
                    }
                    (None, Some(moves)) => c.with(here, |c| moves.generate(c, out)),
                    (None, None) => {}
                }
            }
            if !holds(self.condition.as_ref(), c, here) {
                break;
            }
        }
    }
}
