"""Tables: the arrays, resetting, branching, results, and what critics may see."""

from typing import Any

import numpy as np
import pytest
from playing import (
    EPISODES, GAMES, LONG_EPISODES, LONGEST, PASS, VOIDABLE, at, draw, make_env, make_tables, margins, opening_of, pick,
    positions, running,
)

from skruv import OptionError, Tables
from skruv.engine.cards import CARDS, SEATS
from skruv.games import load

games = pytest.mark.parametrize("game", GAMES)


@games
@pytest.mark.parametrize("features", ["full", "raw"])
def test_shapes_and_types(game: str, features: str) -> None:
    tables = make_tables(game, 7, seed=0, features=features)
    observation, mask, seat = tables.observe()
    assert observation.shape == (7, tables.size)
    assert mask.shape == (7, len(tables.game.actions)) == (7, tables.actions)
    assert seat.shape == tables.phase.shape == tables.forced.shape == (7,)
    assert {array.dtype for array in (observation, mask, seat, tables.phase, tables.hidden())} == {np.dtype(np.int8)}
    assert tables.hidden().shape == (7, 3, len(CARDS))
    reward, terminated, truncated = tables.step(mask.argmax(axis=1))
    assert (reward.shape, reward.dtype) == ((7, len(SEATS)), np.float32)
    assert {(flags.shape, flags.dtype) for flags in (terminated, truncated, tables.forced)} == {((7,), np.dtype(np.bool_))}


@games
def test_raw_features_are_the_front_of_the_full_ones(game: str) -> None:
    full, raw = (make_tables(game, 20, seed=1, features=features, autoreset=False) for features in ("full", "raw"))
    assert raw.size < full.size
    for rows in positions(full, np.random.default_rng(1)):
        raw.load(full.save())
        for seat in SEATS:
            assert np.array_equal(full.observe(seat, rows).observation[:, : raw.size], raw.observe(seat, rows).observation)


@pytest.mark.parametrize(("game", "episode"), EPISODES)
def test_autoreset_begins_the_next_episode_in_the_same_step(game: str, episode: str) -> None:
    """The same as tables that are reset by hand, deal after deal."""
    options: dict[str, Any] = {"seed": 2, "episode": episode, "max_deals": 3, "ledger": "random"}
    auto, hand = make_tables(game, 6, **options), make_tables(game, 6, autoreset=False, **options)
    ends = 0
    for turn in range(900):
        actions = pick(auto.legal(), turn)
        assert np.array_equal(actions, pick(hand.legal(), turn))
        outcomes = auto.step(actions), hand.step(actions)
        assert all(np.array_equal(*pair) for pair in zip(*outcomes, strict=True))
        over = np.flatnonzero(outcomes[1].terminated | outcomes[1].truncated)
        assert hand.ended[over].all()
        assert not hand.legal()[over].any()
        assert not auto.ended.any()
        hand.reset(over)
        ends += len(over)
        for seat in SEATS:
            assert np.array_equal(auto.observe(seat).observation, hand.observe(seat).observation)
        assert (auto.states["begun"][over] == 1).all()
    assert ends > 6


@games
def test_only_the_given_rows_move(game: str) -> None:
    tables = make_tables(game, 8, seed=3)
    for rows in (at(5, 1), at(), at(7), np.arange(8) % 3 == 0):
        where = np.arange(8)[rows]
        before = tables.save()
        seen = tables.observe(rows=rows)
        assert np.array_equal(seen.mask, tables.observe().mask[where])
        outcome = tables.step(seen.mask.argmax(axis=1), rows)
        assert len(outcome.reward) == len(where)
        changed = tables.states != before
        assert np.array_equal(np.flatnonzero(changed), np.sort(where))
    before = tables.save()
    tables.reset(at(2, 4), seed=50)
    assert np.array_equal(np.flatnonzero(tables.states != before), [2, 4])
    assert (tables.states[[2, 4]]["dealt"] == make_tables(game, 2, seed=50).states["dealt"]).all()
    tables.reset(at(4))
    assert (tables.states["dealt"][4] != make_tables(game, 1, seed=51).states["dealt"][0]).any()


