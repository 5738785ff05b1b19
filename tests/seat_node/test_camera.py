from pathlib import Path

import pytest

from firmware.errors import BoardError
from firmware.fakes import FakeClock
from seat_node.camera import Chosen, Kind, choose, open_source
from seat_node.recordings import pictures_in

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")
cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: make vision")

COLOURS = {"a": (200, 30, 30), "b": (30, 200, 30), "c": (30, 30, 200)}
"""RGB of the pictures; each has another main colour."""


def a_picture(rgb, size=(32, 48)):
    bgr = np.empty((*size, 3), np.uint8)
    bgr[:] = rgb[::-1]
    return bgr


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("c", "a", "b"):
        cv2.imwrite(str(folder / f"{name}.png"), a_picture(COLOURS[name]))
    (folder / "notes.txt").write_text("not a picture")
    (folder / "more").mkdir()
    return folder


@pytest.fixture
def video(tmp_path):
    """Three seconds at 10 fps, a second of each colour."""
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (64, 48))
    for rgb in COLOURS.values():
        for _ in range(10):
            writer.write(a_picture(rgb, (48, 64)))
    writer.release()
    return path


def opened(place, **options):
    return open_source(choose(str(place)), FakeClock(), **options)


def colour_at(source, at_s):
    """Return the name of the colour that is seen at *at_s*, None after the end."""
    frame = source.look(at_s)
    if frame is None:
        return None
    assert frame.at_s == at_s
    assert frame.rgb.dtype == np.uint8
    assert frame.rgb.flags.c_contiguous
    mean = frame.rgb.reshape(-1, 3).mean(axis=0)
    return min(COLOURS, key=lambda name: abs(mean - COLOURS[name]).sum())


@pytest.fixture(params=["folder", "video"])
def recording(request):
    """Three colours, a second each, as pictures and as a video."""
    return request.getfixturevalue(request.param)


def test_pictures_come_in_the_order_of_their_names(folder):
    assert [path.name for path in pictures_in(folder)] == ["a.png", "b.png", "c.png"]


def test_a_recording_has_its_own_time_from_the_first_look(recording):
    source = opened(recording)
    seen = [colour_at(source, at_s) for at_s in (500.0, 500.9, 501.05, 501.9, 502.5)]
    source.close()
    assert seen == ["a", "a", "b", "b", "c"]


def test_a_recording_begins_again_after_its_end(recording):
    source = opened(recording)
    seen = [colour_at(source, at_s) for at_s in (0.0, 2.5, 3.1, 4.15, 5.2)]
    source.close()
    assert seen == ["a", "c", "a", "b", "c"]


def test_a_recording_that_runs_once_ends(recording):
    source = opened(recording, once=True)
    seen = [colour_at(source, at_s) for at_s in (0.0, 2.95, 3.0, 3.5)]
    source.close()
    assert seen == ["a", "c", None, None]


def test_twelve_looks_a_second_meet_the_turn_of_each_picture(folder):
    source, at_s, seen = opened(folder), 0.0, []
    for _ in range(36):
        seen.append(colour_at(source, at_s))
        at_s += 1 / 12
    assert "".join(seen) == "a" * 12 + "b" * 12 + "c" * 12


def test_each_picture_can_be_shown_longer(folder):
    source = opened(folder, each_s=2.0)
    assert [colour_at(source, at_s) for at_s in (0.0, 1.9, 2.0, 3.9)] == ["a", "a", "b", "b"]


def test_a_picture_that_is_none_is_named(folder):
    (folder / "aa.jpg").write_bytes(b"no picture")
    source = opened(folder)
    source.look(0.0)
    with pytest.raises(BoardError, match=r"aa\.jpg: not a picture"):
        source.look(1.0)


def test_a_file_that_is_no_video_is_named(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(b"no film")
    with pytest.raises(BoardError, match=r"film\.mp4: not a video"):
        opened(path)


def test_a_device_that_is_no_camera_is_named(tmp_path):
    device = tmp_path / "video0"
    with pytest.raises(BoardError, match="video0 does not exist: is the camera plugged in"):
        open_source(Chosen(Kind.WEBCAM, device), FakeClock())
    device.touch()
    with pytest.raises(BoardError, match="video0 is not a camera, or another program has it"):
        open_source(Chosen(Kind.WEBCAM, device), FakeClock())


def test_the_names_of_sources(folder, video):
    assert choose("picamera2") == Chosen(Kind.PICAMERA)
    assert choose(str(folder)) == Chosen(Kind.PICTURES, folder)
    assert choose(str(video)) == Chosen(Kind.VIDEO, video)


@pytest.mark.parametrize(
    ("named", "device"),
    [("webcam", "video0"), ("webcam:97", "video97"), ("/dev/video98", "video98")],
)
def test_a_webcam_may_be_plugged_in_later(named, device):
    assert choose(named) == Chosen(Kind.WEBCAM, Path("/dev", device))


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/no/such/place", "/no/such/place does not exist; expected picamera2"),
        ("webcam:x", "webcam:x does not exist"),
    ],
)
def test_a_source_that_is_not_there_says_what_was_expected(named, expected):
    with pytest.raises(ValueError, match=expected):
        choose(named)


def test_a_folder_without_pictures_is_refused(tmp_path):
    (tmp_path / "film.mp4").touch()
    with pytest.raises(ValueError, match=r"holds no picture \(\.bmp, "):
        choose(str(tmp_path))
