"""What the guides quote, the kit says; what they tell to run is there to be run."""

import re
from pathlib import Path

import click
import pytest

from firmware.words.collect import collect
from seat_node.__main__ import seat
from table_controller.__main__ import table

ROOT = Path(__file__).parents[1]
GUIDES = (
    "README.md",
    "hardware/build.md",
    "hardware/bench.md",
    "hardware/troubleshooting.md",
    "table_controller/evening.md",
    "table_controller/league/club.md",
)
PROGRAMS = {"mafia-table": table, "mafia-seat": seat}
COMMAND = re.compile(r"\b(mafia-(?:table|seat)) ([a-z-]+)([^`\n;|#]*)")
SERVICES = re.compile(r"(?:systemctl|journalctl|pidof)[^`\n]*")


def words(page):
    return (ROOT / page).read_text("utf-8")


@pytest.fixture(scope="module")
def said():
    """Every text of the kit and each message of its installer, with … for what is filled in."""
    texts = set()
    for text in collect(ROOT):
        texts.update(text if isinstance(text, tuple) else (text,))
    installer = words("firmware/image/install.sh")
    shell = re.findall(r'(?:say|fail \S+) "((?:[^"\\]|\\.)*)"', installer)
    filled = {re.sub(r"\{[^}]*\}", "…", text) for text in texts}
    return filled | {re.sub(r"\$\{[^}]*\}|\$\w+", "…", text) for text in shell}


def quotes(page):
    return re.findall(r"“([^”]+)”", words(page))


@pytest.mark.parametrize("page", GUIDES[1:5])
def test_every_quoted_message_is_one_that_the_kit_says(page, said):
    quoted = [quote for quote in quotes(page) if quote != "quotes"]
    assert quoted
    assert [quote for quote in quoted if quote not in said] == []


def commands(page):
    """Yield program, command and options of each command that *page* names."""
    for program, name, rest in COMMAND.findall(SERVICES.sub("", words(page))):
        yield program, name, re.findall(r"(?<!\S)(--[a-z-]+)", rest)


@pytest.mark.parametrize("page", GUIDES)
def test_every_command_and_option_that_is_named_exists(page):
    named = list(commands(page))
    assert named
    for program, name, options in named:
        group = PROGRAMS[program]
        context = click.Context(group)
        command = group.get_command(context, name)
        assert command is not None, f"{program} {name}"
        known = {word for each in command.get_params(context) for word in each.opts}
        known |= {word for each in command.get_params(context) for word in each.secondary_opts}
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                inner = command.get_command(context, each)
                known |= {word for one in inner.get_params(context) for word in one.opts}
        assert set(options) - known - {"--help"} == set(), f"{program} {name}"
