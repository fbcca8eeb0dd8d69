"""Writes pieces and their log probabilities as one file: a double array over the bytes of the pieces (Aoe 1989).

    bytes 0-3    "UNI1"
    bytes 4-15   numbers of units, of pieces, and of the unknown piece (uint32)
    then         units (uint32 each), then log probabilities (float32 each), all little-endian

A unit: bits 0-7 the byte that leads to it, bit 8 whether a piece ends there, bits 9-31 its base. From a unit, byte b leads to
the unit at base ^ b if that one's bits 0-7 are b; no two units share a base, so that a unit is never taken for another's.
Where a piece ends, the unit at base ^ 0 has its number in bits 9-31. No piece holds a zero byte.
"""
import struct

import numpy as np

LABEL_BITS, BASE_SHIFT, ENDS = 8, 9, 1 << 8


class Places:
    """Free units and bases, in order; grows by the 256 that one base can reach."""

    def __init__(self):
        self.next, self.taken, self.used_bases, self.first = [1], bytearray([1]), set(), 1
        self.grow()

    def grow(self):
        start = len(self.taken)
        size = 256 - start % 256
        self.taken.extend(bytes(size))
        self.next.extend(range(start + 1, start + size + 1))

    def following(self, at):
        """The first free unit from a place on, by paths that get shorter with use."""
        path = []
        while True:
            if at >= len(self.taken):
                self.grow()
                continue
            if not self.taken[at]:
                break
            path.append(at)
            at = self.next[at]
        for place in path:
            self.next[place] = at
        return at

    def take(self, labels):
        """A base no unit has yet, at which all these labels are free; marks their units as taken."""
        at, tries = self.following(self.first), 0
        while True:
            base = at ^ labels[0]
            if base and base not in self.used_bases and self.fits(base, labels):
                break
            at, tries = self.following(at + 1), tries + 1
        # Places where nothing fitted long are left behind.
        if tries > 400:
            self.first = self.following(self.first + 256)
        self.used_bases.add(base)
        for label in labels:
            self.taken[base ^ label] = 1
        return base

    def fits(self, base, labels):
        while max(base ^ label for label in labels) >= len(self.taken):
            self.grow()
        return not any(self.taken[base ^ label] for label in labels)


def double_array(pieces):
    """The units of pieces (bytes), whose numbers are their places in the list."""
    assert len(set(pieces)) == len(pieces) and not any(0 in piece for piece in pieces)
    sorted_pieces = sorted((piece, number) for number, piece in enumerate(pieces))
    places, units = Places(), {0: 0}
    waiting = [(0, 0, len(sorted_pieces), 0)]
    while waiting:
        unit, start, end, depth = waiting.pop()
        number, children = None, []
        while start < end:
            piece = sorted_pieces[start][0]
            if len(piece) == depth:
                number = sorted_pieces[start][1]
                start += 1
                continue
            stop = start
            while stop < end and sorted_pieces[stop][0][depth] == piece[depth]:
                stop += 1
            children.append((piece[depth], start, stop))
            start = stop
        base = places.take(([0] if number is not None else []) + [label for label, _, _ in children])
        units[unit] |= base << BASE_SHIFT
        if number is not None:
            units[unit] |= ENDS
            units[base] = number << BASE_SHIFT
        for label, first, last in children:
            units[base ^ label] = label
            waiting.append((base ^ label, first, last, depth + 1))
    array = np.zeros((max(units) // 256 + 1) * 256, np.uint32)
    for place, value in units.items():
        array[place] = value
    return array


def write(path, pieces, scores, unknown):
    units = double_array(pieces)
    with open(path, "wb") as file:
        file.write(b"UNI1" + struct.pack("<3I", len(units), len(pieces), unknown))
        file.write(units.astype("<u4").tobytes())
        file.write(np.asarray(scores, "<f4").tobytes())
    return len(units)
