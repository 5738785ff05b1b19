"""Every screen of a seat, made by the table's cues and drawn by the seat, in all languages."""

import contextlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware.finding import fault, fine
from firmware.signals import MARKS, Reply, Scene
from firmware.wire import Presence
from firmware.words import LANGUAGES, catalogue
from seat_node import lettering
from seat_node.answers import Answers
from seat_node.buttons import Buttons
from seat_node.checks.pages import in_pages
from seat_node.lettering import ELLIPSIS
from seat_node.reports import Chair
from seat_node.screens import EVEN_LIGHT_PX, HEIGHT_PX, WIDTH_PX, render
from seat_node.showing import LINK_LOST_S, LinkState, face_of
from table_controller import aside_cues, cues
from table_controller.cue_parts import camera_off
from table_controller.game import NORMAL, SEATS, Phase, Role
from table_controller.game.model import BallotKind, Offence, Sanction, Winner
from table_controller.game.views import (
    Card,
    CardFact,
    Deed,
    PublicAccusation,
    PublicMotion,
    PublicPhase,
    PublicSeat,
    PublicView,
    SeatView,
)
from table_controller.practice import PracticeBallot
from table_controller.readiness import ButtonState, CameraState, SeatReadiness

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"

NAMES = {
    "ru": (
        "Анна",
        "Борис",
        "Виктория",
        "Глеб",
        "Дарья",
        "Евгений",
        "Жанна",
        "Захар",
        "Инна",
        "Юля",
    ),
    "de": (
        "Anna",
        "Björn",
        "Käthe",
        "Dörte",
        "Ernst",
        "Friederike",
        "Günther",
        "Heiß",
        "Ida",
        "Jürgen",
    ),
    "en": (
        "Anna",
        "Boris",
        "Victoria",
        "David",
        "Elena",
        "Fedor",
        "Greta",
        "Hugo",
        "Ivan",
        "Julia",
    ),
}
LIVING = tuple(PublicSeat(seat, living=True, ready=True, fouls=0, silenced=False) for seat in SEATS)
ON = LinkState("node-03", "en", linked=True, since_s=0.0)
OFF = LinkState("node-03", "en", linked=False, since_s=0.0)
EMPTY = Chair(Presence.AWAY, -6.0)

SHERIFF = Card(Role.SHERIFF, (CardFact(1, 4, positive=False), CardFact(2, 10, positive=True)))
DON = Card(
    Role.DON,
    tuple(CardFact(night, 11 - night, positive=night == 5) for night in range(1, 6)),
)


