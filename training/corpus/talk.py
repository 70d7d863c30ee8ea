"""Small talk, and questions about Pocket and Tabserve."""
from __future__ import annotations

import random

from .sample import Exchange, exact
from .wording import DATA, Split, ask, casual

_LINES = (DATA / "answers.tsv").read_text(encoding="utf-8").splitlines()
ANSWERS = dict(line.split("\t") for line in _LINES if line)
SMALL_TALK = ["greeting", "how-are-you", "thanks", "farewell", "joke", "fun-fact", "praise", "criticism", "okay", "speak", "test"]
IDENTITY = ["who", "human", "size", "maker", "abilities", "limits"]
PRODUCT = [key for key in ANSWERS if key not in SMALL_TALK + IDENTITY]


def topic(name: str, kind: str, rng: random.Random, split: Split) -> Exchange:
    return exact(kind, casual(ask(name, rng, split), rng), ANSWERS[name])


def small_talk(rng: random.Random, split: Split) -> Exchange:
    return topic(rng.choice(SMALL_TALK), "talk", rng, split)


def identity(rng: random.Random, split: Split) -> Exchange:
    return topic(rng.choice(IDENTITY), "identity", rng, split)


def product(rng: random.Random, split: Split) -> Exchange:
    return topic(rng.choice(PRODUCT), "product", rng, split)
