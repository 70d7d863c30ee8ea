"""Requests for small JSON objects, with given values or with invented values for given keys."""
from __future__ import annotations

import json
import random

from .letters import invented
from .memory import COLOURS
from .sample import Exchange
from .tables import words
from .wording import Split, ask, casual, of_side

NAMES, PLACES, WORDS = words("names"), words("places"), words("words")
Value = str | int | bool | list[str]
STRING_KEYS = ["name", "city", "colour", "title", "country", "street", "animal", "fruit", "email", "job", "word", "language", "state", "kind"]
NUMBER_KEYS = ["age", "price", "count", "year", "size", "number", "weight", "height", "amount", "score", "pages"]
BOOLEAN_KEYS = ["active", "open", "ready", "happy", "done", "new"]
LIST_KEYS = {"tags": ["new", "small", "red", "fast"], "colours": ["red", "green", "blue"], "names": ["Anna", "Tom", "Mia"],
             "fruits": ["apple", "pear", "plum"], "cities": ["Paris", "Oslo", "Rome"], "items": ["table", "lamp", "chair"], "words": ["river", "stone"]}
THINGS = "a person|a city|a book|a cat|a dog|a car|a house|a product|a friend|a user|a country|a task|an event|a song|a film|a shop|a recipe|a computer|an animal|a meal".split("|")
INVENTED = {"name": ["Anna", "Tom", "Mia"], "city": ["Paris", "Oslo", "Rome"], "colour": ["blue", "red", "green"], "title": ["The Blue Kite", "A Long Road"],
            "country": ["France", "Norway", "Italy"], "street": ["Garden Street", "Hill Road"], "animal": ["cat", "dog", "horse"],
            "fruit": ["apple", "pear", "plum"], "email": ["anna@example.com", "tom@example.com"], "job": ["teacher", "baker"],
            "word": ["river", "stone"], "language": ["English", "French"], "state": ["ready", "new"], "kind": ["small", "large"]}


def string_value(key: str, rng: random.Random, split: Split) -> str:
    if key == "name":
        return rng.choice(of_side(NAMES, split)) if rng.random() < 0.6 else invented(rng, split).capitalize()
    if key == "city":
        return rng.choice(of_side(PLACES, split))
    if key == "colour":
        return rng.choice(COLOURS)
    return rng.choice(of_side(WORDS, split)) if rng.random() < 0.7 else invented(rng, split)


def as_typed(item: Value) -> str:
    """Returns a value as users write it in a question."""
    if isinstance(item, list):
        return f"[{', '.join(item)}]"
    return json.dumps(item) if isinstance(item, bool) else str(item)


def given(rng: random.Random, split: Split) -> Exchange:
    keys = rng.sample(STRING_KEYS + NUMBER_KEYS + BOOLEAN_KEYS, rng.choice([1, 2, 2, 3, 3, 4]))
    if rng.random() < 0.2:
        keys.insert(rng.randint(0, len(keys)), rng.choice(list(LIST_KEYS)))
    made: dict[str, Value] = {}
    for key in keys:
        if key in LIST_KEYS:
            made[key] = [string_value("word", rng, split) for _ in range(rng.randint(1, 3))]
        elif key in STRING_KEYS:
            made[key] = string_value(key, rng, split)
        elif key in NUMBER_KEYS:
            made[key] = rng.randint(0, rng.choice([20, 99, 2000]))
        else:
            made[key] = rng.random() < 0.5
    sign = rng.choice([" ", ": ", " = ", " "])
    shown = [f"{key}{sign}{as_typed(item)}" for key, item in made.items()]
    text = ", ".join(shown)
    if len(shown) > 1 and rng.random() < 0.6:
        text = ", ".join(shown[:-1]) + " and " + shown[-1]
    question = casual(ask("json", rng, split, pairs="\0"), rng, slips=False).replace("\0", text)
    return Exchange("json", question, json.dumps(made), {"json": made})


def made_up(rng: random.Random, split: Split) -> Exchange:
    """A request that names the keys, sometimes with their types. The model chooses the values."""
    keys = rng.sample(STRING_KEYS + NUMBER_KEYS + BOOLEAN_KEYS, rng.choice([1, 2, 2, 3, 3, 4]))
    if rng.random() < 0.5:
        keys = list(dict.fromkeys(["name", *keys]))
    if rng.random() < 0.25:
        keys.insert(rng.randint(0, len(keys)), rng.choice(list(LIST_KEYS)))
    made: dict[str, Value] = {}
    shown = []
    style = rng.choice(["{}", "{}", "{} ({})", "{}: {}"])
    for key in keys:
        if key in STRING_KEYS or key in LIST_KEYS:
            items = LIST_KEYS.get(key) or INVENTED[key]
            # A schema may require a list or a string for any key, so sometimes a key gets the type that it usually does
            # not have.
            if (key in LIST_KEYS) != (rng.random() < 0.08):
                made[key], kind = items[: rng.randint(1, 3)], rng.choice(["list", "array", "list of strings"])
            else:
                made[key], kind = rng.choice(items), "string"
        elif key in NUMBER_KEYS:
            made[key], kind = rng.randint(1, 99) if key != "year" else rng.randint(1950, 2025), rng.choice(["number", "integer"])
        else:
            made[key], kind = rng.random() < 0.5, "boolean"
        shown.append(style.format(key, kind))
    text = ", ".join(shown) if rng.random() < 0.5 or len(shown) < 2 else ", ".join(shown[:-1]) + " and " + shown[-1]
    question = casual(ask("json-invent", rng, split, keys="\0", thing=rng.choice(THINGS)), rng, slips=False).replace("\0", text)
    return Exchange("json", question, json.dumps(made), {"json_keys": keys})
