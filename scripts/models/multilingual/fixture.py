#!/usr/bin/env python3
"""Writes texts and the numbers that the reference tokenizer makes of them, a JSON array [text, numbers] a line; texts of chance
also as the reference normalises them:

    python3 scripts/models/multilingual/fixture.py e5-small-q4.bin > test/ai/fixtures/multilingual.jsonl
    python3 scripts/models/multilingual/fixture.py e5-small-q4.bin --chance 100000 > /tmp/texts.jsonl
    bun scripts/models/multilingual/compare.ts --model models/multilingual-e5-notes-v1 --texts /tmp/texts.jsonl
"""
import argparse
import json

from package import Package
from reference import numbers, reference, well_formed
from texts import BLOCKS, SENTENCES, Texts


def main():
    p = argparse.ArgumentParser()
    p.add_argument("package"), p.add_argument("--chance", type=int, default=0), p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    package = Package(args.package)
    made = Texts([piece.decode() for piece in package.pieces], args.seed)
    if args.chance:
        texts = [made.any() for _ in range(args.chance)]
    else:
        texts = ["", " ", *SENTENCES, *(made.of_block(block) for block in BLOCKS for _ in range(3)), *(made.any() for _ in range(400))]
    tokenizer = reference(package)
    for text, ids in zip(texts, numbers(tokenizer, texts)):
        row = [text, ids, tokenizer.normalizer.normalize_str(well_formed(text))] if args.chance else [text, ids]
        print(json.dumps(row, separators=(",", ":")))


if __name__ == "__main__":
    main()
