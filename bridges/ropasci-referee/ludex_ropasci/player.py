"""The player: asks a `ludex bot play` process for its moves, checks every one of them, and plays on
by itself should that process ever fail."""
import json
import os
import random
import resource
import select
import shutil
import subprocess
import time

from .rules import BEATEN_BY, Board, from_text, to_text

# The referee gives 60 s of CPU and 100 MB to a player for a whole game. A child process is not on
# the referee's clock, so it is held to the limits here.
CPU_SECONDS = float(os.environ.get("LUDEX_CPU", "50"))
MOST_CPU_SECONDS = 57.0
MEMORY_BYTES = 100 * 1024 * 1024
# An answer that takes longer on the wall clock will not come.
PATIENCE_SECONDS = 30.0


def binary():
    """Where the `ludex` program is: $LUDEX, the search path, or this repository's build."""
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    built = os.path.join(root, "target", "release", "ludex")
    return os.environ.get("LUDEX") or shutil.which("ludex") or built


class Player:
    """One seat of one game."""

    def __init__(self, player):
        self.player = player
        self.other = "lower" if player == "upper" else "upper"
        self.board = Board()
        self.steps = []
        self.fallbacks = 0
        self.process = None
        try:
            self._start()
        except (OSError, ValueError, KeyError):
            self._stop()

    def action(self):
        """The action for this turn: always a legal one."""
        legal = self.board.actions(self.player)
        try:
            answer = self._ask({"type": "go", "moves": self.steps})
            self.steps = []
            action = from_text(answer["move"])
            if action in legal:
                return action
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self._stop()
        self.fallbacks += 1
        return self._by_itself(legal)

    def update(self, opponent_action, player_action):
        """Both actions of the turn as the referee made them."""
        both = (player_action, opponent_action)
        upper, lower = both if self.player == "upper" else both[::-1]
        self.board.play(upper, lower)
        self.steps.append([to_text(upper), to_text(lower)])

    def cpu_seconds(self):
        """CPU time of the child process so far."""
        if self.process is None:
            return 0.0
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_bytes(self):
        """The most memory that the child process has held, as the system counts (VmHWM, VmPeak)."""
        if self.process is None:
            return 0, 0
        found = {}
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                key, _, value = line.partition(":")
                if key in ("VmHWM", "VmPeak"):
                    found[key] = 1024 * int(value.split()[0])
        return found.get("VmHWM", 0), found.get("VmPeak", 0)

    def close(self):
        """Ends the child process; the end of the game does, too."""
        self._stop()

    def __del__(self):
        self._stop()

    def _start(self):
        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            # The last line of defence; the child divides its time itself.
            most = int(MOST_CPU_SECONDS) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))

        command = [binary(), "bot", "play", os.environ.get("LUDEX_AGENT", "ropasci")]
        command += ["--cpu", f"{CPU_SECONDS}s"]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=limits,
        )
        seat = 0 if self.player == "upper" else 1
        hello = {"type": "newgame", "game": "ropasci360", "seat": seat}
        self._ask({**hello, "seed": random.getrandbits(32)})

    def _ask(self, message):
        if self.process is None or self.cpu_seconds() > MOST_CPU_SECONDS:
            raise OSError("there is nobody to ask")
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self._line())

    def _line(self):
        line, end = b"", time.monotonic() + PATIENCE_SECONDS
        out = self.process.stdout.fileno()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([out], [], [], max(0.0, end - time.monotonic()))
            more = os.read(out, 65536) if ready else b""
            if not more:
                raise OSError("no answer")
            line += more
        return line

    def _stop(self):
        process, self.process = getattr(self, "process", None), None
        if process is not None:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()

    def _by_itself(self, legal):
        """A sane move without help: take what can be taken, else step into no death."""
        there = {place: here[0][1] for place, here in self.board.tokens.items()}
        prey = {p for p, here in self.board.tokens.items() if any(o == self.other for o, _ in here)}

        def arrives(action):
            return action[1] if action[0] == "THROW" else there[action[1]]

        takes = [a for a in legal if a[2] in prey and BEATEN_BY[there[a[2]]] == arrives(a)]
        safe = [a for a in legal if there.get(a[2]) in (None, arrives(a))]
        return random.choice(takes or safe or legal)
