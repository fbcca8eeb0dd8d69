"""A former judge, whose scores the new one learns beside the labels (distillation, Hinton et al. 2015)."""
import numpy, onnxruntime
from pathlib import Path
from tokenizers import Tokenizer
from network import LENGTH_MAX


class Teacher:
    """Reads the model folder of a judge with a tokenizer of its own."""
    def __init__(self, folder, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(str(Path(folder) / "onnx/model_quantized.onnx"), options)
        self.tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        self.tokenizer.enable_truncation(LENGTH_MAX)
        self.tokenizer.enable_padding()

    def clash(self, pairs):
        """The log-odds that the two cannot both be true, of each (older, newer)."""
        if not pairs: return []
        read = self.tokenizer.encode_batch(pairs)
        inputs = {"input_ids": [r.ids for r in read], "attention_mask": [r.attention_mask for r in read], "token_type_ids": [r.type_ids for r in read]}
        return self.session.run(None, {k: numpy.array(v, numpy.int64) for k, v in inputs.items()})[0][:, 0].tolist()
