"""Files that are their owner's alone: cards, keys, hashes of passwords."""

import os
from pathlib import Path


def write_private(path: Path, content: str) -> None:
    """Write *content* to *path*, readable by its owner only, whole or not at all."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(fresh, how, 0o600), "w", encoding="utf-8") as file:
        file.write(content)
    fresh.replace(path)
