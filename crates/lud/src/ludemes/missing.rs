//! Forms of the language that have no reader, each with the reason. A description that uses one of them is refused.

use super::missing;
use super::prelude::*;

const PUZZLE: &str = "no recorded game shows how a deduction puzzle is played or when it is solved";
const CARDS: &str =
    "no public description uses cards, so no record tells how they are dealt and numbered";
const DOMINOES: &str =
    "the shape and the numbering of dominoes on a boardless game are not known well enough";
const PATHS: &str = "paths on tiles are not read";
const CHANCE: &str = "chance does not draw which moves there are";

pub(super) const FORMS: &[Form] = &[
    // Deduction puzzles.
    missing("item", "hints [string] {hint} [siteType]", PUZZLE),
    missing("hint", "hint {int} [int]", PUZZLE),
    missing("hint", "hint int [int]", PUZZLE),
    missing("boolean", "forAll puzzleElementType boolean", PUZZLE),
    missing(
        "boolean",
        "all Different [siteType] [region] ([except:int] | [excepts:{int}])",
        PUZZLE,
    ),
    missing("boolean", "is Solved", PUZZLE),
    missing("boolean", "is Unique [siteType]", PUZZLE),
    missing(
        "boolean",
        "is isPuzzleRegionResultType [siteType] [region] [of:int] [string] int",
        PUZZLE,
    ),
    missing("int", "hint [siteType] [at:int]", PUZZLE),
    missing("effect", "satisfy (boolean | {boolean})", PUZZLE),
    missing("startRule", "set [siteType] {{int}}", PUZZLE),
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
    // Large pieces, tiles and their paths.
    missing("path", "path from:int [slotsFrom:int] to:int [slotsTo:int] colour:int", PATHS),
    missing("int", "pathExtent [int] ([int] | [region])", PATHS),
    // Chance among moves and at the start.
    missing("effect", "random {float} {moves}", CHANCE),
    missing("effect", "random moves num:int", CHANCE),
    missing("direction", "directions Random direction num:int", CHANCE),
    // Others.
    missing(
        "item",
        "die string roleType numFaces:int [directionFacing] [moves]",
        "which face of a die that is a piece lies up is not told by any record",
    ),
    missing(
        "boolean",
        "is isAngleType [siteType] at:int boolean boolean",
        "no public description asks for angles",
    ),
    missing(
        "ints",
        "rotations (absoluteDirection | {absoluteDirection})",
        "no public description lists rotations, so their numbers are unknown",
    ),
    missing(
        "region",
        "sites Loop [inside:boolean] [siteType] ([surround:roleType] | [{roleType}]) [direction] [int] ([int] | [region])",
        "no public description asks for the sites of a loop",
    ),
    missing("values", "values siteType range", "only deduction puzzles have such values"),
];
