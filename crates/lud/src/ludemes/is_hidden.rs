//! `(is Hidden …)` and `(sites Hidden …)`: facts that are hidden from a player, as a condition and as sites.

use super::Read;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is Hidden [hiddenData] [siteType] at:int [level:int] (to:player | To:roleType)",
        "A part of what is on the site is hidden from the player; without a part, that anything is there.",
        "(not (is Hidden What at:(to) to:Mover))",
        |args| {
            let (part, who) = (part(args)?, args.who(&["to"])?);
            // Levels of a stack are hidden together.
            args.take("level");
            Ok(Bool::of(IsHidden { at: args.int("at")?, hidden: SitesHidden { part, who } }))
        },
    ).on_all_kinds()
    .needs(Parts::HIDDEN),
    region(
        "sites Hidden [hiddenData] [siteType] (to:player | To:roleType)",
        "The sites of which this part is hidden from the player; without a part, the sites that look empty.",
        "(sites Hidden What to:Mover)",
        |args| {
            let (part, who) = (part(args)?, args.who(&["to"])?);
            Ok(Region::of_node(SitesHidden { part, who }))
        },
    ).on_all_kinds()
    .on_board()
    .needs(Parts::HIDDEN),
];

/// Is a part of the pieces meant? A state knows only whether any part is hidden. So it can be told where rules hide and
/// show all parts together: each as often as the others.
fn part(args: &mut Args<'_, '_, '_>) -> Result<bool> {
    let Some(asked) = args.word("hiddenData") else { return Ok(false) };
    let (mut counts, game) = ([0; PARTS.len()], args.lower.game.clone());
    game.walk(&mut |ludeme| {
        // Effects and rules of the start that hide sites.
        let hides = matches!(ludeme.reader(), Some((form, Read::Moves(_) | Read::Start(_)))
            if form.needs.has(Parts::HIDDEN));
        if hides {
            for word in ludeme.values().flat_map(Value::items).filter_map(Value::word) {
                let at = PARTS.iter().position(|part| *part == word);
                at.into_iter().for_each(|at| counts[at] += 1);
            }
        }
    });
    let of = PARTS.iter().position(|part| *part == asked).map_or(0, |at| counts[at]);
    let together = counts.iter().all(|&count| count == 0 || count == of);
    if together && of > 0 { Ok(true) } else { Err(args.unsupported()) }
}

/// The properties of a piece that can be hidden.
const PARTS: [&str; 6] = ["What", "Who", "State", "Count", "Value", "Rotation"];

node! {
    /// The sites of which something is hidden from players.
    struct SitesHidden = "sites Hidden", reads HIDDEN { part: bool, who: Who }
}

inner!(SitesHidden);

impl SitesHidden {
    /// The bits of the sites that are hidden from a player.
    fn bits<'c>(&self, c: &'c Context<'_>, player: usize) -> &'c [u64] {
        let words = c.rules.layout.words;
        let first = if self.part { 0 } else { c.state.hidden.len() / 2 } + words * player;
        c.state.hidden.get(first..first + words).unwrap_or_default()
    }
}

impl SiteSet for SitesHidden {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let who = self.who.get(c);
        for player in ones(who).filter(|&player| player <= c.equipment.players) {
            out.add(self.bits(c, player));
        }
        out.keep(c.equipment.on_board.words());
    }
}

node! {
    /// A part of the piece on a site is hidden from a player.
    struct IsHidden = "is Hidden" { at: Int, hidden: SitesHidden }
}

impl Condition for IsHidden {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (site, who) = (self.at.get(c), self.hidden.who.get(c));
        ones(who)
            .filter(|&player| player <= c.equipment.players)
            .any(|player| crate::engine::sites::contains(self.hidden.bits(c, player), site))
    }
}
