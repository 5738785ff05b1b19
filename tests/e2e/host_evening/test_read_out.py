"""Without a voice the host reads out, and taps for each call; volume, music, a backup."""

import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]


@pytest.fixture
def running(new_house, director_class):
    """A kit whose clocks run, twenty times as fast, without a voice."""
    director = director_class(new_house(speed=20.0, seed=1))
    director.house.wait_ready()
    return director


def test_the_host_reads_the_line_and_a_tap_opens_the_window(running, new_host):
    director, host = running, new_host(running)
    page = host.page
    host.press(page.locator("#voice-panel summary"))
    page.get_by_label("I read the calls out myself").check()
    host.done("Calls by hand")
    page.get_by_label("Volume").press("End")
    page.get_by_label("Volume").press("ArrowDown")
    host.done("Volume")
    assert host.sheet()["voice"]["volume"] == 95
    page.get_by_label("Music by night").uncheck()
    host.done("Music")
    host.next("Start the game")
    director.scenes("seating")
    director.vote(*range(1, 11))
    host.speaks(3)
    host.press(page.locator("#pause"))
    host.done("Pause")
    for speaker, nominee in ((1, 5), (2, 6)):
        sheet = host.seat(speaker, "nominate")
        host.press(sheet.get_by_role("button", name=f"Seat {nominee},"))
        host.done(f"Seat {speaker} nominates {nominee}")
    host.press(page.locator("#machine-panel summary"))
    host.press(page.get_by_role("button", name="Make a backup"))
    host.done("Make a backup")
    line = page.locator("#line")
    host.next("Go on")

    host.phase("reading", within_s=60)  # Seven more speak for 3 s each.
    host.next("Call the next")
    director.called(5)
    director.cast(*range(1, 10))
    expect(line).to_be_enabled()
    expect(line).to_contain_text(re.compile("6.*Tap to call the next", re.DOTALL))
    assert director.state()["game"]["called"] == 0, "nobody is called before the tap"
    host.press(line)
    director.called(6)
    director.cast(10)
    host.phase("farewell")
    (ballot,) = director.state()["game"]["ballots"]
    assert ballot["automatic"] == []
    assert (ballot["votes"][0], ballot["votes"][9]) == ([1, 5], [10, 6])