class Screen:
    """Draws what seat 3 shows of a view in one language."""

    def __init__(self, language):
        self.words = catalogue(language)
        self.language = language

    def view(self, phase, **fields):
        living = fields.pop("living", True)
        return SeatView(3, phase, living, fields.pop("deed", Deed.NONE), **fields)

    def cue(self, view, phase=PublicPhase.SPEECH, left_s=47.0, **fields):
        public = {"day": 2, "night": 2, "paused": False, "seats": LIVING} | fields
        setting = cues.Setting(self.words, NAMES[self.language], left_s)
        return cues.cue(view, PublicView(phase, **public), setting)

    def face(self, cue, *, at_s=0.0, reply=Reply.NONE, chair=None, link=ON, use=None):
        buttons, answers = Buttons(lambda *args, **kept: None), Answers()
        if cue is not None:
            buttons.cue(cue)
        answers.reply = reply
        if use is not None:
            use(buttons)
        link = msgspec.structs.replace(link, language=self.language)
        return face_of(cue, 0.0, buttons, answers, link, chair, at_s)

    # ---- beside a game ----

    def self_test(self):
        findings = [fault("VOTE", "", ""), fine("SHOUT", ""), fine("I2C", ""), fine("CPU", "")]
        return in_pages(findings, self.words.gettext, self.language)[0]

    def check(self, vote, shout, camera):
        name = NAMES[self.language][2]
        seat = SeatReadiness(3, name, "node-03", True, vote, shout, camera, False)
        return aside_cues.check(seat, self.words)

    def practice(self, seat, at_s, press_s=None):
        ballot = PracticeBallot(NORMAL, lambda for_s: for_s, 0.0)
        for tenth in range(round(at_s * 10) + 1):
            ballot.tick(tenth / 10)
            if tenth / 10 == press_s:
                ballot.press(seat, (press_s, press_s))
        return aside_cues.practice(seat, ballot, self.words, at_s)

    # ---- by day ----

    def floor(self, *, deed=Deed.NOMINATE, chosen=(), phase=PublicPhase.SPEECH, **fields):
        exact = {
            PublicPhase.SPEECH: Phase.SPEECH,
            PublicPhase.TIE_SPEECH: Phase.TIE_SPEECH,
            PublicPhase.FAREWELL: Phase.FAREWELL,
            PublicPhase.FAREWELL_PICKS: Phase.FAREWELL_PICKS,
        }[phase]
        marks = 3 if deed is Deed.BEST_MOVE else 1
        choices = tuple(seat for seat in SEATS if seat not in (3, 8))
        view = self.view(
            exact, deed=deed, own_floor=True, choices=choices, chosen=chosen, marks=marks,
            card=SHERIFF,
        )  # fmt: skip
        return self.cue(view, phase, floor=3, **fields)

    def day(self, *, silenced=False, living=True, **fields):
        view = self.view(Phase.SPEECH, silenced=silenced, living=living, card=SHERIFF)
        return self.cue(view, **({"floor": 7} | fields))

    def vote(self, phase=PublicPhase.BALLOT, *, voted=False, left_s=4.0, **fields):
        view = self.view(Phase.BALLOT, voted=voted, card=SHERIFF)
        ballot = {"candidates": (7, 3, 10), "nominees": (7, 3, 10), "kind": BallotKind.VOTE}
        return self.cue(view, phase, left_s, **(ballot | fields))

    def accuse(self, accused=0):
        if accused:
            lines = list(enumerate(Offence, 1))
            menu = aside_cues.offence_menu(1, accused, lines, self.words)
        else:
            others = tuple(seat for seat in SEATS if seat != 3)
            menu = aside_cues.accused_menu(1, others, NAMES[self.language], self.words)
        return aside_cues.accuse(self.day(), menu, two_hands=not accused)

    def accusation(self, by, seat, *, own_floor=False, **fields):
        public = PublicAccusation(by, seat, fields.pop("offence", Offence.OBSCENITY))
        if own_floor:
            return self.floor(accusation=public, **fields)
        deed = Deed.NONE if 3 in (by, seat) else Deed.CONFIRM
        view = self.view(Phase.SPEECH, deed=deed, card=SHERIFF, **fields)
        return self.cue(view, left_s=5.0, accusation=public, floor=1)

    def motion(self, seat, sanction=Sanction.DISQUALIFICATION, offence=Offence.MESSAGES):
        view = self.view(Phase.MOTION, card=SHERIFF)
        motion = PublicMotion(sanction, seat, offence, voters=9, needed=5)
        return self.cue(view, PublicPhase.MOTION, 15.0, motion=motion)

    # ---- by night, and the cards ----

    def night(self, phase, **fields):
        return self.cue(self.view(phase, **fields), PublicPhase.NIGHT, None)

    def opened(self, phase, card, left_s=5.0):
        public = PublicPhase.LOOK if phase is Phase.LOOK else PublicPhase.MORNING
        view = self.view(phase, card=card, living=card is not None, card_open=card is not None)
        return self.cue(view, public, left_s)

    def over(self, *, winner, role, points, voided=False):
        max_, classic = points
        seats = tuple(
            msgspec.structs.replace(seat, role=role, max=max_, classic=classic) for seat in LIVING
        )
        view = self.view(Phase.OVER)
        return self.cue(view, PublicPhase.OVER, None, winner=winner, seats=seats, voided=voided)

    def seating(self, ready):
        seats = tuple(msgspec.structs.replace(seat, ready=ready) for seat in LIVING)
        return self.cue(self.view(Phase.SEATING), PublicPhase.SEATING, None, seats=seats)


def held(buttons):
    buttons.held = True


def opened(cursor=0, marks=(), hand=0):
    """Return a player's way through the list: opened, marked, pointed."""

    def use(buttons):
        listing = buttons.listing
        if not listing.open:
            listing.tap()
        for value in marks:
            listing.point(value)
            listing.hold()
        listing.cursor = cursor
        listing.hand = 0
        if hand:
            listing.point(hand)

    return use


TEN = {"nominees": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}

