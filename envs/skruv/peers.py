"""Other libraries' card games at the same work, for ``skruv bench --peers``: an observation, a mask and a step for each decision.

Each loop chooses its legal actions at random, choosing included, since these libraries are stepped one table at a time.
"""

import random
import time
from collections.abc import Callable
from typing import Any

DECISIONS = 20_000


def openspiel_bridge() -> float:
    """Decisions a second of OpenSpiel's bridge through one observation buffer: its fastest way from Python."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    observation: Any = make_observation(game)
    draw = random.Random(0).choice
    decisions = 0
    began = time.perf_counter()
    while decisions < DECISIONS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                player = state.current_player()
                observation.set_from(state, player)
                state.legal_actions_mask(player)
                decisions += 1
            state.apply_action(draw(state.legal_actions()))
    return decisions / (time.perf_counter() - began)


def rlcard_bridge() -> float:
    """Decisions a second of RLCard's bridge."""
    import rlcard

    env: Any = rlcard.make("bridge")
    draw = random.Random(0).choice
    decisions = 0
    began = time.perf_counter()
    while decisions < DECISIONS // 10:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(draw(list(state["legal_actions"])))
            decisions += 1
    return decisions / (time.perf_counter() - began)


def pettingzoo_classic() -> float:
    """Turns a second of PettingZoo's Connect Four, sampled as its documentation shows."""
    from pettingzoo.classic import connect_four_v3

    env: Any = connect_four_v3.env()
    turns = 0
    began = time.perf_counter()
    while turns < DECISIONS // 4:
        env.reset(seed=turns)
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
            turns += 1
    return turns / (time.perf_counter() - began)


PEERS: dict[str, Callable[[], float]] = {
    "OpenSpiel bridge, decisions/s": openspiel_bridge,
    "RLCard bridge, decisions/s": rlcard_bridge,
    "PettingZoo Connect Four, turns/s": pettingzoo_classic,
}
"""By name; each raises ``ImportError`` where its library is not installed."""
