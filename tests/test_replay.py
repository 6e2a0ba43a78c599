"""The replay page holds all of its records, and nothing in it can be taken for markup."""

import html
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import GAMES, LONGEST, make_env, play_episode, randomly

from skruv import TableEnv
from skruv.cli import main
from skruv.games import load
from skruv.record import Record, RecordError, Thought, with_thoughts, write_records
from skruv.record import replay as play_again
from skruv.render import Replay, replay

BAD = "</script><img src=x onerror=document.title='broken'>&amp;"


def records_of(game: str, seed: int = 1, **options: Any) -> list[Record]:
    """A session that is played at random."""
    env = make_env(game, **options)
    env.reset(seed=seed)
    play_episode(env, randomly(seed))
    return env.record()


def thoughtful(record: Record, seed: int = 1) -> Record:
    """``record`` with made-up thoughts wherever there was a choice."""
    rng, thoughts = Random(seed), []
    for table, _ in zip(play_again(record), record["actions"], strict=False):
        legal = np.flatnonzero(table.legal()[0]).tolist()
        weights = [rng.random() for _ in legal]
        chances = {table.game.actions[action]: round(weight / sum(weights), 4) for action, weight in zip(legal, weights, strict=True)}
        thoughts.append(Thought(probabilities=chances, value=round(rng.uniform(-200, 200), 1)) if len(legal) > 1 else None)
    return with_thoughts(record, thoughts)


def data_of(page: Replay) -> list[dict[str, Any]]:
    """What the script of a page reads."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL)
    return json.loads(text)["deals"]


@pytest.mark.parametrize("game", GAMES)
def test_every_step_and_line_is_told(game: str) -> None:
    records = records_of(game, episode=LONGEST[game], max_deals=4)
    deals = data_of(replay(records))
    assert len(deals) == len(records)
    assert [deal["follows"] for deal in deals] == [False] + [True] * (len(deals) - 1)
    rulings = {(line.column, line.kind.replace("_", " ")): line.ruling for line in load(game).lines}
    for record, deal in zip(records, deals, strict=True):
        assert len(deal["frames"]) == len(record["actions"]) + 1
        assert len(deal["calls"]) == sum(text not in load(game).actions[:52] for text in record["actions"])
        told = [[("NS", "EW")[side], column, kind.replace(" ", "_"), points] for side, column, kind, points, _ in deal["sheet"]["lines"]]
        assert told == record["lines"]
        assert all(rulings[column, kind] == ruling for _, column, kind, _, ruling in deal["sheet"]["lines"])
        assert deal["done"]


@pytest.mark.parametrize("game", GAMES)
def test_the_hands_empty_card_by_card(game: str) -> None:
    (record,) = records_of(game, seed=5)
    (deal,) = data_of(replay(record))
    hands = deal["frames"][0]["hands"]
    counts = []
    for frame in deal["frames"]:
        hands = frame.get("hands", hands)
        counts.append(sum(map(len, hands)) // 2)
    cards = sum(text in load(game).actions[:52] for text in record["actions"])
    assert max(counts) - counts[-1] == cards
    assert len(deal["tricks"]) == (12 if "kotka" in record else 13)


def test_an_unfinished_deal_is_shown() -> None:
    env = TableEnv("skruuvi")
    env.reset(seed=1)
    (deal,) = data_of(replay(env.record()))
    assert (len(deal["frames"]), deal["done"], deal["contract"]) == (1, False, "")


def test_thoughts_are_told_the_likeliest_first() -> None:
    record = thoughtful(records_of("vint")[0])
    (deal,) = data_of(replay(record))
    told = record["notes"][-1]["thoughts"]
    assert len(deal["thoughts"]) == len(record["actions"])
    for thought, shown in zip(told, deal["thoughts"], strict=True):
        if thought is None:
            assert shown is None
            continue
        assert shown["value"] == thought["value"]
        assert len(shown["chances"]) + shown["others"] == len(thought["probabilities"])
        chances = [chance for _, _, chance in shown["chances"]]
        assert chances == sorted(thought["probabilities"].values(), reverse=True)[: len(chances)]


def test_text_of_files_is_escaped() -> None:
    record = records_of("biritch")[0]
    record["notes"] += [{"players": dict.fromkeys("NESW", BAD)}, BAD]
    page = replay(record, title=BAD)
    assert "<img" not in page.html
    assert page.html.count("</script>") == 2
    (deal,) = data_of(page)
    assert deal["players"]["N"] == deal["remarks"][0] == BAD


def test_a_page_names_nothing_outside() -> None:
    page = replay(records_of("vint")).html
    assert set(re.findall(r"\w+://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_a_notebook_shows_the_page_in_a_sandbox() -> None:
    page = replay(records_of("vint"))
    shown = page._repr_html_()
    (inner,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert html.unescape(inner) == page.html
    assert 'sandbox="allow-scripts"' in shown


def test_nothing_to_show_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        replay([])
    record = records_of("vint")[0]
    with pytest.raises(RecordError, match="the score lines are"):
        replay(record | {"lines": []})


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals, page = tmp_path / "deals.jsonl", tmp_path / "page.html"
    write_records(deals, records_of("skruuvi"))
    assert main(["replay", str(deals)]) == 0
    assert "deals.html" in capsys.readouterr().out
    assert main(["replay", str(deals), "-o", str(page)]) == 0
    assert page.read_text(encoding="utf-8") == (tmp_path / "deals.html").read_text(encoding="utf-8")
    deals.write_text("{}\n", encoding="utf-8")
    assert main(["replay", str(deals)]) == 1
    assert "line 1" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 1
