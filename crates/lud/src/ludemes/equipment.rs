//! The equipment: boards, hands, dice, pieces, regions, maps and tracks.

use super::part;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    part(
        "equipment",
        "equipment {item}",
        "What lies on the table.",
        "(equipment {(board (square 8)) (piece \"Pawn\" Each)})",
    ),
    part(
        "item",
        "piece string [roleType] [directionFacing] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A kind of piece, with its moves.",
        "(piece \"Rook\" Each (move Slide Orthogonal))",
    ),
    part(
        "item",
        "tile string [roleType] ([{stepType}] | [{{stepType}}]) [numSides:int] ([slots:{int}] | [slotsPerSide:int]) [{path}] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A tile; with a walk, a large one that covers all sites of the walk.",
        "(tile \"Domino\" Each {F} numSides:4)",
    ),
    part(
        "item",
        "board graph ([track] | [{track}]) ([values] | [{values}]) [use:siteType] [largeStack:boolean]",
        "A board, on whose cells, edges or vertices pieces stand.",
        "(board (square 8))",
    ),
    part(
        "item",
        "boardless tilingBoardlessType [dim] [largeStack:boolean]",
        "A large board without a border.",
        "(boardless Hexagonal)",
    ),
    part(
        "item",
        "mancalaBoard int int [store:storeType] [numStores:int] [largeStack:boolean] ([track] | [{track}])",
        "A board of holes in rows.",
        "(mancalaBoard 2 6)",
    ),
    part(
        "item",
        "surakartaBoard graph [loops:int] [from:int] [largeStack:boolean]",
        "A board with loops around its corners.",
        "(surakartaBoard (square 6))",
    ),
    part(
        "item",
        "dice [d:int] ([faces:{int}] | [facesByDie:{{int}}] | [from:int]) [roleType] num:int [biased:{int}]",
        "Dice.",
        "(dice d:6 num:2)",
    ),
    part("item", "hand roleType [size:int]", "A hand of a player.", "(hand Each)"),
    part("item", "map [string] {pair}", "A map of pairs.", "(map {(pair 1 2)})"),
    part("item", "map [string] {int} {int}", "A map of keys and values.", "(map {1 2} {3 4})"),
    part(
        "item",
        "regions [string] [roleType] ({int} | region | {region} | regionTypeStatic | {regionTypeStatic}) [string]",
        "Sites with a name or an owner.",
        "(regions P1 (sites Side N))",
    ),
    part(
        "track",
        "track string ({int} | string | {trackStep}) [loop:boolean] ([int] | [roleType]) [directed:boolean]",
        "A track over the board.",
        "(track \"Track\" \"0,E,N,W\" loop:True)",
    ),
    part("pair", "pair int int", "A key and its value.", "(pair 1 2)"),
    part("pair", "pair roleType int", "A player and a number.", "(pair P1 4)"),
    part("pair", "pair roleType roleType", "Two players.", "(pair P1 P2)"),
    part("pair", "pair string string", "Two names.", "(pair \"A1\" \"B1\")"),
    part("pair", "pair int string", "A number and a name.", "(pair 1 \"A1\")"),
    part("pair", "pair roleType string", "A player and a name.", "(pair P1 \"A1\")"),
    part(
        "pair",
        "pair roleType landmarkType",
        "A player and a landmark of the board.",
        "(pair P1 CentreSite)",
    ),
    part("pair", "pair string roleType", "A name and a player.", "(pair \"Pawn1\" P1)"),
];
