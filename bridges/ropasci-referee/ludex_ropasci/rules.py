"""The rules of RoPaSci 360, as far as a player must know them: which actions are legal, and what
they do. Actions are the referee's tuples."""

STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
BEATEN_BY = {"r": "p", "p": "s", "s": "r"}
THROWS = 9
HEXES = [
    (r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= -r - q <= 4
]
ON_BOARD = frozenset(HEXES)


def near(place):
    """The neighbours of a hex."""
    r, q = place
    return [(r + dr, q + dq) for dr, dq in STEPS if (r + dr, q + dq) in ON_BOARD]


class Board:
    """Tokens as (owner, symbol) lists by hex, and the throws used by each player."""

    def __init__(self):
        self.tokens = {}
        self.used = {"upper": 0, "lower": 0}

    def actions(self, player):
        """All legal actions of a player, each once."""
        return list(self._throws(player)) + list(self._moves(player))

    def _throws(self, player):
        used = self.used[player]
        if used >= THROWS:
            return
        for r, q in HEXES:
            if (r >= 4 - used) if player == "upper" else (r <= used - 4):
                for symbol in "rps":
                    yield ("THROW", symbol, (r, q))

    def _moves(self, player):
        own = {place for place, here in self.tokens.items() if any(p == player for p, _ in here)}
        for place in own:
            around = near(place)
            for to in around:
                yield ("SLIDE", place, to)
            swings = {to for pivot in around if pivot in own for to in near(pivot)}
            for to in swings - set(around) - {place}:
                yield ("SWING", place, to)

    def play(self, upper, lower):
        """Makes both players' actions at once and lets the tokens fight."""
        reached = []
        for player, action in (("upper", upper), ("lower", lower)):
            if action[0] == "THROW":
                _, symbol, to = action
                self.used[player] += 1
            else:
                _, place, to = action
                token = next(t for t in self.tokens[place] if t[0] == player)
                self.tokens[place].remove(token)
                symbol = token[1]
            reached.append((to, player, symbol))
        for to, player, symbol in reached:
            self.tokens.setdefault(to, []).append((player, symbol))
        for to, _, _ in reached:
            here = {symbol for _, symbol in self.tokens[to]}
            self.tokens[to] = [t for t in self.tokens[to] if BEATEN_BY[t[1]] not in here]
        self.tokens = {place: here for place, here in self.tokens.items() if here}


def to_text(action):
    """An action in the words of Ludex: `T s 4 -2`, `L 4 -2 3 -2`, `W 2 -3 1 -1`."""
    kind, what, (r, q) = action
    if kind == "THROW":
        return f"T {what} {r} {q}"
    return f"{'L' if kind == 'SLIDE' else 'W'} {what[0]} {what[1]} {r} {q}"


def from_text(text):
    """The referee's tuple for words of Ludex."""
    kind, *rest = text.split()
    if kind == "T":
        symbol, r, q = rest
        return ("THROW", symbol, (int(r), int(q)))
    a, b, c, d = map(int, rest)
    return ("SLIDE" if kind == "L" else "SWING", (a, b), (c, d))