@games
def test_each_table_may_be_seen_from_another_seat(game: str) -> None:
    tables = make_tables(game, 4, seed=4)
    seats = np.array([3, 0, 2, 1])
    seen = tables.observe(seats)
    assert np.array_equal(seen.seat, seats)
    for row, seat in enumerate(seats):
        assert np.array_equal(seen.observation[row], tables.observe(int(seat)).observation[row])
    assert np.array_equal(seen.mask.any(axis=1), tables.states["seat"] == seats)
    assert np.array_equal(tables.observe(1, at(2)).observation[0], tables.observe(1).observation[2])


@games
def test_saved_states_branch(game: str) -> None:
    tables = make_tables(game, 5, seed=5, trails=True)
    for turn in range(20):
        tables.step(pick(tables.legal(), turn))
    saved = tables.save(at(3))
    branches = make_tables(game, 4, seed=99, autoreset=False)
    branches.load(np.repeat(saved, 3), at(0, 1, 3))
    assert np.array_equal(branches.observe().observation[[0, 1, 3]], np.repeat(tables.observe().observation[3:4], 3, axis=0))
    tables.load(saved, at(0))
    for turn in range(60):
        actions = pick(tables.legal(), turn)
        actions[3] = actions[0]
        outcome = tables.step(actions)
        assert np.array_equal(outcome.reward[0], outcome.reward[3])
    assert tables.states[0] == tables.states[3]
    over = make_tables(game, 1, seed=1, autoreset=False)
    list(positions(over, np.random.default_rng(1)))
    fresh = make_tables(game, 1, seed=2, autoreset=False)
    fresh.load(over.save())
    assert len(running(fresh)) == 0
    assert fresh.observe().seat[0] == -1
    with pytest.raises(ValueError, match="records"):
        branches.load(saved)
    other = next(name for name in GAMES if name != game)
    with pytest.raises(ValueError, match="saved from"):
        branches.load(make_tables(other, 4, seed=0).save())


@pytest.mark.parametrize(("game", "episode"), LONG_EPISODES)
def test_results_tell_of_the_last_finished_deal(game: str, episode: str) -> None:
    tables = make_tables(game, 10, seed=6, episode=episode)
    assert (tables.results["contract"] == -1).all()
    paid = 0
    results = tables.results
    for turn in range(600):
        finished, last = tables.states["finished"].copy(), results
        outcome = tables.step(pick(tables.legal(), turn))
        results = tables.results
        done = (tables.states["finished"] != finished) | outcome.terminated | outcome.truncated
        assert np.array_equal(outcome.reward[:, 0], np.where(done, margins(tables), 0))
        assert (results[~done] == last[~done]).all()
        played = results[done & (results["contract"] >= 0)]
        assert (played["contract"] < len(tables.game.contracts)).all()
        assert np.isin(played["declarer"], SEATS).all()
        assert (played["tricks"].sum(axis=1) > 11).all()
        paid += done.sum()
    assert paid > 20
    assert results.dtype["lines"].shape == (len(tables.game.lines), 2)


@pytest.mark.parametrize("game", VOIDABLE)
def test_a_passed_out_deal_has_an_empty_result(game: str) -> None:
    tables = make_tables(game, 2, seed=1, autoreset=False)
    list(positions(tables, np.random.default_rng(0)))
    tables.reset()
    for _ in range(tables.game.passes_to_void or 0):
        tables.step([PASS, PASS])
    assert (tables.results["contract"] == -1).all()
    assert (tables.results["declarer"] == -1).all()
    assert not tables.results["lines"].any()


@games
def test_hidden_hands_are_those_of_left_partner_and_right(game: str) -> None:
    tables = make_tables(game, 30, seed=7, autoreset=False)
    for rows in positions(tables, np.random.default_rng(7)):
        hidden = tables.hidden()
        for chair in (1, 2, 3):
            seats = (tables.states["seat"] + chair) % 4
            hands = np.take_along_axis(tables.states["hand"], seats[:, None].astype(np.int64), axis=1)
            assert np.array_equal(hidden[rows, chair - 1], (hands >> np.arange(52) & 1)[rows])


@games
def test_phase_and_forced(game: str) -> None:
    tables = make_tables(game, 30, seed=8, autoreset=False)
    for rows in positions(tables, np.random.default_rng(8)):
        masks = tables.observe(rows=rows).mask
        assert np.array_equal(tables.forced[rows], masks.sum(axis=1) == 1)
        assert (tables.phase[rows] >= 0).all()
        in_play = np.array(tables.game.phases)[tables.phase[rows]] == "play"
        assert (masks[in_play, : len(CARDS)].any(axis=1)).all()
        assert not masks[in_play, len(CARDS):].any()
    assert (tables.phase == -1).all()
    assert not tables.forced.any()


