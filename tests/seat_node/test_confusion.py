import json
import os

import pytest
from click.testing import CliRunner
from PIL import Image

from seat_node.__main__ import seat
from seat_node.confusion import (
    MUST,
    OTHER,
    UNSEEN,
    LabelsError,
    Picture,
    Told,
    read_labels,
    report,
    weak,
)
from seat_node.gestures_command import licensed, tell
from seat_node.models import default_directory, missing, read_lock

HEAD = "file,label,source,licence\n"
HAGRID, OTHERS = "github:x/hagrid@1 a.jpg", "github:SubhiH/HandsDataset@2 b.jpg"


def told(label, *names, source=OTHERS):
    return [Told(Picture(f"{n}.jpg", label, source, "MIT"), name) for n, name in enumerate(names)]


@pytest.fixture
def folder(tmp_path):
    """Return a function that makes a folder with two files and this list."""

    def make(text, picture=None):
        for file in ("a.jpg", "b.jpg"):
            (tmp_path / file).write_bytes(b"no picture")
        if picture:
            Image.new("RGB", (64, 64)).save(tmp_path / picture)
        if text is not None:
            (tmp_path / "labels.csv").write_bytes(
                text if isinstance(text, bytes) else text.encode("utf-8")
            )
        return tmp_path

    return make


# ---- the list ----


def test_a_list_of_pictures_is_read(folder):
    path = folder(HEAD + 'a.jpg,two:3+5,"github:x, y@1",MIT\n\nb.jpg,rock,z,\n')
    assert read_labels(path) == [
        Picture("a.jpg", "two:3+5", "github:x, y@1", "MIT"),
        Picture("b.jpg", "rock", "z", ""),
    ]


