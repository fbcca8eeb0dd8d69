"""The encoder as a network that can be taught, its word vectors frozen, and the vectors that it makes of texts."""
import torch
from transformers import BertConfig, BertModel

import weights
from reference import reference

PREFIXES = {"question": "query: ", "text": "passage: "}
LIMITS = {"question": 64, "text": 256}


class Network:
    def __init__(self, package, start=None, kept_layers=0):
        shape = package.shape
        config = BertConfig(vocab_size=len(package.pieces), hidden_size=shape["width"], num_hidden_layers=shape["layers"],
                            num_attention_heads=shape["heads"], intermediate_size=shape["inner"], type_vocab_size=2,
                            max_position_embeddings=shape["positions"], layer_norm_eps=shape["epsilon"],
                            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        # On short texts the plain form was measured to be 1.8 times as fast as the fused one.
        config._attn_implementation = "eager"
        self.tokenizer, self.model = reference(package), BertModel(config, add_pooling_layer=False)
        self.model.load_state_dict(weights.published(package), strict=False)
        words = self.model.embeddings.word_embeddings.weight
        words.requires_grad_(False).copy_(torch.tensor(package.matrix("emb.word", shape["width"])[: len(package.pieces)]))
        self.read, self.ends = {}, self.tokenizer.encode("").ids
        if start:
            self.model.load_state_dict(torch.load(start, map_location="cpu"), strict=False)
        if kept_layers > 0:
            self.model.embeddings.requires_grad_(False)
            self.model.encoder.layer[:kept_layers].requires_grad_(False)

    def taught(self):
        """What teaching changes, by its names."""
        return {k: v for k, v in self.model.state_dict().items() if "word_embeddings" not in k and v.is_floating_point()}

    def pieces(self, text):
        """The tokens of a text without those that open and close it, kept for the next time."""
        if text not in self.read:
            self.read[text] = self.tokenizer.encode(text).ids[1:-1]
        return self.read[text]

    def tokens(self, kind, text, before=()):
        """(tokens, where those of the text begin): a text alone counts with its prefix, one that follows others without them."""
        opening, closing = self.ends
        if not before:
            return [opening, *self.pieces(PREFIXES[kind] + text)[: LIMITS[kind] - 2], closing], 0
        own = self.pieces(text)[: LIMITS[kind] // 2]
        earlier = [piece for one in (PREFIXES[kind], *before) for piece in self.pieces(one)]
        earlier = earlier[max(0, len(earlier) - (LIMITS[kind] - 2 - len(own))):]
        return [opening, *earlier, *own, closing], 1 + len(earlier)

    def vectors(self, kind, texts):
        """Mean of the token vectors, of length one, of texts or of (text, texts before it); those of similar length run together."""
        read = [self.tokens(kind, *((text,) if isinstance(text, str) else text)) for text in texts]
        order, vectors, at = sorted(range(len(read)), key=lambda i: len(read[i][0])), [None] * len(read), 0
        while at < len(order):
            end = at
            while end < len(order) and len(read[order[end]][0]) <= 1.35 * len(read[order[at]][0]) + 2 and end - at < 128:
                end += 1
            for i, vector in zip(order[at:end], self.run([read[i] for i in order[at:end]])):
                vectors[i] = vector
            at = end
        return torch.stack(vectors)

    def run(self, rows):
        tokens = torch.ones(len(rows), max(len(ids) for ids, _ in rows), dtype=torch.long)
        mask, counted = torch.zeros_like(tokens), torch.zeros_like(tokens)
        for at, (ids, begins) in enumerate(rows):
            tokens[at, : len(ids)], mask[at, : len(ids)], counted[at, begins : len(ids)] = torch.tensor(ids), 1, 1
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.model(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
        mean = (hidden * counted.unsqueeze(-1)).sum(1) / counted.sum(1, keepdim=True)
        return torch.nn.functional.normalize(mean, dim=-1)
