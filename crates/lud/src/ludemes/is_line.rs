//! `(is Line …)`: do so many pieces stand in a line through a site?

use super::prelude::*;
use crate::engine::equipment::Equipment;
use crate::engine::pyramid::Veil;

pub(super) const FORMS: &[Form] = &[condition(
    "is Line [siteType] int [absoluteDirection] ([through:int] | [throughAny:region]) ([roleType] | [what:int] | [whats:{int}]) [exact:boolean] [contiguous:boolean] [If:boolean] [byLevel:boolean] [top:boolean] [throughHowMuch:int] [isVisible:boolean] [useOpposites:boolean]",
    "So many pieces of one kind stand in a line through the site, which is the end of the last move where it is left out.",
    "(end (if (is Line 3) (result Mover Win)))",
    read,
).on_all_kinds()
.on_board()];

/// The pieces that make a line.
struct Sought<'a> {
    /// Pieces of these kinds …
    kinds: &'a [i32],
    /// … or of these owners.
    who: Option<u32>,
    /// A condition on all sites but the one that the line goes through.
    condition: Option<&'a Bool>,
    /// Only pieces on top of a stack, or all in it.
    top: bool,
    /// Where lines go.
    axes: &'a Axes,
    /// Must they be next to one another?
    contiguous: bool,
    /// The pieces that hide a contact of two others, where the contact must be visible.
    veil: Option<&'a Veil>,
    /// The number of kinds of pieces that it must have.
    variety: usize,
}

impl Sought<'_> {
    fn kind(&self, c: &Context<'_>, what: usize) -> bool {
        match self.who {
            Some(who) => what != 0 && who >> c.owner(what) & 1 == 1,
            None => what != 0 && self.kinds.contains(&(what as i32)),
        }
    }

    /// Is there such a piece on a site?
    fn on(&self, c: &Context<'_>, site: i32) -> bool {
        if self.top || !c.rules.stacking {
            return self.kind(c, c.what(site));
        }
        (0..c.state.height(site)).any(|level| self.at(c, site, level))
    }

    /// Is there one on a level of it?
    fn at(&self, c: &Context<'_>, site: i32, level: i32) -> bool {
        self.kind(c, c.state.level(site, level).what.into())
    }

    /// The only kind of piece that it can have, if it asks for nothing else.
    fn only(&self) -> Option<u16> {
        match self.kinds {
            [kind] if self.who.is_none() && self.condition.is_none() && *kind > 0 => {
                Some(*kind as u16)
            }
            _ => None,
        }
    }

    fn fits(&self, c: &mut Context<'_>, site: i32) -> bool {
        self.condition.is_none_or(|f| f.holds_at(c, Registers { to: site, ..c.at }))
    }
}

/// The sites of a line through a site, both ways.
#[derive(Clone, Copy)]
struct Axis {
    ahead: (u32, u32),
    back: (u32, u32),
}

impl Axis {
    /// Both ways, the nearest sites first.
    fn ways(self, equipment: &Equipment) -> [&[u32]; 2] {
        let lines = &equipment.directions.lines;
        [self.ahead, self.back].map(|(first, end)| &lines[first as usize..end as usize])
    }
}

/// Where lines go.
pub(super) struct Axes {
    directions: Dirs,
    /// Do lines go on on the other side?
    both: bool,
    /// By site: the lines through it; empty where they depend on the state.
    fixed: Vec<Vec<Axis>>,
}

impl Axes {
    pub(super) fn new(directions: Dirs, equipment: &Equipment, both: bool) -> Axes {
        let fixed = match &directions {
            Dirs::Fixed(table) => (0..equipment.elements().len() as i32)
                .map(|site| axes(equipment, table.of(site), both).collect())
                .collect(),
            _ => Vec::new(),
        };
        Axes { directions, both, fixed }
    }

