"""Reads pairs of memories written by hand, and varies them: the names, numbers and company of a pair change, its label follows.

A line of a .txt file is `LABEL | older | newer | kind`: U the newer replaces the older, P it changes part of it, C they clash, N both
can be true. {...} marks names that any other name could replace, <...> what clashes. A line of a .jsonl file has older, newer and
label, without marks. Only files whose writers knew of P tell that a change is whole.
"""
import json, random, re
from dataclasses import dataclass, replace

MARK = re.compile(r"\{([^{}]*)\}|<([^<>]*)>")
LABELS = {"U": "update", "P": "part", "C": "conflict", "N": "compatible"}
# How the texts of a compatible pair are related, by the words of its kind; the last one: they clash.
RELATIONS = {
    "same": r"same (?:value|in|rule|fact|thing|meaning|words)|other words|reword|paraphr|agree|rounded|other unit",
    "moment": r"exception|single|temporary|instance|record|reading|measured|limit|\bruns?\b|case|reject|propos|plan|question|wish|once|event|invoice|target",
    "thing": r"other (?:person|item|environment|branch|scope|place|year|group|role|customer|room|service|project|subject|version|season|team|city|site|part)|similar|stranger|neighbour|unrelated",
    "attribute": r"detail|refine|addition|attribute|reason|histor|consequence|consistent|add|compatib",
    "clash": "$^",
}
# Words with a capital that are no names, or names whose place in a text means something.
NO_NAMES = set("""Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
October November December The This That These Those There They We You He She It Its Our My Your His Her In On At For From To Of And But Or
If When While Since After Before Note Update Actually Now Today Yesterday Tomorrow No Not Yes All Both Each Every Some Only As By With New
Old Who What Where Why How Is Are Was Were Has Have Had Do Does Did Will Would Can Could Should May Might Must One Two Three""".split())


@dataclass
class Text:
    """A text in pieces: (string, None), (name, "name") or (clashing words, "span")."""
    pieces: list

    def plain(self): return "".join(p for p, _ in self.pieces)
    def spans(self):
        """Where the clashing words lie in the plain text: [start, end) in characters."""
        out, at = [], 0
        for p, mark in self.pieces:
            if mark == "span": out.append((at, at + len(p)))
            at += len(p)
        return out
    def names(self): return [p for p, mark in self.pieces if mark == "name"]


@dataclass
class Pair:
    older: Text
    newer: Text
    label: str
    kind: str
    # Whether its writer told changes of a part from others.
    is_whole: bool = False
    # Whether the teacher can read it.
    is_taught: bool = False


def relation_of(pair):
    """The number of its relation, -1 where its kind does not tell."""
    if pair.label != "compatible": return len(RELATIONS) - 1
    return next((i for i, words in enumerate(RELATIONS.values()) if re.search(words, pair.kind)), -1)


def read_text(marked):
    pieces, at = [], 0
    for m in MARK.finditer(marked):
        if m.start() > at: pieces.append((marked[at:m.start()], None))
        pieces.append((m.group(1), "name") if m.group(1) is not None else (m.group(2), "span"))
        at = m.end()
    if at < len(marked): pieces.append((marked[at:], None))
    return Text(pieces)


def read_pairs(path):
    if str(path).endswith(".jsonl"):
        rows = [json.loads(line) for line in open(path)]
        # What is called unrelated elsewhere is compatible here.
        label = lambda r: r["label"] if r["label"] in ("update", "conflict") else "compatible"
        return [mark_names(Pair(Text([(r["older"], None)]), Text([(r["newer"], None)]), label(r), r.get("kind", ""))) for r in rows]
    lines = [line.rstrip("\n").split(" | ") for line in open(path) if line.strip()]
    knows_parts = any(label == "P" for label, *_ in lines)
    return [Pair(read_text(older), read_text(newer), LABELS[label], kind, knows_parts and label in "UC") for label, older, newer, kind in lines]


