"""What teachers make of texts and questions: English models in ONNX with BERT word pieces, and the network itself before a step."""
import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

LIMIT, BATCH = 160, 32


class English:
    """FOLDER[:=query prefix:=passage prefix]; the folder holds tokenizer.json and onnx/model_quantized.onnx."""

    reads = staticmethod(lambda row: row["language"] == "en")

    def __init__(self, described):
        folder, question, text = (described.split(":=") + ["", ""])[:3]
        self.prefixes = {"question": question, "text": text}
        self.tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
        self.tokenizer.no_padding(), self.tokenizer.enable_truncation(LIMIT)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        self.session = onnxruntime.InferenceSession(folder + "/onnx/model_quantized.onnx", options)

    def vectors(self, kind, texts):
        ids = [found.ids for found in self.tokenizer.encode_batch([self.prefixes[kind] + text for text in texts])]
        order, out = sorted(range(len(ids)), key=lambda i: len(ids[i])), [None] * len(ids)
        for at in range(0, len(order), BATCH):
            group = order[at : at + BATCH]
            for i, vector in zip(group, self.run([ids[i] for i in group])):
                out[i] = vector
        return torch.tensor(np.array(out))

    def run(self, rows):
        tokens = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(tokens)
        for at, ids in enumerate(rows):
            tokens[at, : len(ids)], mask[at, : len(ids)] = ids, 1
        hidden = self.session.run(None, dict(input_ids=tokens, attention_mask=mask, token_type_ids=np.zeros_like(tokens)))[0]
        mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


class Before:
    """The network as it was before it is taught: asked of English only, as the other teachers are."""

    reads = staticmethod(English.reads)

    def __init__(self, network):
        self.network = network

    def vectors(self, kind, texts):
        with torch.no_grad():
            return torch.cat([self.network.vectors(kind, texts[at : at + 512]) for at in range(0, len(texts), 512)])


def readings(teacher, rows):
    """What a teacher makes of the texts and questions that it reads: {"text": {text: vector}, "question": {question: vector}}."""
    read = [row for row in rows if teacher.reads(row)]
    texts = {"text": sorted({row["text"] for row in read}), "question": sorted({q for row in read for q in row["questions"]})}
    return {kind: dict(zip(some, teacher.vectors(kind, some).half())) for kind, some in texts.items()}
