"""# Vint

Four players in two partnerships bid for the last word: the auction closes only after twelve passes in a row, so that even the last bidder may
raise himself, and nobody doubles. Then all thirteen tricks of *both* sides count, at the price that the final contract sets, whether or not it
is made. The first side to 500 points wins a game; two games are a rubber. Failing is dear, 500 points times the level for each trick
short, and yet a failed contract can win the game.

<!-- attributes -->
|  |  |
| --- | --- |
| Import | `from skruv import vint_v0` |
| Id | `pettingzoo.make("aec", "skruv/vint-v0")` |
| Agents | `player_0` .. `player_3`, at N E S W; 0 and 2 against 1 and 3 |
| Actions | `Discrete(88)` |
| Observations | `Dict(observation=Box(0, 1, (1099,), int8), action_mask=Box(0, 1, (88,), int8))` |
| With `features="raw"` | 855 bits instead of 1099 |
| State | `Box(0, 1, (1307,), int8)` |
| Parallel | no |
<!-- end -->

## Rules

The source is a Portuguese rule text after the code printed in Moscow by Volchaninov, compared with the introduction of pagat.com's
[Vint](https://www.pagat.com/auctionwhist/vint.html) (Lobashev and McLeod): they agree as far as that could be read. Numbers like V-13 are
the rulings by which this project settles the text; they stand beside each number in `skruv/games/vint.py`.

1. Thirteen cards each; the dealer speaks first, then clockwise. A bid names a level 1..7 (six tricks more are promised) and a strain, in the
   order spades, clubs, diamonds, hearts, no trump; each bid must be higher than the last. A pass is never final (V-1, V-2, V-3).
2. Eight passes without a bid void the deal, and the next dealer deals; after a bid twelve passes in a row close the auction, also after 7NT.
   The last bidder is declarer, whoever named the strain first (V-4 .. V-9).
3. The player on declarer's left leads; follow suit if able; no dummy; all thirteen tricks are played (V-10, V-30).
4. A trick is worth V = spades 4, clubs 6, diamonds 8, hearts 10, no trump 12, plus 10 for each level above the first. Each side writes its
   tricks times V below the line, made or failed (V-11, V-12).
5. Above the line: 12 tricks 500 or 13 tricks 1000 to either side; a level of 6 made 3000, of 7 made 5000; a failed contract gives the defence
   500 times the level for each trick short, and once 3000 or 5000 at level 6 or 7 (V-13 .. V-16). Trump honours in the two dealt hands:
   three 20 V, four 30 V, five 40 V; aces: 10 V each to the side with more of them, or two aces' worth to the side with more tricks if they are
   equal (V-17 .. V-20). Nothing is ever taken away (V-21).
6. The side whose trick first brings it to 500 below the line has the game, and both begin the next at 0; one game a deal at most. A side's
   first game pays 500, its second 1000 and ends the rubber (V-22 .. V-26). The winner of the rubber may have the smaller total (V-27).

Another code, with eight passes (`end_passes=8`), is described in the Wikipedia article on Vint.

The entries of a deal, by `env.unwrapped.ledger["lines"]`:

<!-- lines -->
| column | entry | ruling |
| --- | --- | --- |
| below | tricks | V-12 |
| above | slam | V-13 |
| above | bid_slam | V-14 |
| above | undertricks | V-15 |
| above | failed_slam | V-15 |
| above | honours | V-17 |
| above | aces | V-18, V-19 |
| above | game | V-26 |
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
| `episode` | `'deal'` | 'deal' or 'rubber'. One deal, or a rubber: until a side has won two games (V-28). |
| `end_passes` | `12` | 12 or 8. Passes in a row after a bid that close the auction; 8 is another code's (V-6). |
| `first_dealer` | `None` | None or 'N' or 'E' or 'S' or 'W'. Who deals first; ``None``: drawn for each session (C-5). |
<!-- end -->

Whatever is not allowed raises `OptionError`, which names the argument and what is allowed.

## Observation

Everything is a bit, and seen from one's own chair (me, left, partner, right; our side, theirs): turn the table, and the observations turn with
it. A *thermometer* of n bits shows a number by as many ones. Private and public facts come first; one block of derived bits is last, and
`features="raw"` leaves it out. `env.unwrapped.layout` gives the slices by name, `env.unwrapped.decode(observation)` the words.

What an observation forgets: in which order the cards of earlier tricks fell, beyond each seat's first lead and first discard, the shown voids and
the number of tricks won; in the auction, the passes between two bids beyond full rounds (whose turn it was follows from the bids).

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
| 554..555 | `phase` | 2 | public | auction or play |
| 556..575 | `margin` | 20 thermometer | public | our running margin, 1000 points a bit, ten bits at 0 |
| 576..715 | `bids` | 4 x 35 | public | bids made |
| 716..750 | `after_one_round` | 35 | public | bids made after a full round of passes |
| 751..784 | `after_two_rounds` | 34 | public | bids made after two full rounds of passes; the lowest bid can't be |
| 785..786 | `passes` | 2 thermometer | public | full rounds of passes since the last bid |
| 787..793 | `level` | 7 | public | level of the standing bid or the contract |
| 794..798 | `strain` | 5 | public | its strain |
| 799..802 | `declarer` | 4 | public | who made it |
| 803..850 | `below` | 2 x 24 thermometer | public | points below the line with this deal's tricks, 20 a bit |
| 851..852 | `games` | 2 | public | who has won a game |
| 853..854 | `crossed` | 2 | public | who was the first to reach 500 in this deal |
| 855..858 | `winning` | 4 | derived | who is winning the trick on the table |
| 859..910 | `winners` | 52 | derived | cards I may play that would win the trick as it lies |
| 911..962 | `masters` | 52 | derived | my cards that no unseen card of their suit beats |
| 963..994 | `lengths` | 4 x 8 thermometer | derived | my cards of the suit, up to eight |
| 995..1046 | `unseen` | 4 x 13 thermometer | derived | cards of the suit that I have not seen |
| 1047..1072 | `needed` | 2 x 13 thermometer | derived | tricks that the side still needs to make or to break the contract |
| 1073..1098 | `game_needed` | 2 x 13 thermometer | derived | tricks at this contract that the side still needs for game |
<!-- end -->

## Actions

An action id below 52 is a card, 13 * suit + rank with the suits C D H S and the ranks 2 .. A. `game.actions` (`env.unwrapped.game.actions`)
holds the names in order; `info["action_mask"]` and `observation["action_mask"]` say which are legal.

<!-- actions -->
| ids | group | names |
| --- | --- | --- |
| 0..51 | `card` | C2 C3 .. SA |
| 52 | `pass_` | P |
| 53..87 | `bid` | 1S 1C .. 7N |
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

`"margin"` of one deal lies within -59,010 .. 59,010; most are within 5,000. Divide by 1,000 (`reward_scale=1e-3`) to train.

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

Of one deal: after the thirteenth trick or the eighth pass. Of a rubber: when a side has two games (at most 60 played deals).

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
    return TableEnv("vint", **options)


env = raw_env
"""The same: :class:`~skruv.aec.TableEnv` checks order, agents and actions itself, without wrappers."""
