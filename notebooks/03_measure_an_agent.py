# %% [markdown]
# # 3. Measure an agent
#
# **Which of two players is better, and how many deals does it take to know?**
#
# Cards are dealt, and a good hand wins with anybody. This notebook takes two players of which we *know* who is better, and looks at how
# often a match says so.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

from skruv.arena import margin_of, play_all, play_match, play_tables
from skruv.games import load
from skruv.players import PLAYERS, player

SMALL = os.environ.get("SKRUV_NOTEBOOK_SMALL") == "1"  # the setting of the tests: fewer deals, wider intervals
DEALS = 640 if SMALL else 6400  # between two players
CROSS = 32 if SMALL else 320  # for each pair of the cross table
plt.rcParams["figure.dpi"] = 72

# %% [markdown]
# ## Two players
#
# `thumb` comes with the package. `careless` bids like `thumb`, and plays like it too, but for one card in ten, which it draws from the
# legal ones. A player is anything with `act(views)`: one action for each of the views, whose tables may be thousands.


# %%
class Careless:
    """Plays like thumb; one card in ten is any legal one."""

    def __init__(self, game, seed=0):
        self.thumb = player("thumb", game)
        self.random = player("uniform", game, seed)
        self.cards = game.groups["card"]
        self.rng = np.random.default_rng(seed)

    def act(self, views):
        slip = (views.mask[:, self.cards].sum(axis=1) > 0) & (self.rng.random(len(views)) < 0.1)
        return np.where(slip, self.random.act(views), self.thumb.act(views))


game = load("vint")
thumb, careless = player("thumb", game), Careless(game, seed=1)

# %% [markdown]
# ## Why one match proves nothing
#
# A club evening: sixteen deals. `thumb` sits North and South, `careless` East and West. We play many such evenings and look at the mean
# margin of each.

# %%
EVENING = 16
results = play_tables(game, {0: thumb, 1: careless}, DEALS, 0, {})
single = margin_of(results).astype(float)  # points of North and South minus those of East and West
evenings = single.reshape(-1, EVENING).mean(axis=1)


def wrong(means):
    """The share of matches that the worse player wins."""
    return f"{(means < 0).mean():.0%}"


print(f"over all {len(single)} deals thumb wins {single.mean():+.0f} points a deal")
print(f"of {len(evenings)} evenings of {EVENING} deals, the worse player wins {wrong(evenings)}")

# %% [markdown]
# The worse player wins many evenings. Whoever tuned an agent by one such match would often keep the wrong one.
#
# ## Duplicate deals
#
# Bridge players have known the remedy for more than a century: play every deal twice, with the sides exchanged. Who had the good cards in
# the first play has the bad ones in the second. `play_match` does that; its margins are means over both plays. For the same number of
# plays we compare evenings of eight deals, each played twice.

