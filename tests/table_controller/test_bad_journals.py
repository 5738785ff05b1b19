"""Raw bytes in the place of a journal: a prefix of what was written, or a named error."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from firmware.errors import JournalError
from table_controller.record.entries import FORMAT
from table_controller.record.examine import examine
from table_controller.record.notes import read_note

GOLDEN = Path(__file__).parents[1] / "golden" / "journals"
FEW, MANY = 150, 4000
PAGE = 4096

quiet = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)


@st.composite
def spoiled(draw, form):
    """The bytes of the golden journal with some of them changed, gone or zeroed."""
    content = bytearray((GOLDEN / f"{form}.db").read_bytes())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        match draw(st.sampled_from(["bit", "bytes", "zeroed", "page", "cut", "moved"])):
            case "bit" if at < len(content):
                content[at] ^= 1 << draw(st.integers(0, 7))
            case "bytes":
                garbage = draw(st.binary(min_size=1, max_size=40))
                content[at : at + len(garbage)] = garbage
            case "zeroed":
                content[at : at + 512] = bytes(len(content[at : at + 512]))
            case "page":
                at -= at % PAGE
                content[at : at + PAGE] = bytes(len(content[at : at + PAGE]))
            case "cut":
                del content[at:]
            case "moved":
                other = draw(st.integers(0, len(content)))
                content[at : at + 64] = content[other : other + 64]
    return bytes(content)


def check_sealed(path, content):
    path.write_bytes(content)
    try:
        found = examine(path)
    except JournalError:
        return
    assert found.rows == WHOLE[: len(found.rows)]
    if len(found.rows) < len(WHOLE):
        assert found.fault or found.newer


def check_any(path, content):
    path.write_bytes(content)
    try:
        found = examine(path)
    except JournalError:
        return
    assert (found.state is None) is (found.start is None)


WHOLE = examine(GOLDEN / f"{FORMAT}.db").rows


@pytest.mark.parametrize(
    "cases", [FEW, pytest.param(MANY, marks=pytest.mark.proof)], ids=["few", "many"]
)
class TestRawBytes:
    def test_what_is_read_of_a_spoiled_journal_was_written_so(self, cases, tmp_path):
        @settings(quiet, max_examples=cases)
        @given(spoiled(FORMAT))
        def run(content):
            check_sealed(tmp_path / "x.db", content)

        run()

    def test_a_spoiled_journal_of_an_old_format_ends_in_no_crash(self, cases, tmp_path):
        @settings(quiet, max_examples=cases)
        @given(spoiled(1))
        def run(content):
            check_any(tmp_path / "x.db", content)

        run()

    def test_any_bytes_are_a_note_of_clocks_or_none(self, cases, tmp_path):
        @settings(quiet, max_examples=cases)
        @given(st.binary(max_size=200))
        @example(b'{"entries": -1, "lefts": {"1": 1e999}}')
        @example(b'{"entries": 3, "lefts": {"x": 1}}')
        def run(content):
            (tmp_path / "x.left").write_bytes(content)
            read_note(tmp_path / "x.db")

        run()
