"""Runs OpenSpiel's api_test on the games of Ludex alone."""

import importlib.util
import runpy
import sys

import ludex.openspiel
from games import ALL

if __name__ == "__main__":
    names = [ludex.openspiel.register(name) for name in ALL]
    print(len(names), "games registered", flush=True)
    # The program reads the list of games when it is loaded.
    found = importlib.util.find_spec("open_spiel.integration_tests.api_test")
    assert found is not None and found.origin is not None
    sys.argv = [found.origin, "--test_only_games=ludex_.*"]
    runpy.run_path(found.origin, run_name="__main__")
