//! The frame of a description: `(game …)`, `(players …)`, `(rules …)`, `(phase …)`, and the parts of moves.

use super::part;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    part(
        "game",
        "game string players [mode] equipment rules",
        "A game.",
        "(game \"Nim\" (players 2) (equipment {(board (square 1))}) (rules (play (move Pass)) (end (if True (result Mover Draw)))))",
    ),
    part(
        "mode",
        "mode modeType",
        "Players move in turn, or at the same time.",
        "(mode Alternating)",
    ),
    part("player", "player directionFacing", "A player who looks in a direction.", "(player N)"),
    part("player", "player int", "The player of a number.", "(player (mover))"),
    part(
        "players",
        "players {player}",
        "The players, each with a direction.",
        "(players {(player N) (player S)})",
    ),
    part("players", "players int", "The number of players.", "(players 2)"),
    part(
        "rules",
        "rules [meta] [start] play end",
        "Rules without phases.",
        "(rules (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win))))",
    ),
    part(
        "rules",
        "rules [meta] [start] [play] phases:{phase} [end]",
        "Rules with phases.",
        "(rules phases:{(phase \"A\" (play (forEach Piece)))})",
    ),
    part(
        "nextPhase",
        "nextPhase ([roleType] | [player]) [boolean] [string]",
        "When a player goes to another phase, the next one where it is not named.",
        "(nextPhase Mover (is Full) \"Move\")",
    ),
    part(
        "phase",
        "phase string [roleType] [mode] play [end] ([nextPhase] | [{nextPhase}])",
        "A phase of the game.",
        "(phase \"Place\" (play (move Add (to (sites Empty)))))",
    ),
    part("play", "play moves", "The moves.", "(play (forEach Piece))"),
    part(
        "start",
        "start ({startRule} | startRule)",
        "The position at the start.",
        "(start (place \"Pawn1\" (sites Bottom)))",
    ),
    part(
        "then",
        "then effect [applyAfterAllMoves:boolean]",
        "The consequence of a move.",
        "(then (moveAgain))",
    ),
    part(
        "between",
        "between [before:int] [range] [after:int] [If:boolean] [trail:int] [apply]",
        "The sites between the origin and the end of a move.",
        "(between if:(is Empty (between)))",
    ),
    part(
        "from",
        "from [siteType] ([region] | [int]) [level:int] [If:boolean]",
        "The origin of a move.",
        "(from (sites Occupied by:Mover))",
    )
    .on_all_kinds()
    .sites_in(&["int"]),
    part(
        "to",
        "to [siteType] ([region] | [int]) [level:int] [rotations] [If:boolean] [apply]",
        "The end of a move.",
        "(to if:(is Empty (to)))",
    )
    .on_all_kinds()
    .sites_in(&["int"]),
    part(
        "piece",
        "piece (string | int | {string} | {int}) [state:int]",
        "Kinds of pieces.",
        "(piece \"Queen\")",
    ),
    part(
        "path",
        "path from:int [slotsFrom:int] to:int [slotsTo:int] colour:int",
        "A coloured path on a tile, from one side to another.",
        "(path from:0 to:2 colour:1)",
    ),
    part("flips", "flips int int", "The two states between which a piece flips.", "(flips 1 2)"),
];