# %%
match = play_match(game, thumb, careless, deals=DEALS, names=("thumb", "careless"))
twice = match.margins[: DEALS // 2].reshape(-1, EVENING // 2).mean(axis=1)
print(match)
print(f"of {len(twice)} evenings of {EVENING // 2} deals played twice, the worse player wins {wrong(twice)}")

figure, axes = plt.subplots(figsize=(9, 3.5), layout="constrained")
bins = np.linspace(min(evenings.min(), twice.min()), max(evenings.max(), twice.max()), 40)
axes.hist(evenings, bins, density=True, alpha=0.6, label=f"{EVENING} deals, each played once")
axes.hist(twice, bins, density=True, alpha=0.6, label=f"{EVENING // 2} deals, each played twice")
axes.axvline(0, color="black", linewidth=1)
axes.set(xlabel="points a deal of thumb against careless", ylabel="share of evenings (density)", title="The same number of plays")
axes.legend()
plt.show()

# %% [markdown]
# ## How much luck a deal holds
#
# One dot below is one deal: the margin of North and South when `thumb` sits there, and when `careless` sits there. If skill decided, the
# dots would lie well below the diagonal. Most lie on it: a slip often changes nothing, the cards decide most, and duplicate deals take
# that part away.

# %%
swapped = margin_of(play_tables(game, {0: careless, 1: thumb}, DEALS, 0, {})).astype(float)
share = np.corrcoef(single, swapped)[0, 1] ** 2
figure, axes = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
axes.scatter(single[:500], swapped[:500], s=6, alpha=0.4)
axes.axline((0, 0), slope=1, color="black", linewidth=1)
axes.set(xlabel="NS points when NS is thumb", ylabel="NS points when NS is careless", title=f"Vint: {share:.0%} of the variance is common")
plt.show()

# %% [markdown]
# The same in all three games: the standard deviation of a deal played once, and of the mean of its two plays. Without the cards in
# common, the mean of two plays would still have 1/√2 of the spread of one. What it has less than that is luck that has cancelled.

# %%
spreads = {}
for name in ("vint", "skruuvi", "biritch"):
    law = load(name)
    pair = player("thumb", law), Careless(law, seed=1)
    options = {"vint": {}, "skruuvi": {"variant": "simplified"}, "biritch": {"max_doublings": 1}}[name]
    once = margin_of(play_tables(law, dict(enumerate(pair)), DEALS, 0, options)).astype(float)
    again = margin_of(play_tables(law, dict(enumerate(pair[::-1])), DEALS, 0, options)).astype(float)
    spreads[law.title] = once.std() / np.sqrt(2), ((once - again) / 2).std(), ((once - again) / 2).mean()

print(f"{'':10}{'as if dealt anew':>18}{'duplicate':>12}{'difference of the players':>28}{'deals saved':>14}")
for title, (independent, duplicate, mean) in spreads.items():
    print(f"{title:10}{independent:18.1f}{duplicate:12.1f}{mean:28.1f}{1 - (duplicate / independent) ** 2:14.0%}")

# %% [markdown]
# *Deals saved* is by how much fewer plays give the same interval. A negative number would mean that duplicates do harm.
#
# ## Intervals against n
#
# An interval of 95 % shrinks with the square root of n: four times the deals for half the width. The dashed line is the distance from
# zero of the difference that we want to see: where an interval's half width is below it, a match of that size can tell the two players
# apart.

# %%
sizes = np.unique(np.geomspace(10, DEALS, 25).astype(int))
figure, axes = plt.subplots(figsize=(9, 3.5), layout="constrained")
for values, plays, label in ((single, 1, "each deal once"), (match.margins, 2, "each deal twice")):
    half = [1.96 * values[:n].std(ddof=1) / np.sqrt(n) for n in sizes]
    axes.loglog(sizes * plays, half, marker="o", markersize=3, label=label)
axes.axhline(abs(match.mean), linestyle="--", color="black", linewidth=1, label=f"the difference, {match.mean:.0f} points")
axes.set(xlabel="plays", ylabel="half of the interval, points a deal", title="How sure a match of so many plays is")
axes.legend()
plt.show()

for values, plays, label in ((single, 1, "each deal once "), (match.margins, 2, "each deal twice")):
    needed = (1.96 * values.std() / match.mean) ** 2 * plays
    print(f"{label}: about {needed:.0f} plays until the interval leaves zero")

# %% [markdown]
# Does an interval of 95 % keep its word? Cut the long match into short ones and count how many of their intervals hold the mean of the
# whole.

# %%
short = match.margins.reshape(-1, 64)
off = np.abs(short.mean(axis=1) - match.mean) / (short.std(axis=1, ddof=1) / np.sqrt(short.shape[1]))
print(f"{(off < 1.96).mean():.0%} of {len(short)} intervals of {short.shape[1]} deals hold the long-run mean")

# %% [markdown]
# It should be near 95 %. With few deals, or with scores that are rare and huge, do not rely on the normal distribution: `play_match` and
# `play_all` print bootstrap intervals, which ask less of the scores.
#
# ## A cross table
#
# `play_all` lets every pair of players meet over the same deals. A player of your own joins under a name; `policy:FILE` is the trained
# network of notebook 2. The rating at the end comes from which pair had more points of each deal.

# %%
PLAYERS["careless"] = Careless
table = play_all("vint", ["pass", "random", "policy:data/vint.npz", "careless", "thumb"], deals=CROSS)
table

# %%
axes = table.plot()
axes.figure.set_size_inches(9, 4.5)
plt.show()

# %% [markdown]
# Read an interval before the number in front of it. Pairs whose interval holds zero have not been told apart yet, and the cure is more
# deals. And do not choose among many agents by the deals with which you report the winner: take new ones (`seed=`).