@games
def test_trails_keep_this_deal_and_the_one_before(game: str) -> None:
    tables = make_tables(game, 3, seed=9, trails=True, episode=LONGEST[game])
    story: list[tuple[int, int]] = []
    before: list[tuple[int, int]] = []
    for turn in range(400):
        begun = tables.states["stream"][1]
        actions = pick(tables.legal(), turn)
        story.append((int(tables.states["seat"][1]), int(actions[1])))
        tables.step(actions)
        if tables.states["stream"][1] != begun:
            before, story = story, []
        for previous, expected in ((False, story), (True, before)):
            trail = tables.trail(1, previous=previous)
            assert list(zip(trail.seat.tolist(), trail.action.tolist(), strict=True)) == expected
    assert before
    tables.reset(at(1))
    assert not len(tables.trail(1).action)
    assert not len(tables.trail(1, previous=True).action)
    with pytest.raises(OptionError, match="trails"):
        make_tables(game).trail(0)


@games
def test_rules_may_change_between_episodes(game: str) -> None:
    tables = make_tables(game, 2, seed=1, autoreset=False)
    tables.change_rules(first_dealer="W")
    before = tables.save()
    assert (tables.states == before).all()
    tables.reset()
    assert (tables.states["dealer"] == 3).all()
    tables.change_rules(episode=LONGEST[game])
    tables.reset(at(1))
    assert (tables.states["rules"][0] != tables.states["rules"][1]).any()
    with pytest.raises(OptionError, match="first_dealer"):
        tables.change_rules(first_dealer="X")
    with pytest.raises(OptionError, match="autoreset"):
        make_tables(game).change_rules(first_dealer="W")


@games
def test_deals_for_all_tables_or_for_each(game: str) -> None:
    source = make_tables(game, 3, seed=12)
    tables = make_tables(game, 3, seed=13, autoreset=False)
    tables.reset(deals=opening_of(source.states[1]))
    assert (tables.states["dealt"] == source.states["dealt"][1]).all()
    tables.reset(seed=13, deals=[opening_of(source.states[2]), {}, {}])
    assert (tables.states["dealt"][0] == source.states["dealt"][2]).all()
    assert (tables.states["dealt"][1:] == make_tables(game, 3, seed=13).states["dealt"][1:]).all()
    tables.reset(at(2), deals=[{"dealer": "W"}])
    assert tables.states["dealer"][2] == 3


@games
def test_a_given_deal_does_not_shift_the_ones_after_it(game: str) -> None:
    tables, given = (make_tables(game, 1, seed=14, autoreset=False) for _ in range(2))
    tables.reset(seed=14)
    given.reset(seed=14, deals=opening_of(make_tables(game, 1, seed=0).states[0]))
    for each in (tables, given):
        each.reset()
    assert (tables.states["dealt"] == given.states["dealt"]).all()


@games
def test_views_are_what_the_actors_know__P12(game: str) -> None:
    tables = make_tables(game, 12, seed=15)
    rng = np.random.default_rng(15)
    for _ in range(60):
        views = tables.views(at(1, 4, 9))
        seen = tables.observe(rows=at(1, 4, 9))
        assert len(views) == 3
        assert views.game is tables.game
        assert all(np.array_equal(*pair) for pair in zip((views.observation, views.mask, views.seat), seen, strict=True))
        for place, row in enumerate((1, 4, 9)):
            assert views.state[place] == tables.known(int(seen.seat[place]), at(row))[0]
        part = views[np.array([2, 0])]
        assert np.array_equal(part.mask, views.mask[[2, 0]])
        assert (part.state == views.state[[2, 0]]).all()
        tables.step(draw(tables.legal(), rng))


@games
def test_a_game_may_be_given_itself(game: str) -> None:
    assert Tables(load(game), seed=1).states["dealt"].tolist() == Tables(game, seed=1).states["dealt"].tolist()
    assert make_env(game).game is load(game)


@games
def test_a_trail_begins_anew_after_an_illegal_action(game: str) -> None:
    tables = make_tables(game, 1, seed=1, illegal="terminate", trails=True)
    legal = tables.observe().mask[0]
    tables.step(np.array([int(np.flatnonzero(legal)[0])]))
    assert len(tables.trail(0).action) == 1
    tables.step(np.array([-1]))
    assert len(tables.trail(0).action) == 0
