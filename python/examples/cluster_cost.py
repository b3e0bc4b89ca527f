"""What a Ray cluster on this machine costs: processor time outside of games, and how busy its CPUs are.

    python cluster_cost.py --games 600
    python cluster_cost.py --games 600 --db postgres://me@server/games

Processor time does not depend on what else the machine does. `busy` is the mean number of CPUs that had a batch.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time

import ludex.arena
import ludex.ray


def processor_seconds() -> float:
    """The processor time of this process and all its children that live."""
    parents: dict[int, int] = {}
    times: dict[int, float] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
        times[int(name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    family = {os.getpid()}
    while True:
        more = {child for child, parent in parents.items() if parent in family} - family
        if not more:
            return sum(times[process] for process in family if process in times)
        family |= more


def main() -> None:
    """Plays games of about 100 ms on a cluster of this machine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--sims", type=int, default=14_000)
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--db")
    arguments = parser.parse_args()
    import ray

    ray.init(address="local", num_cpus=arguments.cpus, include_dashboard=False, log_to_driver=False)
    spec = {
        "name": f"cost-{time.time_ns()}",
        "games": ["connect4"],
        "agents": [f"uct@sims={arguments.sims}", f"flat@sims={arguments.sims}"],
        "openings": {"plies": 2},
        "limit": arguments.games,
    }
    told: list[ludex.ray.Progress] = []
    with tempfile.TemporaryDirectory() as folder:
        db = arguments.db or os.path.join(folder, "games.db")
        # The first games also pay for the start of the worker processes.
        ludex.arena.run({**spec, "name": "warm", "limit": 8}, os.path.join(folder, "warm.db"), cluster="ray")
        before, begun = processor_seconds(), time.monotonic()
        ludex.arena.run(spec, db, cluster="ray", seconds=arguments.seconds, progress=told.append)
        wall, spent = time.monotonic() - begun, processor_seconds() - before
    cost = told[-1].cost
    print(f"{cost.units} games in {cost.batches} batches, {wall:.1f} s")
    print(f"{1000 * cost.cpu / cost.units:.0f} ms of processor time a game")
    print(f"processor time outside of games: {100 * (spent - cost.cpu) / spent:.1f} % of {spent:.1f} s")
    print(f"busy: {cost.wall / wall:.2f} of {arguments.cpus} CPUs")


if __name__ == "__main__":
    main()
