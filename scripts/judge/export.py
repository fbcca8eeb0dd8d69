"""Makes the model of a trained judge: int8, opset 17, IR 8: inputs_embeds, attention_mask, token_type_ids -> logits [batch, 3].

usage: export.py judge.pt[,judge.pt ...] OUT_FOLDER
  pip install torch transformers onnx onnxruntime tokenizers

Of several checkpoints the mean is taken. Writes OUT_FOLDER/onnx/model_quantized.onnx, with one scale a token for what flows between
layers, so that a score does not hang on the pairs it is asked with (../models/quantize-per-token.ts).
"""
import subprocess, sys, tempfile
from pathlib import Path
import numpy, onnx
from network import TOLD_LAYER, LAYERS, ROOT, WIDTH, start_weights
import encoder, weights


class Trained(weights.Taught):
    """Weights by the names that the encoder's builder asks for."""
    def __init__(self, state): self.state = {k.removeprefix("encoder."): v.float().numpy() for k, v in state.items()}


def build(state):
    g, shape = encoder.Graph(), dict(width=WIDTH, heads=12, layers=LAYERS, epsilon=1e-12)
    numbers = lambda name: g.const(name, state[name].float().numpy())
    whole = lambda name, value: g.const(name, numpy.array(value, numpy.int64))

    def told(layer, x):
        if layer != TOLD_LAYER: return x
        return g.op("Add", [x, g.op("Gather", [numbers("segment.weight"), "token_type_ids"])])

    x = encoder.encoded(g, shape, Trained(state), told)
    mask = g.op("Unsqueeze", [g.op("Cast", ["attention_mask"], to=onnx.TensorProto.FLOAT), whole("last", [2])])
    total = g.op("ReduceSum", [g.op("Mul", [x, mask]), whole("tokens", [1])], keepdims=0)
    mean = g.op("Div", [total, g.op("ReduceSum", [mask, whole("tokens", [1])], keepdims=0)])
    first = g.op("Squeeze", [g.op("Gather", [x, whole("first", [0])], axis=1), whole("tokens", [1])])
    pair = g.op("Add", [first, mean])
    g.nodes.append(onnx.helper.make_node("Gemm", [pair, numbers("head.weight"), numbers("head.bias")], ["logits"], transB=1))
    return encoder.model_of(g, "judge", WIDTH, {"token_type_ids": ["batch", "length"]}, {"logits": ["batch", 3]})


def main():
    paths, out = sys.argv[1].split(","), Path(sys.argv[2]) / "onnx"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full, whole_batch = scratch + "/judge.onnx", scratch + "/int8.onnx"
        onnx.save(build(start_weights(paths)), full)
        encoder.quantize(full, whole_batch)
        script = ROOT / "scripts/models/quantize-per-token.ts"
        subprocess.run([str(ROOT / "node_modules/.bin/bun"), str(script), "--in", whole_batch, "--out", str(out / "model_quantized.onnx")], check=True)


if __name__ == "__main__": main()
