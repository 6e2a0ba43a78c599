"""Records: what an environment writes down can be read, played again and believed, and nothing else can."""

import copy
import json
import re
from contextlib import suppress
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skruv import NotationError, RecordError, TableEnv
from skruv.engine.cards import CARD_NAMES, CARDS, SEATS, SIDE_NAMES
from skruv.games import VERSIONS, load
from skruv.notation import (
    action_text, board_of, card_text, cards_of, cards_text, deal_text, hand_text, parse_action, parse_card, parse_cards,
    parse_deal, parse_hand,
)
from skruv.record import (
    KEYS, OPTIONAL, SCHEMA, Record, players_of, read_records, replay, thoughts_of, verify, with_thoughts, write_records,
)

GAMES = tuple(VERSIONS)
fuzz = settings(deadline=None, derandomize=True, max_examples=200)


def played(
    game: str, *, seed: int = 1, actions: int | None = None, begin: dict[str, Any] | None = None, **options: Any
) -> list[Record]:
    """The records of an episode, or of its first so many actions, in which every choice is drawn."""
    env, rng = TableEnv(game, **options), Random(seed)
    env.reset(seed=seed, options=begin)
    count = 0
    while not any((*env.terminations.values(), *env.truncations.values())) and count != actions:
        env.step(rng.choice(env.legal_actions()))
        count += 1
    return env.unwrapped.record()


# ---- what is written --------------------------------------------------------------------------------------------------------

EPISODES = {
    "vint deal": ("vint", {}, {}),
    "vint rubber": ("vint", {"episode": "rubber", "end_passes": 8}, {}),
    "vint rubber from a score": ("vint", {"episode": "rubber"}, {"ledger": {"below": [480, 120], "games": [0, 1]}}),
    "vint contract": ("vint", {}, {"contract": "3N", "declarer": "E", "dealer": "S"}),
    "vint rubber from a contract": ("vint", {"episode": "rubber"}, {"contract": "1S", "declarer": "W"}),
    "skruuvi deal": ("skruuvi", {}, {}),
    "skruuvi rubber": ("skruuvi", {"episode": "rubber", "all_pass": "redeal"}, {}),
    "skruuvi match": ("skruuvi", {"episode": "match", "variant": "university"}, {}),
    "skruuvi end of a match": ("skruuvi", {"episode": "match"}, {"ledger": {"deal": 22, "total": [-300, 40]}}),
    "skruuvi rubbers": ("skruuvi", {"episode": "match", "rubbers": 2, "variant": "simplified"}, {}),
    "skruuvi contract": ("skruuvi", {"solo_partner": "opponent"}, {"contract": "misaari", "declarer": "W"}),
    "skruuvi contract without kotka": ("skruuvi", {"kitty": False}, {"contract": "9S", "declarer": "N"}),
    "biritch deal": ("biritch", {"max_doublings": 3}, {}),
    "biritch rubber": ("biritch", {"episode": "rubber", "first_dealer": "E"}, {}),
    "biritch contract": ("biritch", {}, {"contract": "H", "declarer": "S", "ledger": {"below": [28, 2], "games": [1, 0]}}),
    "forced turns": ("biritch", {"skip_forced": True}, {}),
    "a running score": ("vint", {"ledger": "random"}, {}),
    "truncated": ("vint", {"episode": "rubber", "max_deals": 2}, {}),
}


@pytest.mark.parametrize("name", EPISODES)
def test_finished_deals_are_recorded_and_verify__P19(name: str) -> None:
    game, options, begin = EPISODES[name]
    records = played(game, begin=begin, **options)
    for record in records:
        assert record["schema"] == SCHEMA
        assert record["lines"] is not None
        verify(json.loads(json.dumps(record)))
    for record, following in pairwise(records):
        earned = [sum(points for side, *_, points in record["lines"] if side == name) for name in SIDE_NAMES]
        total = np.add(record["ledger_before"]["total"], earned)
        assert following["ledger_before"]["total"] == total.tolist()


def test_a_match_is_recorded_deal_by_deal__K34() -> None:
    records = played("skruuvi", episode="match")
    assert [record["ledger_before"]["deal"] for record in records] == list(range(28))
    assert ["kotka" in record for record in records] == [True] * 24 + [False] * 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("actions", [0, 1, 8, 40])
