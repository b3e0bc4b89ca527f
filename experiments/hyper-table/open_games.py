"""Writes the table without hidden and simultaneous games, and without the two agents that only play hidden ones.

    python3 experiments/hyper-table/open_games.py OUT
    ludex train model --features OUT/features.csv --targets OUT/agents.csv \
      --model 'extra(trees=100,share=0.33)' --grouped --shuffles 1,2,3,4,5 --out OUT/open.model
"""
import csv
import pathlib
import sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
folder = pathlib.Path(__file__).parent
out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)


def table(name):
    with open(folder / name, newline="") as file:
        head, *rows = csv.reader(file)
    return head, rows


def save(name, rows):
    with open(out / name, "w", newline="") as file:
        csv.writer(file).writerows(rows)


head, rows = table("features.csv")
flags = [head.index("hidden"), head.index("simultaneous")]
rows = [row for row in rows if not any(float(row[flag]) for flag in flags)]
games = {row[0] for row in rows}
save("features.csv", [head, *rows])
head, rows = table("agents.csv")
kept = [i for i, name in enumerate(head) if name not in ("hyperplay-ismcts", "pimc")]
save("agents.csv", [[row[i] for i in kept] for row in [head, *(row for row in rows if row[0] in games)]])
print(f"{len(games)} games, {len(kept) - 1} agents")
