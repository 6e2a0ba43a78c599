# %% [markdown]
# # 5. Your own loop
#
# **How do I write a training loop of my own, and how fast are the games under it?**
#
# `Tables` is the layer under every environment of the package: n tables of one game as plain numpy arrays. There are no agents to iterate
# over and no dictionaries; each call moves all tables at once.

# %%
import os
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn

from skruv import Tables
from skruv.arena import play_match
from skruv.games import load
from skruv.players import player

SMALL = os.environ.get("SKRUV_NOTEBOOK_SMALL") == "1"  # the setting of the tests: shorter runs
DECISIONS = 1_000_000 if SMALL else 20_000_000  # of the first loop
UPDATES = 4 if SMALL else 50  # of the policy
DEALS = 100 if SMALL else 1000  # of each match, each played twice
torch.set_num_threads(1)
torch.manual_seed(0)
plt.rcParams["figure.dpi"] = 72
GAME, OPTIONS = "biritch", {"max_doublings": 2}

# %% [markdown]
# ## Tables in 30 lines
#
# The whole interface is `observe` and `step`. `observe()` shows each table from the chair of whoever is to act; `step(actions)` makes one
# action at each and returns the rewards of all four seats. A table whose deal has ended begins the next one in the same step.
#
# Biritch doubles without end unless one says otherwise, hence `max_doublings`.

# %%
game = load(GAME)
tables = Tables(game, n=4096, seed=0, **OPTIONS)
rng = np.random.default_rng(0)
noise = rng.random(2 * tables.n * tables.actions, dtype=np.float32)  # drawn once; each step takes another window of it
seen = tables.observe()
outcome = tables.step(seen.mask.argmax(axis=1))
deals, points, squares = 0, 0.0, 0.0

began = time.perf_counter()
steps = DECISIONS // tables.n
for _ in range(steps):
    observation, mask, seat = tables.observe(out=seen)  # the same arrays are written again
    start = rng.integers(tables.n * tables.actions)
    window = noise[start : start + mask.size].reshape(mask.shape)
    actions = (mask * window).argmax(axis=1)  # any legal action
    reward, terminated, truncated = tables.step(actions, out=outcome)
    margins = reward[terminated, 0]  # points of North and South, less those of East and West
    deals += len(margins)
    points += margins.sum(dtype=float)
    squares += np.square(margins, dtype=float).sum()
seconds = time.perf_counter() - began

mean = points / deals
print(f"{steps * tables.n / 1e6:.1f} million decisions, {deals} deals: {steps * tables.n / deals:.1f} decisions a deal")
print(f"North and South won {mean:+.2f} points a deal, give or take {1.96 * np.sqrt(squares / deals - mean**2) / np.sqrt(deals):.2f}")
print(f"{steps * tables.n / seconds / 1e6:.1f} million decisions a second in one thread, the choice of the actions included")

# %% [markdown]
# With the same player everywhere and the dealer drawn, no side has an advantage: zero should lie within reach of the mean. That is a
# cheap check of any loop.
#
# `tables.results` tells what was played last at each table, and `save` and `load` clone positions: here one position, played to its end
# by chance a thousand times.

# %%
position = Tables(game, n=1, seed=7, **OPTIONS)
for _ in range(20):
    position.step(position.legal().argmax(axis=1))
copies = Tables(game, n=1000, seed=0, autoreset=False, **OPTIONS)
copies.load(np.repeat(position.save(), copies.n))
chance = player("uniform", game, seed=0)
while len(rows := np.flatnonzero(copies.ended == 0)):
    copies.step(chance.act(copies.views(rows)), rows)
tricks = copies.results["tricks"][:, 0]
strain = game.contracts[copies.results["contract"][0]]
print(f"tricks of North and South at {strain}: {tricks.min()} to {tricks.max()}, mean {tricks.mean():.1f}")

# %% [markdown]
# ## A policy in plain PyTorch
#
# One network plays all four seats: an observation is seen from one's own chair, so it never needs to know which. `act` makes it a player
# for matches.


# %%
class Agent(nn.Module):
    """Logits of the legal actions, and what the deal will bring to the own side."""

    def __init__(self, bits, actions, width=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bits, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, observation, mask):
        hidden = self.body(observation.float())
        return self.policy(hidden).masked_fill(mask == 0, -torch.inf).log_softmax(-1), self.value(hidden).squeeze(-1)

    def draw(self, observation, mask):
        log, value = self(observation, mask)
        return (log - torch.empty_like(log).exponential_().log()).argmax(-1), log, value  # the greatest with such noise is a draw

    @torch.inference_mode()
    def act(self, views):
        return self(torch.from_numpy(views.observation), torch.from_numpy(views.mask))[0].argmax(-1).numpy()