def test_an_unfinished_deal_has_no_lines(game: str, actions: int) -> None:
    record = played(game, actions=actions)[-1]
    assert record["lines"] is None
    assert len(record["actions"]) == actions
    verify(json.loads(json.dumps(record)))


def test_a_given_contract_stands_in_the_first_record_alone() -> None:
    first, *others = played("vint", begin={"contract": "1S", "declarer": "W"}, episode="rubber")
    assert (first["contract"], first["declarer"]) == ("1S", "W")
    assert first["actions"][0] in CARD_NAMES
    assert others
    assert not any("contract" in record or "declarer" in record for record in others)


def test_replay_shows_the_table_before_and_after_each_action() -> None:
    record = played("biritch")[0]
    finished = [int(table.states["finished"][0]) for table in replay(record)]
    assert finished == [0] * len(record["actions"]) + [1]


@pytest.mark.parametrize("game", GAMES)
def test_records_are_read_as_they_were_written__P19(game: str, tmp_path: Path) -> None:
    records = [*played(game, seed=1), *played(game, seed=2), *played(game, actions=20)]
    records[1]["notes"] = ["Sköna Gertrud", {"mark": 3}]
    write_records(tmp_path / "deals", records)
    assert read_records(tmp_path / "deals") == records
    assert len((tmp_path / "deals").read_text().splitlines()) == 3


@pytest.mark.parametrize("game", GAMES)
def test_thoughts_are_read_as_they_were_written(game: str, tmp_path: Path) -> None:
    record = played(game)[0]
    assert thoughts_of(record) == [None] * len(record["actions"])
    thoughts: list[Any] = [{"probabilities": {action: 0.75}, "value": -3.5} for action in record["actions"]]
    thoughts[:3] = [None, {}, {"value": 1}]
    told = with_thoughts(record | {"notes": ["a remark", {"players": {"N": "thumb"}, "seed": 5}]}, thoughts)
    write_records(tmp_path / "deals", [told])
    (again,) = read_records(tmp_path / "deals")
    assert again == told
    assert thoughts_of(again) == thoughts
    assert players_of(again) == {"N": "thumb"}
    assert players_of(record) == {}
    assert record["notes"] == []


# ---- what is refused --------------------------------------------------------------------------------------------------------

WHOLE = played("skruuvi", honours=False)[0]
GIVEN = played("vint", begin={"contract": "3N", "declarer": "E"})[0]
HALF = played("skruuvi", actions=20)[0]
VINT = played("vint")[0]
BIRITCH = played("biritch")[0]


def changed(record: Record, **values: Any) -> Record:
    return copy.deepcopy(record) | values


def with_line(record: Record, place: int, part: int, value: Any) -> Record:
    record = copy.deepcopy(record)
    record["lines"][place][part] = value
    return record


def with_action(record: Record, place: int, action: Any) -> Record:
    record = copy.deepcopy(record)
    record["actions"][place] = action
    return record


def hands_of(record: Record) -> list[str]:
    return record["deal"][2:].split()


def with_hands(record: Record, hands: list[str]) -> Record:
    return changed(record, deal=f"N:{' '.join(hands)}")


def without(record: Record, key: str) -> Record:
    return {name: value for name, value in record.items() if name != key}


def thinking(value: Any, place: int = 0) -> Record:
    """``VINT`` with a thought before an action."""
    thoughts: list[Any] = [None] * len(VINT["actions"])
    thoughts[place] = value
    return changed(VINT, notes=["a remark", {"thoughts": thoughts}])


