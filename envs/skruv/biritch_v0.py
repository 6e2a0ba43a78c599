"""# Biritch

Biritch, or Russian whist, as John Collinson printed it in 1886: the oldest known rules of bridge. There is no auction: the dealer names trumps
or *biritch* (no trump), or leaves it to his partner. Then the sides may double in turn, with no ceiling. After the opening lead the dealer's
partner lays down his hand as dummy, and the dealer plays both. The side with more than six tricks scores those above six.

<!-- attributes -->
|  |  |
| --- | --- |
| Import | `from skruv import biritch_v0` |
| Id | `pettingzoo.make("aec", "skruv/biritch-v0")` |
| Agents | `player_0` .. `player_3`, at N E S W; 0 and 2 against 1 and 3 |
| Actions | `Discrete(59)` |
| Observations | `Dict(observation=Box(0, 1, (914,), int8), action_mask=Box(0, 1, (59,), int8))` |
| With `features="raw"` | 682 bits instead of 914 |
| State | `Box(0, 1, (1122,), int8)` |
| Parallel | no |
<!-- end -->

## Rules

The source is a Portuguese rule text after Collinson's leaflet ([pagat.com](https://pagat.com/auctionwhist/biritch.html),
[Wikisource](https://en.wikisource.org/wiki/Biritch,_or_Russian_Whist)); the rulings B-1 .. B-27, which stand beside each number in
`skruv/games/biritch.py`, settle what it leaves open. Later straight bridge differs: 100 for four aces in one hand and for the rubber, 12 a
trick at no trump, no doubling beyond 100 points a trick.

1. Thirteen cards each. The dealer names spades, clubs, diamonds, hearts or biritch, or leaves it to his partner, who must name (B-1).
2. The player on the dealer's left, then the one on his right, may double; then the dealer's side, who named the trumps first; and so on in turn,
   until both of the side that is asked decline. Each doubling doubles the points for tricks, and nothing else (B-2 .. B-7).
3. The dealer's left leads, dummy is laid open to all, and the dealer plays both hands (B-8 .. B-10).
4. The side with more than six tricks scores, below the line, for each above six: spades 2, clubs 4, diamonds 6, hearts 8, biritch 10, times the
   doublings. Twelve tricks are 20 above the line, thirteen 40, to either side (B-11, B-12).
5. 30 points below the line win a game, and both sides begin the next at 0 (B-13); the second game wins the rubber and 40 points (B-24). The
   winner of the rubber may have the smaller total (B-25).
6. Honours in the two dealt hands, in trick values: three 2, four 4, four in one hand 8, a fifth 1 more; at biritch three aces 30, four 40, four in one
   hand 80 (B-14 .. B-16). *Chicane*, a hand without trumps, adds two trick values to its side's honours, or takes them from the other side's, once
   for each side (B-17 .. B-23).

Least certain are the order in which the members of a side are asked to double (B-4, B-5) and five honours in one hand (B-16). Blind
doubling makes the mean margin meaningless: train with `max_doublings=2` or so.

The entries of a deal, by `env.unwrapped.ledger["lines"]`:

<!-- lines -->
| column | entry | ruling |
| --- | --- | --- |
| below | tricks | B-11 |
| above | slam | B-12 |
| above | honours | B-15, B-16 |
| above | aces | B-14 |
| above | chicane | B-17, B-18, B-19, B-20 |
| above | rubber | B-24 |
<!-- end -->

## Arguments

<!-- arguments -->
| argument | default | meaning |
| --- | --- | --- |
| `features` | `'full'` | `"full"`, or `"raw"` without the derived block at the end. |
| `reward` | `'margin'` | `"margin"`, own points minus the other side's, paid when a deal is recorded; or `"winner"`, +1, 0 or -1 at the end. |
| `reward_scale` | `1.0` | factor of every reward. |
| `illegal` | `'raise'` | `"raise"` `IllegalAction`; or `"terminate"` the episode, the offender's side paying `illegal_penalty`. |
| `illegal_penalty` | `None` | points; `None`: 1 with `"winner"`, the game's worst undoubled deal with `"margin"`. |
| `skip_forced` | `False` | play single legal actions automatically (G-1). |
| `ledger` | `'zero'` | `"zero"`, or `"random"`: every episode starts from a plausible running score. |
| `max_deals` | `100` | truncate an episode after so many deals, passed-out ones included; `None`: never. |
| `render_mode` | `None` | `"ansi"`, `"rgb_array"`, `"human"`, see below |
| `perspective` | `'actor'` | whose view is drawn, see below |
| `episode` | `'deal'` | 'deal' or 'rubber'. One deal, or a rubber: until a side has won two games (B-24). |
| `max_doublings` | `None` | None or a whole number 0..40. Doublings after which the play begins at once, 0: none is offered. ``None`` is the law, no ceiling (B-6); as a score has room for 40 doublings, no raise is offered after the 40th. |
| `first_dealer` | `None` | None or 'N' or 'E' or 'S' or 'W'. Who deals first; ``None``: drawn for each session (C-5). |
<!-- end -->

Whatever is not allowed raises `OptionError`, which names the argument and what is allowed.

## Observation

Everything is a bit, and seen from one's own chair (me, left, partner, right; our side, theirs): turn the table, and the observations turn with
it. A *thermometer* of n bits shows a number by as many ones. Private and public facts come first; one block of derived bits is last, and
`features="raw"` leaves it out. `env.unwrapped.layout` gives the slices by name, `env.unwrapped.decode(observation)` the words.

What an observation forgets: in which order the cards of earlier tricks fell, beyond each seat's first lead and first discard, the shown voids and
the number of tricks won; the order of the doublings, beyond who has doubled and who has just declined.

<!-- observation -->
| bits | name | shape | sort | meaning |
| --- | --- | --- | --- | --- |
| 0..51 | `hand` | 52 | private | cards in my hand |
| 52..259 | `played` | 4 x 52 | public | cards played |
| 260..467 | `trick` | 4 x 52 | public | card on the table |
| 468..483 | `voids` | 4 x 4 | public | suits that the chair has shown it cannot follow |
| 484..487 | `led` | 4 | public | suit led to the trick on the table |
| 488..503 | `first_led` | 4 x 4 | public | first suit that the chair led |
| 504..519 | `first_discard` | 4 x 4 | public | first suit that the chair threw away without trumping |
| 520..545 | `tricks` | 2 x 13 thermometer | public | tricks won |
| 546..549 | `turn` | 4 | public | whose decision it is |
| 550..553 | `dealer` | 4 | public | who deals |
| 554..556 | `phase` | 3 | public | naming, contre or play |
| 557..576 | `margin` | 20 thermometer | public | our running margin, 20 points a bit, ten bits at 0 |
| 577..581 | `strain` | 5 | public | strain named |
| 582..582 | `to_partner` | 1 | public | the dealer has left the naming to his partner |
| 583..590 | `doublings` | 8 thermometer | public | doublings, up to eight |
| 591..594 | `doubled_by` | 4 | public | who has doubled |
| 595..598 | `declined` | 4 | public | who has declined while the partner is asked |
| 599..650 | `dummy` | 52 | public | cards in dummy's hand, from the opening lead on |
| 651..651 | `for_dummy` | 1 | public | dummy's hand is to play; the dealer decides |
| 652..679 | `below` | 2 x 14 thermometer | public | points below the line before this deal, 2 a bit |
| 680..681 | `games` | 2 | public | who has won a game |
| 682..685 | `winning` | 4 | derived | who is winning the trick on the table |
| 686..737 | `winners` | 52 | derived | cards I may play that would win the trick as it lies |
| 738..789 | `masters` | 52 | derived | my cards that no unseen card of their suit beats |
| 790..821 | `lengths` | 4 x 8 thermometer | derived | my cards of the suit, up to eight |
| 822..873 | `unseen` | 4 x 13 thermometer | derived | cards of the suit that I have not seen |
| 874..887 | `needed` | 2 x 7 thermometer | derived | tricks that the side still needs to score: seven at most |
| 888..913 | `game_needed` | 2 x 13 thermometer | derived | tricks at this strain and doubling that the side still needs for game |
<!-- end -->

## Actions

An action id below 52 is a card, 13 * suit + rank with the suits C D H S and the ranks 2 .. A. The pass leaves the naming to the partner, and
later declines to double; `X` is every doubling. While dummy is to play, `agent_selection` is the dealer, and the mask holds dummy's cards.
`game.actions` (`env.unwrapped.game.actions`) holds the names in order; `info["action_mask"]` and `observation["action_mask"]` say
which are legal.

<!-- actions -->
| ids | group | names |
| --- | --- | --- |
| 0..51 | `card` | C2 C3 .. SA |
| 52 | `pass_` | P |
| 53..57 | `strain` | S C D H N |
| 58 | `double` | X |
<!-- end -->

## Rewards

<!-- rewards -->
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
<!-- end -->

`"margin"` of one undoubled deal lies within -230 .. 230. Divide by 20 to train.

## Start

<!-- start -->
`reset(seed=s)` draws the first dealer and deals; the same seed gives the same deals, whatever is played. `reset()` goes on with the
random stream. Table i of `Tables(..., seed=s)` is dealt what `reset(seed=s + i)` deals. `reset(options={...})` begins elsewhere:

| key | value |
|---|---|
| `deal` | hands as in PBN: `"N:AKQ2.K3.T98.7654 ..."`, from the named seat clockwise, spades first |
| `kotka` | Skruuvi's four cards: `"D5 SA H3 C2"` |
| `dealer` | `"N"`, `"E"`, `"S"` or `"W"` |
| `ledger` | the score sheet: by side as `[NS, EW]`, with the fields that `env.unwrapped.ledger` shows |
| `contract`, `declarer` | both: the deal begins with the play of the cards |
<!-- end -->

## End

<!-- finish -->
An episode is one deal, or a longer session (`episode`); in its last step all four seats terminate together. `max_deals` truncates one that
goes on for ever (rubbers of passed-out deals). When a deal ends, `infos` of all seats hold `"deal"`: contract, declarer, doublings, tricks
by side, score lines and margin.
<!-- end -->

Of one deal: after the thirteenth trick; no deal can be passed out (B-27). Of a rubber: when a side has two games (at most 87 deals).

## Rendering

<!-- rendering -->
`render_mode="ansi"`: `render()` returns the table as text; `"rgb_array"`: as pixels, (H, W, 3) uint8, which needs the extra `render`;
`"human"`: it is printed after every step. `perspective="actor"` shows what the seat to act may see, `"all"` shows all hands, `"player_2"`
what that seat sees. In a notebook an environment draws itself.
<!-- end -->

## Version history

| version | change |
| --- | --- |
| v0 | first version |

The version rises when rules, observations, actions or rewards change; never for speed.
"""

from typing import Any

from .aec import TableEnv


def raw_env(**options: Any) -> TableEnv:
    """The environment; ``options`` are the arguments of the page above.

    Raises:
        OptionError: an option that does not exist, is not allowed, or contradicts another one.
    """
    return TableEnv("biritch", **options)


env = raw_env
"""The same: :class:`~skruv.aec.TableEnv` checks order, agents and actions itself, without wrappers."""
