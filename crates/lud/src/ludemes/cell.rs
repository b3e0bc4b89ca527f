//! `(what …)`, `(who …)`, `(state …)`, `(rotation …)`, `(value Piece …)`, `(topLevel …)`, `(face …)`: what is on a site.

use super::prelude::*;
use crate::engine::state::Cell;

pub(super) const FORMS: &[Form] = &[
    number(
        "what [siteType] at:int [level:int]",
        "The kind of the piece on the site; 0 for none.",
        "(= (what at:(to)) (id \"King\" Next))",
        |args| on_site(args, Fact::What),
    ),
    number(
        "who [siteType] at:int [level:int]",
        "The owner of the piece on the site; 0 for none.",
        "(is Enemy (who at:(to)))",
        |args| on_site(args, Fact::Who),
    ),
    number(
        "state [siteType] at:int [level:int]",
        "The local state of the piece on the site.",
        "(= (state at:(from)) 1)",
        |args| on_site(args, Fact::State),
    ),
    number(
        "rotation [siteType] at:int [level:int]",
        "How far the piece on the site is turned.",
        "(= (rotation at:(to)) 0)",
        |args| on_site(args, Fact::Rotation),
    )
    .needs(Parts::ROTATIONS),
    number(
        "value Piece [siteType] at:int [level:int]",
        "The value of the piece on the site.",
        "(> (value Piece at:(to)) 3)",
        |args| on_site(args, Fact::Value),
    ),
    number(
        "topLevel [siteType] at:int",
        "The number of the highest level of a stack; 0 for an empty site.",
        "(topLevel at:(last To))",
        |args| Ok(Int::of(TopLevel { at: args.int("at")? })),
    )
    .needs(Parts::STACKS),
    number("face int", "What the die on the site shows.", "(face (handSite P1))", |args| {
        Ok(Int::of(Face { site: args.int("int")? }))
    }),
];

/// A property of a piece.
#[derive(Clone, Copy)]
enum Fact {
    What,
    Who,
    State,
    Rotation,
    Value,
}

fn on_site(args: &mut Args<'_, '_, '_>, fact: Fact) -> Result<Int> {
    // Hands have cells: on another board, who is in a hand is only told where cells are asked for (decided by option
    // `Variant/Carter Crossover 1` of 58 Holes, ply 5).
    let kind = args.peek("siteType").and_then(Value::word);
    let own = args.lower.equipment.board.sites;
    let on_board = matches!(fact, Fact::Who)
        && own != crate::board::SiteType::Cell
        && args.lower.equipment.containers.len() > 1
        && kind != Some("Cell");
    let at = args.int("at")?;
    // What is on a site of a deduction puzzle is its value.
    let puzzle = matches!(fact, Fact::What) && args.lower.puzzle;
    if puzzle {
        return Ok(Int::of(super::puzzle::Assigned { at }));
    }
    Ok(match args.try_int("level")? {
        Some(level) => Int::of(OnLevel { fact, at, level }),
        None => Int::of(OnSite { fact, at, on_board }),
    })
}

impl Fact {
    fn name(self) -> &'static str {
        match self {
            Fact::What => "what",
            Fact::Who => "who",
            Fact::State => "state",
            Fact::Rotation => "rotation",
            Fact::Value => "value Piece",
        }
    }

    fn reads(self) -> Parts {
        match self {
            Fact::What | Fact::Who => Parts::CELLS,
            Fact::State => Parts::STATES,
            Fact::Rotation => Parts::ROTATIONS,
            Fact::Value => Parts::VALUES,
        }
    }

    #[inline]
    fn of(self, c: &Context<'_>, cell: Cell) -> i32 {
        match self {
            Fact::What => cell.what.into(),
            Fact::Who => c.owner(cell.what.into()) as i32,
            Fact::State => cell.state.into(),
            Fact::Rotation => cell.rotation.into(),
            Fact::Value => cell.value.into(),
        }
    }
}

/// A fact of the piece on a site.
struct OnSite {
    fact: Fact,
    at: Int,
    /// Is nothing told of other sites than those of the board?
    on_board: bool,
}

impl Node for OnSite {
    fn name(&self) -> &'static str {
        self.fact.name()
    }

    fn reads(&self) -> Parts {
        self.fact.reads()
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("at", &self.at);
    }
}

impl Number for OnSite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.at.get(c);
        if self.on_board && !c.equipment.on_board.contains(site) {
            return 0;
        }
        self.fact.of(c, c.cell(site))
    }

    fn owner_at(&self) -> Option<Place> {
        Place::of_number(&self.at).filter(|_| matches!(self.fact, Fact::Who))
    }
}

/// A fact of the piece on a level of a site.
struct OnLevel {
    fact: Fact,
    at: Int,
    level: Int,
}

impl Node for OnLevel {
    fn name(&self) -> &'static str {
        self.fact.name()
    }

    fn reads(&self) -> Parts {
        self.fact.reads() | Parts::STACKS
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("at", &self.at);
        visit("level", &self.level);
    }
}

impl Number for OnLevel {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (site, level) = (self.at.get(c), self.level.get(c));
        self.fact.of(c, c.state.level(site, level))
    }
}

node! {
    /// The highest level of a stack.
    struct TopLevel = "topLevel", reads STACKS { at: Int }
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
