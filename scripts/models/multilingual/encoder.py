"""Builds the encoder as ONNX, which takes vectors of words: inputs_embeds [batch, length, width] and attention_mask [batch,
length] -> last_hidden_state. Matrices become int8 per channel."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    def __init__(self):
        self.nodes, self.initializers = [], {}

    def const(self, name, value):
        self.initializers.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(self, kind, inputs, **attributes):
        output = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}_{len(self.nodes)}", **attributes))
        return output


def encoded(g, shape, weights, before_layer=lambda layer, x: x):
    """Adds the layers to a graph; returns the vectors of the last one. `before_layer` may change what a layer reads."""
    width, heads = shape["width"], shape["heads"]
    number = lambda name, value: g.const(name, np.array(value, np.float32))
    whole = lambda name, value: g.const(name, np.array(value, np.int64))

    def norm(x, name):
        scale, shift = (g.const(f"{name}.{k}", weights.plain(f"{name}.{k}")) for k in "wb")
        return g.op("LayerNormalization", [x, scale, shift], axis=-1, epsilon=float(shape["epsilon"]))

    def dense(x, name):
        product = g.op("MatMul", [x, g.const(name + ".w", weights.matrix(name + ".w").T)])
        return g.op("Add", [product, g.const(name + ".b", weights.plain(name + ".b"))])

    def head(x, name, order):
        return g.op("Transpose", [g.op("Reshape", [dense(x, name), whole("split", [0, 0, heads, width // heads])])], perm=order)

    def gelu(x):
        bent = g.op("Erf", [g.op("Div", [x, number("root", np.sqrt(2))])])
        return g.op("Mul", [g.op("Mul", [x, g.op("Add", [bent, number("one", 1)])]), number("half", 0.5)])

    length = g.op("Shape", ["inputs_embeds"], start=1, end=2)
    places = g.op("Slice", [g.const("positions", weights.plain("emb.pos").reshape(-1, width)), whole("start", [0]), length, whole("axis", [0])])
    x = norm(g.op("Add", [g.op("Add", ["inputs_embeds", places]), g.const("type", weights.plain("emb.type")[:width])]), "emb.ln")
    mask = g.op("Cast", [g.op("Unsqueeze", ["attention_mask", whole("axes", [1, 2])])], to=TensorProto.FLOAT)
    mask = g.op("Mul", [g.op("Sub", [number("one", 1), mask]), number("far", -10000)])
    for i in range(shape["layers"]):
        x = before_layer(i, x)
        q, k, v = head(x, f"l{i}.q", [0, 2, 1, 3]), head(x, f"l{i}.k", [0, 2, 3, 1]), head(x, f"l{i}.v", [0, 2, 1, 3])
        scores = g.op("Div", [g.op("MatMul", [q, k]), number("scale", np.sqrt(width // heads))])
        shares = g.op("Softmax", [g.op("Add", [scores, mask])], axis=-1)
        seen = g.op("Transpose", [g.op("MatMul", [shares, v])], perm=[0, 2, 1, 3])
        seen = dense(g.op("Reshape", [seen, whole("join", [0, 0, width])]), f"l{i}.ao")
        x = norm(g.op("Add", [seen, x]), f"l{i}.aln")
        x = norm(g.op("Add", [dense(gelu(dense(x, f"l{i}.fi")), f"l{i}.fo"), x]), f"l{i}.oln")
    return x


def build(shape, weights):
    g = Graph()
    x = encoded(g, shape, weights)
    g.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    return model_of(g, "multilingual-e5-small", shape["width"], {}, {"last_hidden_state": ["batch", "length", shape["width"]]})


def model_of(g, name, width, further_inputs, outputs):
    """A graph that reads vectors of words as a model; `further_inputs` are whole numbers, `outputs` floats, by names with shapes."""
    tensor = helper.make_tensor_value_info
    inputs = [tensor("inputs_embeds", TensorProto.FLOAT, ["batch", "length", width]), tensor("attention_mask", TensorProto.INT64, ["batch", "length"])]
    inputs += [tensor(name, TensorProto.INT64, shape) for name, shape in further_inputs.items()]
    graph = helper.make_graph(g.nodes, name, inputs, [tensor(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()], list(g.initializers.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def quantize(source, target):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True, op_types_to_quantize=["MatMul"])
