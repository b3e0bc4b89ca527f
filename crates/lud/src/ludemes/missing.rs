//! Forms of the language that have no reader, each with the reason. A description that uses one of them is refused.

use super::missing;
use super::prelude::*;

const CARDS: &str =
    "no public description uses cards, so no record tells how they are dealt and numbered";
const DOMINOES: &str =
    "the shape and the numbering of dominoes on a boardless game are not known well enough";
const CHANCE: &str = "chance does not draw which moves there are";

pub(super) const FORMS: &[Form] = &[
    // Cards and dominoes.
    missing(
        "item",
        "card string roleType cardType rank:int value:int trumpRank:int trumpValue:int suit:int [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        CARDS,
    ),
    missing("item", "domino string roleType value:int value2:int [moves]", DOMINOES),
    missing("item", "deck [roleType] [cardsBySuit:int] [suits:int] [{card}]", CARDS),
    missing("item", "dominoes [upTo:int]", DOMINOES),
    missing(
        "card",
        "card cardType rank:int value:int [trumpRank:int] [trumpValue:int] [biased:int]",
        CARDS,
    ),
    missing("int", "card TrumpSuit", CARDS),
    missing("int", "card cardSiteType at:int [level:int]", CARDS),
    missing("moves", "move Set TrumpSuit (int | difference) [then]", CARDS),
    missing("effect", "set TrumpSuit (int | difference) [then]", CARDS),
    missing("effect", "deal dealableType [int] [beginWith:int] [then]", CARDS),
    missing("effect", "playCard [then]", CARDS),
    missing("effect", "take Domino [then]", DOMINOES),
    missing("startRule", "deal dealableType [int]", CARDS),
    missing("startRule", "split Deck", CARDS),
    // Chance among moves and at the start.
    missing("direction", "directions Random direction num:int", CHANCE),
    // Other forms without a meaning here.
    missing(
        "item",
        "die string roleType numFaces:int [directionFacing] [moves]",
        "which face of a die that is a piece lies up is not told by any record",
    ),
];
