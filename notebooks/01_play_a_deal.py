# %% [markdown]
# # 1. Play a deal
#
# **What happens in one deal of each game, and what does an agent get to see of it?**
#
# Vint, Skruuvi and Biritch are played by four people around a table, North, East, South and West. North and South are partners against
# East and West. All 52 cards are dealt, and nobody sees another hand. A deal has two parts:
#
# 1. **The calls.** The players settle the *contract*: which suit is trumps, if any, and how many of the thirteen tricks one side
#    promises. The player who has settled it is the *declarer*.
# 2. **The cards.** Thirteen times each player lays one card: a *trick*. Everybody must follow the suit that was led if they can. The
#    highest trump wins the trick, or else the highest card of the suit that was led; its player leads to the next.
#
# Then the deal is scored. That is the whole reward: it comes once, at the end, the same for both partners and the opposite for the
# others.
#
# In this notebook one player sits at all four seats: `thumb`, which comes with the package and plays by rules of thumb.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

from skruv import biritch_v0, skruuvi_v0, vint_v0
from skruv.players import player
from skruv.render import replay
from skruv.tables import IllegalAction

SMALL = os.environ.get("SKRUV_NOTEBOOK_SMALL") == "1"  # the setting of the tests: fewer deals
DEALS = 5 if SMALL else 40  # a game, for the figure about masks

# %% [markdown]
# ## Vint
#
# Each environment is a PettingZoo `AECEnv`: one seat acts at a time. In a notebook it draws itself. Here all hands are open; the seat
# with the mark is to speak, and the score sheet lies beside the table.

# %%
vint = vint_v0.env(perspective="all")
vint.reset(seed=9)
vint

# %% [markdown]
# `thumb` decides from what the seat to act may know. The loop is short:


# %%
def play(env, who, until=lambda env: False):
    """Let one player act for every seat, to the end of the deal or until the condition holds; the legal actions of each decision."""
    choices = []
    while not any(env.terminations.values()) and not until(env):
        choices.append(len(env.legal_actions()))
        env.step(who.act(env.tables.views())[0])
    return choices


thumb = player("thumb", vint.game)
play(vint, thumb, until=lambda env: env.tables.states["phase"][0] == vint.game.phases.index("play"))
print("calls so far:", " ".join(vint.record()[0]["actions"]))

# %% [markdown]
# `P` is a pass; `2H` would promise two tricks more than six, eight of thirteen, with hearts as trumps. In Vint every bid must be higher
# than the last, and twelve passes in a row end the auction. Now let them play until the third card of a trick is due.

# %%
play(vint, thumb, until=lambda env: env.tables.states["laid"][0] == 2 and env.tables.states["tricks"][0].sum() >= 3)
vint

# %% [markdown]
# ## What an agent sees
#
# That was the view from above. Here is the same moment from the chair of the seat to act: three hands are face down.

# %%
vint.perspective = "actor"
vint

# %% [markdown]
# The learner gets the same as bits. `layout` says where each named part lies, `decode` puts the bits into words. *Me*, *left*, *partner*
# and *right* are seen from the agent's own chair, so that one network can play all four seats.

# %%
observation, reward, termination, truncation, info = vint.last()
bits = observation["observation"]
words = vint.unwrapped.decode(bits)
print(f"{vint.agent_selection} acts, and sees {len(bits)} bits, {bits.sum()} of them set:\n")
for name, place in vint.unwrapped.layout.items():
    told = str(words[name])
    print(f"{place.start:5} .. {place.stop - 1:<5} {name:17} {told if len(told) <= 90 else told[:87] + '...'}")

# %% [markdown]
# Nothing in there tells the hidden cards. Shuffle them among the other three seats, and the observation stays the same, bit for bit:

# %%
elsewhere = vint.clone()
elsewhere.tables.load(vint.tables.determinize(seed=1))
print("the other hands differ:   ", not np.array_equal(elsewhere.tables.hidden(), vint.tables.hidden()))
print("the observation differs:  ", not np.array_equal(elsewhere.last()[0]["observation"], bits))

# %% [markdown]
# ## What a mask forbids
#
# `action_mask` has a 1 for each legal action. The rules forbid a lot. While cards are played: everything but the suit that was led, as
# long as the hand has it.

# %%
names = vint.game.actions
hand = words["hand"]
legal = [names[action] for action in np.flatnonzero(observation["action_mask"])]
print("suit led: ", words["led"])
print("hand:     ", " ".join(hand))
print("legal:    ", " ".join(legal))
print("forbidden:", " ".join(card for card in hand if card not in legal))

