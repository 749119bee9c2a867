"""`python -m scoref`, and the console script. Ctrl-C works from the start, while modules are still being imported."""

import os
import signal


def run() -> None:
    """Run the command line."""
    signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored, as in background jobs
        signal.signal(signal.SIGINT, _end)
    from .cli import run as run_command

    run_command()


def _end(number: int, _: object) -> None:
    """Print one word and exit at once. An exception raised inside an import could be taken for a broken package."""
    os.write(2, b"interrupted\n" if number == signal.SIGINT else b"terminated\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
