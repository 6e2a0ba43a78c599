"""A rising ladder of bids: whose bid stands, what has been bid, how many have passed since."""

from .bits import ONE
from .cards import NO_BID, NO_SEAT
from .kernel import kernel

AUCTION_FIELDS = [
    ("bid", "i1"),  # the standing bid, -1 none
    ("bidder", "i1"),  # who made it, -1 nobody
    ("passes", "i1"),  # passes in a row since then (since the start, where nothing is bid)
    ("bids", "i8", 4),  # bitboards over the ladder: the bids that each seat has made
]


@kernel
def clear_auction(state):
    """Before the first call of a deal."""
    state.bid = NO_BID
    state.bidder = NO_SEAT
    state.passes = 0
    state.bids[:] = 0


@kernel
def make_bid(state, seat, bid):
    """``seat`` bids; the passes begin to count anew."""
    state.bid = bid
    state.bidder = seat
    state.passes = 0
    state.bids[seat] |= ONE << bid
