"""Requests for very short stories, with the names that the user gives."""
from __future__ import annotations

import random
import re

from .letters import invented
from .sample import Exchange, containing
from .tables import words
from .wording import DATA, Split, ask, casual, of_side

NAMES = words("names")
ANIMALS = "dog cat horse bird fox rabbit mouse bear duck frog owl dragon lion goat snail pig cow sheep hen wolf turtle bee spider whale elephant monkey squirrel hedgehog".split()
PEOPLE = "king queen girl boy robot wizard pirate knight teacher baker farmer sailor witch princess painter ghost child man woman giant".split()
KINDS = "little small big old young brave clever happy lazy red white black friendly tired hungry".split()
_PLOTS = (DATA / "plots.txt").read_text(encoding="utf-8").splitlines()
ALONE = [line[2:] for line in _PLOTS if line.startswith("1 ")]
TOGETHER = [line[2:] for line in _PLOTS if line.startswith("2 ")]


def hero(rng: random.Random, split: Split) -> str:
    return rng.choice(of_side(NAMES, split)) if rng.random() < 0.6 else invented(rng, split).capitalize()


def sentences(text: str) -> str:
    """Capitalizes the first letter of each sentence."""
    return ". ".join(part[:1].upper() + part[1:] for part in text.split(". "))


def told(plot: str, first: str, second: str = "") -> str:
    """Fills the characters into a plot. "A dog" becomes "the dog" after its first occurrence."""
    for slot, who in (("{a}", first), ("{b}", second)):
        plot = plot.replace(slot, who, 1)
        plot = plot.replace(slot, re.sub("^an? ", "the ", who))
    return sentences(plot)


def somebody(rng: random.Random) -> str:
    """Returns a character without a name: an animal, sometimes with an adjective, or a person."""
    who = rng.choice(ANIMALS) if rng.random() < 0.6 else rng.choice(PEOPLE)
    if rng.random() < 0.25:
        who = f"{rng.choice(KINDS)} {who}"
    return f"{'an' if who[0] in 'aeiou' else 'a'} {who}"


def story(rng: random.Random, split: Split) -> Exchange:
    roll = rng.random()
    if roll < 0.08:
        first = somebody(rng)
        question = casual(ask("story-free", rng, split), rng)
        return containing("story", question, told(rng.choice(ALONE), first))
    name = hero(rng, split)
    if roll < 0.3:
        friend = hero(rng, split)
        who, text, needed = f"{name} and {friend}", told(rng.choice(TOGETHER), name, friend), [name, friend]
    elif roll < 0.45:
        animal = somebody(rng)
        who, text, needed = f"{name} and {animal}", told(rng.choice(TOGETHER), name, animal), [name, animal.split()[-1]]
    elif roll < 0.8:
        first, second = somebody(rng), somebody(rng)
        who, text, needed = first, told(rng.choice(ALONE), first), [first.split()[-1]]
        if rng.random() < 0.3 and second.split()[-1] not in first:
            who, text, needed = f"{first} and {second}", told(rng.choice(TOGETHER), first, second), [first.split()[-1], second.split()[-1]]
    else:
        animal = somebody(rng)
        named = rng.random() < 0.5
        who = f"{animal} {rng.choice(['called', 'named'])} {name}" if named else name
        text = sentences((f"{name} was {animal}. " if named else "") + rng.choice(ALONE).replace("{a}", name))
        needed = [name]
    question = casual(ask("story", rng, split, who="\0"), rng).replace("\0", who)
    return containing("story", question, text, *needed)
