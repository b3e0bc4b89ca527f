"""What the survey's opponents had: reads results.csv and features.csv of this folder. Needs Python 3 alone.

    python3 experiments/hyper-table/budgets.py
"""
import csv
import pathlib
import statistics

FOLDER = pathlib.Path(__file__).parent


def rows(name):
    with open(FOLDER / name, newline="") as file:
        return list(csv.DictReader(file))


def simulations(text):
    """The number in a budget such as `uct@sims=992`; None where there is none."""
    for part in text.replace("@", ",").split(","):
        if part.startswith("sims="):
            return int(part.removeprefix("sims="))
    return None


features = {row["game"]: row for row in rows("features.csv")}
hidden = [game for game, row in features.items() if float(row["hidden"])]
joint = [game for game, row in features.items() if float(row["simultaneous"]) and game not in hidden]
both = [game for game in hidden if float(features[game]["simultaneous"])]
print(f"{len(features)} games: {len(hidden)} hidden, {len(joint)} more simultaneous, "
      f"{len(features) - len(hidden) - len(joint)} open games of players in turn; "
      f"of the hidden ones {len(both)} are simultaneous too")

budgets = {}
for row in rows("results.csv"):
    if row["supported"] == "1" and (found := simulations(row["opponent"])):
        budgets.setdefault(row["game"], []).append(found)
ratios = {game: max(found) / min(found) for game, found in budgets.items() if len(found) > 1}
worst = max(ratios, key=ratios.get)
print(f"largest by smallest budget of the opponent within a game ({len(ratios)} games): "
      f"median {statistics.median(ratios.values()):.2f}, above 2 in {sum(r > 2 for r in ratios.values())}, "
      f"at most {ratios[worst]:.1f} ({worst})")
forfeits = sum(int(row["forfeits"]) for row in rows("results.csv"))
played = sum(int(row["games"]) for row in rows("results.csv"))
print(f"{played} games, {forfeits} forfeits, {sum(row['supported'] == '0' for row in rows('results.csv'))} cells not supported")
print("hidden:", ", ".join(hidden))
print("simultaneous, not hidden:", ", ".join(joint))
