"""# Skruuvi

The Finnish game of the screw. Twelve cards each and four in the *kotka*, which the declarer takes and pays for with four discards; then his side
alone may raise, the defenders may *knock* (double) and he redouble. Three special contracts are played solo: *misääri* and *bolshevik*, to
take no trick at all, and *mussolini*, to take every one. Failing costs the declaring side, and nothing else is ever lost or won but by it, save
for honours.

<!-- attributes -->
|  |  |
| --- | --- |
| Import | `from skruv import skruuvi_v0` |
| Id | `pettingzoo.make("aec", "skruv/skruuvi-v0")` |
| Agents | `player_0` .. `player_3`, at N E S W; 0 and 2 against 1 and 3 |
| Actions | `Discrete(93)` |
| Observations | `Dict(observation=Box(0, 1, (1134,), int8), action_mask=Box(0, 1, (93,), int8))` |
| With `features="raw"` | 916 bits instead of 1134 |
| State | `Box(0, 1, (1342,), int8)` |
| Parallel | no |
<!-- end -->

## Rules

The source is a Portuguese rule text; where it leaves a choice, the rulings K-1 .. K-45 settle it, and stand beside each number in
`skruv/games/skruuvi.py`. It departs from the published Finnish rules ([korttipeliopas.fi](https://korttipeliopas.fi/skruuvi),
[gamerules.com](https://gamerules.com/rules/skruvvi/)): clubs rank lowest, not spades; three passes close the auction, not eight; the declarer
alone exchanges; partners are fixed; a match has 24 + 4 deals; bolshevik is a bid like any other. *Mussolini* is known from this text only.

1. The player on the dealer's left opens. A bid names how many of 13 tricks, 7..13, and a strain, in the order clubs, diamonds, hearts, spades, no
   trump. Misääri ranks above the bids of 11, bolshevik and mussolini above those of 13 (`special_rank` changes that). Three passes in a row
   close the auction after a bid; four without one void the deal, which counts as played (K-1 .. K-9).
2. The declarer takes the kotka and discards any four cards, face down. They are his side's thirteenth trick, save in misääri and bolshevik (K-10 ..
   K-12). He and his partner may raise in turn until both pass; the declarer stays the same (K-13 .. K-16).
3. The defender on declarer's left, then the other, may knock; then the declaring side, clockwise from the knocker, may redouble (K-17).
4. The player on declarer's left leads. In a special contract there are no trumps and the partner sits out: tricks of three cards
   (K-19 .. K-22).
5. A contract that is made scores clubs 1, diamonds 2, hearts 3, spades 4, no trump 5 for each trick above six, 500 more for a bid of 12, 1000 for
   one of 13; failed, -50 for each trick short (K-23 .. K-25). Misääri: 100, and 50 for each trick that the declarer all but won; failed, -50 for each
   trick taken (K-26, K-27). Bolshevik and mussolini: 2000 or -2000 (K-28). A knock doubles all of this, a redouble doubles it again (K-18).
6. All four aces in one hand as the play begins, 100; all five trump honours, 100; never doubled (K-29 .. K-32).
7. A rubber is 8 deals; a match is three rubbers and four deals without a kotka, 13 cards each; the higher total wins (K-34 .. K-37).

Least certain are the +50s of misääri (K-26), whether the partner sits out in bolshevik and mussolini (K-20), the rank of the special contracts
(K-7) and what a knock doubles when the contract is made (K-18).

The entries of a deal, by `env.unwrapped.ledger["lines"]`, all in one column:

<!-- lines -->
| column | entry | ruling |
| --- | --- | --- |
| score | tricks | K-23 |
| score | slam | K-25 |
| score | undertricks | K-24, K-27 |
| score | misaari | K-26 |
| score | second_best | K-26 |
| score | special | K-28 |
| score | aces | K-29 |
| score | honours | K-29 |
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
| `episode` | `'deal'` | 'deal' or 'rubber' or 'match'. One deal, a rubber of 8 kitty deals (K-36), or a match: 24 kitty deals and 4 without (K-34). |
| `rubbers` | `None` | None or a whole number 1..100. So many rubbers instead of the match (K-36). |
| `kitty` | `True` | True or False. Deals with a kotka (K-42). |
| `misaari` | `True` | True or False. The contract to take no trick, for points (K-41, K-43). |
| `bolshevik` | `True` | True or False. The contract to take no trick, all or nothing (K-41). |
| `mussolini` | `True` | True or False. The contract to take every trick alone (K-41, K-43). |
| `honours` | `True` | True or False. Prizes for aces and honours (K-44). |
| `solo_partner` | `'out'` | 'out' or 'opponent'. The partner in a special contract sits out, or is a third defender and is paid as one (K-20). |
| `misere_bonus` | `'second_best'` | 'second_best' or 'all_defender_tricks' or 'none'. The tricks that pay more in a made misääri (K-26). |
| `special_rank` | `'by_class'` | 'by_class' or 'top'. The special contracts stand above the bids of their class, or above all (K-7). |
| `all_pass` | `'count'` | 'count' or 'redeal'. A passed-out deal counts as one of the session, or does not (K-6). |
| `first_dealer` | `None` | None or 'N' or 'E' or 'S' or 'W'. Who deals first; ``None``: drawn for each session (C-5). |
| `variant` | `None` | A preset of these rules; a field given beside it wins. `'simplified'`: misaari=False, bolshevik=False, mussolini=False; `'no_kotka'`: kitty=False; `'bolshevik_only'`: misaari=False, mussolini=False; `'university'`: honours=False |
<!-- end -->

Whatever is not allowed raises `OptionError`, which names the argument and what is allowed.

## Observation

Everything is a bit, and seen from one's own chair (me, left, partner, right; our side, theirs): turn the table, and the observations turn with
it. A *thermometer* of n bits shows a number by as many ones. Private and public facts come first; one block of derived bits is last, and
`features="raw"` leaves it out. `env.unwrapped.layout` gives the slices by name, `env.unwrapped.decode(observation)` the words.

What an observation forgets: in which order the cards of earlier tricks fell, beyond each seat's first lead and first discard, the shown voids and
the number of tricks won; which of the discards came from the kotka; who passed when in the auction.

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
| 554..559 | `phase` | 6 | public | auction, exchange, second auction, knock, redouble or play |
| 560..579 | `margin` | 20 thermometer | public | our running margin, 200 points a bit, ten bits at 0 |
| 580..731 | `bids` | 4 x 38 | public | bids made |
| 732..768 | `raised` | 37 | public | bids made after the exchange; the lowest bid can't be |
| 769..806 | `contract` | 38 | public | the standing bid or the contract |
| 807..810 | `declarer` | 4 | public | the declarer; in the first auction, who made the standing bid |
| 811..814 | `knock` | 4 | public | who has knocked |
| 815..818 | `redouble` | 4 | public | who has redoubled |
| 819..870 | `discards` | 52 | private | cards that I have laid away |
| 871..874 | `discards_left` | 4 thermometer | public | cards that the declarer still has to lay away |
| 875..875 | `kitty` | 1 | public | this deal has a kotka |
| 876..887 | `second_best` | 12 thermometer | public | tricks of a misääri that the declarer all but won |
| 888..915 | `deal` | 28 | public | which deal of the session; later ones as the last |
| 916..919 | `winning` | 4 | derived | who is winning the trick on the table |
| 920..971 | `winners` | 52 | derived | cards I may play that would win the trick as it lies |
| 972..1023 | `masters` | 52 | derived | my cards that no unseen card of their suit beats |
| 1024..1055 | `lengths` | 4 x 8 thermometer | derived | my cards of the suit, up to eight |
| 1056..1107 | `unseen` | 4 x 13 thermometer | derived | cards of the suit that I have not seen |
| 1108..1133 | `needed` | 2 x 13 thermometer | derived | tricks that the side still needs to make or to break the contract |
<!-- end -->

## Actions

An action id below 52 is a card, 13 * suit + rank with the suits C D H S and the ranks 2 .. A; the declarer's four discards are cards too, made one
after the other. `X` knocks, `XX` redoubles. `game.actions` (`env.unwrapped.game.actions`) holds the names in order; `info["action_mask"]` and
`observation["action_mask"]` say which are legal. A seat that sits out has no turn, and gets its rewards like the others.

<!-- actions -->
| ids | group | names |
| --- | --- | --- |
| 0..51 | `card` | C2 C3 .. SA |
| 52 | `pass_` | P |
| 53..90 | `bid` | 7C 7D .. mussolini |
| 91 | `double` | X |
| 92 | `redouble` | XX |
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

`"margin"` of one undoubled deal lies within -2,100 .. 2,100, redoubled -8,100 .. 8,100. Divide by 100 to train. With
`solo_partner="opponent"` the declarer of a special contract gets m, each other seat -m / 3.

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

Of one deal: after the last trick or the fourth pass (with `all_pass="redeal"` too). Of a rubber or match: after its last deal.

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
    return TableEnv("skruuvi", **options)


env = raw_env
"""The same: :class:`~skruv.aec.TableEnv` checks order, agents and actions itself, without wrappers."""
