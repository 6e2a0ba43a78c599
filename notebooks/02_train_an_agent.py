# %% [markdown]
# # 2. Train an agent
#
# **How far does a standard algorithm get at Vint in a minute or two, from nothing and from a trained network, and what does it learn to
# bid?**
#
# The algorithm is `MaskablePPO` of sb3-contrib: PPO that never chooses an illegal action. The learner has one seat at each of many
# tables; `thumb`, the player by rules of thumb, has the three others: a partner and two opponents. The reward is the margin of the deal,
# own points minus the other side's.

# %%
import os
import sys

import matplotlib.pyplot as plt
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from skruv.arena import play_match
from skruv.games import load
from skruv.players import player
from skruv.render import replay
from skruv.sb3 import PolicyPlayer, SeatVecEnv

sys.path.append("../training")  # scripts of this repository
from evaluate import think_aloud

SMALL = os.environ.get("SKRUV_NOTEBOOK_SMALL") == "1"  # the setting of the tests: shorter runs
TURNS, MORE_TURNS = (8_192, 8_192) if SMALL else (204_800, 122_880)  # of the learner, from nothing and from the trained network
DEALS = 50 if SMALL else 500  # of each match, each played twice
torch.set_num_threads(1)
torch.distributions.Distribution.set_default_validate_args(False)  # a check of every distribution, which costs more than the network
plt.rcParams["figure.dpi"] = 72
game = load("vint")
thumb = player("thumb", game)

# %% [markdown]
# ## From nothing
#
# `SeatVecEnv` is a Stable-Baselines3 `VecEnv` over all tables at once. `reward_scale` brings points, which go into thousands, near one;
# `ledger="random"` begins each deal from a plausible running score; `skip_forced` plays single legal cards by itself.

# %%
SCALE = 1 / 1000


