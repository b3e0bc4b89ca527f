"""Batches of numbered units of work on a Ray cluster.

A unit is computed from its job and its number alone. So a batch that is lost with its machine is computed again, and a batch
that is computed twice does no harm.
"""

# Where the package `ray` is not installed, pyright takes our own module for it.
# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import ray
from ray import exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ._ludex import LudexError, RefusedError

#: Numbers of units: pairs of a first number and the number after the last.
Ranges = list[tuple[int, int]]


@dataclass
class Batch:
    """Units that one task computes."""

    first: int
    ranges: Ranges
    attempts: int = 0
    finished: bool = False
    #: The machine that was chosen for it, if any.
    machine: str = ""

    @property
    def size(self) -> int:
        """The number of units."""
        return sum(last - first for first, last in self.ranges)


@dataclass
class Cost:
    """What the cluster has done for this call."""

    #: Units and batches that were computed, also those that were computed twice.
    units: int = 0
    batches: int = 0
    #: Batches that were sent again because their machine was lost.
    repeated: int = 0
    #: Seconds of processor time in the units, and seconds from begin to end of the batches.
    cpu: float = 0.0
    wall: float = 0.0
    #: Machines that refused to play: they have other rules, or another build.
    refused: dict[str, str] = field(default_factory=dict)


class Source(Protocol):
    """Gives out numbers and takes results."""

    def claim(self, most: int) -> Batch | Literal["wait"] | None:
        """At most this number of units; "wait" if others compute the last ones; None if there are no more."""
        ...

    def finish(self, batch: Batch, rows: Any) -> None:
        """Takes the result of a batch."""
        ...

    def left(self) -> int:
        """The number of units that are not claimed yet."""
        ...

    def poll(self, cost: Cost) -> int:
        """Is called about every second. Returns the number of units that count."""
        ...


@dataclass(frozen=True)
class Options:
    """How batches are cut and sent."""

    #: The CPUs of one task. It computes as many units at a time.
    cpus_per_task: int = 1
    #: How long a batch should take, in seconds.
    seconds: float = 5.0
    #: Sends every batch this many times: a test of exactly-once storing.
    copies: int = 1


#: A task: (key of the job, what it is made of, numbers, threads, further arguments) to an `Answer`.
Task = Callable[..., dict[str, Any]]

_SYSTEM = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
    exceptions.LocalRayletDiedError,
    exceptions.RaySystemError,
    exceptions.TaskUnschedulableError,
)
#: Attempts of a batch whose machine is lost, and of a batch that raises an exception.
_MOST_LOSSES, _MOST_ERRORS = 20, 3


