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


def published(package):
    """The package's encoder as a state dict of transformers.BertModel."""
    import torch
    source, state = Published(package), {}

    def put(where, name, kind, shape=None):
        value = source.matrix(name) if kind == "weight" and shape is None else source.plain(name)
        state[f"{where}.{kind}"] = torch.tensor(value.copy()).reshape(shape or value.shape)

    put("embeddings.position_embeddings", "emb.pos", "weight", (-1, source.width))
    state["embeddings.position_embeddings.weight"] = state["embeddings.position_embeddings.weight"][: package.shape["positions"]]
    state["embeddings.token_type_embeddings.weight"] = torch.tensor(source.plain("emb.type")[: source.width].copy()).expand(2, -1)
    for kind in KINDS:
        put("embeddings.LayerNorm", f"emb.ln.{kind}", KINDS[kind], (-1,))
        for layer in range(package.shape["layers"]):
            for part, name in NAMES.items():
                plain = kind == "b" or part.endswith("ln")
                put(f"encoder.layer.{layer}.{name}", f"l{layer}.{part}.{kind}", KINDS[kind], (-1,) if plain else None)
    return state
