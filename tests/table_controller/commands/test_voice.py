"""``mafia-table voice``: a club's recordings from the list to the check, and all made ahead."""

import wave

import pytest
from click.testing import CliRunner

from firmware.words import LANGUAGES, catalogue
from table_controller.__main__ import table
from table_controller.voice.phrasebook import PHRASES, every_phrase
from table_controller.voice.sounding import TONES


@pytest.fixture
def voice():
    """Runs the command; returns exit code and lines."""

    def run(*options):
        done = CliRunner().invoke(table, ["voice", *map(str, options)])
        return done.exit_code, done.output.splitlines()

    return run


@pytest.fixture
def recordings(tmp_path):
    folder = tmp_path / "recordings"
    folder.mkdir()
    for phrase in every_phrase(catalogue("en")):
        with wave.open(str(folder / phrase.file), "wb") as file:
            file.setparams((1, 2, 44100, 0, "NONE", ""))
            file.writeframes(b"\x00\x10" * 100)
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_names_every_phrase_with_its_numbers(voice, language):
    code, lines = voice("list", "--language", language)
    assert code == 0
    rows = {line.split()[0]: line for line in lines[1:-1]}
    assert rows.keys() == PHRASES.keys()
    assert rows["candidate"].split()[1] == "1-10"
    assert rows["votes"].split()[1] == "0-10"
    assert rows["seconds"].split()[1:6] == ["10,", "12,", "15,", "25,", "30"]


def test_the_lengths_are_those_of_the_clubs_rules(voice, tmp_path):
    path = tmp_path / "club.toml"
    path.write_text("silent_s = 21\n")
    _, lines = voice("list", "--ruleset", path)
    (row,) = [line for line in lines if line.startswith("seconds")]
    assert "21" in row
    path.write_text("silent_s = 'long'\n")
    code, lines = voice("list", "--ruleset", path)
    assert code == 2
    assert "silent_s" in lines[-1]


def test_whole_recordings_are_found_whole(voice, recordings):
    code, lines = voice("check", recordings)
    count = len(list(every_phrase(catalogue("en"))))
    assert (code, lines) == (
        0, [f"{count} phrases: {count} recorded, 0 missing, 0 cannot be played"],
    )  # fmt: skip


def test_the_check_tells_what_is_missing_wrong_or_stands_for_nothing(voice, recordings):
    (recordings / "seat-4.wav").unlink()
    (recordings / "miss.wav").write_bytes(b"no sound")
    with wave.open(str(recordings / "draw.wav"), "wb") as file:
        file.setparams((1, 1, 44100, 0, "NONE", ""))
        file.writeframes(bytes(1000))
    (recordings / "seat-11.wav").touch()
    (recordings / "seconds-45.wav").touch()
    (recordings / "ten_seconds.wav").unlink()
    code, lines = voice("check", recordings)
    assert code == 1
    (recordings / "seat-4.wav").write_bytes((recordings / "seat-5.wav").read_bytes())
    assert voice("check", recordings)[0] == 1
    assert len(lines) == 5
    told = "\n".join(lines)
    assert "missing: seat-4.wav: Seat 4" in lines
    assert "miss.wav: no WAV file" in told
    assert "draw.wav: 8 bits" in told
    assert "stands for no phrase: seat-11.wav" in lines
    assert lines[4].endswith("1 missing, 2 cannot be played")


def test_all_is_made_ahead_with_real_espeak_and_old_files_stay_within_the_size(
    voice, tmp_path, monkeypatch
):
    monkeypatch.setattr("table_controller.voice.phrasebook.SEATS", (1, 2))
    few = {name: PHRASES[name] for name in ("morning", "seconds", "ten_seconds", "votes")}
    monkeypatch.setattr("table_controller.voice.phrasebook.PHRASES", few)
    card = tmp_path / "kit.toml"
    card.write_text(
        'kind = "table"\ntable = "club"\nlanguage = "ru"\ndata_dir = "data"\n'
        '[link]\nhost = "127.0.0.1"\nport = 1883\npassword = "x"\n'
    )
    code, lines = voice("make", "--card", card)
    assert code == 0
    made = list((tmp_path / "data" / "voice").iterdir())
    assert len(made) == 1 + 5 + 11
    assert not [path for path in made if any(tone in path.name for tone in TONES)]
    assert lines[-1].startswith("фраз: 17")
    first = {path: path.stat().st_mtime_ns for path in made}
    assert voice("make", "--card", card)[0] == 0
    assert {path: path.stat().st_mtime_ns for path in made} == first


def test_without_espeak_it_says_what_to_install(voice, tmp_path, monkeypatch):
    card = tmp_path / "kit.toml"
    card.write_text(
        'kind = "table"\ntable = "club"\ndata_dir = "data"\n'
        '[link]\nhost = "127.0.0.1"\nport = 1883\npassword = "x"\n'
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(table, ["voice", "make", "--card", str(card)])
    assert done.exit_code == 78
