"""Writes the word vectors as they are in the package: a header of 16 bytes ("Q4W1", rows, width and numbers a block as uint32),
then a row of blocks a piece. A block: a scale in half precision, then 16 bytes; byte j has number j in its low half and number
j + 16 in its high one; a vector's number is (half - 8) * scale."""
import struct

from package import BLOCK_NUMBERS


def write(path, package):
    rows, width = len(package.pieces), package.shape["width"]
    blocks = package.blocks("emb.word")[: rows * width // BLOCK_NUMBERS]
    with open(path, "wb") as file:
        file.write(b"Q4W1" + struct.pack("<3I", rows, width, BLOCK_NUMBERS) + blocks.tobytes())