SCREENS = {
    "unlinked-boot": lambda s: s.face(None, link=OFF),
    "unlinked": lambda s: s.face(s.day(), link=OFF, at_s=LINK_LOST_S),
    "waiting": lambda s: s.face(None),
    "taken": lambda s: s.face(
        None, link=msgspec.structs.replace(OFF, rejoin_s=60.0)
    ),
    "misfit": lambda s: s.face(cues.misfit("0.12.0rc1", "0.11.10", s.words)),
    "misfit-unread": lambda s: s.face(
        None, link=msgspec.structs.replace(ON, baffled=True, version="0.12.0rc1")
    ),
    "away": lambda s: s.face(s.day(), chair=EMPTY),
    "check-self-test": lambda s: s.self_test(),
    "check": lambda s: s.face(s.check(ButtonState.PRESSED, ButtonState.MISSING, CameraState.SEES)),
    "check-stuck": lambda s: s.face(
        s.check(ButtonState.STUCK, ButtonState.NOT_FITTED, CameraState.FAILS)
    ),
    "check-camera-off": lambda s: s.face(
        s.check(ButtonState.PRESSED, ButtonState.PRESSED, CameraState.OFF)
    ),
    **{
        f"{name}-camera-off": lambda s, made=made: s.face(camera_off(made(s), s.words))
        for name, made in {
            "idle": lambda s: cues.idle(s.words),
            "day": lambda s: s.day(**TEN),
        }.items()
    },
    "practice": lambda s: s.face(s.practice(3, 0.5)),
    "practice-called": lambda s: s.face(s.practice(3, 4.5)),
    "practice-voted": lambda s: s.face(s.practice(3, 5.0, 4.5)),
    "practice-told": lambda s: s.face(s.practice(3, 15.0, 4.5)),
    "identify": lambda s: s.face(aside_cues.identify(cues.idle(s.words), 10, "node-03")),
    "identify-spare": lambda s: s.face(aside_cues.identify(cues.idle(s.words), 0, "node-11")),
    "place": lambda s: s.face(aside_cues.place(4, 0, s.words)),
    "place-done": lambda s: s.face(aside_cues.place(5, 4, s.words)),
    "idle": lambda s: s.face(cues.idle(s.words)),
    "paused": lambda s: s.face(s.cue(s.view(Phase.SPEECH), paused=True)),
    "seating": lambda s: s.face(s.seating(False)),
    "seating-ready": lambda s: s.face(s.seating(True), reply=Reply.ACCEPTED),
    "card": lambda s: s.face(s.opened(Phase.LOOK, Card(Role.SHERIFF), 12.0)),
    "card-citizen": lambda s: s.face(s.opened(Phase.LOOK, Card(Role.CITIZEN), 12.0)),
    "card-mafia": lambda s: s.face(s.opened(Phase.LOOK, Card(Role.MAFIA), 12.0)),
    "card-don": lambda s: s.face(s.opened(Phase.LOOK, Card(Role.DON), 12.0)),
    "nightfall": lambda s: s.face(s.night(Phase.NIGHTFALL)),
    "meeting": lambda s: s.face(s.night(Phase.MEETING)),
    "meeting-mafia": lambda s: s.face(s.night(Phase.MEETING, mates=(3, 7, 10), don=10)),
    "rest": lambda s: s.face(s.night(Phase.REST)),
    "night": lambda s: s.face(s.night(Phase.CALLING)),
    "morning": lambda s: s.face(s.opened(Phase.MORNING, Card(Role.CITIZEN))),
    "morning-sheriff": lambda s: s.face(s.opened(Phase.MORNING, SHERIFF)),
    "morning-don": lambda s: s.face(s.opened(Phase.MORNING, Card(Role.DON, DON.facts[:2]))),
    "morning-away": lambda s: s.face(s.opened(Phase.MORNING, SHERIFF), chair=EMPTY),
    "morning-out": lambda s: s.face(s.opened(Phase.MORNING, None)),
    "day": lambda s: s.face(s.day()),
    "day-ten-nominees": lambda s: s.face(s.day(**TEN)),
    "day-shout": lambda s: s.face(s.day(shout=5), reply=Reply.PRESSED),
    "day-card": lambda s: s.face(s.day(), use=held),
    "day-card-full": lambda s: s.face(
        msgspec.structs.replace(
            s.cue(s.view(Phase.SPEECH, card=DON), floor=7)
        ),
        use=held,
    ),
    "muted": lambda s: s.face(s.day(silenced=True, nominees=(5, 10))),
    "shout": lambda s: s.face(s.day(shout=3, left_s=5.0)),
    "floor": lambda s: s.face(s.floor()),
    "floor-nominated": lambda s: s.face(s.floor(chosen=(10,), left_s=60.0)),
    "floor-list": lambda s: s.face(s.floor(), use=opened(cursor=1)),
    "floor-hand": lambda s: s.face(s.floor(), use=opened(hand=7)),
    "floor-hand-not-there": lambda s: s.face(s.floor(), use=opened(hand=8)),
    "silent": lambda s: s.face(s.floor(silent=True, left_s=15.0)),
    "reading": lambda s: s.face(s.vote(PublicPhase.READING)),
    "called": lambda s: s.face(s.vote(left_s=None)),
    "called-voted": lambda s: s.face(s.vote(voted=True, left_s=None)),
    "candidate": lambda s: s.face(s.vote(called=7)),
    "candidate-two-digits": lambda s: s.face(s.vote(called=10)),
    "candidate-voted": lambda s: s.face(s.vote(called=7, voted=True)),
    **{
        f"candidate-{reply}": lambda s, reply=reply: s.face(s.vote(called=7), reply=reply)
        for reply in MARKS
    },
    "tie": lambda s: s.face(s.floor(phase=PublicPhase.TIE_SPEECH, deed=Deed.NONE)),
    "lift": lambda s: s.face(s.vote(PublicPhase.LIFT)),
    "lift-voted": lambda s: s.face(s.vote(PublicPhase.LIFT, voted=True)),
    "accuse": lambda s: s.face(s.accuse(), use=opened(cursor=5)),
    "accuse-hand": lambda s: s.face(s.accuse(), use=opened(hand=7)),
    **{
        f"accuse-{offence}": lambda s, place=place: s.face(s.accuse(10), use=opened(cursor=place))
        for place, offence in enumerate(Offence)
    },
    "accusation": lambda s: s.face(s.accusation(10, 7)),
    "accusation-accuser": lambda s: s.face(s.accusation(3, 10), reply=Reply.ACCEPTED),
    "accusation-accused": lambda s: s.face(s.accusation(10, 3)),
    "floor-accusation": lambda s: s.face(s.accusation(10, 7, own_floor=True)),
    "out-accusation": lambda s: s.face(s.accusation(10, 7, living=False)),
    "motion": lambda s: s.face(s.motion(6)),
    "motion-accused": lambda s: s.face(s.motion(3)),
    "motion-stop": lambda s: s.face(s.motion(6, Sanction.OPPONENT_VICTORY, None)),
    "farewell": lambda s: s.face(s.floor(phase=PublicPhase.FAREWELL, deed=Deed.BEST_MOVE)),
    "farewell-crown": lambda s: s.face(s.floor(phase=PublicPhase.FAREWELL, deed=Deed.CROWN)),
    "farewell_picks": lambda s: s.face(
        s.floor(phase=PublicPhase.FAREWELL_PICKS, deed=Deed.BEST_MOVE),
        use=opened(marks=(2, 5), cursor=4),
    ),
    "farewell_picks-done": lambda s: s.face(
        s.floor(phase=PublicPhase.FAREWELL_PICKS, deed=Deed.BEST_MOVE),
        use=opened(marks=(2, 5), cursor=8),
    ),
    "farewell_picks-crown": lambda s: s.face(
        s.floor(phase=PublicPhase.FAREWELL_PICKS, deed=Deed.CROWN), use=opened(cursor=8)
    ),
    "farewell_picks-nothing": lambda s: s.face(
        s.floor(phase=PublicPhase.FAREWELL_PICKS, deed=Deed.NONE)
    ),
    "out": lambda s: s.face(s.day(living=False)),
    "out-vote": lambda s: s.face(s.day(living=False, floor=0)),
    "over": lambda s: s.face(
        s.over(winner=Winner.TOWN, role=Role.CITIZEN, points=(160, 125))
    ),
    "over-mafia": lambda s: s.face(
        s.over(winner=Winner.MAFIA, role=Role.SHERIFF, points=(-40, 0))
    ),
    "over-void": lambda s: s.face(s.over(winner=None, role=None, points=(None, None), voided=True)),
}  # fmt: skip
"""By name: the scene, and after a dash what is special about it."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_its_golden_picture(name, language, request, tmp_path):
    path = GOLDEN / language / f"{name}.png"
    face = SCREENS[name](Screen(language))
    assert face.scene == name.split("-")[0]
    picture = render(face)
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)
    with Image.open(path) as golden:
        difference = ImageChops.logical_xor(picture, golden.convert("1"))
    if difference.getbbox() is not None:
        picture.save(tmp_path / f"{name}.png")
        difference.save(tmp_path / f"{name}.difference.png")
    assert difference.getbbox() is None, f"looks otherwise, see {tmp_path}"


def test_every_scene_has_golden_pictures_and_none_is_left_over():
    assert {Scene(name.split("-")[0]) for name in SCREENS} == set(Scene)
    assert {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*.png")} == {
        f"{language}/{name}.png" for language in LANGUAGES for name in SCREENS
    }


# ---- the same light for all ---------------------------------------------------


def light(face):
    return sum(render(face).histogram()[1:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_meeting_all_ten_screens_give_the_same_light(language):
    screen, lights = Screen(language), set()
    for don, *mafia in ((10, 8, 9), (1, 2, 3), (4, 10, 7), (10, 1, 7)):
        mates = tuple(sorted((don, *mafia)))
        for seat in SEATS:
            its = {"mates": mates, "don": don} if seat in mates else {}
            face = screen.face(screen.night(Phase.MEETING, **its))
            # A link that is lost or a press tells nothing either.
            lights |= {
                light(face),
                light(screen.face(screen.night(Phase.MEETING, **its), link=OFF)),
            }
    assert lights == {EVEN_LIGHT_PX}


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_morning_and_after_the_deal_all_screens_give_the_same_light(language):
    screen, lights = Screen(language), set()
    facts = [
        (),
        *((CardFact(2, target, positive),) for target in SEATS for positive in (True, False)),
    ]
    cards = [None, *(Card(role, its) for role in Role for its in facts)]
    for card in cards:
        for left_s in (5.0, 1.0, 0.0):
            cue = screen.opened(Phase.MORNING, card, left_s)
            lights |= {light(screen.face(cue)), light(screen.face(cue, chair=EMPTY))}
    for role in Role:
        for left_s in (15.0, 11.0, 8.0):
            lights.add(light(screen.face(screen.opened(Phase.LOOK, Card(role), left_s))))
    assert lights == {EVEN_LIGHT_PX}


# ---- text stays inside ----------------------------------------------------------


@contextlib.contextmanager
def watched_text():
    """Collect each text that is drawn and whether it lies on the screen."""
    written = []
    whole = lettering.put

    def watched(pen, place, text, size, *, bold, fill=1):
        face = lettering.font(size, bold=bold)
        left, _, right, _ = pen.textbbox(place, text, font=face)
        # Upright by ordinary letters: an accent on a capital may touch the line above.
        _, top, _, bottom = pen.textbbox(place, "Щр", font=face)
        inside = left >= 0 and top >= 0 and right <= WIDTH_PX and bottom <= HEIGHT_PX
        written.append((text, inside))
        whole(pen, place, text, size, bold=bold, fill=fill)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "put", watched)
        yield written


# ---- names of every kind --------------------------------------------------------

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßÄÖÜ"
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
)
ODD = (
    "\N{COMBINING ACUTE ACCENT}\N{COMBINING ENCLOSING CIRCLE}\N{ZERO WIDTH JOINER}"
    "\N{RIGHT-TO-LEFT OVERRIDE}🎉👩🏽漢ﷺ -.'’\x07\n"
)
NAME = st.one_of(
    st.text(LETTERS + " -", min_size=1, max_size=40),
    st.text(LETTERS + ODD, min_size=1, max_size=40),
    st.sampled_from(["W" * 40, "Щ" * 40, "Ж " * 20, "i" * 40, "🎉" * 40, "\u0301" * 40]),
)
NAMED = ("seating", "seating-ready", "candidate", "candidate-voted", "check", "floor-list")
"""Screens with a name on them, of each layout that can have one."""


@given(names=st.lists(NAME, min_size=10, max_size=10), language=st.sampled_from(LANGUAGES))
@settings(max_examples=60, deadline=None)
def test_no_name_of_any_letters_leaves_its_box(names, language):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(NAMES, language, tuple(names))
        for name in NAMED:
            with watched_text() as written:
                render(SCREENS[name](Screen(language)))
            assert [text for text, inside in written if not inside] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCREENS)
def test_no_text_of_the_kit_is_cut_or_leaves_its_box(name, language):
    with watched_text() as written:
        render(SCREENS[name](Screen(language)))
    assert [text for text, inside in written if not inside or text.endswith(ELLIPSIS)] in (
        [],
        # The mark of a press that waits.
        [ELLIPSIS] * 2,
    )
