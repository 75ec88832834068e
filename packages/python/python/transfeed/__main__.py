"""The command `transfeed`, as `uvx transfeed` and `python -m transfeed` run it."""

from __future__ import annotations


import signal
import sys

from . import _transfeed


def main() -> int:
    """Runs the command line of this process."""
    # the program handles signals itself: Python would only note them until it gets the next word
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)
    words = ["transfeed", *sys.argv[1:]]
    code = _transfeed.run(words)
    sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
