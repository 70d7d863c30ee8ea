"""Questions that Pocket must decline. Many of them resemble questions that it can answer."""
from __future__ import annotations

import random

from .letters import EVERY_WORD, WORDS, invented
from .sample import Exchange, containing
from .knowledge import GLOSSARY, OPPOSITES, PLURALS
from .tables import words
from .wording import DATA, Split, casual, draw, fill, of_side, quoted

DECLINE = (DATA / "decline.txt").read_text(encoding="utf-8").strip()
PATTERNS = [line for line in (DATA / "unknown-wordings.txt").read_text(encoding="utf-8").splitlines() if line]
_SLOT_LINES = (DATA / "unknown-slots.txt").read_text(encoding="utf-8").splitlines()
SLOTS = {line[1 : line.index("]")]: line[line.index("]") + 2 :].split("|") for line in _SLOT_LINES if line}
NAMES = words("names")
TERMS = {alias for _, aliases, _ in GLOSSARY for alias in aliases}
KNOWN_WORDS = {word for pair in [*OPPOSITES, *PLURALS] for word in pair}


def slot(name: str, rng: random.Random, split: Split) -> str:
    if name == "year":
        return str(rng.randint(1200, 2030))
    if name == "bignum":
        return str(rng.choice([rng.randint(1000, 99999), rng.randint(250, 999)]))
    if name == "noun":
        return rng.choice([word for word in of_side(WORDS, split) if word not in TERMS])
    if name == "words":
        return " ".join(rng.sample(of_side(EVERY_WORD, split), rng.randint(2, 4)))
    if name == "gibberish":
        return "".join(rng.choice("asdfghjklqwertyuiopzxcvbnm") for _ in range(rng.randint(3, 9)))
    if name == "fake":
        return invented(rng, split)
    if name == "fakename":
        return f"{rng.choice(of_side(NAMES, split))} {invented(rng, split).capitalize()}"
    if name == "nowhere" and rng.random() < 0.4:
        return invented(rng, split).capitalize()
    if name in ("qfake", "qword"):
        fakes = [invented(rng, split), rng.choice([w for w in of_side(WORDS, split) if w not in KNOWN_WORDS])]
        return quoted(fakes[0] if rng.random() < 0.6 else fakes[1], rng)
    return rng.choice(of_side(SLOTS[name], split, 6) or SLOTS[name])


class _Slots(dict[str, str]):
    """The slots of a pattern. Each value is chosen when the pattern uses it."""

    def __init__(self, rng: random.Random, split: Split) -> None:
        super().__init__()
        self.rng, self.split = rng, split

    def __missing__(self, name: str) -> str:
        return slot(name, self.rng, self.split)


def unknown(rng: random.Random, split: Split) -> Exchange:
    pattern = draw(PATTERNS, rng, split) if rng.random() < 0.8 else draw_one(rng, split)
    text = fill(pattern, _Slots(rng, split))
    question = casual(text.lower() if rng.random() < 0.2 else text, rng)
    return containing("unknown", question, DECLINE, "do not know", "small demonstration model")


def draw_one(rng: random.Random, split: Split) -> str:
    """Returns a pattern that resembles questions that Pocket can answer. Such patterns get an additional share."""
    near = [p for p in PATTERNS if any(s in p for s in ("{nowhere}", "{qfake}", "{fake}", "{topic}", "{oddthing}", "{noun}", "{bignum}", "{howto}"))]
    return draw(near, rng, split)
