"""Requests for a list of n items of a known category."""
from __future__ import annotations

import random

from .numbers import in_words
from .sample import Exchange
from .tables import rows
from .wording import Split, ask, casual

CATEGORIES = [(name, items.split(", ")) for name, items in rows("categories")]


def listing(rng: random.Random, split: Split) -> Exchange:
    name, items = rng.choice(CATEGORIES)
    count = rng.randint(2, min(len(items), 8))
    if rng.random() < 0.4:
        count = min(count, rng.randint(2, 5))
    shown = in_words(count) if rng.random() < 0.5 else str(count)
    question = casual(ask("list", rng, split, n=shown, x=name), rng)
    chosen = items[:count]
    answer = "\n".join(f"{number}. {item}" for number, item in enumerate(chosen, 1))
    return Exchange("list", question, answer, {"lines": count, "from": items})
