"""Make a release of a source tree: ``make release``.

Built is what is committed, aside, so that nothing else gets in. The same commit
gives the same bytes: dates are the commit's, or none.
"""

import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Final

import click

from firmware.errors import BoardError, KitError
from firmware.image import kit as kits
from firmware.image import project_wheel, wheelhouse
from firmware.image.pins import BOARDS

SDIST: Final = "import sys, setuptools.build_meta as meta; meta.build_sdist(sys.argv[1])"


@click.command()
@click.option("--try", "trying", is_flag=True, help="Only tell of what keeps it from a release.")
def main(trying: bool) -> None:
    """Build sdist, wheel and the cards' archives in build/release, with their sums."""
    tree = project_wheel.TREE
    try:
        wrong = obstacles(tree)
        for line in wrong:
            click.echo(f"release: {line}", err=True)
        if wrong and not trying:
            raise click.ClickException('no release; ARGS="--try" builds one to look at')
        made = tree / "build" / "release.new"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        _, wheel = distributions(tree, made)
        for board in BOARDS:
            kit = tree / "build" / "kits" / board
            wheelhouse.fill(kit, board, _tell(board), wheel=wheel)
            version, _ = kits.version(kit)
            archive = made / f"{project_wheel.PROJECT}-{version}-{board}.tar"
            wheelhouse.pack(kit, archive, committed_s(tree))
        seal(made)
        into = made.with_name("release")
        shutil.rmtree(into, ignore_errors=True)
        made.replace(into)
    except KitError as error:
        raise click.ClickException(str(error)) from error
    for path in sorted(into.iterdir()):
        click.echo(f"{path.relative_to(tree)}\t{path.stat().st_size} bytes")


def obstacles(tree: Path) -> list[str]:
    """Return what keeps *tree* from being released, a line each.

    :raises BoardError: if it is no checkout.
    """
    found = []
    if changed := _git(tree, "status", "--porcelain").decode(errors="replace").splitlines():
        found.append(f"{len(changed)} files are not committed, {changed[0].strip()!r} among them")
    version = project_version(tree)
    changes = (tree / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)}(\s|$)", changes, re.MULTILINE):
        found.append(f"CHANGELOG.md has no heading '## {version}'")
    return found


def project_version(tree: Path) -> str:
    """Return the version in *tree*: pyproject.toml is the one place that has it."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def committed_s(tree: Path) -> int:
    """Return when the last commit of *tree* was made, in seconds since 1970."""
    return int(_git(tree, "log", "-1", "--format=%ct"))


def distributions(tree: Path, into: Path) -> tuple[Path, Path]:
    """Build the sdist of what is committed in *tree*, and the wheel from that sdist.

    :raises BoardError: if one cannot be built.
    """
    with tempfile.TemporaryDirectory(prefix="mafia-sdist-") as scratch:
        source = Path(scratch) / "source"
        source.mkdir()
        archive = Path(scratch) / "source.tar"
        _git(tree, "archive", "--format=tar", f"--output={archive}", "HEAD")
        subprocess.run(["tar", "-xf", archive, "-C", source], check=True)
        project_wheel.backend([sys.executable, "-c", SDIST, str(into)], source)
        (sdist,) = into.glob("*.tar.gz")
        _without_traces(sdist, committed_s(tree))
        subprocess.run(["tar", "-xf", sdist, "-C", scratch], check=True)
        return sdist, project_wheel.build(Path(scratch) / sdist.name.removesuffix(".tar.gz"), into)


def seal(folder: Path) -> None:
    """Write the sums of all files in *folder* beside them."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / kits.SUMS).write_text("".join(lines), "utf-8", newline="\n")


def _without_traces(sdist: Path, made_s: int) -> None:
    """Write *sdist* anew with one date, one owner and one order."""
    fresh = sdist.with_name(sdist.name + ".new")
    with (
        tarfile.open(sdist) as tar,
        fresh.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=made_s) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as out,
    ):
        for was in sorted(tar.getmembers(), key=lambda member: member.name):
            if not was.isreg():
                continue
            member = tarfile.TarInfo(was.name)
            member.size, member.mtime = was.size, made_s
            member.mode = 0o755 if was.mode & 0o100 else 0o644
            out.addfile(member, tar.extractfile(was))
    fresh.replace(sdist)


def _git(tree: Path, *arguments: str) -> bytes:
    """Return what git says of *tree*.

    :raises BoardError: if there is no git, or no checkout.
    """
    try:
        done = subprocess.run(["git", "-C", str(tree), *arguments], capture_output=True, check=True)
    except FileNotFoundError as error:
        raise BoardError("git is missing: a release is made of a checkout") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise BoardError(f"{tree}: {said}: a release is made of a checkout") from error
    return done.stdout


def _tell(board: str) -> wheelhouse.Progress:
    """Return what prints how far the kit of *board* is."""

    def tell(doing: str, done: int, whole: int) -> None:
        click.echo(f"{board} {done}/{whole} {doing}")

    return tell


if __name__ == "__main__":
    main(prog_name="make release")