def measure(agent, rival):
    """Points a deal of a pair of agents against a pair of rivals, on deals that training does not see."""
    return play_match(game, agent, player(rival, game, seed=1), deals=DEALS, seed=1_000_000, names=("agent", rival), **OPTIONS)


tables = Tables(game, n=512, seed=1, reward_scale=1 / 20, **OPTIONS)
agent = Agent(tables.size, tables.actions)
before = {rival: measure(agent, rival) for rival in ("random", "pass")}
for rival, match in before.items():
    print(f"untrained, against {rival}: {match}")

# %% [markdown]
# Now the loop. Every decision of every table goes into one long line; the players take turns in it. What one side wins the other loses,
# so all values are turned to the view of North and South (`sign`), and advantages can run along that line from decision to decision,
# whoever makes them.

# %%
STEPS, BATCH, CLIP, TRACE, ENTROPY = 96, 2048, 0.2, 0.9, 0.02
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
curve = []
for update in range(UPDATES):
    left = 1 - update / UPDATES
    kept = {name: [] for name in ("observation", "mask", "action", "log", "value", "sign", "reward", "end")}
    for _ in range(STEPS):
        observation, mask, seat = map(torch.from_numpy, tables.observe())
        with torch.inference_mode():
            action, log, value = agent.draw(observation, mask)
        sign = 1.0 - 2.0 * (seat % 2)  # North and South: 1; East and West: -1
        reward, terminated, truncated = tables.step(action.numpy())
        chosen = log.gather(-1, action[:, None]).squeeze(-1)
        row = (observation, mask, action, chosen, value * sign, sign, torch.from_numpy(reward[:, 0]), torch.from_numpy(terminated))
        for values, part in zip(kept.values(), row, strict=True):
            values.append(part)
    kept = {name: torch.stack(values) for name, values in kept.items()}

    with torch.inference_mode():
        observation, mask, seat = map(torch.from_numpy, tables.observe())
        following = agent(observation, mask)[1] * (1.0 - 2.0 * (seat % 2))
    advantage, running = torch.zeros(STEPS, tables.n), torch.zeros(tables.n)
    for step in reversed(range(STEPS)):
        value = kept["value"][step]
        running = kept["reward"][step] + ~kept["end"][step] * (following + TRACE * running) - value
        advantage[step], following = running, value
    target = (advantage + kept["value"]) * kept["sign"]
    advantage = advantage * kept["sign"]

    optimizer.param_groups[0]["lr"] = 1e-3 * left
    columns = [part.flatten(0, 1) for part in (kept["observation"], kept["mask"], kept["action"], kept["log"], advantage, target)]
    for rows in torch.randperm(STEPS * tables.n).split(BATCH):
        observation, mask, action, old, gain, aim = (column[rows] for column in columns)
        log, value = agent(observation, mask)
        ratio = (log.gather(-1, action[:, None]).squeeze(-1) - old).exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
        entropy = -(log.exp() * log.masked_fill(mask == 0, 0)).sum(-1).mean()
        loss = 0.5 * (value - aim).square().mean() - surrogate - ENTROPY * left * entropy
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    if update % max(UPDATES // 12, 1) == 0 or update == UPDATES - 1:
        curve.append((update + 1, {rival: measure(agent, rival) for rival in before}))

# %%
decisions = np.array([0, *(point[0] for point in curve)]) * STEPS * tables.n / 1e6
figure, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
for rival, start in before.items():
    matches = [start, *(point[1][rival] for point in curve)]
    low, high = np.transpose([match.interval for match in matches])
    axes.plot(decisions, [match.mean for match in matches], marker="o", markersize=3, label=f"against {rival}")
    axes.fill_between(decisions, low, high, alpha=0.2)
axes.axhline(0, color="grey", linewidth=1)
axes.set(xlabel="million decisions", ylabel="points a deal", title=f"{game.title}: the agent's pair, {DEALS} deals each played twice")
axes.legend()
plt.show()

# %%
for rival, start in before.items():
    print(f"against {rival}: from {start.mean:+.1f} to {curve[-1][1][rival]}")

# %% [markdown]
# `random` names any trumps and plays any card; `pass` never doubles and plays sound cards, and is the harder one. The curves show how far
# so short a loop gets, and how far it does not. What would help it on: more decisions, larger layers, and rivals other than itself.
# `training/train.py` has these; `training/torch_loop.py` is a loop like this one on the Gymnasium environments.