@pytest.mark.parametrize(
    ("label", "expected"),
    [("1", "number 1"), ("victory_2", "number 2"), ("3_thumb", "number 3"), ("5", "number 5"),
     ("open_palm", "number 5"), ("ok_ring", "ok"), ("middle_finger", "forbidden"), ("rock", OTHER),
     ("two:0+0", "fist"), ("two:2+5", "number 7"), ("two:5+5", "number 10")],
)  # fmt: skip
def test_a_label_says_what_is_expected(label, expected):
    assert Picture("a.jpg", label, "", "").expected == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "labels.csv: No such file or directory; expected a list"),
        ("", "labels.csv:1: '': expected file,label,source,licence"),
        ("file,label\n", "labels.csv:1: 'file,label': expected file,label,source,licence"),
        (HEAD, "labels.csv: no pictures"),
        (HEAD + "a.jpg,1,x,MIT\nb.jpg,1\n", "labels.csv:3: 2 fields, expected file,"),
        (HEAD + "a.jpg,,x,MIT\n", "labels.csv:2: expected a file and its label"),
        (HEAD + "../a.jpg,1,x,MIT\n", "'../a.jpg': expected a file in the folder of"),
        (HEAD + "/a.jpg,1,x,MIT\n", "'/a.jpg': expected a file in the folder of"),
        (HEAD + '"a\n.jpg",1,x,MIT\n', "expected a file in the folder of"),
        (HEAD + "c.jpg,1,x,MIT\n", "labels.csv:2: 'c.jpg': no such file"),
        (HEAD + "a.jpg,1,x,y\na.jpg,2,x,y\n", "'a.jpg' is listed twice"),
        (HEAD + "a.jpg,two:2+6,x,MIT\n", "'two:2+6': expected two:LEFT+RIGHT, each 0-5"),
        (HEAD + "a.jpg,two:,x,MIT\n", "'two:': expected two:LEFT+RIGHT"),
        (HEAD.encode() + b"\xff.jpg,1,x,MIT\n", "labels.csv: not CSV in UTF-8"),
        (HEAD + 'a.jpg,"1,x,MIT\n', "labels.csv: not CSV"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_its_line(folder, text, complaint):
    with pytest.raises(LabelsError) as refused:
        read_labels(folder(text))
    assert complaint in str(refused.value)


# ---- the table ----


def test_the_table_counts_what_is_taken_for_what_by_source():
    pictures = told("3", "number 3", "ok", UNSEEN) + told("ok", "ok", source=HAGRID)
    text = report(pictures)
    everything, subhih, hagrid, shares, _ = text.split("\n\n")
    assert [line.split() for line in everything.splitlines()[1:]] == [
        ["shown", "pictures", "right", "3", "ok", "no", "hand"],
        ["number", "3", "3", "0.50", "1", "1", "1"],
        ["ok", "1", "1.00", ".", "1", "."],
    ]
    assert subhih.startswith("github:SubhiH/HandsDataset (only measures)\n")
    assert hagrid.startswith("github:x/hagrid (thresholds were set on it)\n")
    assert [line.split()[:4] for line in shares.splitlines()[1:4]] == [
        ["0.667", "2", "of", "3"],
        ["1.000", "1", "of", "1"],
        ["0.500", "1", "of", "2"],
    ]
    assert "hands not seen: in 1 pictures" in shares


def test_what_is_weak_is_said_in_words():
    pictures = told("3", *["number 3"] * 8, "ok", "ok", UNSEEN, UNSEEN, UNSEEN)
    pictures += told("pistol", "pistol") + told("rock", "forbidden", OTHER)
    lines = weak(pictures)
    assert "number 3 is taken for ok 2, of 10 hands seen" in lines
    assert "number 3: no hand is found in 3 of 13 pictures" in lines
    assert "pistol: 1 hands seen are too few to judge it" in lines
    assert "github:SubhiH/HandsDataset: 8 of 10 hands are right" in lines
    assert "FORBIDDEN is told of 0.jpg, rock" in lines
    assert any(line.startswith("of 2 hands that make none") for line in lines)
    assert "no picture shows forbidden, hook: tested on bent landmarks at most" in lines


def test_hands_that_are_all_right_are_not_called_weak():
    assert weak(told("1", *["number 1"] * 10))[:-1] == []


def test_a_picture_of_two_hands_with_one_found_is_not_seen():
    hand = {"world": [[0, 0, 0]] * 21, "image": [[0.5, 0.5]] * 21}
    entry = {"file": "a", "source": "", "licence": "", "width": 9, "height": 9, "hands": [hand]}
    assert tell(entry | {"label": "two:1+1"}).name == UNSEEN
    assert tell(entry | {"label": "1"}).name == OTHER
    assert tell(entry | {"label": "1", "hands": []}).name == UNSEEN


def test_landmarks_of_pictures_without_a_licence_are_not_passed_on():
    assert licensed("Apache-2.0")
    assert not licensed("NO licence file")
    assert not licensed("no license")
    assert not licensed("")


# ---- the command ----


def test_a_missing_list_ends_the_command_with_a_clear_error(tmp_path):
    done = CliRunner().invoke(seat, ["gestures", "eval", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: {tmp_path}/labels.csv: No such file")


def test_without_the_models_the_command_says_what_to_do(folder, tmp_path):
    path = folder(HEAD + "a.jpg,1,x,MIT\n")
    done = CliRunner().invoke(seat, ["gestures", "eval", str(path), "--models", str(tmp_path)])
    assert done.exit_code == 2
    assert "hand_landmarker.task is missing: run mafia-seat models" in done.output


@pytest.mark.proof
@pytest.mark.vision
def test_the_photographs_are_told_as_well_as_must_be(tmp_path):
    photos = os.environ.get("MAFIA_PHOTOS")
    if not photos:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    pytest.importorskip("mediapipe")
    if missing(default_directory(), read_lock()):
        pytest.skip("no models: mafia-seat models")
    record = tmp_path / "hands.json"
    done = CliRunner().invoke(seat, ["gestures", "eval", photos, "--landmarks", str(record)])
    assert done.exit_code == 0, done.output
    assert "Where it is weak" in done.stdout
    entries = json.loads(record.read_text("utf-8"))
    assert all(licensed(entry["licence"]) for entry in entries)
    asked = [each for each in map(tell, entries) if each.asked]
    assert sum(each.right for each in asked) >= MUST * len(asked)
    assert [each for each in map(tell, entries) if each.name == "forbidden"] == []


@pytest.mark.vision
def test_a_file_that_is_no_picture_is_named(folder):
    pytest.importorskip("mediapipe")
    if missing(default_directory(), read_lock()):
        pytest.skip("no models: mafia-seat models")
    path = folder(HEAD + "c.png,1,x,MIT\na.jpg,1,x,MIT\n", "c.png")
    done = CliRunner().invoke(seat, ["gestures", "eval", str(path)])
    assert done.exit_code == 1
    assert f"Error: cannot identify image file '{path}/a.jpg'" in done.output


@pytest.mark.vision
def test_a_mediapipe_that_does_not_start_is_said(folder, monkeypatch, tmp_path):
    pytest.importorskip("mediapipe")
    if missing(default_directory(), read_lock()):
        pytest.skip("no models: mafia-seat models")
    (tmp_path / "mediapipe.py").write_text("raise ImportError('libEGL.so.1: cannot open')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder(HEAD + "c.png,1,x,MIT\n", "c.png")
    done = CliRunner().invoke(seat, ["gestures", "eval", str(tmp_path)])
    assert done.exit_code == 1
    assert "MediaPipe does not start: libEGL.so.1: cannot open: run make vision" in done.output
