"""TableEnv: one table of any game as a PettingZoo AECEnv. The page of every game takes these sections from here.

## Rewards

| `reward` | paid | to each seat | unit |
|---|---|---|---|
| `"margin"` | when a deal is recorded | its side's points in the deal minus the other side's | points |
| `"winner"` | at the end of the episode | +1 if its side has won, -1 if the other has, 0 if neither; 0 if truncated | - |

Every reward is multiplied by `reward_scale`. Partners get the same, the other side the opposite: the four sum to 0. Over an episode
`"margin"` sums to the margin of its score sheet, exactly up to the rounding of float32. The winner of a one-deal episode is the side with
the larger margin; of a longer one the side that wins it by the rules, which may have the smaller total. A deal that is passed out is worth
0. Rewards arrive at every seat in the step that ends the deal, and are returned by `last()` at the seat's next turn.

An illegal action raises `IllegalAction`, which names the seat, the action and the legal ones, and changes nothing; with
`illegal="terminate"` it ends the episode, and each seat of the offender's side pays `illegal_penalty` points to the other side's.

## Start

`reset(seed=s)` draws the first dealer and deals; the same seed gives the same deals, whatever is played. `reset()` goes on with the
random stream. Table i of `Tables(..., seed=s)` is dealt what `reset(seed=s + i)` deals. `reset(options={...})` begins elsewhere:

| key | value |
|---|---|
| `deal` | hands as in PBN: `"N:AKQ2.K3.T98.7654 ..."`, from the named seat clockwise, spades first |
| `kotka` | Skruuvi's four cards: `"D5 SA H3 C2"` |
| `dealer` | `"N"`, `"E"`, `"S"` or `"W"` |
| `ledger` | the score sheet: by side as `[NS, EW]`, with the fields that `env.unwrapped.ledger` shows |
| `contract`, `declarer` | both: the deal begins with the play of the cards |

## End

An episode is one deal, or a longer session (`episode`); in its last step all four seats terminate together. `max_deals` truncates one that
goes on for ever (rubbers of passed-out deals). When a deal ends, `infos` of all seats hold `"deal"`: contract, declarer, doublings, tricks
by side, score lines and margin.

## Rendering

`render_mode="ansi"`: `render()` returns the table as text; `"rgb_array"`: as pixels, (H, W, 3) uint8, which needs the extra `render`;
`"human"`: it is printed after every step. `perspective="actor"` shows what the seat to act may see, `"all"` shows all hands, `"player_2"`
what that seat sees. In a notebook an environment draws itself.
"""

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from .checks import one_of, without
from .engine.cards import CARDS, NO_SEAT, SEATS
from .engine.game import Game, field_names
from .games import VERSIONS
from .notation import decode
from .record import Record, deal_record, score_lines
from .render import Past, Scene, draw, draw_html, scene_of
from .tables import IllegalAction, Tables

AGENTS = [f"player_{seat}" for seat in SEATS]
RENDER_MODES = ("ansi", "rgb_array", "human")
PERSPECTIVES = ("actor", "all", *AGENTS)