def mark_names(pair):
    """Marks words with a capital inside a sentence that both texts have: nothing that both say is what clashes."""
    def words(text): return set(re.findall(r"(?<![.!?:] )(?<!^)\b[A-Z][a-z\u00e0-\u017f]{2,}\b", text)) - NO_NAMES
    older, newer = pair.older.plain(), pair.newer.plain()
    every = lambda text: set(re.findall(r"\b[A-Z][a-z\u00e0-\u017f]{2,}\b", text)) - NO_NAMES
    shared = (words(older) & every(newer)) | (words(newer) & every(older))
    if not shared: return pair
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, sorted(shared))) + r")\b")
    def marked(text):
        pieces, at = [], 0
        for m in pattern.finditer(text):
            if m.start() > at: pieces.append((text[at:m.start()], None))
            pieces.append((m.group(1), "name"))
            at = m.end()
        return Text(pieces + ([(text[at:], None)] if at < len(text) else []))
    return replace(pair, older=marked(older), newer=marked(newer))


# ---------------------------------------------------------------- names
ONSETS = "b bl br c ch d dr f fl fr g gl gr h j k kl kr l m n p pl pr qu r s sh sk sl st str t th tr v w y z zh".split() + [""]
VOWELS = "a e i o u ae ai ea ei ia io oa ou y a e i o u a e i o".split()
CODAS = ["", "", "", "l", "n", "r", "s", "t", "x", "k", "m", "nd", "rk", "st", "th", "ph", "ld", "rn"]
SERVICE_TAILS = "api svc gateway worker sync ingest db cache proxy bot job queue store hub ui core agent".split()


def invented(rng, syllables=None):
    """A word that nobody has."""
    n = syllables or rng.choice([1, 2, 2, 2, 3])
    word = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + (rng.choice(CODAS) if i == n - 1 or rng.random() < .3 else "") for i in range(n))
    return word if len(word) > 2 else word + rng.choice(["ra", "lo", "min", "dek"])


class Names:
    """Gives words of names other ones of the same look: invented, or taken from other pairs."""
    def __init__(self, pairs):
        words = {w for pair in pairs for t in (pair.older, pair.newer) for name in t.names() for w in re.findall(r"[^\W\d_]{3,}", name)}
        self.capital = sorted(w for w in words if w[0].isupper() and w[1:].islower())
        self.small = sorted(w for w in words if w.islower())

    def other(self, word, rng):
        if word.isdigit(): return "".join(rng.choice("0123456789" if i else "123456789") for i in range(len(word)))
        if len(word) < 3: return word
        if word.isupper(): return "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in word)
        pool = self.small if word.islower() else self.capital
        if rng.random() < .45 and pool: return rng.choice(pool)
        new = invented(rng) if word[0].isupper() or rng.random() < .6 else rng.choice(SERVICE_TAILS)
        return new if word[0].islower() else new.capitalize()


def code_like(rng):
    """A name such as machines, services and tickets have: svc-118, billing-33, 36a75570, api-kefenlo, QX-7."""
    word = lambda: rng.choice(SERVICE_TAILS) if rng.random() < .5 else invented(rng)
    shapes = [lambda: f"{word()}-{rng.randrange(1, 700)}", lambda: "".join(rng.choice("0123456789abcdef") for _ in range(8)),
              lambda: f"{rng.choice(SERVICE_TAILS)}-{invented(rng)}", lambda: f"{invented(rng)}-{rng.choice(SERVICE_TAILS)}", lambda: invented(rng),
              lambda: f"{rng.choice('ABCDQXZK')}{rng.choice('BCDFXYZ')}-{rng.randrange(1, 99)}", lambda: f"{word()}{rng.randrange(1, 40):02d}"]
    return rng.choice(shapes)()


