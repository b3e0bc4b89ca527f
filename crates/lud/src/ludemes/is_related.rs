//! `(is Related …)`: does a site lie next to one of some others?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is Related relationType [siteType] int (int | region)",
    "One of the second sites is a neighbour of the first in this relation.",
    "(is Related Orthogonal (from) (to))",
    |args| {
        let directions = args.directions(Direction::Adjacent)?;
        let from = args.int("int")?;
        Ok(Bool::of(IsRelated { directions, from, to: args.one_region(&["int", "region"])? }))
    },
)
.on_all_kinds()
.sites_in(&["int"])
.on_board()];

node! {
    /// A site lies next to another.
    struct IsRelated = "is Related" { directions: Dirs, from: Int, to: Region }
}

impl Condition for IsRelated {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let from = self.from.get(c);
        let rays = self.directions.rays(c, from);
        let directions = &c.equipment.directions;
        let mut near = rays.iter().filter_map(|&ray| directions.line(ray).first());
        near.any(|&site| self.to.contains(c, site as i32))
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn sites_are_related_as_neighbours_of_a_kind() {
        assert!(
            holds("", "(is Related Orthogonal 0 1)") && !holds("", "(is Related Orthogonal 0 4)")
        );
        assert!(holds("", "(is Related Diagonal 0 4)") && !holds("", "(is Related Adjacent 0 8)"));
    }
}
