import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.errors import BoardError
from firmware.fakes import FakeClock
from firmware.wire import Presence
from seat_node.bodies import Torso
from seat_node.eyes import Eyes, eyes
from seat_node.frame import Frame
from seat_node.framing import Box
from seat_node.gestures import Points
from seat_node.reports import Chair, Empty, Hand, Sight, Watch
from seat_node.vitals import resident_mb
from seat_node.watching import stay_blind, watch_over

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")

RECORDED = json.loads(
    (Path(__file__).parents[1] / "golden" / "landmarks" / "hands.json").read_text("utf-8")
)
ROOM = np.random.default_rng(7).integers(40, 200, (240, 320, 3), dtype=np.uint8)
NIGHT = np.zeros_like(ROOM)


def a_hand(label):
    """Return the first recorded hand with *label*."""
    entry = next(each for each in RECORDED if each["label"] == label and each["hands"])
    return Points(entry["hands"][0]["world"], entry["hands"][0]["image"])


class Scene:
    """What happens in front of the eyes: source, face finder and hand finder in one."""

    def __init__(self, *, live=False, ends_s=None, breaks_s=None):
        self.live = live
        self.rgb = ROOM
        self.face = True
        self.box = Box(0.5, 0.4, 0.2)
        self.hands = []
        self.ends_s = ends_s
        self.breaks_s = breaks_s
        self.face_looks = []
        self.bodies = []
        self.body_looks = []
        self.looked_s = 0.0
        self.hand_looks = []
        self._now_s = 0.0

    def look(self, at_s):
        self.looked_s = at_s
        if self.breaks_s is not None and at_s >= self.breaks_s:
            raise BoardError("the camera stopped")
        if self.ends_s is not None and at_s >= self.ends_s:
            return None
        return Frame(self.rgb, at_s)


class FaceFinder:
    def __init__(self, scene):
        self.scene = scene

    def look(self, rgb, at_s):
        self.scene.face_looks.append(at_s)
        return self.scene.box if self.scene.face else None


class HandFinder:
    def __init__(self, scene):
        self.scene = scene

    def look(self, rgb, at_s, *, two):
        self.scene.hand_looks.append((at_s, two))
        return self.scene.hands[: 2 if two else 1]


class BodyFinder:
    def __init__(self, scene):
        self.scene = scene

    def look(self, rgb):
        self.scene.body_looks.append(self.scene.looked_s)
        return self.scene.bodies


def eyes_on(scene):
    return Eyes(scene, FaceFinder(scene), HandFinder(scene), BodyFinder(scene))


class Player:
    """Lets the eyes look at a scene as time goes by, and collects what they say."""

    def __init__(self, **scene):
        self.scene = Scene(**scene)
        self.eyes = eyes_on(self.scene)
        self.watch = Watch()
        self.said = []
        self.now_s = 1000.0

    def passes(self, seconds):
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            reports, due_s = self.eyes.turn(self.watch, self.now_s)
            self.said += reports
            if due_s is None:
                break
            assert due_s > self.now_s
            self.now_s = min(due_s, end_s)

    def said_of(self, type_):
        return [report for report in self.said if isinstance(report, type_)]


def test_faces_are_looked_for_three_times_a_second_and_hands_not_unasked():
    player = Player()
    player.passes(10)
    assert 30 <= len(player.scene.face_looks) <= 31
    assert player.scene.hand_looks == []


def test_hands_are_looked_for_five_times_a_second_and_twelve_once_one_is_seen():
    player = Player()
    player.watch = Watch(gestures=("number", "fist", "thumb_up"))
    player.passes(10)
    assert 49 <= len(player.scene.hand_looks) <= 51
    player.scene.hand_looks.clear()
    player.scene.hands = [a_hand("fist")]
    player.passes(10)
    assert 118 <= len(player.scene.hand_looks) <= 121
    assert 60 <= len(player.scene.face_looks) <= 62