def new_model(learning_rate, others):
    """An untrained agent at its tables."""
    env = SeatVecEnv("vint", 128, others=others, reward_scale=SCALE, ledger="random", skip_forced=True)
    return MaskablePPO(
        "MlpPolicy", env, learning_rate=learning_rate, n_steps=32, batch_size=1024, n_epochs=4, gamma=1.0, gae_lambda=0.9, ent_coef=0.01,
        seed=0, device="cpu", policy_kwargs={"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
    )


class Diary(BaseCallback):
    """Keeps the margin of each deal, and whether the learner's side declared it."""

    def __init__(self):
        super().__init__()
        self.margins = []
        self.contracts = []

    def _on_step(self):
        for info in self.locals["infos"]:
            if "episode" in info:
                self.margins.append(info["episode"]["r"] / SCALE)
                self.contracts.append(info["deal"]["contract"] or "passed out")
        return True


nothing = new_model(1e-3, "thumb")
scores = {}


def measure(name, model):
    """Matches of a pair of agents against pairs of the players that come with the package, on deals that training does not see."""
    who = PolicyPlayer(model.policy, greedy=True)
    rivals = {"pass": player("pass", game), "random": player("random", game, seed=1), "thumb": thumb, "itself": who}
    matches = {rival: play_match(game, who, other, deals=DEALS, seed=1_000_000, ledger="random") for rival, other in rivals.items()}
    scores[name] = matches
    for rival in ("pass", "random", "thumb"):
        low, high = matches[rival].interval
        print(f"{name:16} against {rival:7}{matches[rival].mean:+9.0f} points a deal   (95 % interval {low:+.0f} .. {high:+.0f})")


measure("untrained", nothing)
diaries = {"from nothing": Diary()}
nothing.learn(TURNS, diaries["from nothing"])
measure("from nothing", nothing)

# %% [markdown]
# The untrained agent calls at random; and as every bid must be higher than the last, calling at random ends at the top. Contracts of
# level 6 or 7, failed by many tricks, cost tens of thousands of points a deal, and that is what the run has learned first: not to.
# Against `pass`, which never bids, and among its own kind it then passes everything out. That is worth 0, far better than before, and a
# trap: who never bids learns nothing about bids. (Against `random` an untrained agent may even win, where `random` bids higher still.)
#
# ## From a trained network
#
# `data/vint.npz` came out of `training/train.py vint --minutes 11` and `training/export.py`: eleven minutes on a busy machine, about
# three million turns of self-play. There the agent meets copies of itself, and in the first half somebody *must* bid, so that it learns
# what its hand is worth before it may pass everything out. The file holds the layers of the policy as arrays. It plays as it is under the
# name `policy:data/vint.npz`; here its layers go into a new agent, which learns on with `thumb` at its left and right, and the checkpoint
# itself for a partner. (The value layers are not in the file. They begin anew.)

# %%
CHECKPOINT = "data/vint.npz"
others = {"left": "thumb", "partner": f"policy:{CHECKPOINT}", "right": "thumb"}
trained = new_model(1e-4, others)
archive = np.load(CHECKPOINT)
policy = trained.policy
layers = [policy.mlp_extractor.policy_net[0], policy.mlp_extractor.policy_net[2], policy.action_net]
with torch.no_grad():
    for place, layer in enumerate(layers):
        layer.weight.copy_(torch.from_numpy(archive[f"weight_{place}"].T))
        layer.bias.copy_(torch.from_numpy(archive[f"bias_{place}"]))
measure("the checkpoint", trained)
diaries["from the checkpoint"] = Diary()
trained.learn(MORE_TURNS, diaries["from the checkpoint"])
measure("trained on", trained)

# %% [markdown]
# ## The learning curves
#
# Each point is the mean of a few hundred deals of the training itself, where the agent has one seat and draws its actions. The scale is
# linear within a thousand points of zero and logarithmic beyond.

# %%
figure, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
for name, diary in diaries.items():
    parts = np.array_split(np.array(diary.margins), 12 if SMALL else 40)
    ends = np.cumsum([len(part) for part in parts])
    axes.plot(ends, [part.mean() for part in parts], marker="o", markersize=3, label=name)
axes.axhline(0, color="grey", linewidth=1)
axes.set_yscale("symlog", linthresh=1000)
axes.set_yticks([-10_000, -1000, 0, 1000], ["-10,000", "-1000", "0", "1000"])
axes.set(xlabel="deals", ylabel="points a deal of the learner's side", title="Learning at a table of thumb")
axes.legend()
plt.show()

# %% [markdown]
# ## Contracts before and after
#
# What is bid when the agent sits at all four seats:

# %%
agents = list(scores)
common = sum((scores[name]["itself"].contracts for name in agents), start=type(scores["untrained"]["itself"].contracts)())
names = [name for name, _ in common.most_common(16)]
figure, panels = plt.subplots(len(agents), 1, figsize=(8, 1.5 * len(agents)), sharex=True, layout="constrained")
for panel, name in zip(panels, agents, strict=True):
    counts = scores[name]["itself"].contracts
    panel.bar(names, [counts[contract] / counts.total() for contract in names])
    panel.set(title=f"{name}: {counts['passed out'] / counts.total():.0%} passed out", ylim=(0, 1), ylabel="share")
panels[-1].tick_params(axis="x", rotation=45)
plt.show()

# %%
for name in agents:
    counts = scores[name]["itself"].contracts
    print(f"{name:20}", ", ".join(f"{contract} {count / counts.total():.0%}" for contract, count in counts.most_common(6)))

# %% [markdown]
# The untrained agent bids at the top of the ladder. The one from nothing has fallen into the trap. The checkpoint bids at the lowest
# levels. Compare the last two rows, and the lines about them above: learning on moves the bids a little, and the result by less than the
# intervals are wide. A minute is not enough to say whether it helped; notebook 3 is about saying such things.
#
# ## One deal, with the policy's probabilities
#
# `think_aloud` of `training/evaluate.py` lets an agent play all four seats and notes what it thought: the probability of each action, and
# the value, in points for its own side. We take the deal with the most bids. First what it made of its first calls:

# %%
records = think_aloud("vint", PolicyPlayer(trained.policy, greedy=True, reward_scale=SCALE), deals=20, options={"ledger": "random"})
record = max(records, key=lambda record: sum(action[0].isdigit() for action in record["actions"]))
thoughts = next(note["thoughts"] for note in record["notes"] if "thoughts" in note)
figure, panels = plt.subplots(1, 4, figsize=(9, 2.8), layout="constrained")
for number, (panel, thought) in enumerate(zip(panels, thoughts, strict=False)):
    likely = sorted(thought["probabilities"].items(), key=lambda item: -item[1])[:5]
    panel.barh([name for name, _ in likely][::-1], [chance for _, chance in likely][::-1])
    panel.set(xlim=(0, 1), title=f"call {number + 1}: {record['actions'][number]}\nvalue {thought['value']:+.0f}")
plt.show()

# %% [markdown]
# Then the whole deal to step through, the probabilities beside each call and card:

# %%
replay(record)

# %% [markdown]
# ## Where to go on
#
# `training/train.py GAME` is the full recipe: self-play against a league of older selves, forced openings, an entropy bonus for the
# calls. `--resume` goes on with a run. The values beside the calls of this notebook come from a value network of a minute or two: take
# them as a sketch.