TAMPERED = {
    "schema": (changed(WHOLE, schema="skruv.deal/2"), "schema 'skruv.deal/2' is not known"),
    "no schema": (without(WHOLE, "schema"), "schema None is not known"),
    "key": (changed(WHOLE, player="N"), "'player' is not known"),
    "game": (changed(WHOLE, game="whist"), "game 'whist' is not known; there are vint, skruuvi, biritch"),
    "another game": (changed(WHOLE, game="vint"), "VintRules has no option 'honours'"),
    "rule": (changed(WHOLE, rules={"ace": 3}), "SkruuviRules has no option 'ace'"),
    "table option": (changed(WHOLE, rules={"threads": 2}), "SkruuviRules has no option 'threads'"),
    "value of a rule": (changed(WHOLE, rules={"all_pass": "never"}), "SkruuviRules.all_pass = 'never'"),
    "number for a rule": (changed(WHOLE, rules={"honours": 1}), "SkruuviRules.honours = 1"),
    "contradictory rules": (changed(WHOLE, rules={"rubbers": 3}), "SkruuviRules.rubbers = 3"),
    "variant": (changed(WHOLE, rules={"variant": "solo"}), "variant = 'solo'"),
    "another contract": (changed(GIVEN, contract="7N"), "the score lines are"),
    "dealer": (changed(WHOLE, dealer="X"), "'X' is not a seat"),
    "another dealer": (changed(WHOLE, dealer="NESW"["WNES".index(WHOLE["dealer"])]), r"action \d+"),
    "hands exchanged": (with_hands(WHOLE, hands_of(WHOLE)[::-1]), r"action \d+ \('..'\): .* is not legal"),
    "hand twice": (with_hands(WHOLE, [hands_of(WHOLE)[0], *hands_of(WHOLE)[:3]]), "is dealt twice"),
    "card": (changed(VINT, deal=VINT["deal"].replace("K", "Y", 1)), "'.Y' is not a card"),
    "card twice": (changed(VINT, deal=VINT["deal"].replace("K", "A", 1)), "twice"),
    "card missing": (changed(VINT, deal=VINT["deal"].replace("K", "", 1)), "and 0 cards apart"),
    "hand missing": (with_hands(VINT, hands_of(VINT)[:3]), "four hands"),
    "kotka": (changed(WHOLE, kotka=WHOLE["kotka"][:8]), "3 cards apart"),
    "kotka of 13-card hands": (changed(VINT, kotka="SA"), "is dealt twice"),
    "contract alone": (without(GIVEN, "declarer"), "contract and declarer must be given together"),
    "declarer alone": (without(GIVEN, "contract"), "contract and declarer must be given together"),
    "contract": (changed(GIVEN, contract="8N"), "'8N' is not a contract"),
    "declarer": (changed(GIVEN, declarer="north"), "'north' is not a seat"),
    "action": (with_action(WHOLE, 0, "14N"), r"action 0 \('14N'\): '14N' is not an action of Skruuvi"),
    "illegal action": (with_action(WHOLE, 1, WHOLE["actions"][-1]), r"action 1 \('..'\): .* is not legal; legal now:"),
    "card played twice": (with_action(VINT, -1, VINT["actions"][-2]), r"action \d+ \('..'\): .* is not legal"),
    "number for an action": (with_action(WHOLE, 0, 52), r"action 0 \(52\)"),
    "action missing": (changed(WHOLE, actions=WHOLE["actions"][:-1]), "the engine finds None"),
    "action after the end": (changed(WHOLE, actions=[*WHOLE["actions"], "P"]), r"\('P'\): the deal is over before it"),
    "points": (with_line(VINT, 0, 3, VINT["lines"][0][3] + 10), "the score lines are"),
    "side of a line": (with_line(VINT, 0, 0, "EW" if VINT["lines"][0][0] == "NS" else "NS"), "the score lines are"),
    "column of a line": (with_line(VINT, 0, 1, "beside"), "the score lines are"),
    "kind of a line": (with_line(VINT, 0, 2, "beauty"), "the score lines are"),
    "line missing": (changed(VINT, lines=VINT["lines"][1:]), "the score lines are"),
    "line more": (changed(VINT, lines=[*VINT["lines"], VINT["lines"][0]]), "the score lines are"),
    "no lines": (changed(VINT, lines=None), "the score lines are None, but the engine finds"),
    "lines of an unfinished deal": (changed(HALF, lines=[]), r"the score lines are \[\], but the engine finds None"),
    "score below": (changed(VINT, ledger_before={"below": [500, 0]}), "must be 0..499"),
    "negative score below": (changed(VINT, ledger_before={"below": [-2, 0]}), "must be 0..499"),
    "games": (changed(BIRITCH, ledger_before={"games": [0, 2]}), "must be 0..1"),
    "three sides": (changed(VINT, ledger_before={"total": [0, 0, 0]}), "whole numbers of shape"),
    "points for truth": (changed(VINT, ledger_before={"total": [True, 1]}), "whole numbers of shape"),
    "fraction": (changed(VINT, ledger_before={"total": [0.5, 0]}), "whole numbers of shape"),
    "number of the deal": (changed(WHOLE, ledger_before={"deal": 28}), "must be 0..27"),
    "entry in the ledger": (changed(WHOLE, ledger_before={"below": [0, 0]}), "Skruuvi has no 'below'; there are total, deal"),
    "large number of the deal": (changed(WHOLE, ledger_before={"deal": 10**30}), "ledger"),
    "large total": (changed(VINT, ledger_before={"total": [10**400, 0]}), "ledger"),
    "total of 2**64": (changed(VINT, ledger_before={"total": [2**64, 0]}), "ledger"),
    "total of 2**63": (changed(VINT, ledger_before={"total": [2**63, 0]}), "ledger"),
    "total of 2**63 - 1": (changed(VINT, ledger_before={"total": [2**63 - 1, 0]}), "ledger"),
    "large rule": (changed(BIRITCH, rules={"max_doublings": 10**30}), "BiritchRules.max_doublings"),
    "large points": (with_line(VINT, 0, 3, 10**400), "the score lines are"),
    "thoughts missing": (changed(VINT, notes=[{"thoughts": [None]}]), r"an entry for each of the \d+ actions, not list of 1"),
    "thoughts of another type": (changed(VINT, notes=[{"thoughts": {}}]), r"an entry for each of the \d+ actions, not dict"),
    "thoughts twice": (changed(VINT, notes=[{"thoughts": []}, {"thoughts": []}]), "'thoughts' stands 2 times"),
    "thought of another type": (thinking("pass", 2), "the thought of action 2 must be null or an object"),
    "thought with another key": (thinking({"mood": 1}), "must be null or an object of 'probabilities' and 'value'"),
    "value of a thought": (thinking({"value": "high"}), "'value' must be a finite number, not 'high'"),
    "endless value": (thinking({"value": float("inf")}), "'value' must be a finite number, not inf"),
    "truth for a value": (thinking({"value": True}), "'value' must be a finite number, not True"),
    "large value": (thinking({"value": 10**400}), "'value' must be a finite number"),
    "probabilities": (thinking({"probabilities": [0.5]}), "'probabilities' must be an object of numbers from 0 to 1"),
    "probability above 1": (thinking({"probabilities": {"P": 1.5}}), "'probabilities' must be an object of numbers from 0 to 1"),
    "probability that is no number": (thinking({"probabilities": {"P": float("nan")}}), "numbers from 0 to 1"),
    "probabilities that sum to more": (thinking({"probabilities": {"P": 0.75, "1S": 0.5}}), "sum to 1.25, more than 1"),
    "probability of no action": (thinking({"probabilities": {"1NT": 0.5}}), r"action 0 .*'1NT' is not an action of Vint"),
    "probability of an illegal action": (thinking({"probabilities": {"SA": 0.5}}), "action 0 .* a probability of SA, which is not legal"),
    "players": (changed(VINT, notes=[{"players": ["thumb"]}]), "'players' must be an object of names by seat letter"),
    "player of no seat": (changed(VINT, notes=[{"players": {"Q": "thumb"}}]), "'players' must be an object of names by seat letter"),
    "name of a player": (changed(VINT, notes=[{"players": {"N": 5}}]), "'players' must be an object of names by seat letter"),
    "a list": ([WHOLE], "a record is a JSON object, not list"),
    "a number": (5, "a record is a JSON object, not int"),
    "null": (None, "a record is a JSON object, not NoneType"),
}


