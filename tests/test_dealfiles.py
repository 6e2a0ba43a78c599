"""Files of deals: each is read exactly, or refused with the file, the line and the reason."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skruv import TableEnv, Tables
from skruv.dealfiles import DealFileError, FileDeal, parse_deals, read_deals, write_deals
from skruv.engine.cards import ALL_CARDS, CARDS, RANK_LETTERS, SEAT_LETTERS, SEATS
from skruv.notation import board_of, deal_text, hand_text, parse_deal

FILES = Path(__file__).parent / "dealfiles"
fuzz = settings(deadline=None, derandomize=True, max_examples=300)

MIXED = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"
VOIDS = "N:.KJ87.T73.KQJ964 AKJ95.AT2.92.A82 Q8632.Q96543.AK. T74..QJ8654.T753"

READ: dict[str, list[tuple[str, str | None, str | None, int]]] = {
    # the deal, the dealer, the board and the line of each
    "plain.pbn": [(MIXED, "N", "1", 4), (VOIDS, "E", "2", 8)],
    "letter_is_not_dealer.pbn": [(MIXED, "E", "1", 3)],
    "letter_without_dealer.pbn": [(MIXED, None, None, 1)],
    "dealer_unknown.pbn": [(MIXED, None, "1", 3)],
    "crlf.pbn": [(MIXED, "N", "1", 3), (VOIDS, "E", "2", 7)],
    "bare_cr.pbn": [(MIXED, "N", "1", 3), (VOIDS, "E", "2", 7)],
    "bom.pbn": [(MIXED, "N", "1", 3)],
    "latin1.pbn": [(MIXED, "N", "1", 4)],
    "utf16_le.pbn": [(MIXED, "N", "1", 4)],
    "utf16_be.pbn": [(MIXED, "N", "1", 4)],
    "semicolon_comment.pbn": [(MIXED, "N", "1", 4)],
    "braces_comment.pbn": [(MIXED, "N", "1", 6)],
    "percent_comment.pbn": [(MIXED, "N", "1", 7)],
    "marks_in_values.pbn": [(MIXED, "N", "1", 4)],
    "ten_as_10.pbn": [(MIXED, "N", "1", 3)],
    "lower_case.pbn": [(MIXED, "N", "1", 3)],
    "ranks_unsorted.pbn": [(MIXED, "N", "1", 3)],
    "void_empty.pbn": [(VOIDS, None, None, 1)],
    "void_dash.pbn": [(VOIDS, None, None, 1)],
    "one_hand_hidden.pbn": [(MIXED, "N", "1", 3)],
    "no_blank_line.pbn": [(MIXED, "N", "1", 3), (VOIDS, "E", "2", 6)],
    "blank_line_of_spaces.pbn": [(MIXED, "N", "1", 3), (VOIDS, "E", "2", 7)],
    "sections.pbn": [(MIXED, "N", "1", 5), (VOIDS, "E", "2", 23)],
    "header_game.pbn": [(MIXED, "N", "1", 6)],
    "tag_over_lines.pbn": [(MIXED, "N", "1", 5)],
    "board_as_before.pbn": [(MIXED, "N", "1", 3), (VOIDS, "E", "1", 7)],
    "board_quoted.pbn": [(MIXED, "N", 'a "b" \\c', 3)],
    "dealer_south.lin": [(MIXED, "S", "o1", 1)],
    "dealer_west.lin": [(MIXED, "W", None, 1)],
    "dealer_north.lin": [(MIXED, "N", None, 1)],
    "dealer_east.lin": [(MIXED, "E", None, 1)],
    "fourth_left_out.lin": [(MIXED, "N", None, 1)],
    "fourth_empty.lin": [(MIXED, "N", None, 1)],
    "two_boards.lin": [(MIXED, "N", "o1", 5), (VOIDS, "E", "o2", 6)],
    "crlf.lin": [(MIXED, "N", "o1", 2)],
    "lower_case_ten.lin": [(MIXED, "N", None, 1)],
    "void.lin": [(VOIDS, "N", None, 1)],
}

REFUSED: dict[str, tuple[int, str]] = {
    # the line, and what the reason begins with
    "cards_51.pbn": (7, "N has 12 cards (AQ.AKJ5.J8.KJ74), not 13; S6 not dealt"),
    "cards_48.pbn": (7, "N has 12 cards (AQ.AKJ5.J8.KJ74) and E has 12 cards"),
    "cards_14_and_12.pbn": (7, "N has 14 cards (AQ6.AKJ5.J8.KJ742) and S has 12 cards (875.T93.763.Q53), not 13"),
    "card_in_two_hands.pbn": (7, "C4 is dealt to N and again to S"),
    "card_twice_in_a_hand.pbn": (7, "'C3' stands twice in 'S8 S7 S5 HT H9 H3 D7 D6 D3 CQ C5 C3 C3'"),
    "wrong_letter.pbn": (7, "'CZ' is not a card"),
    "wrong_first_seat.pbn": (7, "'X' is not a seat"),
    "no_first_seat.pbn": (7, "deal 'AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K...' does not begin with a seat letter"),
    "three_hands.pbn": (7, "deal 'N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532' has 3 hands"),
    "three_suits.pbn": (7, "hand '875.T93.763Q532' has 3 suits"),
    "two_hands_hidden.pbn": (7, "the hands of E and W are not given"),
    "hidden_and_card_twice.pbn": (7, "C4 is dealt to N and again to S"),
    "deal_unknown.pbn": (7, "deal '' does not begin with a seat letter"),
    "dealer_spelled_out.pbn": (6, "'East' is not a seat"),
    "board_for_all.pbn": (1, "Board '##5': a name for all boards to come is not read"),
    "blank_line_in_a_board.pbn": (5, "the board has a Board but no Deal (a blank line ends a board)"),
    "whose_dealer.pbn": (3, "some boards have a Dealer and some have none, with no blank line between"),
    "quote_not_closed.pbn": (5, "'[Board \"2]' is not a tag"),
    "bracket_not_closed.pbn": (6, "'[Dealer \"E\"' is not a tag"),
    "bracket_not_opened.pbn": (7, "']' is not a tag"),
    "brace_not_closed.pbn": (5, "'{ the rest' is a comment that is never closed"),
    "utf16_without_bom.pbn": (1, "a zero byte is no text; UTF-16 must begin with its byte order mark"),
    "utf16_cut_short.pbn": (3, "the file is marked as utf-16-le, and this is none"),
    "lin_among_pbn.pbn": (5, "'md|3S875HT93D763CQ532,SJ4HQ764DK52CT986,SAQ6HAKJ5DJ8CKJ74,SK...' is not a tag"),
    "empty.pbn": (1, "the file has no deal"),
    "no_deal.pbn": (1, "the file has no deal"),
    "digit_5.lin": (2, "md '5S875HT93D763CQ532,SJ4HQ764DK52CT986,SAQ6HAKJ5DJ8CKJ74,SKT93...' must begin with the dealer"),
    "no_digit.lin": (2, "md 'S875HT93D763CQ532,SJ4HQ764DK52CT986,SAQ6HAKJ5DJ8CKJ74,SKT932...' must begin with the dealer"),
    "two_hands.lin": (2, "md '3S875HT93D763CQ532,SJ4HQ764DK52CT986' has 2 hands"),
    "card_in_two_hands.lin": (2, "C4 is dealt to N and again to S"),
    "suit_twice.lin": (2, "hand 'S875HT93D763DQ532' has the suit 'D' twice"),
    "card_without_suit.lin": (2, "hand '875HT93D763CQ532' begins with '875'"),
    "bar_missing.lin": (2, "md stands where the value of 'st' should be"),
    "pbn_after_lin.lin": (2, "'[Board \"2\"]' is not a LIN command"),
    "no_md.lin": (1, "the file has no deal"),
}

WHOLE = "".join(
    f'[Board "{board}"]\n[Dealer "{dealer}"]\n[Deal "{deal}"]\n\n' for board, dealer, deal in ((1, "S", MIXED), (2, "W", VOIDS))
)


def random_hands(rng: Random) -> tuple[int, int, int, int]:
    """Bitboards by seat."""
    pack = list(CARDS)
    rng.shuffle(pack)
    north, east, south, west = (board_of(pack[13 * seat : 13 * seat + 13]) for seat in SEATS)
    return north, east, south, west


def check_whole(deals: list[FileDeal], lines: int) -> None:
    """Whatever was read are deals of 52 cards."""
    assert deals
    for deal in deals:
        assert [hand.bit_count() for hand in deal.hands] == [13] * 4
        assert sum(deal.hands) == ALL_CARDS
        assert deal.dealer in (None, *SEATS)
        assert 1 <= deal.line <= lines


def read_or_refused(data: bytes) -> None:
    """Deals, or the named error."""
    message = ""
    try:
        check_whole(parse_deals(data, "some file"), data.count(b"\n") + data.count(b"\r") + 1)
    except DealFileError as error:
        message = str(error)
    assert not message or re.match(r"some file, line [1-9]\d*: .", message)
    assert len(message) < 400


# ---- files that were made for it --------------------------------------------------------------------------------------------


def test_each_file_is_in_one_table__P34() -> None:
    assert {path.name for path in FILES.iterdir()} - {".gitattributes"} == {*READ, *REFUSED}
    assert not {*READ} & {*REFUSED}


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_exactly__P34(name: str) -> None:
    assert [
        (deal_text(deal.hands), None if deal.dealer is None else SEAT_LETTERS[deal.dealer], deal.board, deal.line)
        for deal in read_deals(FILES / name)
    ] == READ[name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_by_name_line_and_reason__P34(name: str) -> None:
    line, reason = REFUSED[name]
    with pytest.raises(DealFileError) as caught:
        read_deals(FILES / name)
    assert str(caught.value).startswith(f"{FILES / name}, line {line}: {reason}")


def test_the_text_tells_the_form_and_not_the_name__P34(tmp_path: Path) -> None:
    for name, other in (("plain.pbn", "deals.lin"), ("two_boards.lin", "deals.pbn")):
        (tmp_path / other).write_bytes((FILES / name).read_bytes())
        assert read_deals(tmp_path / other) == read_deals(FILES / name)


@pytest.mark.parametrize("game", ["vint", "biritch"])
def test_an_episode_begins_with_a_deal_of_a_file__P34(game: str) -> None:
    deals = read_deals(FILES / "plain.pbn")
    tables = Tables(game, n=len(deals), seed=0, autoreset=False)
    tables.reset(deals=[deal.options for deal in deals])
    assert [tuple(hands) for hands in tables.states["dealt"].tolist()] == [deal.hands for deal in deals]
    assert tables.states["dealer"].tolist() == [0, 1]
    env = TableEnv(game)
    env.reset(seed=0, options=deals[1].options)
    assert env.unwrapped.record()[0]["deal"] == VOIDS
    assert FileDeal(deals[0].hands).options == {"deal": MIXED}


# ---- writing ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", SEATS)
def test_ten_thousand_written_deals_are_read_back__P34(first: int, tmp_path: Path) -> None:
    rng = Random(first)
    deals = [FileDeal(random_hands(rng), first, str(number)) for number in range(10_000)]
    write_deals(tmp_path / "deals.pbn", deals)
    assert f'[Deal "{SEAT_LETTERS[first]}:{hand_text(deals[0].hands[first])} ' in (tmp_path / "deals.pbn").read_text()
    assert read_deals(tmp_path / "deals.pbn") == deals


@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("dealer", SEATS)
def test_any_seat_is_first_and_any_deals__P34(first: int, dealer: int) -> None:
    for number in range(20):
        hands = random_hands(Random(number))
        texts = [hand_text(hand) for hand in hands]
        deal = f"{SEAT_LETTERS[first]}:{' '.join(texts[first:] + texts[:first])}"
        text = f'[Deal "{deal}"]\n[Dealer "{SEAT_LETTERS[dealer]}"]\n'
        assert parse_deals(text.encode()) == [FileDeal(hands, dealer)]
        assert parse_deal(deal).hands == hands


some_seat = st.none() | st.sampled_from(SEATS)
drawn_deals = st.lists(st.tuples(st.integers(0, 10**6), some_seat, st.none() | st.text(max_size=8)), min_size=1, max_size=4)


@fuzz
@example([(0, None, "\\"), (1, 3, '{"}%;'), (2, None, None), (3, 0, ""), (4, 1, "md|")])
@given(drawn_deals)
def test_any_board_that_is_written_is_read_back__P34(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[int, int | None, str | None]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "drawn.pbn"
    deals = [FileDeal(random_hands(Random(seed)), dealer, board) for seed, dealer, board in drawn]
    if all(board is None or (board.isprintable() and not board.startswith("#")) for _, _, board in drawn):
        write_deals(path, deals)
        assert read_deals(path) == deals
    else:
        with pytest.raises(DealFileError):
            write_deals(path, deals)


MIXED_HANDS = parse_deal(MIXED).hands
NORTH, EAST, SOUTH, WEST = MIXED_HANDS


@pytest.mark.parametrize(("deals", "reason"), [
    ([], "there are no deals to write"),
    ([FileDeal((NORTH, EAST, SOUTH, SOUTH))], r"deal 1: .* is dealt to S and again to W"),
    ([FileDeal(MIXED_HANDS), FileDeal((NORTH, EAST, SOUTH, 0))], r"deal 2: W has 0 cards \(\.\.\.\), not 13"),
    ([FileDeal((NORTH, EAST, SOUTH, WEST | 1 << 52))], r"deal 1: hands .*: they must be four bitboards of cards"),
    ([FileDeal((NORTH, EAST, SOUTH, -1))], r"deal 1: hands .*: they must be four bitboards of cards"),
    ([FileDeal(MIXED_HANDS, dealer=4)], "deal 1: dealer 4 is not a seat"),
    ([FileDeal(MIXED_HANDS, board="1\n")], "deal 1: board '1\\\\n': it must be printable"),
    ([FileDeal(MIXED_HANDS, board="#")], "deal 1: board '#': it must be printable, and not begin with '#'"),
])
def test_what_cannot_be_written_is_refused_and_the_file_stays__P34(deals: list[FileDeal], reason: str, tmp_path: Path) -> None:
    (tmp_path / "deals.pbn").write_text("before")
    with pytest.raises(DealFileError, match=reason):
        write_deals(tmp_path / "deals.pbn", deals)
    assert (tmp_path / "deals.pbn").read_text() == "before"


# ---- whatever the bytes -----------------------------------------------------------------------------------------------------

PLACES = [
    place
    for deal in re.finditer('(?<=:)[^"]*', WHOLE) for place in range(*deal.span())
    if WHOLE[place] in RANK_LETTERS
]
seeds = {path.name: path.read_bytes() for path in sorted(FILES.iterdir())}
marks = (b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b'[Deal "', b"md|3", b"qx|")
signs = (*(bytes([sign]) for sign in b'[]"{};%|.,-#?\\\0\r'), b"10", b"md|", b"[Deal", b"\n\n", b"\xff\xfe")
pieces = st.binary(max_size=6) | st.sampled_from(signs)


@fuzz
@example(b'[Deal "N:- - - -"]')
@example(b"\xff\xfe\x00\xd8")
@example(b"\xef\xbb\xbf\xff")
@given(st.builds(bytes.__add__, st.sampled_from(marks), st.binary()))
def test_any_bytes_are_read_or_refused__P34(data: bytes) -> None:
    read_or_refused(data)


@settings(fuzz, max_examples=1000)
@given(st.sampled_from(sorted(seeds)), st.lists(st.tuples(st.integers(0), st.integers(0, 8), pieces), min_size=1, max_size=3))
def test_a_changed_file_is_read_or_refused__P34(name: str, edits: list[tuple[int, int, bytes]]) -> None:
    data = seeds[name]
    for place, cut, piece in edits:
        place %= len(data) + 1
        data = data[:place] + piece + data[place + cut :]
    read_or_refused(data)


@pytest.mark.parametrize("rank", ["", *RANK_LETTERS, "1", "x"])
def test_a_changed_card_is_refused__P34(rank: str) -> None:
    changed = [place for place in PLACES if WHOLE[place] != rank]
    assert len(changed) >= 96
    for place in changed:
        with pytest.raises(DealFileError):
            parse_deals((WHOLE[:place] + rank + WHOLE[place + 1 :]).encode())


MANY = 200_000
HUGE = {
    "brackets": "[" * MANY,
    "braces": "{" * MANY,
    "comments": "{}" * MANY,
    "quotes": '"' * (MANY + 1),
    "lines": "\n" * MANY,
    "spaces": " " * MANY,
    "percents": "%" * MANY,
    "lines of percents": "%\n" * MANY,
    "tag of spaces": "[" + " " * MANY,
    "tag without end": '[Deal "' + "A" * MANY,
    "escapes": '[Deal "' + "\\" * MANY,
    "boards": '[Board ""]' * (MANY // 10),
    "games": '[Event "a"]\n\n' * (MANY // 10),
    "hand": '[Deal "N:' + "A" * MANY + ' - - -"]',
    "hands": '[Deal "N:' + "- " * MANY + '"]',
    "suits": '[Deal "N:' + "." * MANY + ' - - -"]',
    "first seat": '[Deal "' + "N" * MANY + ':- - - -"]',
    "dealer": '[Dealer "' + "N" * MANY + '"]\n[Deal "N:- - - -"]',
    "hand in LIN": "md|3" + "S" * MANY + ",,|",
    "hands in LIN": "md|3" + "," * MANY,
    "bars": "|" * MANY,
    "LIN commands": "pg||" * (MANY // 10) + "a" * MANY,
    "spaces in LIN": "pg||" + " " * MANY + "a",
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_files_are_refused_too__P34(name: str) -> None:
    with pytest.raises(DealFileError):
        parse_deals(HUGE[name].encode())
    read_or_refused(HUGE[name].encode())
