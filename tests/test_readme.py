"""What the read-me and the contributing page name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md")
GUIDES = (
    "hardware/build.md",
    "hardware/bench.md",
    "hardware/troubleshooting.md",
    "table_controller/evening.md",
    "table_controller/league/club.md",
)


def words(page):
    return (ROOT / page).read_text("utf-8")


@pytest.mark.parametrize("page", [*PAGES, *GUIDES])
def test_every_link_leads_to_a_file_and_a_heading(page):
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", words(page)):
        name, _, heading = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in [title.lower().replace(" ", "-") for title in titles], link


@pytest.mark.parametrize("page", GUIDES)
def test_the_readme_leads_to_every_guide(page):
    assert f"]({page})" in words("README.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)+(?:\.[a-z]+)?)`", words(page))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_that_is_named_exists(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", words(page), re.MULTILINE))
    assert named
    assert named - targets == set()