def test_a_machine_that_is_too_slow_skips_looks_and_does_not_run_after_them():
    player = Player()
    player.eyes.turn(player.watch, 1000.0)
    player.now_s = 1020.0
    player.passes(1)
    assert len(player.scene.face_looks) <= 1 + 4


def test_a_steady_gesture_is_told_once_with_its_time_and_number():
    player = Player()
    player.watch = Watch(gestures=("number", "fist", "thumb_up"))
    player.scene.hands = [a_hand("4")]
    player.passes(5)
    (hand,) = player.said_of(Hand)
    assert (hand.name, hand.number) == ("number", 4)
    assert 1000.5 <= hand.at_s <= 1000.7


def test_two_hands_are_added_only_while_two_are_asked_for():
    player = Player()
    player.scene.hands = [a_hand("5"), a_hand("2")]
    player.watch = Watch(gestures=("number", "fist", "thumb_up"))
    player.passes(2)
    player.watch = Watch(gestures=("number", "fist", "thumb_up"), two_hands=True)
    player.passes(2)
    assert [hand.number for hand in player.said_of(Hand)] == [5, 7]
    assert {two for _, two in player.scene.hand_looks} == {False, True}


def test_a_gesture_that_is_still_shown_is_told_again_when_asked_anew():
    player = Player()
    player.scene.hands = [a_hand("fist")]
    for wanted in (("fist",), (), ("fist",)):
        player.watch = Watch(gestures=wanted)
        player.passes(2)
    assert [hand.name for hand in player.said_of(Hand)] == ["fist", "fist"]


def test_a_player_who_leaves_is_reported_away_since_they_were_last_seen():
    player = Player()
    player.passes(5)
    last_s = player.scene.face_looks[-1]
    player.scene.face = False
    player.passes(5)
    assert [chair.state for chair in player.said_of(Chair)] == [Presence.PRESENT, Presence.AWAY]
    assert player.said_of(Chair)[-1].since_s == last_s


def test_a_player_whose_hand_is_seen_is_there_though_the_face_is_not():
    player = Player()
    player.watch = Watch(gestures=("number", "fist", "thumb_up"))
    player.scene.face = False
    player.scene.hands = [a_hand("fist")]
    player.passes(10)
    assert [chair.state for chair in player.said_of(Chair)] == [Presence.PRESENT]
    player.scene.hands = []
    player.passes(10)
    assert player.said_of(Chair)[-1].state is Presence.AWAY
    assert player.said_of(Chair)[-1].since_s == pytest.approx(1010.3, abs=0.3)


@pytest.mark.parametrize("picture", [NIGHT, np.full_like(ROOM, 90)], ids=["dark", "covered"])
def test_nobody_in_a_picture_that_cannot_be_judged_is_unknown_not_away(picture, request):
    player = Player()
    player.passes(5)
    player.scene.face = False
    player.scene.rgb = picture
    player.passes(60)
    assert player.said_of(Chair)[-1].state is Presence.UNKNOWN
    assert player.said_of(Sight)[-1].word == request.node.callspec.id
    assert Presence.AWAY not in [chair.state for chair in player.said_of(Chair)]


def test_a_face_in_the_dark_is_a_face():
    player = Player()
    player.scene.rgb = NIGHT
    player.passes(5)
    assert [chair.state for chair in player.said_of(Chair)] == [Presence.PRESENT]


def test_a_camera_that_hangs_is_unknown_whatever_its_last_picture_shows():
    player = Player(live=True)
    player.passes(1)
    player.passes(10)
    assert player.said_of(Chair)[-1].state is Presence.UNKNOWN
    assert player.said_of(Sight)[-1].word == "frozen"


def test_the_eyes_tell_how_they_are_every_five_seconds_and_when_it_changes():
    player = Player()
    player.passes(20)
    # The second one tells how the player is in the picture.
    assert [sight.word for sight in player.said_of(Sight)] == ["ok"] * 5
    assert [sight.aim for sight in player.said_of(Sight)] == ["", *["good"] * 4]
    assert player.said_of(Sight)[-1].fps == pytest.approx(3.0, abs=0.2)
    player.scene.rgb = NIGHT
    player.passes(0.5)
    assert [sight.word for sight in player.said_of(Sight)] == ["ok"] * 5 + ["dark"]
    player.passes(2)
    assert player.said_of(Sight)[-1].aim == "dark"


