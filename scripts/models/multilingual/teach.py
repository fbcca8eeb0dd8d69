#!/usr/bin/env python3
"""Teaches multilingual-e5-small to find the text that answers a question, on the texts of scripts/reader:

    pip install torch transformers tokenizers numpy onnxruntime
    python3 scripts/models/multilingual/teach.py e5-small-q4.bin OUT --steps 3000 [--start reader.pt] \\
        --teachers "FORMER/e5-small-v2:=query: :=passage: " FORMER/minilm-notes-v1

FORMER are the models of the release that had two of English: `git archive 2e76f9be models | tar x`.

A step takes texts of four worlds with a question each, two of them English, so that their neighbours are the negatives (multiple
negatives ranking loss, Henderson et al. 2017, arXiv:1705.00652). Over the English ones its similarities follow the standardised
sum of the teachers' and of its own before (Hinton et al. 2015, arXiv:1503.02531). OUT/reader.pt holds the running average of the
weights, without the word vectors, which stay as they are; one of every 150 steps is kept beside it.
"""
import argparse
import collections
import pathlib
import random
import time

import torch

import corpus
from network import Network
from package import Package
from teachers import Before, English, readings

RATE, WARM_UP, FALLS_AFTER, RATE_LEAST = 4e-5, 40, 0.5, 0.03
TEMPERATURE, SMOOTHING, BACKWARDS = 0.02, 0.02, 0.3
TEACHING, SHARPNESS, TEACHING_TEMPERATURE = 1.5, 1.9, 0.035
AVERAGED = 0.998
ENGLISH, OTHERS = 22, 12
# Share of the steps in which one of the English worlds is a conversation or a history: there are few of these.
TALK = 0.4
# Share of the turns of conversations that are read behind the turns before them.
BEHIND = 0.7
KEPT_EVERY = 150


def draw(worlds, languages):
    """Texts of four worlds, each with one of its questions."""
    english, others = languages["en"], sorted(set(languages) - {"en"})
    talk = [name for name in english if name.startswith(corpus.TALK)]
    first = random.choice(talk if random.random() < TALK else english)
    second = random.choice(english)
    chosen = [(first, ENGLISH), (second, ENGLISH)] + [(random.choice(languages[l]), OTHERS) for l in random.sample(others, 2)]
    rows = [row for name, count in dict(chosen).items() for row in random.sample(worlds[name], min(len(worlds[name]), count))]
    return [(row, random.choice(row["questions"])) for row in rows]


def before(row):
    """Most turns are read with what was said before, as the server reads them."""
    return row["before"][-random.randint(1, len(row["before"])):] if row["before"] and random.random() < BEHIND else ()


def standardised(likes):
    return (likes - likes.mean(1, keepdim=True)) / likes.std(1, keepdim=True)


def loss_of(network, drawn, taught_by):
    # Around both, so that the weights are brought to sixteen bits once a step.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        texts = network.vectors("text", [(row["text"], before(row)) for row, _ in drawn])
        questions = network.vectors("question", [question for _, question in drawn])
    like, wanted = questions @ texts.T, torch.arange(len(drawn))
    cross_entropy = torch.nn.functional.cross_entropy
    loss = cross_entropy(like / TEMPERATURE, wanted, label_smoothing=SMOOTHING) + BACKWARDS * cross_entropy(like.T / TEMPERATURE, wanted)
    english = [i for i, (row, _) in enumerate(drawn) if row["language"] == "en"]
    if not taught_by:
        return loss
    total = sum(standardised(torch.stack([read["question"][drawn[i][1]] for i in english]).float()
                             @ torch.stack([read["text"][drawn[i][0]["text"]] for i in english]).float().T) for read in taught_by)
    wish = torch.softmax(total / len(taught_by) * SHARPNESS, 1)
    own = torch.log_softmax(like[english][:, english] / TEACHING_TEMPERATURE, 1)
    return loss + TEACHING * torch.nn.functional.kl_div(own, wish, reduction="batchmean")


def teach(network, rows, taught_by, steps, out):
    worlds, languages = collections.defaultdict(list), collections.defaultdict(list)
    for row in rows:
        if row["questions"]:
            if row["world"] not in worlds:
                languages[row["language"]].append(row["world"])
            worlds[row["world"]].append(row)
    optimizer = torch.optim.AdamW([p for p in network.model.parameters() if p.requires_grad], lr=RATE, weight_decay=0.01)
    average, losses, started = {k: v.clone() for k, v in network.taught().items()}, [], time.time()
    network.model.train()
    for step in range(1, steps + 1):
        part = (step - 1) / steps
        falling = 1 if part < FALLS_AFTER else max(RATE_LEAST, (1 - part) / (1 - FALLS_AFTER))
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / WARM_UP) * falling
        loss = loss_of(network, draw(worlds, languages), taught_by)
        optimizer.zero_grad(), loss.backward()
        torch.nn.utils.clip_grad_norm_(network.model.parameters(), 1.0), optimizer.step()
        losses.append(loss.item())
        # Early on the average follows more closely, so that where it began is soon forgotten.
        new = max(1 - AVERAGED, 19 / (step + 19))
        for name, value in network.taught().items():
            average[name].lerp_(value, new)
        if step % 25 == 0:
            print(step, f"loss {sum(losses[-25:]) / 25:.3f}", f"{time.time() - started:.0f} s", flush=True)
        if step % KEPT_EVERY == 0 or step == steps:
            name = "reader.pt" if step == steps else f"step-{step}.pt"
            torch.save({k: v.half() for k, v in average.items()}, out / name)


def taught_by(args, network, rows):
    """What the teachers make of the texts; kept beside the package as readings.pt, for the runs that follow, until that is removed."""
    kept = pathlib.Path(args.package).with_name("readings.pt")
    if args.teachers and not kept.exists():
        teachers = [English(described) for described in args.teachers] + [Before(network)]
        torch.save([readings(teacher, rows) for teacher in teachers], kept)
    return torch.load(kept) if args.teachers else []


def main():
    p = argparse.ArgumentParser()
    p.add_argument("package"), p.add_argument("out"), p.add_argument("--start"), p.add_argument("--teachers", nargs="*", default=[])
    p.add_argument("--steps", type=int, default=3000), p.add_argument("--threads", type=int, default=1), p.add_argument("--seed", type=int, default=1)
    p.add_argument("--kept-layers", type=int, default=0, help="so many of the lowest layers stay as they are, which takes half the time for half of them")
    args = p.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed), torch.set_num_threads(args.threads)
    out, rows = pathlib.Path(args.out), corpus.rows()
    out.mkdir(parents=True, exist_ok=True)
    network = Network(Package(args.package), args.start, args.kept_layers)
    teach(network, rows, taught_by(args, network, rows), args.steps, out)


if __name__ == "__main__":
    main()
