//! `(what …)`, `(who …)`, `(state …)`, `(rotation …)`, `(value Piece …)`, `(topLevel …)`, `(face …)`: the piece on a
//! site.

use std::marker::PhantomData;

use super::prelude::*;
use crate::compile;
use crate::engine::state::Cell;

pub(super) const FORMS: &[Form] = &[
    number(
        "what [siteType] at:int [level:int]",
        "The kind of the piece on the site; 0 for none.",
        "(= (what at:(to)) (id \"King\" Next))",
        what,
    )
    .on_all_kinds(),
    number(
        "who [siteType] at:int [level:int]",
        "The owner of the piece on the site; 0 for none.",
        "(is Enemy (who at:(to)))",
        on_site::<Who>,
    )
    .on_all_kinds(),
    number(
        "state [siteType] at:int [level:int]",
        "The local state of the piece on the site.",
        "(= (state at:(from)) 1)",
        on_site::<State>,
    )
    .on_all_kinds(),
    number(
        "rotation [siteType] at:int [level:int]",
        "How far the piece on the site is turned.",
        "(= (rotation at:(to)) 0)",
        on_site::<Rotation>,
    )
    .on_all_kinds()
    .needs(Parts::ROTATIONS),
    number(
        "value Piece [siteType] at:int [level:int]",
        "The value of the piece on the site.",
        "(> (value Piece at:(to)) 3)",
        on_site::<Value>,
    )
    .on_all_kinds(),
    number(
        "topLevel [siteType] at:int",
        "The number of the highest level of a stack; 0 for an empty site.",
        "(topLevel at:(last To))",
        |args| Ok(Int::of(TopLevel { at: args.int("at")? })),
    )
    .on_all_kinds()
    .needs(Parts::STACKS),
    number("face int", "What the die on the site shows.", "(face (handSite P1))", |args| {
        Ok(Int::of(Face { site: args.int("int")? }))
    }),
];

/// A property of a piece. It is a type, so that nodes do not choose it again each time they are evaluated.
trait Fact: Send + Sync + 'static {
    const NAME: &'static str;
    const READS: Parts;
    /// Is it the owner?
    const OWNER: bool = false;

    fn of(c: &Context<'_>, cell: Cell) -> i32;
}

/// Properties with their names and the parts of the state that they read.
macro_rules! facts {
    ($($(#[$doc:meta])* $fact:ident $name:literal $reads:ident $owner:literal |$c:pat_param, $cell:ident| $of:expr;)*) => {$(
        $(#[$doc])*
        struct $fact;

        impl Fact for $fact {
            const NAME: &'static str = $name;
            const READS: Parts = Parts::$reads;
            const OWNER: bool = $owner;

            #[inline]
            fn of($c: &Context<'_>, $cell: Cell) -> i32 {
                $of
            }
        }
    )*};
}

facts! {
    /// The kind.
    What "what" CELLS false |_, cell| cell.what.into();
    /// The owner.
    Who "who" CELLS true |c, cell| c.owner(cell.what.into()) as i32;
    /// The local state.
    State "state" STATES false |_, cell| cell.state.into();
    /// The rotation.
    Rotation "rotation" ROTATIONS false |_, cell| cell.rotation.into();
    /// The value.
    Value "value Piece" VALUES false |_, cell| cell.value.into();
}

fn what(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    // In a deduction puzzle, a site has a value instead of a piece.
    match args.lower.puzzle {
        true => Ok(Int::of(super::puzzle::Assigned { at: args.int("at")? })),
        false => on_site::<What>(args),
    }
}

fn on_site<F: Fact>(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    // Hands have cells: on another board, who is in a hand is only told where cells are asked for (decided by option
    // `Variant/Carter Crossover 1` of 58 Holes, ply 5).
    let kind = args.peek("siteType").and_then(compile::Value::word);
    let own = args.lower.equipment.board.sites;
    let on_board = F::OWNER
        && own != crate::board::SiteType::Cell
        && args.lower.equipment.containers.len() > 1
        && kind != Some("Cell");
    let at = args.int("at")?;
    let fact = PhantomData::<F>;
    Ok(match args.try_int("level")? {
        Some(level) => Int::of(OnLevel { fact, at, level }),
        None => Int::of(OnSite { fact, at, on_board }),
    })
}

/// A fact of the piece on a site.
struct OnSite<F> {
    fact: PhantomData<F>,
    at: Int,
    /// Is nothing told of other sites than those of the board?
    on_board: bool,
}

impl<F: Fact> Node for OnSite<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn reads(&self) -> Parts {
        F::READS
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("at", &self.at);
    }
}

impl<F: Fact> Number for OnSite<F> {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.at.get(c);
        if self.on_board && !c.equipment.on_board.contains(site) {
            return 0;
        }
        F::of(c, c.cell(site))
    }

    fn owner_at(&self) -> Option<Place> {
        Place::of_number(&self.at).filter(|_| F::OWNER)
    }
}

/// A fact of the piece on a level of a site.
struct OnLevel<F> {
    fact: PhantomData<F>,
    at: Int,
    level: Int,
}

impl<F: Fact> Node for OnLevel<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn reads(&self) -> Parts {
        F::READS | Parts::STACKS
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("at", &self.at);
        visit("level", &self.level);
    }
}

impl<F: Fact> Number for OnLevel<F> {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (site, level) = (self.at.get(c), self.level.get(c));
        F::of(c, c.state.level(site, level))
    }
}

node! {
    /// The highest level of a stack.
    struct TopLevel = "topLevel", iterators NONE, reads STACKS { at: Int }
}

impl Number for TopLevel {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.at.get(c);
        (c.state.height(site) - 1).max(0)
    }
}

node! {
    /// The number on top of a die.
    struct Face = "face", reads DICE { site: Int }
}

impl Number for Face {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.site.get(c);
        let die = c.equipment.dice.iter().find(|die| die.site as i32 == site);
        let face = c.cell(site).state.max(0) as usize;
        die.and_then(|die| die.faces.get(face)).copied().unwrap_or(OFF)
    }
}