    /// Goes over the lines through a site until `f` finds something.
    pub(super) fn any(
        &self,
        c: &mut Context<'_>,
        site: i32,
        mut f: impl FnMut(&mut Context<'_>, [&[u32]; 2]) -> bool,
    ) -> bool {
        let equipment = c.equipment;
        if let Some(lines) = self.fixed.get(site as usize) {
            return lines.iter().any(|axis| f(c, axis.ways(equipment)));
        }
        let rays = self.directions.rays(c, site);
        axes(equipment, &rays, self.both).any(|axis| f(c, axis.ways(equipment)))
    }
}

/// The lines through a site: each is looked at once, from one of its ends.
fn axes(equipment: &Equipment, rays: &[u32], both: bool) -> impl Iterator<Item = Axis> {
    let all = &equipment.directions.rays;
    let opposite = move |ray: u32| if both { all[ray as usize].opposite } else { ray };
    let pairs = rays.iter().map(move |&ray| (ray, opposite(ray)));
    pairs.filter(|(ray, back)| back >= ray || !rays.contains(back)).map(|(ray, back)| {
        let span = |ray: u32| (all[ray as usize].first, all[ray as usize].end);
        Axis { ahead: span(ray), back: if back == ray { (0, 0) } else { span(back) } }
    })
}

/// How many pieces in a row `is` finds along some sites.
#[inline]
fn run(sites: &[u32], contiguous: bool, mut is: impl FnMut(usize, u32) -> bool) -> i32 {
    let mut n = 0;
    for (k, &site) in sites.iter().enumerate() {
        if is(k, site) {
            n += 1;
        } else if contiguous {
            break;
        }
    }
    n
}

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let length = args.int("int")?;
    let directions = args.directions(Direction::Adjacent)?;
    let pivots = args.region_or_last(&["through", "throughAny"])?;
    let who = args.try_who(&["roleType"])?;
    let whats = match args.try_int("what")? {
        Some(what) => vec![what],
        None => args.int_items("whats")?,
    };
    let (exact, contiguous) = (args.try_bool("exact")?, args.flag("contiguous", true)?);
    let (condition, by_level) = (args.try_bool("if")?, args.flag("byLevel", false)?);
    let (top, variety) = (args.flag("top", false)?, args.int_or("throughHowMuch", 0)?);
    let (veil, both) = (args.veil()?, args.flag("useOpposites", true)?);
    if by_level && (veil.is_some() || variety.fixed() != Some(0)) {
        return Err(args.unsupported());
    }
    let axes = Table(Axes::new(directions, args.lower.equipment, both));
    Ok(Bool::of(IsLine {
        length,
        axes,
        pivots,
        who,
        whats,
        exact,
        contiguous,
        condition,
        by_level,
        top,
        variety,
        veil,
    }))
}

node! {
    /// The number of pieces in the line.
    struct IsLine = "is Line", reads CELLS | STACKS {
        length: Int,
        axes: Table<Axes>,
        /// Sites that the line goes through.
        pivots: Region,
        /// Pieces of these owners …
        who: Option<Who>,
        /// … or of these kinds; without both, of the kind at the pivot.
        whats: Vec<Int>,
        /// Not more than so many.
        exact: Option<Bool>,
        contiguous: bool,
        condition: Option<Bool>,
        /// Lines go through stacks.
        by_level: bool,
        /// Only the top of a stack counts.
        top: bool,
        /// The number of kinds of pieces.
        variety: Int,
        veil: Option<Veil>,
    }
}

impl Condition for IsLine {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let length = self.length.get(c);
        let exact = self.exact.as_ref().is_some_and(|exact| exact.holds(c));
        let long = |n: i32| n == length || n > length && !exact;
        self.pivots.any(c, |c, pivot| {
            let own = [c.what(pivot) as i32];
            let mut named = (!self.whats.is_empty()).then(|| c.list());
            if let Some(named) = &mut named {
                named.extend(self.whats.iter().map(|what| what.get(c)));
            }
            let parts = Sought {
                kinds: named.as_deref().unwrap_or(&own),
                who: self.who.as_ref().map(|who| who.get(c)),
                condition: self.condition.as_ref(),
                top: self.top,
                axes: &self.axes,
                contiguous: self.contiguous,
                veil: self.veil.as_ref(),
                variety: self.variety.player(c),
            };
            let found = match self.by_level {
                true => levels(c, pivot, &parts, long),
                false => parts.on(c, pivot) && flat(c, pivot, &parts, long),
            };
            if let Some(named) = named {
                c.free_list(named);
            }
            found
        })
    }
}

