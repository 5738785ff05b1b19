"""A whole kit whose table finds its disk read-only: in a game, and at its start.

No command can do that to a running table: the kernel refuses a remount while files
are open for writing. The file system itself does it, when it has met an error.
"""

import os
import shutil

import pytest

from firmware.wire import Button, Mark
from table_controller.game import actions
from table_controller.rehearsal.stage import StageError

pytestmark = pytest.mark.proof

TOOLS = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
REFUSED = 1
"""Exit code of a table that cannot use its journal."""


def test_a_table_that_starts_on_a_read_only_disk_says_so_and_starts_on_one_that_is_not(
    with_own_mounts,
):
    with_own_mounts(test_inside_a_disk_that_is_read_only_at_the_start)


def test_a_disk_that_turns_read_only_in_a_ballot_stops_it_and_the_votes_before_stand(
    with_own_mounts,
):
    with_own_mounts(test_inside_a_disk_that_turns_read_only)


def start_again(director):
    """Start the table; wait until its game is there, paused."""
    director.house.table.start()
    director.house.table.first_line(30)
    director.until(
        lambda: (director.state() or {}).get("notice") == "paused after a restart", "the restart"
    )
    director.scenes("paused")


def counted(director):
    """Go on to the end of the ballot; return {seat: candidate} without automatic votes."""
    director.step_to("vote_over")
    (ballot,) = director.until_state(lambda game: game["ballots"], "the count")["ballots"]
    return {seat: who for seat, who in ballot["votes"] if seat not in ballot["automatic"]}


def test_inside_a_disk_that_is_read_only_at_the_start(inside, card_house, mount, director_class):
    house = card_house(
        lambda folder: mount("mount", "-t", "tmpfs", "-o", "mode=0700", "tmpfs", folder)
    )
    director = director_class(house)
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1, 2)
    with pytest.raises(OSError, match="busy"):
        mount("mount", "-o", "remount,ro", house.data)
    house.table.kill()
    mount("mount", "-o", "remount,ro", house.data)
    house.table.start()
    assert house.table.wait(15.0) == REFUSED
    assert "Read-only file system; make it writable" in house.table.last_words(1)
    mount("mount", "-o", "remount,rw", house.data)
    start_again(director)
    director.all_hold(*director.living, until="candidate")
    director.called(4)
    assert [director.lines(seat)[0] for seat in (1, 2)] == ["You have voted"] * 2
    director.cast(3)
    assert counted(director) == {1: 4, 2: 4, 3: 4}


def test_inside_a_disk_that_turns_read_only(inside, card_house, mount, director_class, tmp_path):
    image = tmp_path / "card.img"
    tools = [shutil.which(name, path=TOOLS) for name in ("mkfs.ext4", "fsck.ext4")]
    if None in tools:
        pytest.skip("mkfs.ext4 is not installed: sudo apt install e2fsprogs")
    make, repair = tools
    image.touch()
    os.truncate(image, 16 << 20)
    mount(make, "-q", image)

    def insert(folder):
        try:
            mount("mount", "-o", "loop", image, folder)
        except OSError as error:
            pytest.skip(f"this system lets nobody mount an image: {error}")

    house = card_house(insert)
    director = director_class(house)
    director.begin()
    director.to_ballot(4, 5)
    director.cast(1, 2)
    mount("mount", "-o", "remount,abort", house.data)
    director.vote(3)
    director.scenes("paused")
    assert director.state()["notice"] == "disk full"
    assert director.state()["game"]["paused"]
    director.until(lambda: director.panels[3].shown.waiting, "the press that waits")
    # Nothing is played on, whoever asks for it.
    before = director.state()["game"]
    # All but one: nobody then holds on with what the nodes kept, when there is a disk again.
    holding = [director.panels[seat] for seat in range(1, 10)]
    for panel in holding:
        panel.hold(Button.VOTE)
    director.until(lambda: not any(panel.busy(Button.VOTE) for panel in holding), "the holds")
    director.settle(*director.living)
    with pytest.raises(StageError, match="the disk takes nothing"):
        director.stage.order(actions.Resume())
    assert director.state()["game"] == before
    # No file system that gave up takes anything again before it was repaired.
    house.table.kill()
    mount("umount", house.data)
    with pytest.raises(OSError, match="fsck"):  # It has found what to repair.
        mount(repair, "-p", image)
    mount(repair, "-p", image)
    insert(house.data)
    marks = []
    director.stage.on_shown.append(lambda panel: panel.seat == 3 and marks.append(panel.shown.mark))
    start_again(director)
    director.until(lambda: not director.panels[3].shown.waiting, "an answer")
    assert Mark.LATE in marks
    director.all_hold(*director.living, until="candidate")
    director.called(4)
    # What was pressed and not recorded is told so, and can be pressed anew.
    voted = {seat for seat in director.panels if director.lines(seat)[0] == "You have voted"}
    assert voted == {1, 2}
    director.cast(3)
    assert counted(director) == {1: 4, 2: 4, 3: 4}
