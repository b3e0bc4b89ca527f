"""Ludex as a player of RoPaSci 360 under the course's Python referee.

    python -m referee ludex_ropasci some_other_player

The referee makes `Player("upper")` or `Player("lower")` and calls `.action()` and
`.update(opponent_action, player_action)` in turn.
"""
from .player import Player

__all__ = ["Player"]
