"""Ctrl-C, the command line, and memory over many steps."""

import os
import signal
import subprocess
import sys
import time

import ludex
import pytest

LOADED = "import sys; print('ready', flush=True);"

LONG = {
    "agent": "ludex.agent('uct@time=60s').step(ludex.load('connect4').new_initial_state())",
    "playouts": "ludex.playouts([ludex.load('lud:gomoku').new_initial_state()], 10**7)",
    "match": "ludex.match('connect4', ['uct@time=30s', 'uct@time=30s'], games=4)",
    "match in Python": (
        "ludex.match('connect4', [lambda v: ludex.agent('uct@time=30s').step(v.state), 'random'])"
    ),
}


@pytest.mark.parametrize("call", LONG)
def test_ctrl_c_ends_long_calls(call: str) -> None:
    code = f"import ludex, time\n{LOADED}\ntry:\n  {LONG[call]}\nexcept KeyboardInterrupt:\n  print('stopped', time.time())"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out.startswith("stopped"), out
    print(f"{call}: {1000 * (float(out.split()[1]) - sent):.0f} ms after the signal")


def test_the_command_line_is_in_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ludex", "show", "tictactoe"], capture_output=True, text=True
    )
    assert done.returncode == 0 and "Tic-Tac-Toe" in done.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "ludex", "show", "tictactoo"], capture_output=True, text=True
    )
    assert wrong.returncode == 2 and "did you mean `tictactoe`" in wrong.stderr


def resident() -> int:
    with open(f"/proc/{os.getpid()}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_stays_flat() -> None:
    env = ludex.vector("connect4", 2048, autoreset="SameStep")
    env.reset()

    def play(steps: int) -> None:
        for _ in range(steps):
            env.step(env.random_actions())

    play(200)
    before = resident()
    play(5000)
    grown = resident() - before
    assert grown < 4 << 20, f"{grown} bytes after 10 million steps"
