//! The project's own rule sheets, built in so that the binary needs no files.

/// Name and text of each.
pub static SHEETS: &[(&str, &str)] = &[
    ("battleships-in-fog", include_str!("../games/battleships-in-fog.kif")),
    ("blind-breakthrough5", include_str!("../games/blind-breakthrough5.kif")),
    ("blind-breakthrough6", include_str!("../games/blind-breakthrough6.kif")),
    ("blind-breakthrough8", include_str!("../games/blind-breakthrough8.kif")),
    ("border-protection", include_str!("../games/border-protection.kif")),
    ("breakthrough", include_str!("../games/breakthrough.kif")),
    ("breakthrough6", include_str!("../games/breakthrough6.kif")),
    ("connect4", include_str!("../games/connect4.kif")),
    ("exploding-bomb", include_str!("../games/exploding-bomb.kif")),
    ("guess-who", include_str!("../games/guess-who.kif")),
    ("hidden-connect", include_str!("../games/hidden-connect.kif")),
    ("krieg-small", include_str!("../games/krieg-small.kif")),
    ("krieg-tictactoe", include_str!("../games/krieg-tictactoe.kif")),
    ("kriegspiel-small", include_str!("../games/kriegspiel-small.kif")),
    ("mastermind", include_str!("../games/mastermind.kif")),
    ("mastermind-small", include_str!("../games/mastermind-small.kif")),
    ("minichess", include_str!("../games/minichess.kif")),
    ("monty-hall", include_str!("../games/monty-hall.kif")),
    ("nim", include_str!("../games/nim.kif")),
    ("number-guessing", include_str!("../games/number-guessing.kif")),
    ("stratego-small", include_str!("../games/stratego-small.kif")),
    ("tictactoe", include_str!("../games/tictactoe.kif")),
    ("transit", include_str!("../games/transit.kif")),
    ("twenty-one", include_str!("../games/twenty-one.kif")),
];
