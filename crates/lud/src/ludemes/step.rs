//! `(move Step …)`: pieces that go a step.

use super::prelude::*;
use crate::engine::condition::{is_of, mask_or};
use crate::engine::directions::Rays;
use crate::engine::equipment::Equipment;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Step [from] [direction] to [stack:boolean] [then]",
        "Go a step in one of the directions to a site for which `(to if:…)` holds.",
        "(move Step Forward (to if:(is Empty (to))))",
        read,
    ),
    effect(
        "step [from] [direction] to [stack:boolean] [then]",
        "The same as an effect.",
        "(step Orthogonal (to if:(is Empty (to))))",
        read,
    )
    .way(Way::Step),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (gait, from, to) = (args.gait()?, args.from()?, args.to()?);
    let directions = args.directions(Direction::Adjacent)?;
    let most = directions.widest(args.lower.equipment);
    Ok(args.lower.moves_from(from, Step { to, directions, gait, most }, true))
}

node! {
    /// A step to a neighbour, by direction.
    struct Step = "step", reads CELLS | TURN, writes CELLS { to: To, directions: Dirs, gait: Gait, most: Most }
}

impl Step {
    /// The rays of the origin. Directions of a nested step are relative to the origin of the outer move.
    fn rays(&self, c: &mut Context<'_>, at: Registers) -> Rays<'_> {
        match &self.directions {
            Dirs::Fixed(_) | Dirs::Facing(_) => self.directions.rays(c, at.from),
            Dirs::If(..) | Dirs::Dyn(_) => {
                let from = if c.at.from >= 0 { c.at.from } else { at.from };
                c.with(Registers { from, ..at }, |c| self.directions.rays(c, at.from))
            }
        }
    }
}

impl Candidates for Step {
    fn most(&self) -> Most {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, false)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = self.rays(c, at);
        if let Some(&ray) = rays.get(number as usize) {
            let to = c.equipment.directions.line(ray)[0] as i32;
            self.to.go(c, Registers { to, ..at }, self.gait, out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = self.rays(c, at);
        let open = mask_or(self.to.condition.as_ref(), c, &[Place::To], u32::MAX);
        for &ray in rays.iter() {
            let to = c.equipment.directions.line(ray)[0] as i32;
            if !self.to.aims(to, out) || open.is_some_and(|mask| !is_of(c, mask, to)) {
                continue;
            }
            self.to.go(c, Registers { to, ..at }, self.gait, out);
            if out.full() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    #[test]
    fn a_step_goes_to_a_neighbour_for_which_its_condition_holds() {
        let start = "(place \"Disc1\" 4) (place \"Disc1\" 5) (place \"Disc2\" 7)";
        let empty = "(move Step (from 4) Orthogonal (to if:(is Empty (to))))";
        assert_eq!(moves(start, empty), [(4, 1), (4, 3)]);
        let capture = "(move Step (from 4) (to if:(is Enemy (who at:(to))) (apply (remove (to)))))";
        assert_eq!(after(start, capture, 7), "5:1 7:1");
    }
}
