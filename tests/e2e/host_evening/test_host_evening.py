"""A whole game through the host's console: a phone-sized page, real programs, keyboard alone."""

import re

import pytest

from table_controller.game import SEATS

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.proof]

NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor", "Galina", "Hugo", "Irina", "Jan")
ROLES = re.compile(r"citizen|sheriff|\bdon\b", re.IGNORECASE)


class Evening:
    """Plays by the console: the players nominate, vote and sleep, the host leads."""

    def __init__(self, director, host):
        self.director, self.host = director, host
        self.page = host.page
        self.living = list(SEATS)

    def type_ten(self):
        page, host = self.page, self.host
        for at, name in enumerate(NAMES, start=1):
            host.tab_to(page.locator(f"#player-{at}"))
            page.keyboard.press("Control+A")
            page.keyboard.type(name)
        fixed = page.get_by_label("Fixed seats")
        host.tab_to(fixed)
        if not fixed.is_checked():
            page.keyboard.press("Space")
        host.next("Start the game")

    def deal(self):
        director = self.director
        director.scenes("check")
        self.host.next("Skip this round")
        director.scenes("seating")
        for seat in SEATS:
            expect(self.page.locator(f"#seat-{seat}")).to_contain_text(NAMES[seat - 1])
        director.vote(*SEATS)
        director.scenes("card")

    def pass_the_night(self):
        """Let the night pass; nobody presses, and nobody is shot."""
        self.host.step_to("morning")

    def speeches(self, nominations):
        """Hear all speeches, each ended by the host, who nominates for the silent ones."""
        self.host.step_to("speech")
        for _ in self.living:
            self.host.phase("speech")
            expect(self.page.locator("#next")).to_have_text("End the speech")
            seat = int(self.page.locator("#who").inner_text().split()[0])
            nominee = nominations.get(seat)
            if nominee:
                sheet = self.host.seat(seat)
                self.host.press(sheet.get_by_role("button", name=f"Seat {nominee},"))
                self.host.done(f"Seat {seat} nominates {nominee}")
                expect(self.page.locator(f"#seat-{nominee}")).not_to_contain_text("nominee")
            self.end_floor("End the speech")

    def end_floor(self, name):
        """End the floor of the moment, and wait until it is another's, or nobody's."""
        key = self.page.locator("#next").get_attribute("data-key")
        self.host.sheet()
        self.host.next(name)
        expect(self.page.locator("#next")).not_to_have_attribute("data-key", key)

    def leave(self, seat):
        """Hear the farewell of *seat*, which the host ends twice: the speech and the picks."""
        self.living.remove(seat)
        self.host.phase("farewell")
        expect(self.page.locator("#who")).to_have_text(re.compile(rf"^{seat}\b"))
        self.end_floor("End the farewell")
        self.host.phase("farewell_picks")
        self.end_floor("Close the picks")


def test_a_whole_game_is_led_by_keyboard_alone(evening, new_host, mafia_of):
    director = evening
    host = new_host(director, keyboard=True)
    play = Evening(director, host)
    page = host.page
    host.phase("lobby")
    play.type_ten()
    play.deal()
    mafia = mafia_of(director)
    town = [seat for seat in SEATS if seat not in mafia]
    assert len(mafia) == 3

    play.pass_the_night()
    first, second, third = mafia
    speakers = iter(SEATS)
    play.speeches({next(speakers): first, next(speakers): town[0]})
    host.step_to("ballot", first)
    director.called(first)
    voters = [seat for seat in SEATS if seat != town[-1]]
    director.cast(*voters)
    # Who has voted, while this one is called, has voted against it.
    expect(page.locator("#ballot-count")).to_have_text("")
    sheet = host.seat(town[-1])
    host.press(sheet.locator("#vote-picks").get_by_role("button", name=f"Seat {first},"))
    host.done(f"The vote of seat {town[-1]}")
    host.step_to("farewell")
    director.living.discard(first)
    play.leave(first)

    for nominee in (second, third):
        host.phase("night")
        play.pass_the_night()
        speaker = next(seat for seat in play.living if seat != nominee)
        play.speeches({speaker: nominee})
        host.step_to("farewell")
        director.living.discard(nominee)
        expect(page.locator("body")).not_to_contain_text("The town wins")
        play.leave(nominee)

    host.phase("over")
    expect(page.locator("h1")).to_have_text("The town wins")
    assert director.state()["game"]["winner"] == "town"
    assert not ROLES.search(page.locator("body").inner_text())
    host.next("Rematch, new seats")
    host.done("Rematch, new seats")
    director.living = set(SEATS)
    director.scenes("seating")
    host.phase("seating")
