"""Weights of the encoder by the package's names: from the package itself, or from a taught one (state dict of
transformers.BertModel without the word embeddings)."""

NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
         "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}
EMBEDDINGS = {"pos": "position_embeddings", "type": "token_type_embeddings", "ln": "LayerNorm"}
KINDS = {"w": "weight", "b": "bias"}


class Published:
    def __init__(self, package):
        self.package, self.width, self.inner = package, package.shape["width"], package.shape["inner"]

    def plain(self, name):
        return self.package.plain(name)

    def matrix(self, name):
        return self.package.matrix(name, self.inner if ".fo." in name else self.width)


class Taught:
    def __init__(self, path):
        import torch
        self.state = {k: v.float().numpy() for k, v in torch.load(path, map_location="cpu").items() if v.is_floating_point()}

    def plain(self, name):
        return self.matrix(name).reshape(-1)

    def matrix(self, name):
        layer, part, *kind = name.split(".")
        kind = KINDS[kind[0]] if kind else "weight"
        where = f"embeddings.{EMBEDDINGS[part]}" if layer == "emb" else f"encoder.layer.{layer[1:]}.{NAMES[part]}"
        return self.state[f"{where}.{kind}"]
