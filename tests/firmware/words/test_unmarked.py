"""No text escapes the catalogues: in templates, in scripts, and on the pages as they are served."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted((ROOT / "table_controller").rglob("templates/*.html"))
SCRIPTS = sorted((ROOT / "table_controller").rglob("static/**/*.js"))

NAMES = {
    "Max", "Classic", "UTC", "UTF-8", "Windows-1251", "Windows-1252", ",",
    "mafia-table", "verify-deal", ".jsonl", "--commitment",
}  # fmt: skip
"""Written alike in every language."""

SAID = {"aria-label", "aria-description", "aria-roledescription", "title", "alt", "placeholder"}
"""Attributes that somebody hears or reads."""

_JINJA = re.compile(r"\{% block style %\}\w+|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_ATTRIBUTE = re.compile(r'[\w-]+="[^"]*"')
"""What a block adds to a tag that stands elsewhere."""
_LETTER = re.compile(r"[^\W\d_]")


class Texts(HTMLParser):
    """Gathers what a reader would see of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        self.found += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def texts_of(page: str) -> list[str]:
    parser = Texts()
    parser.feed(page)
    return [text.strip() for text in parser.found if _LETTER.search(text)]


def unmarked(source: str) -> list[str]:
    """Return the words of a template that are in no expression."""
    words = _ATTRIBUTE.sub("", " ".join(texts_of(_JINJA.sub("", source)))).split()
    return [word for word in words if word not in NAMES]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_has_no_words_of_its_own(path):
    assert unmarked(path.read_text("utf-8")) == []


def test_words_of_a_template_are_found():
    page = '<p title="Foul">{{ t("Foul") }} of {% if seat %}Anna{% endif %}</p><script>x</script>'
    assert unmarked(page) == ["Foul", "of", "Anna"]


_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
_SHOWN = re.compile(
    r"""(?:textContent|innerText|title|ariaLabel|placeholder|alt|label)\s*\+?=\s*
    (?:"(?P<a>[^"\n]*)"|'(?P<b>[^'\n]*)'|`(?P<c>[^`]*)`)
    |setAttribute\(\s*"(?:aria-label|title|alt)"\s*,\s*(?:"(?P<d>[^"\n]*)"|`(?P<e>[^`]*)`)
    |createTextNode\(\s*(?:"(?P<f>[^"\n]*)"|`(?P<g>[^`]*)`)""",
    re.VERBOSE,
)
_HOLE = re.compile(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def shown(source: str) -> list[str]:
    """Return the literals of a script that are put on the page and hold letters."""
    source = _COMMENT.sub("", source)
    literals = [next(filter(None, found.groups()), "") for found in _SHOWN.finditer(source)]
    return [text for text in literals if _LETTER.search(_HOLE.sub("", text))]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_puts_no_words_of_its_own_on_a_page(path):
    source = path.read_text("utf-8")
    assert shown(source) == []
    # Nor does it hold a sentence for later: words come from the page that loads it.
    literal = re.compile(r""""([^"\n]*)"|'([^'\n]*)'|`([^`]*)`""")
    found = ("".join(filter(None, each)) for each in literal.findall(_COMMENT.sub("", source)))
    sentence = re.compile(r"[A-Z][a-z]+ [a-z]+ [a-z]+|[А-я]{3,}|[a-z]+ [a-z]+[.!?]$")
    assert [text for text in found if sentence.search(_HOLE.sub("", text))] == []


def test_words_of_a_script_are_found():
    source = """
    // label = "in a comment"
    place.textContent = "Foul"; place.title = `${seat} foul`; place.label = `${words.foul}`;
    place.setAttribute("aria-label", `seat ${seat}`); place.className = "pip full";
    """
    assert shown(source) == ["Foul", "${seat} foul", "seat ${seat}"]
