"""Which versions of the kit play together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.fit import UNREADABLE, fits, shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.1.0", "0.1.0"),
        ("0.1.0", "0.1.7"),
        ("1.4", "1.4.2"),
        ("0.1.0", "0.1.0.post1"),
        ("0.1.0+pi5", "0.1.3"),
        ("0.2.0rc1", "0.2.0rc1"),
        ("0.2.0.dev3", "0.2.0.dev3"),
    ],
)
def test_versions_of_one_series_fit(one, other):
    assert fits(one, other)
    assert fits(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.1.0", "0.2.0"),
        ("1.1.0", "0.1.0"),
        ("0.10.0", "0.1.0"),
        ("0.2.0rc1", "0.2.0"),
        ("0.2.0rc1", "0.2.0rc2"),
        ("0.2.0.dev3", "0.2.0"),
        ("", "0.1.0"),
        ("0.1.0", "nonsense"),
        ("0.1.0 ", "0.1.0"),
        ("0.1.0\n", "0.1.0\n"),
        ("٠.١.٠", "0.1.0"),
        ("1", "1"),
    ],
)
def test_versions_of_two_series_pre_releases_and_what_cannot_be_read_do_not(one, other):
    assert not fits(one, other)
    assert not fits(other, one)


def test_nothing_fits_what_is_empty_or_unreadable_even_itself():
    assert not fits("", "")
    assert not fits("nonsense", "nonsense")


@given(st.text())
def test_only_what_is_short_and_prints_is_shown_of_what_calls_itself_a_version(text):
    said = shown(text)
    assert said == UNREADABLE or (said == text and len(said) <= 80 and said.isprintable())


def test_a_version_is_shown_as_it_is():
    assert shown("0.2.0rc1") == "0.2.0rc1"
    assert shown("9" * 3000) == UNREADABLE