def refusal(path: Path, text: str | bytes) -> str:
    """Why a file can't be read."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RecordError) as caught:
        read_records(path)
    return str(caught.value)


def among_others(line: str) -> str:
    """A file of three lines, this one the second."""
    return f"{json.dumps(VINT)}\n{line}\n{json.dumps(VINT)}\n"


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_record_is_refused_by_file_line_and_reason__P19(name: str, tmp_path: Path) -> None:
    record, reason = TAMPERED[name]
    message = refusal(tmp_path / "deals", among_others(json.dumps(record)))
    assert message.startswith(f"{tmp_path / 'deals'}, line 2: ")
    assert re.search(reason, message)


@pytest.mark.parametrize("key", KEYS[1:])
def test_every_key_is_needed(key: str, tmp_path: Path) -> None:
    assert f"line 2: {key!r} is missing" in refusal(tmp_path / "deals", among_others(json.dumps(without(WHOLE, key))))


TYPES = {
    "schema": [str], "game": [str], "rules": [dict], "dealer": [str], "deal": [str], "kotka": [str], "contract": [str],
    "declarer": [str], "actions": [list], "ledger_before": [dict], "lines": [list, type(None)], "notes": [list],
}
OTHER_TYPES = [
    (key, value) for key, types in TYPES.items()
    for value in (None, True, 5, 2.5, "five", [], [None], {}, {"five": 5}) if type(value) not in types
]


@pytest.mark.parametrize(("key", "value"), OTHER_TYPES)
def test_values_of_another_type_are_refused(key: str, value: Any, tmp_path: Path) -> None:
    record = changed(GIVEN if key in ("contract", "declarer") else WHOLE, **{key: value})
    assert refusal(tmp_path / "deals", among_others(json.dumps(record))).startswith(f"{tmp_path / 'deals'}, line 2: ")


def test_every_key_is_known_here() -> None:
    assert set(TYPES) == {*KEYS, *OPTIONAL}


TEXTS = {
    "empty file": ("", 1), "empty line": (among_others(""), 2), "blank": (" \n", 1),
    "binary rubbish": (bytes(range(256)) * 4, 1), "zeros": (bytes(64), 1),
    "cut short": (json.dumps(VINT)[:-40], 1), "cut short in the last line": (among_others(json.dumps(WHOLE))[:-40], 3),
    "two on a line": (json.dumps(VINT) * 2, 1), "no JSON": (among_others("{'schema': 1}"), 2),
    "more digits than Python reads": (among_others(json.dumps(VINT).replace("[0, 0]", f"[{9 * '1' * 600}, 0]")), 2),
    "brackets without end": (among_others("[" * 100_000), 2),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_that_is_no_record_is_refused_by_file_and_line(name: str, tmp_path: Path) -> None:
    text, line = TEXTS[name]
    assert refusal(tmp_path / "deals", text).startswith(f"{tmp_path / 'deals'}, line {line}: ")


def thoughtful(record: Record) -> Record:
    """``record`` with an empty thought before each action, as the first of its notes."""
    return with_thoughts(record, [{} for _ in record["actions"]])


some_text = st.text() | st.sampled_from((*CARD_NAMES, "total", "deal", "variant", "N", "9S"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(2**62, 2**70) | st.floats() | some_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(some_text, inner, max_size=3),
    max_leaves=8,
)
places = st.sampled_from([
    *((key,) for key in TYPES),
    *(("rules", rule) for rule in ("variant", "rubbers", "kitty", "episode", "first_dealer", "max_doublings")),
    *(("ledger_before", entry) for entry in ("total", "deal", "below", "games")),
    ("actions", 0), ("actions", -1), ("lines", 0), ("notes", 0), ("notes", 0, "thoughts"), ("notes", 0, "thoughts", 0),
    *(("notes", 0, "thoughts", 0, part) for part in ("value", "probabilities")), ("notes", 0, "players"),
])


@fuzz
@example(WHOLE, ("game",), [])
@example(WHOLE, ("rules", "variant"), [])
@example(WHOLE, ("kotka",), 5)
@given(st.sampled_from((WHOLE, GIVEN, VINT, BIRITCH)).map(thoughtful), places, json_values)
def test_any_value_in_any_place_verifies_or_is_refused(record: Record, place: tuple[Any, ...], value: Any) -> None:
    record = copy.deepcopy(record)
    *outer, key = place
    inner: Any = record
    for name in outer:
        inner = inner[name]
    inner[key] = value
    with suppress(RecordError):
        verify(record)


# ---- notation ---------------------------------------------------------------------------------------------------------------

packs = st.permutations(CARDS)
boards = st.sets(st.sampled_from(CARDS)).map(board_of)


@pytest.mark.parametrize("game", GAMES)
def test_names_of_actions_are_read_back(game: str) -> None:
    actions = load(game).actions
    assert len(set(actions)) == len(actions)
    for action in range(len(actions)):
        assert parse_action(load(game), action_text(load(game), action)) == action


def test_names_of_cards_are_read_back() -> None:
    for spell in (str, str.lower, lambda name: f" {name.replace('T', '10')} "):
        assert [parse_card(spell(card_text(card))) for card in CARDS] == list(CARDS)


@fuzz
@given(boards)
def test_hands_and_sets_of_cards_are_read_back(board: int) -> None:
    assert parse_hand(hand_text(board)) == board
    assert parse_cards(cards_text(board)) == board
    assert board_of(cards_of(board)) == board
    assert parse_hand(hand_text(board).lower().replace("t", "10")) == board


@fuzz
@given(packs, st.sampled_from((12, 13)), st.sampled_from(SEATS))
def test_deals_are_read_back_from_any_seat(pack: list[int], size: int, first: int) -> None:
    hands = tuple(board_of(pack[size * seat : size * (seat + 1)]) for seat in SEATS)
    kotka = board_of(pack[4 * size :])
    assert parse_deal(deal_text(hands), cards_text(kotka)) == (hands, kotka)
    assert parse_deal(deal_text(hands)) == (hands, kotka)
    turned = [hand_text(hands[(first + place) % 4]) for place in SEATS]
    assert parse_deal(f"{'NESW'[first]}:{' '.join(turned)}") == (hands, kotka)


@fuzz
@given(packs, st.sampled_from(list(permutations(range(52), 2))))
def test_a_card_dealt_twice_is_named(pack: list[int], places: tuple[int, int]) -> None:
    twice, lost = places
    pack[lost] = pack[twice]
    name = card_text(pack[twice])
    names = [card_text(card) for card in pack]
    hands = [
        ".".join("".join(rank for suit, rank in names[13 * seat : 13 * seat + 13] if suit == held) for held in "SHDC")
        for seat in SEATS
    ]
    with pytest.raises(NotationError, match=f"^{name} is dealt twice|^'{name}' stands twice"):
        parse_deal(f"N:{' '.join(hands)}")


NORTH, EAST, SOUTH, WEST = hands_of(VINT)


@pytest.mark.parametrize(("text", "kotka", "reason"), [
    ("", "", "deal ''"),
    (f"{NORTH} {EAST} {SOUTH} {WEST}", "", "a seat letter, a colon and four hands"),
    (f"X:{NORTH} {EAST} {SOUTH} {WEST}", "", "'X:"),
    (f"N:{NORTH} {EAST} {SOUTH}", "", "four hands"),
    (f"N:{NORTH} {EAST} {SOUTH} {WEST} {WEST}", "", "four hands"),
    (f"N:{NORTH} {EAST} {SOUTH} {SOUTH}", "", "is dealt twice"),
    ("N:AK.2.3 ... ... ...", "", "hand 'AK.2.3' has 3 suits"),
    ("N:A1.2.. ... ... ...", "", "'S1' is not a card"),
    ("N:AKA... ... ... ...", "", "'SA' stands twice"),
    ("N:... ... ... ...", "", r"\[0, 0, 0, 0\]"),
    (VINT["deal"], "SA", "SA is dealt twice"),
    (WHOLE["deal"], "C2 C2", "'C2' stands twice"),
    (WHOLE["deal"], "2C", "'2C' is not a card"),
    (WHOLE["deal"], WHOLE["kotka"][3:], "3 cards apart"),
])
def test_a_malformed_deal_is_refused_by_the_word_that_is_wrong(text: str, kotka: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_deal(text, kotka)


@pytest.mark.parametrize(("game", "text", "reason"), [
    ("vint", "7NT", "'7NT' is not an action of Vint; did you mean '7N'"),
    ("skruuvi", "misääri", "'misääri' is not an action of Skruuvi; did you mean 'misaari'"),
    ("biritch", "XX", "'XX' is not an action of Biritch"),
    ("vint", "", "'' is not an action of Vint, as"),
])
def test_an_unknown_action_is_named_with_the_nearest_one(game: str, text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_action(load(game), text)
