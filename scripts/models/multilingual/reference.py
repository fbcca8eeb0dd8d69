"""The tokenizer that the encoder was taught with, of the same pieces: Hugging Face's tokenizers."""
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors


def reference(package):
    shape = package.shape
    scored = [(piece.decode(), float(score)) for piece, score in zip(package.pieces, package.scores)]
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=shape["unknown"]))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", shape["bos"]), ("</s>", shape["eos"])])
    return tokenizer


def well_formed(text):
    """As UTF-8 has it: halves of pairs that stand together are one character, others are U+FFFD."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in joined)


def numbers(tokenizer, texts):
    return [found.ids for found in tokenizer.encode_batch([well_formed(text) for text in texts])]
