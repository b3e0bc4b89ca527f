//! Forms of the language that have no reader yet. A description that uses one of them is refused.

use super::missing;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    // Deduction puzzles.
    missing("item", "hints [string] {hint} [siteType]"),
    missing("hint", "hint {int} [int]"),
    missing("hint", "hint int [int]"),
    missing("boolean", "forAll puzzleElementType boolean"),
    missing("boolean", "all Different [siteType] [region] ([except:int] | [excepts:{int}])"),
    missing("boolean", "is Solved"),
    missing("boolean", "is Unique [siteType]"),
    missing("boolean", "is isPuzzleRegionResultType [siteType] [region] [of:int] [string] int"),
    missing("int", "hint [siteType] [at:int]"),
    missing("effect", "satisfy (boolean | {boolean})"),
    missing("startRule", "set [siteType] {{int}}"),
    // Cards and dominoes.
    missing(
        "item",
        "card string roleType cardType rank:int value:int trumpRank:int trumpValue:int suit:int [moves] [maxState:int] [maxCount:int] [maxValue:int]",
    ),
    missing("item", "domino string roleType value:int value2:int [moves]"),
    missing("item", "deck [roleType] [cardsBySuit:int] [suits:int] [{card}]"),
    missing("item", "dominoes [upTo:int]"),
    missing(
        "card",
        "card cardType rank:int value:int [trumpRank:int] [trumpValue:int] [biased:int]",
    ),
    missing("int", "card TrumpSuit"),
    missing("int", "card cardSiteType at:int [level:int]"),
    missing("moves", "move Set TrumpSuit (int | difference) [then]"),
    missing("effect", "set TrumpSuit (int | difference) [then]"),
    missing("effect", "deal dealableType [int] [beginWith:int] [then]"),
    missing("effect", "playCard [then]"),
    missing("effect", "take Domino [then]"),
    missing("startRule", "deal dealableType [int]"),
    missing("startRule", "split Deck"),
    // Large pieces, tiles and their paths.
    missing("path", "path from:int [slotsFrom:int] to:int [slotsTo:int] colour:int"),
    missing("int", "pathExtent [int] ([int] | [region])"),
    // Matches of several games.
    missing("games", "games (subgame | {subgame})"),
    missing("match", "match string [players] games end"),
    missing("subgame", "subgame string [string] [next:int] [result:int]"),
    missing("int", "matchScore roleType"),
    // Chance among moves and at the start.
    missing("effect", "random {float} {moves}"),
    missing("effect", "random moves num:int"),
    missing("direction", "directions Random direction num:int"),
    // Others.
    missing("item", "die string roleType numFaces:int [directionFacing] [moves]"),
    missing("boolean", "is isAngleType [siteType] at:int boolean boolean"),
    missing("ints", "rotations (absoluteDirection | {absoluteDirection})"),
    missing(
        "region",
        "sites Loop [inside:boolean] [siteType] ([surround:roleType] | [{roleType}]) [direction] [int] ([int] | [region])",
    ),
    missing("values", "values siteType range"),
];