class Scheduler:
    """Keeps a bounded number of batches on a cluster and takes their results in the order in which they end."""

    def __init__(self, source: Source, task: Task, arguments: Sequence[Any], options: Options) -> None:
        self.source, self.options, self.arguments = source, options, list(arguments)
        self.remote = ray.remote(task)
        self.pending: dict[ray.ObjectRef[Any], Batch] = {}
        self.cost = Cost()
        #: Seconds of a unit, as measured; 0 if not yet.
        self.pace = 0.0
        self.slots = 1
        self._looked = self._polled = -math.inf
        self._waiting_until = -math.inf

    def run(self) -> Cost:
        """Computes all units. Ctrl-C finishes the batches that are under way; a second one cancels them."""
        for _ in self.steps():
            pass
        return self.cost

    def steps(self) -> Iterator[None]:
        """Computes all units, and comes back whenever results may have come."""
        interrupted = done = False
        try:
            while True:
                try:
                    if not interrupted and not done:
                        done = self._fill()
                    if not self.pending:
                        if done or interrupted:
                            break
                        time.sleep(0.2)
                    self._take()
                    self._poll()
                    yield
                except KeyboardInterrupt:
                    if interrupted:
                        raise
                    interrupted = True
        finally:
            for ref in self.pending if ray.is_initialized() else ():
                ray.cancel(ref, force=False)
            self.pending.clear()
        self.source.poll(self.cost)
        if interrupted:
            raise KeyboardInterrupt
        yield

    def _fill(self) -> bool:
        """Sends batches until enough are pending. Returns whether all units are given out."""
        self._look()
        limit = 2 * self.slots
        while len(self.pending) < limit * self.options.copies and time.monotonic() >= self._waiting_until:
            batch = self.source.claim(self._size())
            if batch is None:
                return True
            if isinstance(batch, str):
                self._waiting_until = time.monotonic() + 1.0
                break
            if batch.size == 0:
                self.source.finish(batch, None)
                continue
            for _ in range(self.options.copies):
                self._send(batch)
        return False

    def _look(self) -> None:
        """Counts the CPUs: machines come and go."""
        if time.monotonic() - self._looked < 2.0:
            return
        self._looked = time.monotonic()
        cpus = float(ray.cluster_resources().get("CPU", 0.0))
        self.slots = max(1, int(cpus // self.options.cpus_per_task))

    def _size(self) -> int:
        """The number of units of the next batch: as many as take the wanted time, but fewer near the end."""
        if self.pace <= 0.0:
            return 1
        usual = self.options.seconds / self.pace
        fair = max(self.source.left() / (2 * self.slots), 0.5 / self.pace)
        return max(1, int(min(usual, fair)))

    def _send(self, batch: Batch) -> None:
        batch.attempts += 1
        extra: dict[str, Any] = {}
        if self.cost.refused:
            # A label that excludes machines would do, but a task with one has been seen to wait for ever.
            able = [machine for machine in self._machines() if machine not in self.cost.refused]
            if not able:
                reason = next(iter(self.cost.refused.values()))
                raise RefusedError(f"no machine of the cluster can do this: {reason}")
            sent = Counter(other.machine for other in self.pending.values())
            batch.machine = min(able, key=lambda machine: sent[machine])
            extra["scheduling_strategy"] = NodeAffinitySchedulingStrategy(batch.machine, soft=False)
        threads = self.options.cpus_per_task
        remote = self.remote.options(num_cpus=threads, max_retries=3, **extra)
        self.pending[remote.remote(batch.ranges, threads, *self.arguments)] = batch

    def _machines(self) -> list[str]:
        """The machines that are large enough for a task."""
        least = self.options.cpus_per_task
        return [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= least]

    def _take(self) -> None:
        """Takes the batches that have ended; waits up to a second for the first."""
        if not self.pending:
            return
        ready, _ = ray.wait(list(self.pending), num_returns=1, timeout=1.0)
        if ready:
            more, _ = ray.wait(list(self.pending), num_returns=len(self.pending), timeout=0)
            ready = list(dict.fromkeys([*ready, *more]))
        for ref in ready:
            batch = self.pending.pop(ref)
            try:
                answer: dict[str, Any] = ray.get(ref)
            except exceptions.TaskCancelledError:
                continue
            except exceptions.RayTaskError as error:
                if batch.attempts >= _MOST_ERRORS * self.options.copies:
                    raise error.cause if isinstance(error.cause, LudexError) else error
                self._again(batch)
            except _SYSTEM:
                if batch.attempts >= _MOST_LOSSES * self.options.copies:
                    raise
                self._again(batch)
            else:
                self._keep(batch, answer)

    def _again(self, batch: Batch) -> None:
        self.cost.repeated += 1
        self._send(batch)

    def _keep(self, batch: Batch, answer: dict[str, Any]) -> None:
        if "refused" in answer:
            # No more batches for a machine that would compute other results.
            self.cost.refused[answer["node"]] = answer["refused"]
            batch.attempts -= 1
            self._again(batch)
            return
        units, wall = answer["units"], answer["wall"]
        self.cost.units += units
        self.cost.batches += 1
        self.cost.wall += wall
        self.cost.cpu += answer["cpu"]
        if units:
            pace = max(wall / units, 1e-6)
            self.pace = pace if self.pace <= 0.0 else 0.7 * self.pace + 0.3 * pace
        self._waiting_until = -math.inf
        self.source.finish(batch, answer["rows"])
        batch.finished = True

    def _poll(self) -> None:
        if time.monotonic() - self._polled < 1.0:
            return
        self._polled = time.monotonic()
        total = self.source.poll(self.cost)
        # Units after the end of a run that was stopped early are not needed.
        for ref in [ref for ref, batch in self.pending.items() if batch.first >= total]:
            batch = self.pending.pop(ref)
            ray.cancel(ref, force=False)
            self.source.finish(batch, None)


_jobs: dict[str, Any] = {}


def cached(key: str, make: Callable[[], Any]) -> Any:
    """A job that this process has opened before, or `make()`."""
    if key not in _jobs:
        # A worker process of Ray serves one driver, which has few jobs.
        if len(_jobs) >= 4:
            _jobs.clear()
        _jobs[key] = make()
    return _jobs[key]


def this_node() -> str:
    """The machine on which the task runs."""
    return str(ray.get_runtime_context().get_node_id())
