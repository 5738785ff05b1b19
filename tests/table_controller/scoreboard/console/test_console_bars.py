"""After a game the console leads to the bars when somebody has earned one, and not else."""

import pytest
from msgspec.structs import replace

from table_controller.game.decisions import Decider, PublicDecision
from table_controller.game.model import Offence, Sanction

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser


def over(evening, seat=None, decisions=()):
    sheet = evening["over"]
    public = sheet.game.public
    seats = [replace(each, disqualified=each.seat == seat) for each in public.seats]
    public = replace(public, seats=tuple(seats), decisions=decisions)
    return replace(sheet, game=replace(sheet.game, public=public))


def decided(offence, *, passed=True):
    return (PublicDecision(2, 3, Sanction.TECHNICAL_FOUL, offence, Decider.ROOM, passed=passed),)


def test_a_disqualification_or_the_forbidden_gesture_leads_to_the_bars(show, evening):
    plain, gesture = evening["over"], Offence.FORBIDDEN_GESTURE
    page = show("over")
    link = page.get_by_role("link", name="After this game somebody can be barred")
    expect(page.locator("#result a")).to_be_visible()
    expect(link).to_be_hidden()
    for earned, other in (
        (over(evening, seat=7), plain),
        (over(evening, decisions=decided(gesture)), over(evening, decisions=decided(Offence.BETS))),
        (over(evening, seat=7), over(evening, decisions=decided(gesture, passed=False))),
    ):
        evening["over"] = earned
        show("over")
        expect(link).to_be_visible()
        expect(link).to_have_attribute("href", "/host/bars?lang=en")
        evening["over"] = other
        show("over")
        expect(link).to_be_hidden()
