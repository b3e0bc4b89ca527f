"""Statistics of game results.

>>> low, high = wilson(0.5, 100)
>>> round(low, 3), round(high, 3)
(0.404, 0.596)
>>> ratings, errors = elo(2, [(0, 1, 75, 0, 25)], anchor=1)
>>> round(ratings[0])
191
"""

from ._ludex import (
    alpha_rank,
    clustered,
    elo,
    holm,
    nash_average,
    paired_t,
    sign,
    sprt,
    wilson,
)

__all__ = [
    "alpha_rank",
    "clustered",
    "elo",
    "holm",
    "nash_average",
    "paired_t",
    "sign",
    "sprt",
    "wilson",
]
