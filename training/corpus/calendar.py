"""Questions about days, months and well-known counts."""
from __future__ import annotations

import random

from .sample import Exchange, containing, exact
from .wording import Split, ask, casual

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
FIXED = [("days", "a week", 7), ("months", "a year", 12), ("days", "a year", 365), ("hours", "a day", 24),
         ("minutes", "an hour", 60), ("seconds", "a minute", 60), ("weeks", "a year", 52), ("seasons", "a year", 4),
         ("letters", "the alphabet", 26), ("bits", "a byte", 8), ("legs", "a spider", 8), ("legs", "a dog", 4),
         ("legs", "a cat", 4), ("legs", "an insect", 6), ("wheels", "a car", 4), ("wheels", "a bicycle", 2),
         ("sides", "a triangle", 3), ("sides", "a square", 4), ("fingers", "a hand", 5), ("pieces", "a dozen", 12)]


def neighbours(cycle: list[str], what: str, rng: random.Random, split: Split) -> Exchange:
    at = rng.randrange(len(cycle))
    step, word = rng.choice([(1, "after"), (-1, "before")])
    here, there = cycle[at], cycle[(at + step) % len(cycle)]
    shown = here.lower() if rng.random() < 0.3 else here
    question = ask(f"{what}-{word}", rng, split, x=shown)
    if "tomorrow" in question:
        answer = f"Tomorrow is {there}."
    elif "yesterday" in question:
        answer = f"Yesterday was {there}."
    else:
        answer = f"{there} comes {word} {here}."
    return containing("calendar", casual(question, rng), answer, there, core=there)


def calendar(rng: random.Random, split: Split) -> Exchange:
    roll = rng.random()
    if roll < 0.3:
        return neighbours(DAYS, "day", rng, split)
    if roll < 0.55:
        return neighbours(MONTHS, "month", rng, split)
    at = rng.randrange(12)
    month = MONTHS[at]
    if roll < 0.68:
        question = ask("month-days", rng, split, x=month)
        tail = ", or 29 in a leap year." if at == 1 else "."
        return containing("calendar", casual(question, rng), f"{month} has {LENGTHS[at]} days{tail}", str(LENGTHS[at]))
    if roll < 0.8:
        question = ask("month-number", rng, split, x=month, i=str(at + 1), o=ORDINALS[at])
        return containing("calendar", casual(question, rng), f"{month} is month number {at + 1}.", month, str(at + 1))
    if roll < 0.9:
        what, whole, count = rng.choice(FIXED)
        question = ask("how-many-fixed", rng, split, x=what, y=whole)
        whole = whole[:1].upper() + whole[1:]
        return containing("calendar", casual(question, rng), f"{whole} has {count} {what}.", f" {count} ")
    family, names = rng.choice([("all-days", DAYS), ("all-months", MONTHS)])
    return exact("calendar", casual(ask(family, rng, split), rng), ", ".join(names) + ".")
