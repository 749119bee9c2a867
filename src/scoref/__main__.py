"""`python -m scoref`, and the console script: it ends at once if it is asked to while modules are still imported."""

import os
import signal


def run() -> None:
    """Run the command line."""
    signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, in the background say
        signal.signal(signal.SIGINT, _end)
    from .cli import run as run_command

    run_command()


def _end(number: int, _: object) -> None:
    """Say so, and end: an exception could be taken for a broken package by whoever imports it."""
    os.write(2, b"interrupted\n" if number == signal.SIGINT else b"terminated\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