# %% [markdown]
# An illegal action is refused with its reason, and nothing has changed:

# %%
try:
    vint.step(names.index("7N"))
except IllegalAction as error:
    print(error)

# %% [markdown]
# How many choices is that? The figure shows the mean number of legal actions at each decision, counted back from the end of the deal.

# %%
LAST = 64  # decisions of a deal that are shown
figure, axes = plt.subplots(figsize=(9, 3.5), dpi=72, layout="constrained")
for module, options in ((vint_v0, {}), (skruuvi_v0, {"variant": "simplified"}), (biritch_v0, {})):
    env = module.env(**options)
    who = player("thumb", env.game)
    deals = []
    for seed in range(DEALS):
        env.reset(seed=seed)
        deals.append(play(env, who))
    deals = [choices for choices in deals if len(choices) >= 48]  # some are passed out
    padded = np.array([([np.nan] * LAST + choices)[-LAST:] for choices in deals])
    shown = np.isfinite(padded).any(axis=0)
    places = np.arange(-LAST, 0)[shown]
    axes.plot(places, np.nanmean(padded[:, shown], axis=0), label=f"{env.game.title}, {len(deals)} deals")
axes.set(xlabel="decision, from the end of the deal", ylabel="legal actions (mean)", yscale="log", title="Choices through a deal")
axes.legend()
plt.show()

# %% [markdown]
# The play is a row of waves, one a trick: the leader may lay any card of the hand, and the three others must follow. In Vint and Skruuvi
# the widest choices are the bids; in Biritch there are only a few calls.
#
# ## The score sheet
#
# Let the deal end.

# %%
play(vint, thumb)


def show_sheet(env):
    """The lines of the last deal, each with the ruling it comes from, and what they pay."""
    rulings = {line.kind: line.ruling for line in env.game.lines}
    deal = env.infos["player_0"]["deal"]
    tricks = dict(zip(("NS", "EW"), deal["tricks"], strict=True))
    print(f"contract {deal['contract']} by {deal['declarer']}, doubled {deal['doublings']} times, tricks {tricks}\n")
    for side, column, kind, points in deal["lines"]:
        print(f"{side}  {column:6}{kind:12}{points:6}   {rulings[kind]}")
    print(f"\nmargin of NS: {deal['margin']}; rewards: {env.rewards}")


show_sheet(vint)

# %% [markdown]
# The labels at the right are rulings: `docs/rulings.md` gives the paragraph for each. In this deal the tricks themselves are the small
# part. Honours and aces, which are dealt and not won, pay more; but they pay in the trick value of the contract that was bid.
#
# The same deal to step through, card by card (buttons, slider or arrow keys; the score lines fall at the end):

# %%
replay(vint.record())

# %% [markdown]
# ## Skruuvi
#
# Twelve cards each, and four in the *kotka*, which the declarer takes into his hand after the auction. He lays four cards away in their
# place. Then the sides may raise, *knock* (double) and redouble. `10S` here means ten tricks with spades as trumps. The full game has
# contracts to take no trick at all; `variant="simplified"` leaves them out.

# %%
skruuvi = skruuvi_v0.env(perspective="all", variant="simplified")
skruuvi.reset(seed=5)
play(skruuvi, player("thumb", skruuvi.game))
show_sheet(skruuvi)
replay(skruuvi.record())

# %% [markdown]
# In the record of the deal the calls and the discards stand before the play:

# %%
actions = skruuvi.record()[0]["actions"]
print("\n".join(" ".join(actions[start : start + 20]) for start in range(0, len(actions), 20)))

# %% [markdown]
# ## Biritch
#
# No auction: the dealer names trumps or leaves it to his partner, and then the sides may double. After the first card the dealer's
# partner lays his hand open on the table, *dummy*, and the dealer plays both hands. Here the deal is stopped just then, seen by East.

# %%
biritch = biritch_v0.env(perspective="player_1")
biritch.reset(seed=4)
play(biritch, player("thumb", biritch.game), until=lambda env: env.tables.states["laid"][0] == 1)
biritch

# %%
play(biritch, player("thumb", biritch.game))
show_sheet(biritch)
replay(biritch.record())

# %% [markdown]
# ## Where to go on
#
# Notebook 2 trains an agent at Vint, notebook 3 measures how good it is, notebook 4 looks at what the rules pay, and notebook 5 writes
# the training loop by hand. Each game's page (`help(skruv.vint_v0)`) has its rules and every bit of its observation.
