"""The texts that are taught, with their questions, the language of each, and in conversations what was said before."""
import collections
import json
import pathlib

TALK = ("conversation", "messages", "en-chat", "en-hist")
# Those whose turns name their speakers, which the server reads behind the turns before; so many of them.
SPOKEN = ("conversation", "en-chat")
BEFORE = 3
READER = pathlib.Path(__file__).resolve().parents[2] / "reader"


def rows(held_out=False):
    """[{world, text, questions, language, before}], in a fixed order; worlds that are held out only when asked for."""
    found = []
    for path in [READER / "texts.jsonl", *sorted((READER / "languages").glob("*.jsonl"))]:
        language = "en" if path.stem == "texts" or path.stem.startswith("en-") else path.stem
        lines = map(json.loads, path.read_text(encoding="utf8").splitlines())
        found += [dict(line, language=language) for line in lines if bool(line.get("held_out")) == held_out]
    said = collections.defaultdict(list)
    for row in found:
        earlier = said[row["world"]]
        row["before"] = tuple(earlier[-BEFORE:]) if row["world"].startswith(SPOKEN) else ()
        earlier.append(row["text"])
    return found
