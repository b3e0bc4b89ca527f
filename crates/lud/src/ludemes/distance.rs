//! `(count Steps …)` and `(sites Distance …)`: how many steps sites are apart.

use super::prelude::*;
use crate::compile::Value;
use crate::engine::directions::Base;
use crate::engine::groups::walk;
use crate::engine::parts::Bounds;
use crate::engine::ways::is_the_same_everywhere;
use ludex_core::deadline;
use std::collections::VecDeque;

pub(super) const FORMS: &[Form] = &[
    number("count Steps [siteType] [relationType] [step] [newRotation:int] int (int | region)",
        "The number of steps from the first site to the nearest of the others: in this relation, or by these steps.",
        "(count Steps (from) (to))", count).way(Way::Along).on_all_kinds().sites_in(&["int"]).on_board(),
    region("sites Distance [siteType] [relationType] [step] [newRotation:int] from:int range",
        "The sites that are so many steps away.", "(sites Distance from:(from) (exact 2))", sites).way(Way::Along).on_all_kinds().on_board(),
];

/// The number of steps to a site that cannot be reached.
const INFINITY: i32 = 1_000_000_000;

/// By site and site: how many steps apart they are; -1 where there is no way.
type Distances = Table<Vec<Vec<i16>>>;

fn distances(args: &mut Args<'_, '_, '_>) -> Result<Distances> {
    let relation = args.word("relationType").unwrap_or("Adjacent");
    let direction = Direction::named(relation, Base::Adjacent).ok_or_else(|| args.unsupported())?;
    let (directions, list) = (&args.lower.equipment.directions, [direction]);
    let place = args.place();
    // Sites of other kinds of elements come after those of the board.
    let sites = place.iter().last().map_or(0, |last| last as usize + 1);
    let next: Vec<Vec<u32>> = (0..sites)
        .map(|site| {
            if !place.contains(site as i32) {
                return Vec::new();
            }
            let rays = directions.select(site, &list, 0.0);
            rays.iter().map(|&ray| directions.line(ray)[0]).collect()
        })
        .collect();
    Ok(Table((0..sites).map(|start| distances_from(start, &next)).collect()))
}

/// By breadth-first search.
fn distances_from(start: usize, next: &[Vec<u32>]) -> Vec<i16> {
    let mut far = vec![-1i16; next.len()];
    far[start] = 0;
    let mut todo = VecDeque::from([start]);
    while let Some(here) = todo.pop_front() {
        for &to in &next[here] {
            if far[to as usize] < 0 {
                far[to as usize] = far[here] + 1;
                todo.push_back(to as usize);
            }
        }
    }
    far
}

/// The step of a form, which says itself where it goes. A way goes on from every site that it has reached, whatever origin the step
/// names (decided by Theseus and the Minotaur with "Smart", ply 0).
///
/// The second value says whether the step is the same for every `(site)`.
fn step(args: &mut Args<'_, '_, '_>) -> Result<Option<(Generator, bool)>> {
    let calls = args.ludeme.values().filter_map(Value::call);
    let everywhere = calls
        .filter(|call| call.reader().is_some_and(|(form, _)| form.way == Way::Step))
        .all(|step| is_the_same_everywhere(step));
    args.lower.on_the_way = true;
    let step = args.try_moves("step");
    args.lower.on_the_way = false;
    let step = step?;
    if step.is_some() {
        args.take("relationType");
    }
    Ok(step.map(|step| (step, everywhere)))
}

fn count(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let step = step(args)?;
    let table = if step.is_none() { Some(distances(args)?) } else { None };
    let (from, to) = (args.int("int")?, args.one_region(&["int", "region"])?);
    Ok(match (step, table) {
        (Some((step, everywhere)), _) => {
            Int::of(CountBySteps { step, from, to, everywhere: Table(everywhere) })
        }
        (None, distances) => {
            Int::of(CountSteps { from, to, distances: distances.unwrap_or(Table(Vec::new())) })
        }
    })
}