def test_hands_are_looked_for_once_a_second_while_the_chair_is_empty():
    player = Player()
    player.watch = Watch(gestures=("number", "fist", "thumb_up"))
    player.scene.face = False
    player.passes(5)
    player.scene.hand_looks.clear()
    player.passes(10)
    assert 9 <= len(player.scene.hand_looks) <= 11
    player.scene.face = True
    player.passes(3)
    player.scene.hand_looks.clear()
    player.passes(10)
    assert 49 <= len(player.scene.hand_looks) <= 51


def test_memory_is_that_of_this_process():
    assert 5 < resident_mb() < 5000
    assert resident_mb(2**30) == 0.0


class Line:
    """A seat that listens, is lost and comes back; waiting moves the clock."""

    def __init__(self, clock, watch=Watch()):  # noqa: B008 - frozen
        self.clock = clock
        self.watch = watch
        self.new = True
        self.told = []
        self.waited_s = []

    def connect(self):
        new, self.new = self.new, False
        return new

    def tell(self, reports):
        self.told += reports

    def wait(self, patience_s):
        self.waited_s.append(patience_s)
        self.clock.advance(patience_s)

    def close(self):
        pass


def run(scene, line, clock, hurry):
    watch_over(eyes_on(scene), line, clock, hurry=hurry)


def test_a_recording_runs_once_in_its_own_time_without_waiting():
    clock = FakeClock()
    line = Line(clock, Watch(gestures=("number", "fist", "thumb_up")))
    scene = Scene(ends_s=3.0)
    scene.hands = [a_hand("fist")]
    run(scene, line, clock, hurry=True)
    assert set(line.waited_s) == {0.0}
    (hand,) = [report for report in line.told if isinstance(report, Hand)]
    assert 0.5 <= hand.at_s <= 0.7
    assert line.told[0] == Chair(Presence.UNKNOWN, 0.0)


def test_in_play_the_clock_tells_the_time():
    clock = FakeClock(500.0)
    line = Line(clock)
    scene = Scene(ends_s=503.0)
    run(scene, line, clock, hurry=False)
    assert scene.face_looks[0] == 500.0
    assert 9 <= len(scene.face_looks) <= 10
    assert clock.now_s() == pytest.approx(503.0, abs=0.4)


def test_a_seat_that_comes_back_is_told_everything_anew():
    clock = FakeClock()
    line = Line(clock)
    run(Scene(ends_s=1005.0), line, clock, hurry=False)
    known = len(line.told)
    line.new = True
    scene = Scene(ends_s=1005.0)
    run(scene, line, clock, hurry=False)
    assert [type(report) for report in line.told[known : known + 2]] == [Chair, Sight]


def test_a_camera_that_breaks_leaves_the_chair_unknown():
    clock = FakeClock()
    line = Line(clock)
    with pytest.raises(BoardError, match="the camera stopped"):
        run(Scene(breaks_s=1002.0), line, clock, hurry=False)
    chair, sight = line.told[-2:]
    assert chair.state is Presence.UNKNOWN
    assert sight.word == "dead"


