"""The games that the tests of adapters run on: at least a dozen of each rule language."""

NATIVE = [
    "breakthrough(5,5)",
    "connect4",
    "connect4(5,4)",
    "goofspiel",
    "goofspiel(cards=4,order=descending)",
    "kuhn",
    "ludo",
    "minichess(quiet=20)",
    "nim(2,3,2)",
    "pig(target=20)",
    "pig(target=20,players=3)",
    "ropasci360",
    "rps(rounds=10)",
    "tictactoe",
]

KIF = [
    "kif:battleships-in-fog",
    "kif:blind-breakthrough5",
    "kif:border-protection",
    "kif:breakthrough6",
    "kif:connect4",
    "kif:exploding-bomb",
    "kif:guess-who",
    "kif:hidden-connect",
    "kif:krieg-tictactoe",
    "kif:mastermind-small",
    "kif:monty-hall",
    "kif:nim",
    "kif:number-guessing",
    "kif:tictactoe",
    "kif:transit",
]

LUD = [
    "lud:alquerque",
    "lud:ataxx",
    "lud:breakthrough",
    "lud:chomp",
    "lud:clobber",
    "lud:connect-four",
    "lud:dara",
    "lud:domineering",
    "lud:dots-and-boxes",
    "lud:gomoku",
    "lud:hex",
    "lud:kalah",
    "lud:konane",
    "lud:nim",
    "lud:reversi",
    "lud:three-mens-morris",
    "lud:tic-tac-toe",
    "lud:yavalath",
]

ALL = NATIVE + KIF + LUD