/// A line over the board.
fn flat(c: &mut Context<'_>, pivot: i32, parts: &Sought<'_>, long: impl Fn(i32) -> bool) -> bool {
    // Mostly it is one kind of piece, and nothing else matters.
    let flat = (parts.top || !c.rules.stacking) && parts.veil.is_none() && parts.variety == 0;
    if let Some(only) = parts.only().filter(|_| flat) {
        return parts.axes.any(c, pivot, |c, ways| {
            let cells = &c.state.cells;
            let is = |_, site: u32| cells.get(site as usize).is_some_and(|k| k.what == only);
            long(1 + ways.into_iter().map(|way| run(way, parts.contiguous, is)).sum::<i32>())
        });
    }
    parts.axes.any(c, pivot, |c, ways| {
        let (mut n, mut kinds) = (1, c.list());
        if parts.variety > 0 {
            kinds.push(c.what(pivot) as i32);
        }
        for way in ways {
            n += run(way, parts.contiguous, |k, site| {
                let site = site as i32;
                let before = if k == 0 { pivot } else { way[k - 1] as i32 };
                let is = parts.on(c, site)
                    && parts.fits(c, site)
                    && parts.veil.is_none_or(|veil| !veil.hides(c, before, site));
                let what = c.what(site) as i32;
                if is && parts.variety > 0 && !kinds.contains(&what) {
                    kinds.push(what);
                }
                is
            });
        }
        let varied = kinds.len() >= parts.variety;
        c.free_list(kinds);
        long(n) && varied
    })
}

/// A line through stacks: on one level, from level to level, or within a stack.
fn levels(c: &mut Context<'_>, pivot: i32, parts: &Sought<'_>, long: impl Fn(i32) -> bool) -> bool {
    let (height, only) = (c.state.height(pivot), parts.only());
    for level in 0..height {
        // The owner of the piece on top is not checked (decided by the end of Complica).
        if level + 1 < height && !parts.at(c, pivot, level) {
            continue;
        }
        let up = (level + 1..height).take_while(|&n| parts.at(c, pivot, n)).count();
        let down = (0..level).rev().take_while(|&n| parts.at(c, pivot, n)).count();
        if long(1 + up as i32 + down as i32) {
            return true;
        }
        let found = parts.axes.any(c, pivot, |c, [ahead, back]| {
            (-1..=1).any(|rise| {
                let mut count = |way: &[u32], rise: i32| {
                    let level = |k: usize| level + rise * (k as i32 + 1);
                    match only {
                        Some(only) => run(way, parts.contiguous, |k, site| {
                            c.state.level(site as i32, level(k)).what == only
                        }),
                        None => run(way, parts.contiguous, |k, site| {
                            parts.at(c, site as i32, level(k)) && parts.fits(c, site as i32)
                        }),
                    }
                };
                long(1 + count(ahead, rise) + count(back, -rise))
            })
        });
        if found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_line_has_a_length_a_direction_and_a_place() {
        let row = "(place \"Disc1\" {3 4 5})";
        assert!(holds(row, "(is Line 3 through:4)") && holds(row, "(is Line 2 through:4)"));
        assert!(!holds(row, "(is Line 2 through:4 exact:True)"));
        assert!(!holds(row, "(is Line 3 Diagonal through:4)"));
        assert!(!holds(row, "(is Line 3 through:0)"));
        let mixed = "(place \"Disc1\" {3 5}) (place \"Disc2\" 4)";
        assert!(!holds(mixed, "(is Line 3 through:3)"));
        assert!(!holds(row, "(is Line 3 through:4 P2)"));
    }
}
