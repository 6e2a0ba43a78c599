# %% [markdown]
# # 4. What the rules pay
#
# **What is a contract worth in each game, what is a doubled risk worth, and when does it pay to fail?**
#
# An agent learns what it is paid for. Before training one, look at the payments: their size, their spread, and where they say something
# that you would not expect. Everything below is measured with `thumb`, the player by rules of thumb, at all four seats. It is one way to
# play, so the numbers are its numbers; the *shapes* come from the rules.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

from skruv import Tables
from skruv.arena import is_failed, margin_of, play_tables
from skruv.games import load
from skruv.players import player

SMALL = os.environ.get("SKRUV_NOTEBOOK_SMALL") == "1"  # the setting of the tests: fewer deals
DEALS = 500 if SMALL else 10_000  # of each game
TRIALS = 20 if SMALL else 300  # deals of Vint that are played in every contract
plt.rcParams["figure.dpi"] = 72

# %% [markdown]
# ## Margins by contract
#
# The reward of a deal is its *margin*: own points minus the other side's. From here on it is the margin of the side that declared.
# `play_tables` returns the results of all deals as one array.

# %%
OPTIONS = {"vint": {}, "skruuvi": {"variant": "simplified"}, "biritch": {"max_doublings": 2}}


def declared(game, results):
    """The deals that were not passed out: contract (its name), margin of the declaring side, and whether it failed."""
    played = results[results["contract"] >= 0]
    margin = margin_of(played) * np.where(played["declarer"] % 2 == 0, 1, -1)
    return np.array(game.contracts)[played["contract"]], margin, is_failed(game, played)


def heading(name, contract):
    """Contracts that are shown together: by level in Vint, by tricks promised in Skruuvi, by strain in Biritch."""
    return contract if name == "biritch" else contract.rstrip("CDHSN")


deals = {}
for name, options in OPTIONS.items():
    game = load(name)
    who = player("thumb", game)
    deals[name] = declared(game, play_tables(game, {0: who, 1: who}, DEALS, 0, options))

# %%
ORDER = {"vint": "1234567", "skruuvi": ("7", "8", "9", "10", "11", "12", "13"), "biritch": "SCDHN"}
figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
for panel, (name, (contracts, margins, failed)) in zip(axes, deals.items(), strict=True):
    groups = np.array([heading(name, contract) for contract in contracts])
    shown = [group for group in ORDER[name] if (groups == group).sum() >= 5]
    panel.boxplot([margins[groups == group] for group in shown], whis=(5, 95), showfliers=False, showmeans=True)
    panel.set_xticks(range(1, len(shown) + 1), [f"{group}\n{failed[groups == group].mean():.0%}" for group in shown])
    panel.axhline(0, color="grey", linewidth=1)
    panel.set(title=load(name).title, xlabel="contract, and how often it failed")
axes[0].set_ylabel("margin of the declaring side")
plt.show()

# %% [markdown]
# The boxes hold the middle half of the deals, the whiskers nine tenths, the triangles are means. Compare the scales: a reward for Vint is
# thousands, for Biritch tens. (`reward_scale` is for that.) How heavy are the tails?

