import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { onnx } from "onnx-proto";

// Usage: bun scripts/models/quantize-per-token.ts --in upstream.onnx --out model_quantized.onnx
//
// An int8 model as published scales its activations by the largest value of the whole batch, so that a text's vector
// depends on the texts it happens to be computed with (cosine .997 to its own). This rewrites the graph to one scale
// per token: a row's vector is the same in any company, and slightly more exact. Weights stay as they are.

type Node = onnx.INodeProto;

const DOMAIN = "com.microsoft";
const ONE = "per_token/one";
const MIDDLE = "per_token/middle";
const STEP = "per_token/step";
const SMALLEST = "per_token/smallest";
const FLOAT = onnx.TensorProto.DataType.FLOAT;
const UINT8 = onnx.TensorProto.DataType.UINT8;

const { values } = parseArgs({ options: { in: { type: "string" }, out: { type: "string" } } });
if (!values.in || !values.out) throw new Error("Name the published model with --in and the result with --out.");

const model = onnx.ModelProto.decode(readFileSync(values.in));
const { graph } = model;
if (!graph?.node || !graph.initializer) throw new Error(`${values.in} holds no graph.`);

const nodes = graph.node;
const producers = new Map(nodes.flatMap((node) => (node.output ?? []).map((name) => [name, node] as const)));
const replaced = new Map<Node, readonly Node[]>();
for (const node of nodes) if (node.opType === "DynamicQuantizeLinear") rewrite(node);

graph.node = nodes.flatMap((node) => replaced.get(node) ?? [node]);
const used = new Set(graph.node.flatMap((node) => node.input ?? []));
graph.initializer = [...graph.initializer, ...constants()].filter(({ name }) => used.has(name ?? ""));
model.opsetImport?.push(onnx.OperatorSetIdProto.create({ domain: DOMAIN, version: 1 }));
writeFileSync(values.out, onnx.ModelProto.encode(model).finish());
console.log(`${replaced.size} nodes of ${nodes.length} replaced.`);

/** Replaces one quantisation and the matrix products that read it. */
function rewrite(node: Node): void {
  const [rows = ""] = node.input ?? [];
  const [quantized = "", batchScale = ""] = node.output ?? [];
  const scale = `${quantized}/scale`;
  replaced.set(node, quantize(rows, quantized, scale));
  for (const product of consumers(quantized)) {
    const [sum] = product.output ?? [];
    const [cast] = consumers(sum);
    const [scaled] = consumers(cast?.output?.[0]);
    const scales = producers.get(scaled?.input?.find((name) => name !== cast?.output?.[0]) ?? "");
    const weightScale = scales?.input?.find((name) => name !== batchScale);
    const weights = product.input?.[1];
    const output = scaled?.output?.[0];
    if (!cast || !scaled || !scales || !weightScale || !weights || !output) {
      throw new Error(`${product.name} is not the matrix product this script knows.`);
    }
    for (const gone of [cast, scales]) replaced.set(gone, []);
    replaced.set(product, [
      create("MatMulIntegerToFloat", [quantized, weights, ONE, weightScale, MIDDLE], `${output}/unscaled`, DOMAIN),
    ]);
    replaced.set(scaled, [create("Mul", [`${output}/unscaled`, scale], output)]);
  }
}

/** Each token's largest magnitude becomes 127 steps on either side of the middle. */
function quantize(rows: string, quantized: string, scale: string): Node[] {
  const attribute = [
    onnx.AttributeProto.create({ name: "axes", type: onnx.AttributeProto.AttributeType.INTS, ints: [-1] }),
    onnx.AttributeProto.create({ name: "keepdims", type: onnx.AttributeProto.AttributeType.INT, i: 1 }),
  ];
  return [
    create("Abs", [rows], `${quantized}/magnitude`),
    { ...create("ReduceMax", [`${quantized}/magnitude`], `${quantized}/largest`), attribute },
    create("Mul", [`${quantized}/largest`, STEP], `${quantized}/steps`),
    create("Add", [`${quantized}/steps`, SMALLEST], scale),
    create("Div", [rows, scale], `${quantized}/ratio`),
    create("QuantizeLinear", [`${quantized}/ratio`, ONE, MIDDLE], quantized),
  ];
}

function consumers(name: string | undefined): Node[] {
  return name === undefined ? [] : nodes.filter((node) => node.input?.includes(name));
}

function create(opType: string, input: string[], output: string, domain = ""): Node {
  return onnx.NodeProto.create({ opType, domain, input, output: [output], name: `${output}/${opType}` });
}

function constants(): onnx.ITensorProto[] {
  return [
    onnx.TensorProto.create({ name: ONE, dataType: FLOAT, floatData: [1] }),
    onnx.TensorProto.create({ name: STEP, dataType: FLOAT, floatData: [1 / 127] }),
    onnx.TensorProto.create({ name: SMALLEST, dataType: FLOAT, floatData: [1e-9] }),
    onnx.TensorProto.create({ name: MIDDLE, dataType: UINT8, int32Data: [128] }),
  ];
}
