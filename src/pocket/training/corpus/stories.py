"""Very short stories with the names that the user gave."""
from __future__ import annotations

import random

from .letters import invented
from .sample import Exchange, containing
from .tables import words
from .wording import DATA, Split, ask, casual, of_side

NAMES = words("names")
ANIMALS = "dog cat horse bird fox rabbit mouse bear duck frog owl dragon lion goat snail".split()
_PLOTS = (DATA / "plots.txt").read_text(encoding="utf-8").splitlines()
ALONE = [line[2:] for line in _PLOTS if line.startswith("1 ")]
TOGETHER = [line[2:] for line in _PLOTS if line.startswith("2 ")]


def hero(rng: random.Random, split: Split) -> str:
    return rng.choice(of_side(NAMES, split)) if rng.random() < 0.6 else invented(rng, split).capitalize()


def story(rng: random.Random, split: Split) -> Exchange:
    name, roll = hero(rng, split), rng.random()
    if roll < 0.4:
        friend = hero(rng, split)
        who, plot, needed = f"{name} and {friend}", rng.choice(TOGETHER), [name, friend]
        text = plot.replace("{a}", name).replace("{b}", friend)
    elif roll < 0.6:
        animal = rng.choice(ANIMALS)
        friend = f"the {animal}"
        article = "an" if animal[0] in "aeiou" else "a"
        who, plot, needed = f"{name} and {article} {animal}", rng.choice(TOGETHER), [name, animal]
        text = plot.replace("{a}", name).replace("{b}", friend)
    else:
        animal = rng.choice(ANIMALS)
        article = "an" if animal[0] in "aeiou" else "a"
        named = rng.random() < 0.4
        who = f"{article} {animal} {rng.choice(['called', 'named'])} {name}" if named else name
        start = f"{name} was {article} {animal}. " if named else ""
        text = start + rng.choice(ALONE).replace("{a}", name)
        needed = [name]
    text = text[:1].upper() + text[1:]
    text = ". ".join(part[:1].upper() + part[1:] for part in text.split(". "))
    question = casual(ask("story", rng, split, who="\0"), rng).replace("\0", who)
    return containing("story", question, text, *needed)
