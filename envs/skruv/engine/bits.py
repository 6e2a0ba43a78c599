"""Sets of small numbers in one word: counting, the lowest and the highest, and spreading them out to one byte a bit.

Each operation stands twice: as Python, for ``NUMBA_DISABLE_JIT=1``, and as the instruction that numba puts in its place.
"""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .kernel import kernel

ONE = np.int64(1)
NONE_OF_THEM = np.int64(0)
WORD = 64


def _word_operation(emit: Callable[[Any, Any], Any]) -> Any:
    """A numba intrinsic on one int64, from a function that emits its LLVM instruction."""

    @intrinsic
    def operation(typing, board):
        return types.int64(types.int64), lambda context, builder, signature, arguments: emit(builder, arguments[0])

    return operation


_TRUE = ir.Constant(ir.IntType(1), 1)
_ones = _word_operation(lambda builder, board: builder.ctpop(board))
_trailing_zeros = _word_operation(lambda builder, board: builder.cttz(board, _TRUE))
_leading_zeros = _word_operation(lambda builder, board: builder.ctlz(board, _TRUE))


def count(board: Any) -> int:
    """How many are in ``board``."""
    return int(board).bit_count()


def lowest(board: Any) -> int:
    """The lowest of a ``board`` that is not empty."""
    return (int(board) & -int(board)).bit_length() - 1


def highest(board: Any) -> int:
    """The highest of a ``board`` that is not empty."""
    return int(board).bit_length() - 1


@overload(count)
def _count(board):
    return lambda board: _ones(board)


@overload(lowest)
def _lowest(board):
    return lambda board: _trailing_zeros(board)


@overload(highest)
def _highest(board):
    return lambda board: 63 - _leading_zeros(board)


@kernel
def only(place):
    """The set of one ``place``, or none where it is -1."""
    return ONE << np.int64(place) if place >= 0 else NONE_OF_THEM


@kernel
def first(number):
    """The set of the first ``number`` places, none where it is negative: a thermometer."""
    return (ONE << min(np.int64(number), WORD - 2)) - 1 if number > 0 else NONE_OF_THEM


@kernel
def above(place):
    """The set of all places above ``place``."""
    return ~((ONE << (np.int64(place) + 1)) - 1)


LINE = 64
"""Bytes of a line of the caches."""


@intrinsic
def _bytes_past_line(typing, array, place):
    """How many bytes ``array[place:]``, of bytes in a row, begins after a line of the caches."""

    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.add(builder.ptrtoint(data, ir.IntType(WORD)), arguments[1])
        return builder.and_(address, ir.Constant(ir.IntType(WORD), LINE - 1))

    return types.int64(array, types.int64), emit


@intrinsic
def _stream_line(typing, source, start, target, place):
    """Copy a line of bytes to ``target[place:]``, where a line of the caches begins, past the caches."""

    def emit(context, builder, signature, arguments):
        line = ir.VectorType(ir.IntType(8), LINE).as_pointer()
        arrays = (context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 2))
        read, write = (
            builder.bitcast(builder.gep(array.data, [place]), line) for array, place in zip(arrays, arguments[1::2], strict=True)
        )
        copied = builder.load(read)
        copied.align = 1
        written = builder.store(copied, write)
        written.align = LINE
        written.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64), emit


@intrinsic
def _settle(typing):
    """Others see what was streamed before what is written after this."""

    def emit(context, builder, signature, arguments):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), emit


def stream(source: Any, target: Any, first: int, number: int) -> None:
    """Copy the first ``number`` rows of ``source`` to ``target[first:]``, both of bytes in C order: past the caches, for an array that they
    can't hold, which would be read into them only to be written over."""
    target[first : first + number] = source[:number]


def settle() -> None:
    """After the last :func:`stream`: other threads see it all."""


@overload(stream, jit_options={"forceinline": True})
def _stream(source, target, first, number):
    def call(source, target, first, number):
        row = source.shape[1]
        start = first * row
        size = number * row
        flat_source, flat_target = source.reshape(source.size), target.reshape(target.size)
        done = min(-_bytes_past_line(flat_target, start) % LINE, size)  # pyright: ignore[reportCallIssue]  (as below)
        for place in range(done):
            flat_target[start + place] = flat_source[place]
        while done + LINE <= size:
            _stream_line(flat_source, done, flat_target, start + done)  # pyright: ignore[reportCallIssue]  (as below)
            done += LINE
        for place in range(done, size):
            flat_target[start + place] = flat_source[place]

    return call


@overload(settle)
def _settled():
    return lambda: _settle()  # pyright: ignore[reportCallIssue]  (as below)


def spreader(name: str, widths: tuple[int, ...]) -> Callable[..., None]:
    """A kernel ``spread(boards, row, target, place, column)``: sets of places, end to end, as bytes 0 and 1.

    The first ``widths[k]`` places of each ``boards[row + k]`` go to ``target[place, column:]``, which is in C order. The compiled one packs
    the boards into words, without a loop, and spreads a whole word in a few instructions. Each needs a ``name`` of its own: code that
    was kept by several processes is linked by name, and of two with one name the first would serve both.
    """

    def spread(boards: Any, row: int, target: Any, place: int, column: int) -> None:
        for width, board in zip(widths, boards[row:], strict=False):
            target[place, column : column + width] = int(board) >> np.arange(width) & 1
            column += width

    @intrinsic
    def _spread(typing, boards, row, target, place, column):
        arguments = (boards, types.int64, target, types.int64, types.int64)
        return types.void(*arguments), lambda *compiler: _emit_spread(widths, *compiler)

    @overload(spread, jit_options={"forceinline": True})
    def _overload(boards, row, target, place, column):
        def call(boards, row, target, place, column):
            _spread(boards, row, target, place, column)  # pyright: ignore[reportCallIssue]  (numba gives the first argument)

        call.__name__ = call.__qualname__ = f"spread_{name}"
        return call

    return spread


def _emit_spread(widths: tuple[int, ...], context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The LLVM code of :func:`spreader`'s kernel."""
    word = ir.IntType(WORD)
    boards, target = (context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 2))
    _, row, _, place, column = arguments
    start = builder.add(builder.mul(place, builder.extract_value(target.strides, 0)), column)
    words = [ir.Constant(word, 0)] * (-(-sum(widths) // WORD))
    for k, (begin, width) in enumerate(zip(accumulate((0, *widths)), widths, strict=False)):
        board = builder.load(builder.gep(boards.data, [builder.add(row, ir.Constant(word, k))]))
        board = builder.and_(board, ir.Constant(word, 2**width - 1))
        number, shift = divmod(begin, WORD)
        words[number] = builder.or_(words[number], builder.shl(board, ir.Constant(word, shift)))
        if shift + width > WORD:
            words[number + 1] = builder.lshr(board, ir.Constant(word, WORD - shift))
    for number, packed in enumerate(words):
        width = min(WORD, sum(widths) - WORD * number)
        flags = builder.bitcast(packed, ir.VectorType(ir.IntType(1), WORD))
        if width < WORD:
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(width)))
            flags = builder.shuffle_vector(flags, flags, lanes)
        spread = builder.zext(flags, ir.VectorType(ir.IntType(8), width))
        address = builder.gep(target.data, [builder.add(start, ir.Constant(word, WORD * number))])
        builder.store(spread, builder.bitcast(address, spread.type.as_pointer())).align = 1
    return context.get_dummy_value()
