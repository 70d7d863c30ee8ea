"""Facts about the user (name, number, colour, place, pet, food, age), and questions about them later in the conversation."""
from __future__ import annotations

import random

from .letters import invented
from .sample import Exchange, containing
from .tables import words
from .wording import Split, ask, casual, of_side

NAMES, PLACES = words("names"), words("places")
COLOURS = "red blue green yellow orange purple black white pink brown grey turquoise violet silver gold crimson scarlet indigo beige teal cyan magenta".split()
FOODS = "pizza|soup|pasta|rice|bread|cheese|salad|curry|fish|cake|pancakes|noodles|apple pie|potato soup|fried eggs|ice cream|tomato salad|bean stew|roast chicken|sushi|dumplings|porridge|waffles|lentil soup|mushroom risotto|honey bread".split("|")
KINDS = ["name", "number", "colour", "place", "pet", "food", "age"]
ACKNOWLEDGED = {"name": "Nice to meet you, {}!", "number": "I will remember the number {}.", "colour": "Good to know: your colour is {}.",
                "place": "I will remember that you live in {}.", "pet": "{} is a nice name for a pet!",
                "food": "Good to know: you like {}.", "age": "I will remember that you are {} years old."}
RECALLED = {"name": "Your name is {}.", "number": "Your number is {}.", "colour": "Your colour is {}.", "place": "You live in {}.",
            "pet": "Your pet is called {}.", "food": "You like {} best.", "age": "You are {} years old."}
UNTOLD = {"name": "your name", "number": "a number", "colour": "your colour", "place": "where you live", "pet": "about a pet",
          "food": "your favourite food", "age": "your age"}


def value(kind: str, rng: random.Random, split: Split) -> str:
    """Returns a random value of this split for a kind of fact."""
    if kind in ("name", "pet", "place"):
        known = PLACES if kind == "place" else NAMES
        if rng.random() < 0.5:
            return rng.choice(of_side(known, split))
        return invented(rng, split).capitalize()
    if kind == "number":
        most = rng.choice([99, 999, 9999])
        return str(rng.choice([n for n in range(1, most + 1) if (n % 8 == 3) == (split == "eval")]))
    if kind == "age":
        return str(rng.randint(5, 99))
    return rng.choice(COLOURS if kind == "colour" else FOODS)


def told(kind: str, text: str, rng: random.Random, split: Split) -> Exchange:
    statement = casual(ask(f"tell-{kind}", rng, split, v=text), rng, slips=False)
    if rng.random() < 0.25 and statement[-1].isalnum():
        statement += rng.choice([".", "!", "."])
    return Exchange("memory", statement, ACKNOWLEDGED[kind].format(text), {"contains": [text]})


def told_twice(rng: random.Random, split: Split) -> tuple[dict[str, str], Exchange]:
    """A sentence that states the user's name and a second fact."""
    second = rng.choice(["colour", "place"])
    facts = {"name": value("name", rng, split), second: value(second, rng, split)}
    statement = casual(ask(f"name-and-{second}", rng, split, v=facts["name"], u=facts[second]), rng, slips=False)
    return facts, Exchange("memory", statement, f"Nice to meet you, {facts['name']}! I will remember that.")


def recalled(kind: str, text: str, rng: random.Random, split: Split) -> Exchange:
    question = casual(ask(f"ask-{kind}", rng, split), rng)
    return containing("recall", question, RECALLED[kind].format(text), text, core=text)


def untold(kind: str, rng: random.Random, split: Split) -> Exchange:
    question = casual(ask(f"ask-{kind}", rng, split), rng)
    return containing("untold", question, f"You have not told me {UNTOLD[kind]} yet.", "have not told me")
