"""Plays matches of the bridge under a small referee of its own and prints what they cost, as JSON.

    python3 tests/play_matches.py GAMES [OPPONENT]

The referee checks every action against its own list of legal ones, as the course's does, and ends a
game by the same rules. OPPONENT is `random` or `taker` (takes what it can, else moves at random).
"""
import json
import os
import random
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ludex_ropasci import Player  # noqa: E402
from ludex_ropasci.rules import BEATEN_BY, Board, THROWS  # noqa: E402


class Opponent:
    """Moves at random; a taker takes what it can."""

    def __init__(self, player, rng, takes):
        self.player, self.rng, self.takes = player, rng, takes
        self.board = Board()

    def action(self):
        legal = self.board.actions(self.player)
        there = {place: here[0] for place, here in self.board.tokens.items()}

        def kills(action):
            if action[2] not in there or there[action[2]][0] == self.player:
                return False
            symbol = action[1] if action[0] == "THROW" else there[action[1]][1]
            return BEATEN_BY[there[action[2]][1]] == symbol

        good = [a for a in legal if kills(a)] if self.takes else []
        return self.rng.choice(good or legal)

    def update(self, opponent_action, player_action):
        both = (player_action, opponent_action)
        self.board.play(*(both if self.player == "upper" else both[::-1]))


def key(board):
    tokens = sorted((place, tuple(sorted(here))) for place, here in board.tokens.items())
    return tuple(tokens), board.used["upper"], board.used["lower"]


def result(board, seen, turns):
    """The end test in the referee's order: None while the game goes on."""
    tokens = {"upper": [], "lower": []}
    for here in board.tokens.values():
        for owner, symbol in here:
            tokens[owner].append(symbol)
    out = {p: board.used[p] == THROWS and not tokens[p] for p in tokens}
    if out["upper"] or out["lower"]:
        return "draw" if out["upper"] and out["lower"] else "lower" if out["upper"] else "upper"
    other = {"upper": "lower", "lower": "upper"}
    safe = {
        p: board.used[other[p]] == THROWS
        and any(BEATEN_BY[s] not in tokens[other[p]] for s in tokens[p])
        for p in tokens
    }
    if safe["upper"] and safe["lower"]:
        return "draw"
    for p in tokens:
        if safe[p] and board.used[other[p]] == THROWS and len(tokens[other[p]]) == 1:
            return p
    if seen[key(board)] >= 3 or turns >= 360:
        return "draw"
    return None


def play(number, takes):
    """One game; the bridge sits up and down in turn."""
    seat = ("upper", "lower")[number % 2]
    other = ("lower", "upper")[number % 2]
    bridge = Player(seat)
    players = {seat: bridge, other: Opponent(other, random.Random(number), takes)}
    board, turns, winner = Board(), 0, None
    seen = Counter([key(board)])
    cpu = peak = virtual = 0
    while winner is None:
        actions = {}
        for name, player in players.items():
            action = player.action()
            if action not in board.actions(name):
                raise SystemExit(f"game {number}: illegal action {action} of {name}")
            actions[name] = action
        board.play(actions["upper"], actions["lower"])
        players["upper"].update(actions["lower"], actions["upper"])
        players["lower"].update(actions["upper"], actions["lower"])
        turns += 1
        seen[key(board)] += 1
        winner = result(board, seen, turns)
        cpu = bridge.cpu_seconds()
        peak, virtual = bridge.memory_bytes()
    fallbacks = bridge.fallbacks
    bridge.close()
    return {
        "seat": seat,
        "result": "won" if winner == seat else "drawn" if winner == "draw" else "lost",
        "turns": turns,
        "cpu_s": round(cpu, 2),
        "peak_mb": round(peak / 2**20, 1),
        "virtual_mb": round(virtual / 2**20, 1),
        "fallbacks": fallbacks,
    }


def main():
    games = int(sys.argv[1])
    takes = sys.argv[2:3] == ["taker"]
    for number in range(games):
        print(json.dumps(play(number, takes)), flush=True)


if __name__ == "__main__":
    main()
