#!/usr/bin/env python3
"""A bot that plays at random: the whole protocol of docs/bots.md."""
import json
import random
import sys


def say(**message):
    print(json.dumps(message), flush=True)


rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "newgame":
        # game, title, players, seat, hidden, seed
        rng.seed(message["seed"])
        say(type="ready", name="random bot")
    elif message["type"] == "go":
        # step, news (own, seen), position (where nothing is hidden), legal, budget
        say(type="info", text=f"{len(message['legal'])} moves to choose from")
        say(type="move", move=rng.choice(message["legal"]))
    elif message["type"] == "end":
        break
