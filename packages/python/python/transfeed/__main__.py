"""The command `transfeed`, as `uvx transfeed` and `python -m transfeed` run it."""

from __future__ import annotations

import os
import signal
import sys

from . import _transfeed


def main() -> int:
    """Runs the command line of this process."""
    _open_standard_streams()
    # the program handles signals itself: Python would only note them until it gets the next word
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _transfeed.run(["transfeed", *sys.argv[1:]])
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _open_standard_streams() -> None:
    """Opens those that are closed, as the start of a program in Rust does: a file would get their numbers otherwise."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # the lowest number is free
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    sys.exit(main())