# %%
print(f"{'':10}{'contracts':>10}{'failed':>8}{'mean':>9}{'std':>9}{'best':>8}{'worst':>9}   share of the squares in the largest 1 %")
for name, (_, margins, failed) in deals.items():
    squares = np.sort(margins.astype(float) ** 2)[::-1]
    tail = squares[: max(len(squares) // 100, 1)].sum() / squares.sum()
    print(
        f"{load(name).title:10}{len(margins):10}{failed.mean():8.0%}{margins.mean():9.1f}{margins.std():9.1f}{margins.max():8}{margins.min():9}"
        f"{tail:12.0%}"
    )

# %% [markdown]
# The last column is what a value network with a squared loss feels: the part of the target's size that one deal in a hundred brings.
# Scale rewards linearly all the same. A clipped or squashed reward would tell the agent that a disaster costs no more than a failure.
#
# ## What a doubled risk is worth
#
# In Skruuvi and Biritch a contract can be doubled. Let players who bid and play like `thumb` double whenever they may, so often, on the
# same deals.


# %%
class Bold:
    """Plays like thumb, but doubles whenever it may: in Skruuvi only knocks (1), or redoubles too (2)."""

    def __init__(self, game, doublings):
        self.thumb = player("thumb", game)
        self.passing = game.groups["pass_"].start
        self.raises = [game.groups[name].start for name in ("double", "redouble")[:doublings] if name in game.groups]
        self.others = [game.groups[name].start for name in ("double", "redouble")[doublings:] if name in game.groups]

    def act(self, views):
        actions = self.thumb.act(views)
        for call in self.raises:
            actions = np.where(views.mask[:, call] > 0, call, actions)
        for call in self.others:
            actions = np.where(actions == call, self.passing, actions)
        return actions


def doubled(name, doublings):
    """The deals of a game in which every contract is doubled so often."""
    game = load(name)
    who = Bold(game, doublings)
    options = {"max_doublings": doublings} if name == "biritch" else OPTIONS[name]
    results = play_tables(game, {0: who, 1: who}, DEALS, 0, options)
    assert set(results["doublings"][results["contract"] >= 0]) == {doublings}
    return declared(game, results)


raised = {name: [doubled(name, doublings) for doublings in range(3)] for name in ("skruuvi", "biritch")}
for name, by_doublings in raised.items():
    assert all((by_doublings[0][0] == contracts).all() for contracts, _, _ in by_doublings)  # the same contracts, deal by deal
    for doublings, (_, margins, failed) in enumerate(by_doublings):
        print(f"{load(name).title:8} x{2**doublings}: failed {failed.mean():4.0%}, mean {margins.mean():+7.1f}, std {margins.std():7.1f}")

# %% [markdown]
# Each doubling widens the spread, by a factor of two in Skruuvi and by less in Biritch, where only the points for tricks are doubled. And
# it moves the mean in the direction that it had. So doubling everything helps the side that the mean favours. Which contracts should the
# defence double?

# %%
figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for panel, (name, (plain, once, _)) in zip(axes, raised.items(), strict=True):
    groups = np.array([heading(name, contract) for contract in plain[0]])
    shown = [group for group in ORDER[name] if (groups == group).sum() >= 5]
    gains = [(plain[1] - once[1])[groups == group] for group in shown]
    errors = [1.96 * gain.std() / np.sqrt(len(gain)) for gain in gains]
    panel.bar(range(len(shown)), [gain.mean() for gain in gains], yerr=errors, capsize=4)
    panel.set_xticks(range(len(shown)), [f"{group}\n{plain[2][groups == group].mean():.0%}" for group in shown])
    panel.axhline(0, color="grey", linewidth=1)
    panel.set(title=f"{load(name).title}: doubling every such contract", xlabel="contract, and how often it failed")
axes[0].set_ylabel("points a deal for the defence")
plt.show()

# %% [markdown]
# (The bars have 95 % intervals. The three runs hold the same deals, with the same calls before the doubling.) A double is a bet on the
# failure of the contract, and the rules set its odds. If it makes a failed contract dearer by *L* and a made one dearer by *W*, it pays
# where the contract fails more often than W / (W + L):

# %%
for name, (plain, once, _) in raised.items():
    groups = np.array([heading(name, contract) for contract in plain[0]])
    change = once[1] - plain[1]
    print(f"{load(name).title}: a double ...")
    for group in ORDER[name]:
        made, failed = (change[(groups == group) & (plain[2] == missed)] for missed in (False, True))
        if min(len(made), len(failed)) >= 5:
            won, lost = made.mean(), -failed.mean()
            share = len(failed) / (len(made) + len(failed))
            print(f"  of {group:2} pays where it fails in {won / (won + lost):4.0%} of deals; it fails in {share:4.0%}")

# %% [markdown]
# In Skruuvi a contract below 12 brings a few points and costs 50 for each trick short, so the break-even is low, and defenders who never
# knock give points away where the bids are pressed. The bids of 12 and 13 carry a prize of 500 and 1000 and turn the bet around: look how
# high their break-even is. In Biritch a "failed" contract is one where the others took more than six tricks, and both sides score by the
# same table, so the two sides of the bet weigh about the same.
#
# ## When failing still pays: Vint
#
# In Vint both sides write their tricks below the line, made or failed. Honours and aces are paid to whoever was dealt them, made or
# failed, in the trick value of the contract. A failed contract gives the defence 500 times the level for each trick short, and nothing is
# ever taken away. Then a declarer may fail and still have the larger score. First from the deals above:

# %%
game = load("vint")
contracts, margins, failed = deals["vint"]
levels = np.array([int(contract[0]) for contract in contracts])
for level in range(1, 8):
    these = failed & (levels == level)
    if these.sum() >= 5:
        ahead = (margins[these] > 0).mean()
        mean = margins[these].mean()
        print(f"level {level}: {these.sum():5} failed; in {ahead:4.0%} of those the declaring side scored more; mean margin {mean:+8.0f}")

# %% [markdown]
# Bidders choose their contracts, so these are the deals of good hands. To see the rule itself, take deals as they come and play each in
# *every* contract: 35 bids, declared by North and by East. `deals=` of `Tables.reset` begins with the play of a given contract.


# %%
def forced(contract, declarer, trials):
    """The results of so many deals, all played in one contract."""
    tables = Tables("vint", trials, seed=0, autoreset=False)
    tables.reset(seed=0, deals={"contract": contract, "declarer": declarer})
    who = player("thumb", tables.game)
    while len(rows := np.flatnonzero(tables.ended == 0)):
        tables.step(who.act(tables.views(rows)), rows)
    return tables.results


kinds = [line.kind for line in game.lines]
points = np.zeros((2, len(game.contracts), TRIALS), int)  # the margin of the declaring side: by side, contract, deal
short = np.zeros_like(points)  # tricks short of the contract, 0 where it was made
entries = np.zeros((*points.shape, len(kinds)), int)  # the margin by the entries of the score sheet
for side, declarer in enumerate("NE"):
    for place, contract in enumerate(game.contracts):
        results = forced(contract, declarer, TRIALS)
        points[side, place] = margin_of(results) * (1, -1)[side]
        entries[side, place] = (results["lines"][:, :, 0] - results["lines"][:, :, 1]) * (1, -1)[side]
        short[side, place] = np.maximum(6 + int(contract[0]) - results["tricks"][:, side], 0)

# %%
level = np.array([int(contract[0]) for contract in game.contracts])
ahead = np.full((7, 6), np.nan)
for row in range(7):
    for column in range(6):
        these = points[:, level == row + 1][short[:, level == row + 1] == column]
        if len(these) >= 10:
            ahead[row, column] = (these > 0).mean()
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
picture = axes.imshow(ahead, vmin=0, vmax=1, cmap="RdYlGn", aspect="auto", origin="lower")
for (row, column), share in np.ndenumerate(ahead):
    if np.isfinite(share):
        axes.text(column, row, f"{share:.0%}", ha="center", va="center")
axes.set_xticks(range(6), ["made", *(f"{tricks} short" for tricks in range(1, 6))])
axes.set_yticks(range(7), [f"level {number}" for number in range(1, 8)])
axes.set(title="How often the declaring side scores more than the defence")
figure.colorbar(picture)
plt.show()

# %% [markdown]
# Two tricks short never pays. One trick short does, and the more often the *higher* the contract is, up to level 5. And a contract that
# is made does not always win the deal. Why? Here is the mean margin of contracts that were one trick short, entry by entry:

# %%
print(f"{'one short':10}{'deals':>6}" + "".join(f"{kind:>13}" for kind in kinds) + f"{'sum':>9}")
for number in range(1, 8):
    these = entries[:, level == number][short[:, level == number] == 1]
    if len(these) >= 5:
        means = these.mean(axis=0)
        print(f"level {number:<4}{len(these):6}" + "".join(f"{mean:13.0f}" for mean in means) + f"{means.sum():9.0f}")

# %% [markdown]
# The undertrick costs 500 times the level. But who can take so many tricks at all holds most honours and aces, and those are paid in the
# trick value of the contract, which grows with the level too; and from level 5 on the tricks of a failed contract may be enough for a
# game, with its prize. At levels 6 and 7 the defence has the prize for a failed slam on top.
#
# ### Failing to keep the others from playing
#
# A failed contract need not have the better score to be right. It only has to cost less than what the other side would have scored. So
# give East and West the contract that pays them most, as long as they make it, and ask: has North a higher bid that *fails* and still
# leaves his side better off? (With hindsight: all results are known.)

# %%
theirs = np.where(short[1] == 0, points[1], np.iinfo(int).min)
best = theirs.argmax(axis=0)  # by deal, the contract of East and West
able = (short[1] == 0).any(axis=0)
saved = np.zeros(TRIALS, int)
chosen = np.full(TRIALS, -1)
for deal in np.flatnonzero(able):
    higher = np.arange(len(game.contracts)) > best[deal]
    failing = higher & (short[0, :, deal] > 0)
    if failing.any():
        bid = np.where(failing, points[0, :, deal], np.iinfo(int).min).argmax()
        saved[deal] = max(points[0, bid, deal] + points[1, best[deal], deal], 0)
        chosen[deal] = bid if saved[deal] else -1

taken = chosen >= 0
print(f"East and West can make something in {able.sum()} of {TRIALS} deals")
print(f"in {taken.sum()} of them ({taken.sum() / able.sum():.0%}) North has a higher bid that fails and pays", end="")
print(f", on average by {saved[taken].mean():.0f} points" if taken.any() else "")
for bids, label in ((best, "East and West's bids"), (chosen, "North's failing bids")):
    counts = np.bincount(level[bids[taken]], minlength=8)[1:]
    print(f"  {label}, by level 1..7: {' '.join(map(str, counts))}")

# %%
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.scatter(points[1, best, np.arange(TRIALS)][able & ~taken], saved[able & ~taken], s=10, color="grey", label="no failing bid pays")
axes.scatter(points[1, best, np.arange(TRIALS)][taken], saved[taken], s=14, label="a failing bid pays")
axes.set(xlabel="what East and West would score", ylabel="points saved by failing", title="Sacrifices in Vint, with hindsight")
axes.legend()
plt.show()

# %% [markdown]
# ## For whoever trains an agent
#
# - One linear reward scale for each game; the games differ by orders of magnitude.
# - Doubled contracts are where the variance is. Begin Biritch with `max_doublings=2` or fewer.
# - "Made" is not the goal. Log margins, and the rate of failing beside them; in Vint an agent that fails by one trick in a high
#   contract may be right.
