"""The network of the judge, and the reader that makes its inputs: word vectors of the table that it shares with the embedding model."""
import sys
from pathlib import Path
import numpy, onnx, torch, torch.nn as nn
from onnx import numpy_helper
from transformers import BertConfig, BertModel

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/models/multilingual"))
import weights
from labelled_pairs import RELATIONS
from package import Package
from reference import reference

EMBEDDING_MODEL = ROOT / "models/multilingual-e5-notes-v1/onnx/model_quantized.onnx"
LAYERS, WIDTH, LENGTH_MAX = 12, 384, 128
# Behind so many layers each token is told which text it is of.
TOLD_LAYER = 6
# Layers that stay those of the embedding model.
FROZEN_LAYERS = 3


class Judge(nn.Module):
    """
    Heads over the vector of the first token plus the mean of all: clash, replaced, whole (or as many outputs as are asked for); how the two
    are related; and over each token whether it clashes.
    """
    def __init__(self, outputs=3):
        super().__init__()
        config = BertConfig(vocab_size=1, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=12, intermediate_size=1536, type_vocab_size=2,
                            max_position_embeddings=512, layer_norm_eps=1e-12, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        config._attn_implementation = "eager"
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.segment = nn.Embedding(2, WIDTH)
        nn.init.zeros_(self.segment.weight)
        self.drop, self.head, self.relation, self.words = nn.Dropout(0.1), nn.Linear(WIDTH, outputs), nn.Linear(WIDTH, len(RELATIONS)), nn.Linear(WIDTH, 1)

    def forward(self, vectors, mask, types): return self.read(vectors, mask, types)[0]

    def read(self, vectors, mask, types):
        told = lambda layer, inputs: (inputs[0] + self.segment(types), *inputs[1:])
        hook = self.encoder.encoder.layer[TOLD_LAYER].register_forward_pre_hook(told)
        h = self.encoder(inputs_embeds=vectors, attention_mask=mask).last_hidden_state
        hook.remove()
        m = mask.unsqueeze(-1).to(h.dtype)
        whole = self.drop(h[:, 0] + (h * m).sum(1) / m.sum(1))
        return self.head(whole), self.relation(whole), self.words(self.drop(h)).squeeze(-1)

    def keep(self):
        self.encoder.embeddings.requires_grad_(False)
        self.encoder.encoder.layer[:FROZEN_LAYERS].requires_grad_(False)

    def load(self, state):
        """Takes what fits; returns the names of what the state lacks."""
        own = self.state_dict()
        fits = {k: v for k, v in state.items() if k in own and v.shape == own[k].shape}
        self.load_state_dict(fits, strict=False)
        return sorted(set(self.taught()) - set(fits))

    def taught(self):
        return {k: v for k, v in self.state_dict().items() if "word_embeddings" not in k and v.is_floating_point()}


class Reader:
    """Makes pairs into vectors of tokens: `<s> older </s> newer </s>`."""
    def __init__(self, path):
        package = Package(path)
        self.tokenizer, self.shape = reference(package), package.shape
        self.table, self.known = package.matrix("emb.word", WIDTH), {}

    def tokens(self, text):
        """(numbers, places in the text) of its pieces, kept for the next time."""
        if text not in self.known:
            found = self.tokenizer.encode(text)
            self.known[text] = (found.ids[1:-1], found.offsets[1:-1])
        return self.known[text]

    def read(self, pairs):
        rows = [self.joined(*pair) for pair in pairs]
        length = max(len(ids) for ids, _, _ in rows)
        mask, types = torch.zeros(len(rows), length, dtype=torch.long), torch.zeros(len(rows), length, dtype=torch.long)
        vectors = numpy.zeros((len(rows), length, WIDTH), numpy.float32)
        for r, (ids, second, _) in enumerate(rows):
            mask[r, : len(ids)], types[r, second : len(ids)] = 1, 1
            vectors[r, : len(ids)] = self.table[ids]
        return dict(vectors=torch.from_numpy(vectors), mask=mask, types=types), [places for _, _, places in rows]

    def joined(self, older, newer):
        """The longer text is cut until both fit, as transformers.js does it."""
        (a, at_a), (b, at_b) = self.tokens(older), self.tokens(newer)
        n, m, most = len(a), len(b), LENGTH_MAX - 3
        while n + m > most:
            if n > m: n -= 1
            else: m -= 1
        bos, eos = self.shape["bos"], self.shape["eos"]
        places = [(-1, 0, 0), *((0, *p) for p in at_a[:n]), (-1, 0, 0), *((1, *p) for p in at_b[:m]), (-1, 0, 0)]
        return [bos, *a[:n], eos, *b[:m], eos], n + 2, places


def start_weights(paths):
    """The mean of checkpoints or exported networks, or the encoder of the embedding model."""
    states = [exported_weights(path) if str(path).endswith(".onnx") else torch.load(path, map_location="cpu") for path in paths or [EMBEDDING_MODEL]]
    return {k: sum(s[k] for s in states) / len(states) for k in states[0]}


def exported_weights(path):
    """The weights of an exported network, as floats again; what is not in it is left out."""
    held = {i.name: numpy_helper.to_array(i) for i in onnx.load(path).graph.initializer}
    tensor = lambda value: torch.tensor(numpy.array(value, dtype=numpy.float32))
    matrix = lambda name: tensor((held[name + "_quantized"].astype("f4") * held[name + "_scale"]).T)
    state = {"encoder.embeddings.position_embeddings.weight": tensor(held["positions"]),
             "encoder.embeddings.token_type_embeddings.weight": tensor(held["type"]).expand(2, -1).clone()}
    for kind, name in weights.KINDS.items(): state[f"encoder.embeddings.LayerNorm.{name}"] = tensor(held[f"emb.ln.{kind}"])
    for layer in range(LAYERS):
        for part, where in weights.NAMES.items():
            for kind, name in weights.KINDS.items():
                at = f"l{layer}.{part}.{kind}"
                state[f"encoder.encoder.layer.{layer}.{where}.{name}"] = matrix(at) if at + "_quantized" in held else tensor(held[at])
    if "segment.weight" not in held: return state
    return state | {"segment.weight": tensor(held["segment.weight"]), "head.weight": matrix("head.weight_Transposed"), "head.bias": tensor(held["head.bias"])}