def near_name(name, rng):
    """Another name that looks much like one: a digit, a letter or a plural differs. The same where there is no such."""
    digits = [i for i, c in enumerate(name) if c.isdigit()]
    if digits and rng.random() < .8:
        i = rng.choice(digits)
        return name[:i] + str((int(name[i]) + rng.randrange(1, 9)) % 10) + name[i + 1:]
    if len(name) < 4 or " " in name: return name
    if rng.random() < .5: return name[:-1] if name.endswith("s") else name + "s"
    i = rng.randrange(1, len(name))
    return name[:i] + rng.choice("aeioulnrstkm") + name[i + (rng.random() < .6):] if name[i].isalpha() else name


# Particles of names, and what else of them stays.
KEPT = set("the of de da del van von der den la le al el bin ben and team app api svc service db".split())


def renamed(pair, names, rng, sides=("older", "newer")):
    """The pair with all marked names exchanged, word by word, the same word for the same word."""
    known, taken = {}, set()
    # A service may as well be called by a code: the whole of its name, the same in both texts.
    codes = {n: code_like(rng) for n in {n for t in (pair.older, pair.newer) for n in t.names()}
             if re.fullmatch(r"[a-z0-9][\w.-]*", n) and rng.random() < .5}
    def word(m):
        w = m.group(0)
        if w.lower() in KEPT: return w
        key = w.lower()
        if key not in known:
            for _ in range(20):
                new = names.other(w.lower().capitalize() if w[0].isupper() and not (w.isupper() and len(w) > 1) else w, rng)
                if new.lower() not in taken and new.lower() != key: break
            known[key] = new
            taken.add(new.lower())
        new = known[key]
        return new.capitalize() if w[0].isupper() and new.islower() else new.lower() if w.islower() else new
    def name(p): return codes[p] if p in codes else re.sub(r"[^\W\d_]+|\d+", word, p)
    def of(text): return Text([(name(p), mark) if mark == "name" else (p, mark) for p, mark in text.pieces])
    return replace(pair, older=of(pair.older) if "older" in sides else pair.older, newer=of(pair.newer) if "newer" in sides else pair.newer)


def other_subject(pair, names, rng):
    """The pair with another name in the newer text, where one name begins both: then they speak of two. None elsewhere."""
    def one(text):
        found = {n.lower() for n in text.names()}
        first = text.pieces[0] if text.pieces[0][1] == "name" else text.pieces[1] if len(text.pieces) > 1 and len(text.pieces[0][0]) < 12 else ("", None)
        return found.pop() if len(found) == 1 and first[1] == "name" else None
    name = one(pair.older)
    if pair.label == "compatible" or name is None or name != one(pair.newer): return None
    if rng.random() < .7:
        own = next(n for n in pair.newer.names())
        other = near_name(own, rng)
        if other.lower() == own.lower(): return None
        newer = Text([(other if mark == "name" and p.lower() == name else p, mark) for p, mark in pair.newer.pieces])
        return Pair(unmarked(pair.older), unmarked(newer), "compatible", "similar name")
    moved = renamed(pair, names, rng, sides=("newer",))
    return Pair(unmarked(moved.older), unmarked(moved.newer), "compatible", "other subject")


ENDS = re.compile(r"\b(?:no|not|never|n't|stopp?ed|off|cancel|without|nobody|none|instead|former|ex)\b|n't\b", re.I)
VALUE = re.compile(r"^(?:[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?|[\w.,:%/$\u20ac\u00a3 -]*\d[\w.,:%/-]*(?: \w+)?|[a-z]+-[\w-]+)$")


def same_value(pair):
    """The pair with the older value in the newer text: then nothing clashes. None where what clashes is no plain value."""
    older = [p for p, mark in pair.older.pieces if mark == "span"]
    newer = [p for p, mark in pair.newer.pieces if mark == "span"]
    if len(older) != 1 or len(newer) != 1 or not VALUE.match(older[0]) or not VALUE.match(newer[0]): return None
    if ENDS.search(pair.newer.plain()) or pair.newer.plain().count(older[0]): return None
    again = Text([(older[0], None) if mark == "span" else (p, mark) for p, mark in pair.newer.pieces])
    return Pair(unmarked(pair.older), again, "compatible", "same value")


