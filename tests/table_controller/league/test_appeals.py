import pytest

from table_controller.game.terms import Offence
from table_controller.league import Case, Refused, Verdict
from table_controller.league.appeals import Did

from .conftest import TODAY

GAME = "20261130-200000-aabbccdd"
OTHER = "20261130-220000-ddccbbaa"
CASE = Case("Anna", GAME, 4, "threats")


def bar(league, who="Anna", game=GAME, seat=4):
    fields = {"reason": "threats", "decided_by": "Olga", "offence": Offence.THREATS}
    return league.bars.put(who, TODAY, last_day=None, game=game, seat=seat, **fields)


def take(league, case=CASE, text="I said nothing of the kind."):
    return league.appeals.take(case, text=text, by="Olga")


def history(found):
    return [(each.number, each.who, each.did, each.text) for each in found.history]


def test_an_appeal_is_kept_with_its_history(club, clock):
    made = take(club)
    assert (made.name, made.seat, made.state) == ("Anna", 4, Verdict.OPEN)
    clock.advance(3600)
    club.appeals.note(made.id, text="Boris heard it.", by="Pjotr")
    club.appeals.decide(made.id, Verdict.REJECTED, reasons="Two witnesses.", by="Olga")
    found = club.appeals.get(made.id)
    assert history(found) == [
        (1, "Olga", Did.TAKEN, "I said nothing of the kind."),
        (2, "Pjotr", Did.NOTE, "Boris heard it."),
        (3, "Olga", Did.REJECTED, "Two witnesses."),
    ]
    assert found.history[0].utc < found.history[1].utc
    assert found.state is Verdict.REJECTED


def test_an_appeal_upheld_removes_the_points_and_lifts_the_bar_of_that_game(club):
    kept, elsewhere, other = bar(club, game=OTHER), bar(club, "Борис", seat=5), bar(club)
    made = take(club)
    assert club.appeals.points_removed(GAME) == frozenset()
    club.appeals.decide(made.id, Verdict.UPHELD, reasons="It was a joke.", by="Pjotr")
    assert club.appeals.points_removed(GAME) == {4}
    assert club.appeals.points_removed(OTHER) == frozenset()
    lifted = {each.id: (each.lifted_by, each.lifted_why) for each in club.bars.all()}
    assert lifted == {
        kept.id: ("", ""),
        elsewhere.id: ("", ""),
        other.id: ("Pjotr", "It was a joke."),
    }


def test_an_appeal_rejected_changes_nothing(club):
    made = bar(club)
    case = take(club)
    club.appeals.decide(case.id, Verdict.REJECTED, reasons="No.", by="Pjotr")
    assert club.appeals.points_removed(GAME) == frozenset()
    assert club.bar_of("Anna", TODAY) == made


def test_an_appeal_against_a_bar_is_about_its_game_too(club):
    made = take(club, Case(bar=bar(club).id))
    assert (made.name, made.game, made.seat, made.offence) == ("Anna", GAME, 4, "threats")
    club.appeals.decide(made.id, Verdict.UPHELD, reasons="Yes.", by="Pjotr")
    assert club.bar_of("Anna", TODAY) is None
    assert club.appeals.points_removed(GAME) == {4}


def test_an_appeal_against_a_bar_of_no_game_lifts_it_and_removes_no_points(club):
    made = take(club, Case(bar=bar(club, game="", seat=0).id))
    club.appeals.decide(made.id, Verdict.UPHELD, reasons="Yes.", by="Pjotr")
    assert club.bar_of("Anna", TODAY) is None
    assert club.appeals.points_removed("") == frozenset()


def test_a_guest_can_appeal(club):
    made = take(club, Case("Xenia", GAME, 2, "threats"))
    assert (made.player, made.name) == ("", "Xenia")
    club.appeals.decide(made.id, Verdict.UPHELD, reasons="Yes.", by="Pjotr")
    assert club.appeals.points_removed(GAME) == {2}


def test_after_an_appeal_upheld_nobody_is_barred_for_that_game(club):
    club.appeals.decide(take(club).id, Verdict.UPHELD, reasons="Yes.", by="Pjotr")
    with pytest.raises(Refused, match="upheld"):
        bar(club)
    assert bar(club, game=OTHER).game == OTHER


def test_what_was_decided_stays_decided(club):
    made = take(club)
    club.appeals.decide(made.id, Verdict.REJECTED, reasons="No.", by="Pjotr")
    with pytest.raises(Refused, match="decided already"):
        club.appeals.decide(made.id, Verdict.UPHELD, reasons="Yes.", by="Olga")
    assert club.appeals.get(made.id).state is Verdict.REJECTED
    assert len(club.appeals.get(made.id).history) == 2


def test_the_same_is_appealed_against_once_until_it_is_rejected(club):
    made = take(club)
    with pytest.raises(Refused, match="already"):
        take(club, text="Once more.")
    club.appeals.decide(made.id, Verdict.REJECTED, reasons="No.", by="Pjotr")
    assert take(club, text="A new witness.").state is Verdict.OPEN
    assert take(club, Case("Anna", OTHER, 4, "threats")).state is Verdict.OPEN


@pytest.mark.parametrize(
    "case",
    [
        Case(),
        Case("Anna", GAME, 0, "threats"),
        Case("Anna", GAME, 11, "threats"),
        Case("Anna", "", 4, "threats"),
        Case("Anna", GAME, 4, "boredom"),
        Case("", GAME, 4, "threats"),
        Case(bar="none"),
    ],
)
def test_an_appeal_against_nothing_is_refused(club, case):
    with pytest.raises(Refused):
        take(club, case)
    assert club.appeals.all() == ()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"text": "  \n "}, "text"), ({"text": "x" * 2001}, "text"), ({"by": ""}, "by")],
)
def test_an_appeal_without_a_word_or_a_writer_is_refused_at_its_field(club, wrong, field):
    with pytest.raises(Refused) as refused:
        club.appeals.take(CASE, **({"text": "No.", "by": "Olga"} | wrong))
    assert refused.value.field == field


def test_open_appeals_stand_first(club, clock):
    first = take(club)
    clock.advance(60)
    second = take(club, Case("Борис", GAME, 5, "bets"))
    assert [each.id for each in club.appeals.all()] == [second.id, first.id]
    club.appeals.decide(second.id, Verdict.REJECTED, reasons="No.", by="Olga")
    assert [each.id for each in club.appeals.all()] == [first.id, second.id]
    assert [each.id for each in club.appeals.all(only_open=True)] == [first.id]
