from types import SimpleNamespace

import pytest

from firmware.errors import CardError
from firmware.words import catalogue
from table_controller import program


@pytest.mark.parametrize("name", ["Anna\x01", "An\x1bna", "x" * 25])
def test_a_name_that_no_screen_can_show_is_refused_before_the_game(tmp_path, name):
    # Each of these letters takes six bytes in a cue, and a list shows ten names.
    players = tmp_path / "players.txt"
    players.write_text("\n".join([name, *"BCDEFGHIJ"]), encoding="utf-8")
    with pytest.raises(CardError, match="letters"):
        program._names(SimpleNamespace(players=()), players, catalogue("en"))
