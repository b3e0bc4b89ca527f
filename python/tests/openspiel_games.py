"""Games that OpenSpiel has too: how the text of one of its moves reads in Ludex."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """A game of OpenSpiel, the same game in Ludex, and the translation of moves."""

    spiel: str
    ludex: str
    text: Callable[[str], str]


def square(text: str) -> tuple[int, int]:
    """The column and row, from 0, of a square such as `c4`."""
    found = re.search(r"([a-z])(\d+)", text)
    assert found, text
    return ord(found[1]) - ord("a"), int(found[2]) - 1


def name(column: int, row: int) -> str:
    """A square such as `c4`."""
    return f"{chr(ord('a') + column)}{row + 1}"


def cell(text: str) -> tuple[int, int]:
    """The two numbers of a cell such as `x(0,2)` or `0,2`."""
    first, second = re.findall(r"\d+", text)
    return int(first), int(second)


def from_top(text: str, rows: int) -> str:
    row, column = cell(text)
    return name(column, rows - 1 - row)


def two(text: str) -> tuple[str, str]:
    """The two squares of a move."""
    first, second = re.findall(r"[a-z]\d+", text)
    return first, second


def flipped(text: str, rows: int) -> str:
    column, row = square(text)
    return name(column, rows - 1 - row)


def mirrored(text: str, columns: int) -> str:
    column, row = square(text)
    return name(columns - 1 - column, row)


def dots(text: str) -> str:
    """An edge of a board of 4 x 4 boxes: OpenSpiel counts rows from the top, Ludex half steps from below."""
    found = re.match(r"P\d\((h|v),(\d+),(\d+)\)", text)
    assert found, text
    row, column = int(found[2]), int(found[3])
    if found[1] == "h":
        return name(2 * column + 1, 8 - 2 * row).upper()
    return name(2 * column, 7 - 2 * row).upper()


def rhombus(text: str) -> str:
    """A cell of Hex on 11 x 11 hexagons: the players' sides lie the other way round."""
    column, row = square(text)
    return name(10 - row, column).upper()


def triangle(text: str) -> str:
    """A cell of Y: OpenSpiel's columns and rows lie along two sides of the triangle."""
    column, row = square(text)
    return name(column + row, row).upper()


def houses(text: str) -> str:
    """A house of Oware: the second player's houses run the other way."""
    if text.isupper():
        return f"!{chr(ord(text) + 1)}1"
    return f"!{chr(ord('G') - (ord(text) - ord('a')))}2"


def pits(text: str) -> str:
    """A pit of Kalah."""
    number = int(text)
    return f"!{chr(ord('A') + number)}1" if number < 7 else f"!{chr(ord('G') - (number - 8))}2"


def draughts(text: str) -> str:
    first, second = two(text)
    return f"{first}-{second}".upper()


#: Differences that are differences of rules, and how the comparison treats them:
#: - Hex and Havannah of Ludex have the swap rule; the comparison never swaps.
#: - Reversi of Ludex ends when both players have passed, OpenSpiel's when neither can move; the comparison adds the passes.
#: - Gomoku of Ludex counts exactly five in a row, OpenSpiel's five or more; it is not compared.
#: - Goofspiel of OpenSpiel plays the last cards by itself; the comparison plays them.
#: - Checkers of OpenSpiel is a draw after forty quiet moves; the comparison ends there.
#: - Pig of Ludex does not allow to hold without points; it is not compared.
EARLY_DRAWS = {"lud:english-draughts"}

PAIRS = [
    Pair("tic_tac_toe", "tictactoe", lambda t: from_top(t, 3)),
    Pair("tic_tac_toe", "kif:tictactoe", lambda t: "(mark {} {})".format(*(n + 1 for n in cell(t)))),
    Pair("tic_tac_toe", "lud:tic-tac-toe", lambda t: from_top(t, 3).upper()),
    Pair("connect_four", "connect4", lambda t: chr(ord("a") + int(t[1:]))),
    Pair("connect_four", "kif:connect4", lambda t: f"(drop {int(t[1:]) + 1})"),
    Pair("connect_four", "lud:connect-four", lambda t: chr(ord("A") + int(t[1:]))),
    Pair("breakthrough", "breakthrough", lambda t: "".join(flipped(s, 8) for s in two(t))),
    Pair("breakthrough", "lud:breakthrough", lambda t: "-".join(flipped(s, 8) for s in two(t)).upper()),
    Pair("hex", "lud:hex", rhombus),
    Pair("othello", "lud:reversi", lambda t: t if t == "pass" else mirrored(t, 8).upper()),
    Pair("havannah", "lud:havannah", lambda t: t.upper()),
    Pair("y(board_size=11)", "lud:y", triangle),
    Pair(
        "clobber(rows=10,columns=10)",
        "lud:clobber",
        lambda t: "-".join(mirrored(s, 10) for s in two(t)).upper(),
    ),
    Pair("dots_and_boxes(num_rows=4,num_cols=4)", "lud:dots-and-boxes", dots),
    Pair(
        "goofspiel(num_cards=5,points_order=descending,returns_type=win_loss)",
        "goofspiel(cards=5,order=descending)",
        lambda t: t.split()[-1],
    ),
    Pair(
        "nim(pile_sizes=1;3;5;7)",
        "nim(1,3,5,7,misere=true)",
        lambda t: "{}{}".format(chr(ord("a") - 1 + cell(t)[0]), cell(t)[1]),
    ),
    Pair("oware", "lud:oware", houses),
    Pair("mancala", "lud:kalah", pits),
    Pair("checkers", "lud:english-draughts", draughts),
]
