#!/usr/bin/env python3
"""Makes one checkpoint of several of one line of teaching: the mean of their weights (Wortsman et al. 2022, arXiv:2203.05482).

    python3 scripts/models/multilingual/average.py OUT.pt READER.pt READER.pt ...

Two runs of one thread, each with its own --seed, do not wait for each other at every operation, as two threads of one run do.
"""
import sys

import torch


def main():
    out, *paths = sys.argv[1:]
    if not paths:
        raise SystemExit(__doc__)
    runs = [torch.load(path, map_location="cpu") for path in paths]
    torch.save({name: sum(run[name].float() for run in runs).div(len(runs)).half() for name in runs[0]}, out)


if __name__ == "__main__":
    main()