class TableEnv(AECEnv[str, Any, Any]):
    """Four seats at one table; ``player_0`` .. ``player_3`` sit N E S W, 0 and 2 against 1 and 3.

    Args:
        game: its name or the :class:`~skruv.engine.game.Game`.
        render_mode: ``"ansi"``: :meth:`render` returns text; ``"rgb_array"``: pixels; ``"human"``: text is printed after every step;
            ``None``.
        perspective: whose view is drawn: ``"actor"``, ``"all"`` hands, or an agent's.
        **options: those of :class:`~skruv.tables.Tables`, but for ``n``, ``seed``, ``autoreset``, ``threads`` and ``trails``.

    Raises:
        OptionError: an option that does not exist or is not allowed.
    """

    observation_spaces: dict[str, gymnasium.spaces.Space[Any]]
    action_spaces: dict[str, gymnasium.spaces.Space[Any]]

    def __init__(self, game: str | Game, *, render_mode: str | None = None, perspective: str = "actor", **options: Any) -> None:
        super().__init__()
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        without(options, ("n", "seed", "autoreset", "threads", "trails"), "an environment has one table, and reset(seed=...) seeds it")
        self.tables = Tables(game, 1, autoreset=False, trails=True, **options)
        self.game = self.tables.game
        self.render_mode = render_mode
        self.perspective = one_of("perspective", perspective, PERSPECTIVES)
        self.metadata = metadata(self.game.name)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        size, actions = self.tables.size, self.tables.actions
        seen: gymnasium.spaces.Space[Any] = gymnasium.spaces.Dict(
            observation=gymnasium.spaces.Box(0, 1, (size,), np.int8), action_mask=gymnasium.spaces.Box(0, 1, (actions,), np.int8)
        )
        self.observation_spaces = dict.fromkeys(AGENTS, seen)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in AGENTS}
        self.state_space = gymnasium.spaces.Box(0, 1, (size + len(SEATS) * len(CARDS),), np.int8)
        self._lane = FastLane(self.tables)
        self._deals: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._given: Mapping[str, Any] = {}
        self._seen: dict[str, np.ndarray] | None = None
        self._was_reset = False

    # ---- PettingZoo -----------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """``Dict(observation=Box(0, 1, (F,), int8), action_mask=Box(0, 1, (A,), int8))``, the same object for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """``Discrete(A)``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: a whole number; ``None`` goes on with the random stream.
            options: where to begin, the keys of ``deals`` in :meth:`skruv.tables.Tables.reset`. A key ``"options"`` is passed over:
                PettingZoo's ``api_test`` gives ``{"options": 1}``.
        """
        given = {name: value for name, value in (options or {}).items() if name != "options"}
        self.tables.reset(seed=seed, deals=given)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"action_mask": self._no_actions()} for agent in AGENTS}
        self._skip_agent_selection = None
        self._was_reset = True
        self._paid = False
        self._deals = []
        self._given = given
        self._open_deal()
        self._next_turn()

    def step(self, action: Any) -> None:
        """Make ``action`` for ``agent_selection``; ``None`` for an agent that has finished.

        Raises:
            IllegalAction: it may not be made now (with ``illegal="raise"``), or the agent has finished; nothing has changed.
            TypeError: it is not a whole number.
        """
        if not self.agents:
            raise IllegalAction("the episode is over: call reset() first" if self._was_reset else "call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"{agent} has finished its episode: step(None), not step({action!r})")
            self._was_dead_step(None)  # type: ignore[arg-type]  (PettingZoo declares an action, and allows only None)
            return
        lane = self._lane
        lane.step(self._number(action))
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_actions()}
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if lane.finished[0] > len(self._deals):
            self._close_deal()
        if lane.ended[0]:
            self._end(agent)
        else:
            self._next_turn()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` sees now: ``observation`` and ``action_mask``, the mask all zero unless it is to act."""
        if self._seen is not None and agent == self.agent_selection:
            seen, self._seen = self._seen, None
            return seen
        if agent not in AGENTS:
            raise ValueError(f"{agent!r} is not an agent; there are {', '.join(AGENTS)}")
        if not self._was_reset:
            raise IllegalAction("call reset() before observe()")
        observation, mask, _ = self.tables.observe(AGENTS.index(agent))
        return {"observation": observation[0], "action_mask": mask[0]}

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents to act, one after the other; each must be answered by a :meth:`step`."""
        if not self._was_reset:
            raise IllegalAction("call reset() before agent_iter()")
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, termination, truncation and info of the agent to act."""
        if not self.agents:
            raise IllegalAction("the episode is over: call reset() first" if self._was_reset else "call reset() before last()")
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def render(self) -> Any:
        """The table as text (``"ansi"``), as (H, W, 3) uint8 (``"rgb_array"``), or printed (``"human"``); ``None`` without a
        ``render_mode``.

        Raises:
            MissingExtra: ``"rgb_array"`` needs pillow, which the extra ``render`` brings.
        """
        if self.render_mode is None:
            modes = " or ".join(f"render_mode={mode!r}" for mode in RENDER_MODES)
            gymnasium.logger.warn(f"render() draws nothing: make the environment with {modes}")
            return None
        return draw(self.render_mode, self._scene())

    def _scene(self) -> Scene:
        past = [Past(opening[0], result) for opening, _, result in self._deals]
        return scene_of(self.tables, self._perspective(), past=past)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return draw_html(self._scene())

    def state(self) -> np.ndarray:
        """(S,) int8, for centralised critics: what ``player_0`` sees, the hands of the three others, and the cards that lie
        apart (kotka and discards)."""
        table = self.tables.states[0]
        apart = ~np.bitwise_or.reduce(table["hand"] | table["played"])
        boards = np.array([*table["hand"][1:], apart])
        hidden = (boards[:, None] >> np.arange(len(CARDS)) & 1).astype(np.int8).ravel()
        return np.concatenate([self.tables.observe(0).observation[0], hidden])

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def unwrapped(self) -> "TableEnv":
        """Itself."""
        return self

    # ---- beyond PettingZoo ----------------------------------------------------------------------------------------------------

    @property
    def layout(self) -> dict[str, slice]:
        """Where each named plane lies in ``observation``."""
        return self.game.layout(self.tables.features)

    def decode(self, observation: np.ndarray) -> dict[str, Any]:
        """An observation in words."""
        return decode(self.game, observation)

    def legal_actions(self) -> list[int]:
        """The legal actions of the agent to act."""
        return np.flatnonzero(self.tables.legal()[0]).tolist()

    @property
    def ledger(self) -> dict[str, Any]:
        """The score sheet: its fields by side, and ``lines``, for each finished deal ``[[side, column, kind, points], ...]``."""
        sheet = self.tables.states["ledger"][0]
        fields = {name: sheet[name].tolist() for name in field_names(sheet.dtype)}
        return fields | {"lines": [score_lines(self.game, result) for _, _, result in self._deals]}

    def record(self) -> list[Record]:
        """The deals of this episode, each a :mod:`skruv.record`; the last one unfinished while it is played."""
        if not self._was_reset:
            raise IllegalAction("call reset() before record()")
        deals: list[tuple[np.ndarray, np.ndarray, np.ndarray | None]] = list(self._deals)
        if self.agents and not any((*self.terminations.values(), *self.truncations.values())):
            deals.append((self._opening, self.tables.trail(0).action, None))
        return [
            deal_record(self.game, self.tables.rules, opening, actions.tolist(), result, self._given if number == 0 else None)
            for number, (opening, actions, result) in enumerate(deals)
        ]

    def determinize(self, agent: str, rng: np.random.Generator) -> np.ndarray:
        """(1,) record that ``tables.load`` takes: the state with all that ``agent`` does not know drawn uniformly from what it may be."""
        if agent not in AGENTS:
            raise ValueError(f"{agent!r} is not an agent; there are {', '.join(AGENTS)}")
        if not self._was_reset:
            raise IllegalAction("call reset() before determinize()")
        return self.tables.determinize(AGENTS.index(agent), seed=rng)

    def clone(self) -> "TableEnv":
        """An independent copy; both go on identically."""
        return copy.deepcopy(self)

    # ---- within ---------------------------------------------------------------------------------------------------------------

    def _no_actions(self) -> np.ndarray:
        return np.zeros(self.tables.actions, np.int8)

    def _number(self, action: Any) -> int:
        """``action`` as an int; -1 for one that no array holds."""
        if type(action) is not int:
            if isinstance(action, np.ndarray) and action.ndim == 0:
                action = action[()]
            if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
                raise TypeError(f"action {action!r}: it must be a whole number, not {type(action).__name__}")
        return int(action) if -(2**63) <= action < 2**63 else -1

    def _pay(self) -> None:
        """What the last step has brought to each seat."""
        self.rewards = dict(zip(AGENTS, self._lane.reward[0].tolist(), strict=True))
        self._accumulate_rewards()
        self._paid = True

    def _open_deal(self) -> None:
        self._opening = self.tables.save()

    def _close_deal(self) -> None:
        """Keep the finished deal, pay for it and tell every seat of it."""
        result = self.tables.results[0]
        self._deals.append((self._opening, self.tables.trail(0, previous=True).action, result))
        self._pay()
        summary = deal_summary(self.game, result)
        for agent in self.agents:
            self.infos[agent]["deal"] = summary
        self._open_deal()

    def _end(self, agent: str) -> None:
        """All seats finish in the same step."""
        if self.tables.states["seat"][0] != NO_SEAT and self._lane.terminated[0]:
            self._pay()
            self.infos[agent]["illegal_action"] = int(self._lane.action[0])
        self.terminations = dict.fromkeys(self.agents, bool(self._lane.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(self._lane.truncated[0]))
        self.agent_selection = self.agents[0]
        self._seen = None

    def _next_turn(self) -> None:
        """Pass the turn on, and look through the eyes of the seat that has it."""
        observation, mask, seat = self._lane.look()
        self.agent_selection = agent = AGENTS[seat]
        self._seen = {"observation": observation, "action_mask": mask}
        self.infos[agent]["action_mask"] = mask

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lane"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lane = FastLane(self.tables)

    def _perspective(self) -> int | None:
        """The seat whose view is drawn; ``None``: all hands."""
        if self.perspective == "all":
            return None
        if self.perspective != "actor":
            return AGENTS.index(self.perspective)
        return AGENTS.index(self.agent_selection) if self._was_reset else max(int(self.tables.states["seat"][0]), 0)


class FastLane:
    """The loops of a single table with every argument prepared: what :class:`~skruv.tables.Tables` does, at less cost a turn."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.action = np.zeros(1, np.int64)
        self.reward = np.zeros((1, len(SEATS)), np.float32)
        self.terminated = np.zeros(1, np.bool_)
        self.truncated = np.zeros(1, np.bool_)
        self.finished = tables.states["finished"]
        self.ended = tables.ended
        self._seat = np.zeros(1, np.int8)
        self._advance, self._advance_arguments = tables.advance_call(self.action, self.reward, self.terminated, self.truncated)
        self._look, self._look_arguments = tables.look_call()

    def step(self, action: int) -> None:
        """Make ``action``; raises :class:`IllegalAction`."""
        self.action[0] = action
        if self._advance(*self._advance_arguments) >= 0:
            raise self.tables.refusal(0, action)

    def look(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Observation and mask of the seat to act, in new arrays, and which it is."""
        observation = np.empty((1, self.tables.size), np.int8)
        mask = np.empty((1, self.tables.actions), np.int8)
        self._look(*self._look_arguments, observation, mask, self._seat)
        return observation[0], mask[0], int(self._seat[0])


def deal_summary(game: Game, result: np.ndarray) -> dict[str, Any]:
    """What a training log needs of a finished deal; ``contract`` is ``None`` where it was passed out."""
    played = result["contract"] >= 0
    return {
        "contract": game.contracts[result["contract"]] if played else None,
        "declarer": AGENTS[result["declarer"]] if played else None,
        "doublings": int(result["doublings"]),
        "tricks": result["tricks"].tolist(),
        "lines": score_lines(game, result),
        "margin": int(result["lines"][:, 0].sum() - result["lines"][:, 1].sum()),
    }


def metadata(name: str) -> dict[str, Any]:
    """The metadata of a game's environment."""
    return {"name": f"{name}_v{VERSIONS[name]}", "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}
