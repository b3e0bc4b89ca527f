"""The command line of Ludex: `python -m ludex --help`."""

import os
import signal
import sys

from ._ludex import run_command


def main() -> None:
    """Runs the command line with the arguments of the process."""
    # `--on ray` calls this package.
    os.environ.setdefault("LUDEX_PYTHON", sys.executable)
    # The command line handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = run_command(["ludex", *sys.argv[1:]])
    sys.stdout.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()
