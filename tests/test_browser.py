"""The replay page and the drawings in Chromium, which must be installed: ``apt-get install chromium``."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playing import GAMES
from playwright.sync_api import Browser, Page, sync_playwright
from test_replay import BAD, records_of, thoughtful

from skruv.record import Record
from skruv.render import replay

pytestmark = pytest.mark.browser
WIDTHS = (1280, 400)
"""Of a screen and a telephone, pixels."""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium of the system's packages."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of some records from disk; at the end it must have asked for nothing and complained of nothing."""
    heard: list[str] = []
    pages: list[Page] = []

    def open_(records: list[Record], width: int = WIDTHS[0]) -> Page:
        path = tmp_path / "page.html"
        replay(records).save(path)
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("request", lambda request: heard.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.close()
    assert heard == []


def step_of(page: Page) -> tuple[int, int]:
    """The step that is shown, and the last one."""
    here, last = page.inner_text("#count").split(" / ")
    return int(here), int(last)


def cards_in(page: Page, place: str) -> list[str | None]:
    """The cards in a part of the page; ``None`` for one face down."""
    return [card.get_attribute("data-card") for card in page.query_selector_all(f"{place} .card")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_shown_and_fits(game: str, width: int, open_page: Open) -> None:
    records = [thoughtful(record) for record in records_of(game, seed=3)]
    page = open_page(records, width)
    last = len(records[0]["actions"])
    assert step_of(page) == (0, last)
    for step in range(last):
        assert step_of(page)[0] == step
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("ArrowRight")
    assert step_of(page) == (last, last)
    assert "over" in page.inner_text("#headline")
    assert all(str(points) in page.inner_text("#sheet") for _, _, _, points in records[0]["lines"])
    for step in range(last, 0, -1):
        assert step_of(page)[0] == step
        page.keyboard.press("ArrowLeft")
    assert page.is_disabled("#back")


def test_keys_jump(open_page: Open) -> None:
    records = records_of("skruuvi", seed=2, episode="rubber")
    page = open_page(records)
    page.keyboard.press("End")
    assert step_of(page) == (len(records[0]["actions"]),) * 2
    page.keyboard.press("Home")
    assert step_of(page)[0] == 0
    page.keyboard.press("n")
    assert page.input_value("#deal") == "1"
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert page.input_value("#trickno") == "2"
    assert len(cards_in(page, "#trick")) == 1
    page.keyboard.press("[")
    assert page.input_value("#trickno") == "1"
    page.keyboard.press("p")
    assert (page.input_value("#deal"), step_of(page)[0]) == ("0", 0)
    page.keyboard.press("p")
    page.keyboard.press("ArrowLeft")
    assert step_of(page)[0] == 0


def test_slider_and_lists_jump(open_page: Open) -> None:
    records = records_of("vint", seed=4, episode="rubber", max_deals=3)
    page = open_page(records)
    page.fill("#slider", "7")
    assert step_of(page)[0] == 7
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert step_of(page)[0] == 8
    page.select_option("#deal", "2")
    page.select_option("#trickno", "13")
    assert len(cards_in(page, "#hand0")) <= 1
    page.click("#end")
    assert page.is_disabled("#next")
    assert page.locator("#sheet .new").count() == len(records[2]["lines"])
    assert page.locator("#sheet").inner_text().count("deal 1") == len(records[0]["lines"])
    page.click("#auction button >> nth=0")
    assert step_of(page)[0] == 1
    page.click("#first")
    assert step_of(page)[0] == 0


def test_hands_are_hidden_and_shown(open_page: Open) -> None:
    page = open_page(records_of("biritch", seed=1))
    assert None not in cards_in(page, "#felt")
    page.select_option("#view", "1")
    shown = [None not in cards_in(page, f"#hand{seat}") for seat in range(4)]
    assert shown == [False, True, False, False]
    page.select_option("#trickno", "2")
    assert sum(None not in cards_in(page, f"#hand{seat}") for seat in range(4)) in (1, 2)  # dummy's too
    page.select_option("#view", "all")
    page.click("#hand0 button")
    assert set(cards_in(page, "#hand0")) == {None}
    page.click("#hand0 button")
    assert None not in cards_in(page, "#hand0")
    page.keyboard.press("h")
    assert page.input_value("#view") == "actor"
    assert None in cards_in(page, "#felt")


def test_the_kotka_is_hidden_from_those_who_do_not_know_it(open_page: Open) -> None:
    record = records_of("skruuvi", seed=7)[0]
    page = open_page([record])
    page.select_option("#view", "0")
    assert set(cards_in(page, "#pile0")) == {None}
    page.select_option("#view", "all")
    assert sorted(str(card) for card in cards_in(page, "#pile0")) == sorted(record["kotka"].split())


def test_thoughts_are_shown(open_page: Open) -> None:
    record = thoughtful(records_of("vint", seed=1)[0])
    page = open_page([record])
    likeliest = max(record["notes"][-1]["thoughts"][0]["probabilities"].values())
    assert f"{100 * likeliest:.1f} %" in page.inner_text("#thoughts .bar >> nth=0")
    assert "points for its side" in page.inner_text("#thoughts")
    assert page.locator("#thoughts .bar").count() == 8


def test_names_and_notes_are_text(open_page: Open) -> None:
    record = records_of("vint", seed=1)[0]
    record["notes"] += [{"players": {"N": BAD}}, BAD]
    page = open_page([record])
    assert BAD in page.inner_text("#hand0")
    assert BAD in page.inner_text("#remarks")
    assert page.locator("img").count() == 0
    assert page.title() == "skruv"


def test_the_frame_of_a_notebook_steps(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(replay(records_of("biritch"))._repr_html_())
    frame = page.frame_locator("iframe")
    frame.locator("#next").click()
    assert frame.locator("#count").inner_text().startswith("1 /")
    page.close()
