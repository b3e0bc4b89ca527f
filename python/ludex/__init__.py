"""Every game and every agent of Ludex for programs in Python.

>>> import ludex
>>> game = ludex.load("tictactoe")
>>> state = game.new_initial_state()
>>> state.apply_action(4)
>>> state.action_to_string(0)
'a1'
>>> agent = ludex.agent("alphabeta@depth=9")
>>> while not state.is_terminal():
...     state.apply_action(agent.step(state))
>>> state.returns()
[0.0, 0.0]

- `load`, `loads`, `Game`, `State`, `View`: rules and positions, with the names of OpenSpiel;
- `vector`: many games stepped together as a Gymnasium vector environment;
- `agent`, `puct`, `match`: agents, and matches between them; agents can be Python functions;
- `PythonGame`, `game`: games written in Python; `ludex.testing` checks them;
- `ludex.pettingzoo`, `ludex.gym`, `ludex.openspiel`: the same games for other libraries;
- `ludex.arena`, `ludex.stats`: tournaments that can be resumed, and their statistics.
"""

from ._agents import Analysis, agent, analyse, puct
from ._games import PythonGame, game, load, loads
from ._ludex import (
    Agent,
    Game,
    IllegalMoveError,
    LudexError,
    PositionError,
    RefusedError,
    State,
    UnknownNameError,
    UnsupportedError,
    View,
    __version__,
    agents,
    concepts,
    predict,
    registered_names,
    usual_agent,
)
from ._map import GameMap, map
from ._match import MatchResult, match
from ._vector import VectorEnv, playouts, vector

__all__ = [
    "Agent",
    "Analysis",
    "Game",
    "GameMap",
    "IllegalMoveError",
    "LudexError",
    "MatchResult",
    "PositionError",
    "PythonGame",
    "RefusedError",
    "State",
    "UnknownNameError",
    "UnsupportedError",
    "VectorEnv",
    "View",
    "__version__",
    "agent",
    "agents",
    "analyse",
    "concepts",
    "game",
    "load",
    "loads",
    "map",
    "match",
    "playouts",
    "predict",
    "puct",
    "registered_names",
    "usual_agent",
    "vector",
]
