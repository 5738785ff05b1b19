"""``python -m firmware.words [--prune]``: bring the catalogues up to the source."""

import sys
from pathlib import Path

from firmware.words.collect import update


def main() -> None:
    """Update the catalogues of the tree this file lies in."""
    for line in update(Path(__file__).parents[2], prune="--prune" in sys.argv[1:]):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
