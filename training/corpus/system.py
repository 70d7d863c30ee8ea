"""System prompts with an instruction, and answers that follow it."""
from __future__ import annotations

import json
import random
from collections.abc import Callable

from . import knowledge, memory, numbers, talk
from .calendar import calendar
from .letters import invented
from .sample import Conversation, Exchange
from .tables import rows, words
from .unknown import unknown
from .wording import DATA, Split, _read_sections, casual, draw, fill, of_side

WORDINGS = _read_sections(DATA / "system-wordings.txt")
CHARACTERS = rows("characters")
WORDS, NAMES = words("words"), words("names")
Make = Callable[[random.Random, Split], Exchange]
PLAIN: list[Make] = [knowledge.capital, knowledge.capital, knowledge.opposite, knowledge.plural, knowledge.colour, knowledge.language,
                     numbers.arithmetic, talk.small_talk, talk.identity, calendar]
FULL: list[Make] = [*PLAIN, knowledge.glossary, talk.product, unknown]
KINDS = ["plain", "capitals", "capitals", "lower", "one-word", "one-word", "end", "end", "start", "character", "character", "persona", "json", "user-name"]


def instruction(kind: str, rng: random.Random, split: Split, **slots: str) -> str:
    text = fill(draw(WORDINGS[kind], rng, split), slots)
    if rng.random() < 0.75:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.7:
        text += "."
    if kind not in ("plain", "persona", "character") and rng.random() < 0.3:
        text = f"{instruction('plain', rng, split).rstrip('.')}. {text}"
    return text


def with_core(rng: random.Random, split: Split) -> Exchange:
    """Returns a question whose answer is a single word."""
    while True:
        exchange = rng.choice(PLAIN)(rng, split)
        if exchange.core and " " not in exchange.core:
            return exchange


def marker(rng: random.Random, split: Split) -> str:
    word = rng.choice(of_side(WORDS, split)) if rng.random() < 0.6 else invented(rng, split)
    return word.upper() if rng.random() < 0.1 else word.capitalize() if rng.random() < 0.15 else word


def obey(kind: str, rng: random.Random, split: Split) -> tuple[str, list[Exchange]]:
    """Returns a system message, and one or two exchanges whose answers follow it."""
    turns = rng.choice([1, 1, 1, 2])
    if kind in ("one-word", "json"):
        exchanges = [with_core(rng, split) for _ in range(turns)]
    else:
        pool = PLAIN if kind in ("capitals", "lower") and rng.random() < 0.8 else FULL
        exchanges = [rng.choice(pool)(rng, split) for _ in range(turns)]
    slots: dict[str, str] = {}
    change: Callable[[Exchange], str] = lambda e: e.answer
    if kind == "capitals":
        change = lambda e: e.answer.upper()
    elif kind == "lower":
        change = lambda e: e.answer.lower()
    elif kind == "one-word":
        change = lambda e: str(e.core)[:1].upper() + str(e.core)[1:]
    elif kind == "json":
        change = lambda e: json.dumps({"answer": int(str(e.core)) if str(e.core).lstrip("-").isdigit() else e.core})
    elif kind in ("end", "start"):
        word = marker(rng, split)
        shown = rng.choice([word, word, f'"{word}"', f"'{word}'"])
        slots["w"] = shown
        change = (lambda e: f"{e.answer} {word}") if kind == "end" else (lambda e: f"{word} {e.answer}")
    elif kind == "character":
        who, style = rng.choice(CHARACTERS)
        slots["p"] = who
        change = lambda e: style.format(e.answer)
    elif kind == "persona":
        slots["v"] = memory.value("name", rng, split)
        if rng.random() < 0.7:
            exchanges[-1] = Exchange("persona", casual(draw_who(rng, split), rng, slips=False), f"I am {slots['v']}, a small model that runs in your browser.")
    elif kind == "user-name":
        slots["v"] = memory.value("name", rng, split)
        if rng.random() < 0.7:
            exchanges[-1] = memory.recalled("name", slots["v"], rng, split)
    for exchange in exchanges:
        exchange.answer = change(exchange)
    return instruction(kind, rng, split, **slots), exchanges


def draw_who(rng: random.Random, split: Split) -> str:
    return draw([p for p in talk_wordings() if "pocket" not in p], rng, split)


def talk_wordings() -> list[str]:
    from .wording import WORDINGS as QUESTIONS

    return QUESTIONS["who"]


def expectation(kind: str, answer: str) -> dict[str, object]:
    """Returns the expectation for the evaluation: it only checks that the answer follows the instruction."""
    parts = answer.split()
    return {
        "capitals": {"case": "upper"},
        "lower": {"case": "lower"},
        "one-word": {"words": 1},
        "end": {"last": parts[-1]},
        "start": {"first": parts[0]},
        "character": {"contains": [" ".join(parts[:2])]},
        "json": {"json_keys": ["answer"]},
    }.get(kind, {"equals": answer})


def system_prompt(rng: random.Random, split: Split) -> Conversation:
    kind = rng.choice(KINDS)
    text, exchanges = obey(kind, rng, split)
    messages = [("system", text)]
    for exchange in exchanges:
        messages += [("user", exchange.question), ("assistant", exchange.answer)]
    return Conversation(f"system-{kind}", messages, expectation(kind, exchanges[-1].answer))