def test_eyes_without_a_camera_say_so_until_they_are_to_be_started_again():
    clock = FakeClock()
    line = Line(clock)
    stay_blind(line, clock, 5.0)
    assert clock.now_s() == 1005.0
    chair, sight = line.told
    assert (chair.state, sight.word) == (Presence.UNKNOWN, "no camera")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--source'"),
        (["--source", "/no/such"], "/no/such does not exist"),
        (["--source", "{empty}"], "holds no picture"),
        (["--source", "picamera2", "--once"], "a camera has no end"),
        (["--source", "picamera2", "--models", "{empty}"], "run mafia-seat models"),
        (["--source", "picamera2", "--each", "0"], "0.0 is not in the range"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_option_is_one_clear_line_and_exit_code_2(arguments, said, tmp_path):
    done = CliRunner().invoke(eyes, [word.format(empty=tmp_path) for word in arguments])
    assert done.exit_code == 2
    assert said in done.output.splitlines()[-1]


def test_the_command_is_known_without_loading_any_vision():
    program = (
        "import sys; import seat_node.eyes, seat_node.models;"
        "print(sorted({'mediapipe', 'numpy', 'cv2', 'picamera2'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


# ---- bodies ----

PLAYER = Torso(size=0.45, middle=0.5, visible=0.99)
PASSES_BEHIND = Torso(size=0.2, middle=0.4, visible=0.99)


def test_a_player_whose_face_is_hidden_is_there_by_the_body():
    player = Player()
    player.passes(5)
    player.scene.face = False
    player.scene.bodies = [PLAYER]
    player.passes(60)
    assert [chair.state for chair in player.said_of(Chair)] == [Presence.PRESENT]


@pytest.mark.parametrize(
    "torso",
    [
        PASSES_BEHIND,
        Torso(size=0.6, middle=0.5, visible=0.4),
        Torso(size=0.6, middle=1.15, visible=0.99),
    ],
    ids=["far", "guessed", "beside"],
)
def test_a_body_that_is_not_in_the_chair_is_nobody(torso):
    player = Player()
    player.passes(5)
    player.scene.face = False
    player.scene.bodies = [torso]
    player.passes(10)
    assert player.said_of(Chair)[-1].state is Presence.AWAY
    player.scene.bodies = [torso, PLAYER]
    player.passes(2)
    assert player.said_of(Chair)[-1].state is not Presence.AWAY


def test_bodies_are_looked_for_once_a_second_and_only_without_a_face():
    player = Player()
    player.passes(10)
    assert player.scene.body_looks == []
    player.scene.face = False
    player.passes(30)
    assert 29 <= len(player.scene.body_looks) <= 31
    player.scene.bodies = [PLAYER]
    player.passes(2)
    player.scene.body_looks.clear()
    player.passes(30)
    assert 22 <= len(player.scene.body_looks) <= 24


def test_no_body_is_looked_for_in_a_picture_that_says_nothing():
    player = Player()
    player.scene.face = False
    player.scene.rgb = NIGHT
    player.passes(10)
    assert player.scene.body_looks == []


def test_a_look_without_a_body_look_proves_no_absence():
    """Who comes back with the head down must not be told away by a look for a face."""
    player = Player()
    player.scene.face = False
    player.passes(30)
    proofs = [empty.at_s for empty in player.said_of(Empty)]
    assert len(proofs) >= 25
    assert set(proofs) <= set(player.scene.body_looks)


@pytest.mark.parametrize("fps", [2.0, 3.0, 5.0, 15.0])
@pytest.mark.parametrize("by", ["face", "body"])
def test_an_absence_is_proved_within_15_to_15_6_s_at_any_rate(fps, by):
    """mediapipe-samples 404: 4 to 9 pictures a second on a Pi; the rule must hold at 2."""
    player = Player()
    player.scene.face = by == "face"
    player.scene.bodies = [PLAYER]
    look = player.scene.look
    # A camera that has a new picture so often: a look gets the newest.
    player.scene.look = lambda at_s: look(int(at_s * fps + 1e-6) / fps)
    player.passes(7)
    player.scene.face = False
    player.scene.bodies = []
    player.passes(20)
    away = next(chair for chair in player.said_of(Chair) if chair.state is Presence.AWAY)
    proved = [empty.at_s - away.since_s for empty in player.said_of(Empty)]
    assert {empty.since_s for empty in player.said_of(Empty)} == {away.since_s}
    first = next(for_s for for_s in proved if round(for_s, 3) > 15.0)
    assert round(first, 3) <= 15.6