node! {
    /// Steps of a kind from one site to another.
    struct CountBySteps = "count Steps" { step: Generator, from: Int, to: Region, everywhere: Table<bool> }
}

impl Number for CountBySteps {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        // The dearest question of all: in Skirt thousands of them make a step of 70 ms. After the deadline the answer is
        // not used.
        if deadline::look() {
            return OFF;
        }
        let from = self.from.get(c);
        let mut goal = c.sites();
        self.to.fill(c, &mut goal);
        if goal.is_empty() {
            c.free(goal);
            return OFF;
        }
        let mut least = INFINITY;
        walk(c, from, &self.step, *self.everywhere, |site, far| {
            if goal.contains(site) {
                least = far;
            }
            least == INFINITY
        });
        c.free(goal);
        least
    }
}

node! {
    /// Steps from one site to another, whatever stands between.
    struct CountSteps = "count Steps" { from: Int, to: Region, distances: Distances }
}

impl Number for CountSteps {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let from = self.from.get(c);
        let row = usize::try_from(from).ok().and_then(|site| self.distances.get(site));
        let Some(row) = row else { return OFF };
        let mut least = INFINITY;
        self.to.each(c, |_, site| {
            if let Some(&far) = row.get(site as usize)
                && far >= 0
            {
                least = least.min(far.into());
            }
            true
        });
        if least == INFINITY { OFF } else { least }
    }
}

fn sites(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    if let Some((step, everywhere)) = step(args)? {
        let (from, range) = (args.int("from")?, args.try_range("range")?);
        return Ok(Region::of_node(SitesBySteps {
            step,
            from,
            range,
            everywhere: Table(everywhere),
        }));
    }
    let distances = distances(args)?;
    let (from, range) = (args.int("from")?, args.try_range("range")?);
    Ok(Region::of_node(SitesDistance { from, range, distances }))
}

node! {
    /// Sites so many steps of a kind away.
    struct SitesBySteps = "sites Distance" { step: Generator, from: Int, range: Bounds, everywhere: Table<bool> }
}

impl SiteSet for SitesBySteps {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let from = self.from.get(c);
        let (least, most) = self.range.range(c, 0);
        walk(c, from, &self.step, *self.everywhere, |site, far| {
            // No step leads back to its origin (decided by Conflagration and Keep-a-riding, ply 0).
            if far > 0 && (least..=most).contains(&far) {
                out.insert(site);
            }
            far <= most
        });
    }
}

node! {
    /// Sites so many steps away, whatever stands between.
    struct SitesDistance = "sites Distance" { from: Int, range: Bounds, distances: Distances }
}

impl SiteSet for SitesDistance {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let from = self.from.get(c);
        let (least, most) = self.range.range(c, 0);
        let row = usize::try_from(from).ok().and_then(|site| self.distances.get(site));
        for (site, &far) in row.into_iter().flatten().enumerate() {
            if far >= 0 && (least..=most).contains(&i32::from(far)) {
                out.insert(site as i32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{number, sites};

    #[test]
    fn steps_are_counted_along_the_shortest_way() {
        assert_eq!(number("", "(count Steps 0 8)"), 2);
        assert_eq!(number("", "(count Steps Orthogonal 0 8)"), 4);
        assert_eq!(sites("", "(sites Distance from:0 (exact 2))"), [2, 5, 6, 7, 8]);
    }
    /// The steps are the same for every site, so they are worked out once; those of the second condition name the site and are not.
    #[test]
    fn ways_are_asked_for_each_site_of_a_region() {
        let near = |step: &str| {
            let steps = format!("(count Steps (step Orthogonal (to if:{step})) (site) 8)");
            sites("", &format!("(forEach (sites Board) if:(= 2 {steps}))"))
        };
        assert_eq!(near("(is Empty (to))"), [2, 4, 6]);
        assert_eq!(near("(!= (to) 5)"), [4, 6]);
        assert_eq!(near("(or (!= (to) 5) (= (site) 2))"), [2, 4, 6]);
    }
}