def unmarked(text): return Text([(p, None if mark == "span" else mark) for p, mark in text.pieces])

# ---------------------------------------------------------------- numbers
NUMBER = re.compile(r"(?<![\d.:/,\-])\d{1,4}(?![\d:/,\-]|\.\d)")


def renumbered(pair, rng):
    """The pair with its plain whole numbers exchanged, the same number for the same; order and distance are kept by a common factor."""
    factor = rng.choice([.5, .6, .8, 1.25, 1.5, 2, 3])
    def swap(m):
        n = int(m.group(0))
        if n < 3 or 1900 <= n <= 2100 or m.group(0).startswith("0"): return m.group(0)
        return str(max(2, round(n * factor)))
    values = [int(n) for t in (pair.older, pair.newer) for n in NUMBER.findall(t.plain())]
    if not values or len({max(2, round(v * factor)) for v in set(values)}) != len(set(values)): return pair
    if re.search(r"\b(?:hours?|min|minutes?|days?|weeks?|months?|%|per ?cent|half|dozen|am|pm|UTC|GB|MB|kB|km|kg)\b", pair.older.plain() + " " + pair.newer.plain()): return pair
    of = lambda text: Text([(NUMBER.sub(swap, p), mark) for p, mark in text.pieces])
    return replace(pair, older=of(pair.older), newer=of(pair.newer))

# ---------------------------------------------------------------- company
HEADS = ["Note: ", "Update: ", "FYI: ", "[2026-03-04] ", "Decision: ", "Reminder: ", "memo - ", "2026-05-11: ", "From the chat: ", "- ", "* ", "Fact: "]


def with_company(text, rng, others):
    """The text with a head, or a sentence of another pair before or behind it."""
    r = rng.random()
    if r < .35: return Text([(rng.choice(HEADS), None), *text.pieces])
    other = rng.choice(others)
    if len(other) > 160: return text
    other = other if other[-1:] in ".!?" else other + "."
    whole = text.plain()
    if r < .7: return Text([(other + " ", None), *text.pieces])
    return Text([*text.pieces, (" " if whole[-1:] in ".!?" else ". ", None), (other, None)])


def lowered(text): return Text([(p.lower(), mark) for p, mark in text.pieces])


class Variation:
    """Draws a variation of each pair, anew for each epoch."""
    def __init__(self, pairs, seed):
        self.rng, self.names = random.Random(seed), Names(pairs)
        self.others = [t.plain() for p in pairs for t in (p.older, p.newer)]

    def of(self, pair):
        rng = self.rng
        made = None
        # Names that are much alike are often codes: so the names are exchanged before.
        if rng.random() < .20: made = other_subject(renamed(pair, self.names, rng), self.names, rng)
        if made is None and rng.random() < .06: made = same_value(pair)
        pair = made or pair
        if made is None and rng.random() < .6: pair = renamed(pair, self.names, rng)
        if rng.random() < .25: pair = renumbered(pair, rng)
        older, newer = pair.older, pair.newer
        if rng.random() < .18:
            older = with_company(older, rng, self.others)
            # The sentence that was added still holds.
            gained = len(older.pieces) > len(pair.older.pieces) and older.pieces[0][0] not in HEADS
            if gained and pair.label == "update": pair = replace(pair, label="part")
        if rng.random() < .18: newer = with_company(newer, rng, self.others)
        if rng.random() < .06: older, newer = (lowered(older), lowered(newer)) if rng.random() < .5 else (older, lowered(newer))
        return replace(pair, older=older, newer=newer)

    def strangers(self, pairs, count):
        """Pairs of texts that were not written for each other, and texts beside themselves."""
        out = []
        for _ in range(count):
            i = self.rng.randrange(len(pairs))
            j = min(len(pairs) - 1, max(0, i + self.rng.choice([-9, -5, -3, -2, 2, 3, 5, 9])))
            out.append(Pair(unmarked(pairs[i].older), unmarked(pairs[j].newer if self.rng.random() < .8 else pairs[i].older), "compatible", "stranger"))
        return out
