"""Requests to spell words and to repeat phrases. Most of the words are invented, so that the model learns to copy."""
from __future__ import annotations

import random

from .sample import Exchange, containing, exact
from .tables import every_word, words
from .wording import Split, ask, casual, of_side, quoted, side

WORDS, NAMES, PLACES = words("words"), words("names"), words("places")
STARTS = "b br c ch cl d dr f fl g gl gr h j k kl l m n p pl pr qu r s sh sk sl sm sn sp st str t th tr v w y z".split() + [""]
VOWELS = "a e i o u a e i o u ai ea ee oo ou ie".split()
EVERY_WORD = every_word()
EVERY_WORD_SET = set(EVERY_WORD)
ENDS = "b ck d f g k l ll m mp n nd nk ng nt p r rd rk rm rn s sh sk st t th x zz".split() + ["", "", ""]


def syllables(rng: random.Random, least: int = 1) -> str:
    count = rng.choice([least, 2, 2, 2, 3])
    return "".join(rng.choice(STARTS) + rng.choice(VOWELS) for _ in range(count)) + rng.choice(ENDS)


def blend(rng: random.Random) -> str:
    """Returns a known word with additional letters. With such words every token is repeated and spelled at some time."""
    known = rng.choice(EVERY_WORD)
    roll = rng.random()
    if roll < 0.35:
        return known + syllables(rng, 0)
    if roll < 0.6:
        return syllables(rng, 0) + known
    other = rng.choice(EVERY_WORD)
    if roll < 0.75:
        return known + other[: rng.randint(1, 4)]
    if roll < 0.9:
        return known[rng.randint(0, len(known) // 2) :] + other[: rng.randint(2, len(other))]
    return known + other


def invented(rng: random.Random, split: Split) -> str:
    """Returns an invented word of this split: random syllables, or a mixture of known words."""
    while True:
        word = blend(rng) if rng.random() < 0.5 else syllables(rng)
        if 2 < len(word) <= 13 and word not in EVERY_WORD_SET and side(word) == split:
            return word


def compound(rng: random.Random, split: Split) -> str:
    """Returns two known words joined by a hyphen. The model must copy both."""
    while True:
        word = f"{rng.choice(EVERY_WORD)}-{rng.choice(EVERY_WORD)}"
        if side(word) == split:
            return word


def some_word(rng: random.Random, split: Split) -> str:
    roll = rng.random()
    if roll < 0.4:
        return rng.choice(of_side(WORDS if roll < 0.2 else EVERY_WORD, split))
    if roll < 0.9:
        return invented(rng, split)
    return rng.choice(of_side(NAMES, split)).lower()


def phrase(rng: random.Random, split: Split) -> str:
    """Returns one to eight random words."""
    parts = []
    for _ in range(rng.randint(1, 8)):
        roll = rng.random()
        if roll < 0.45:
            parts.append(rng.choice(of_side(WORDS if roll < 0.25 else EVERY_WORD, split)))
        elif roll < 0.75:
            parts.append(invented(rng, split) if roll < 0.68 else compound(rng, split))
        elif roll < 0.83:
            parts.append(rng.choice(of_side(NAMES, split)))
        elif roll < 0.89:
            parts.append(str(rng.randint(0, 9999) if rng.random() < 0.5 else rng.randint(0, 99)))
        else:
            parts.append(rng.choice("the a is in on and of my we they to not with for it was you are has".split()))
    text = " ".join(parts)
    if rng.random() < 0.25:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.1:
        text = " ".join(part[:1].upper() + part[1:] for part in parts)
    if rng.random() < 0.12:
        text += rng.choice([".", "!", "?"])
    return text


def repeat(rng: random.Random, split: Split) -> Exchange:
    text = phrase(rng, split)
    marked = quoted(text, rng)
    question = casual(ask("repeat", rng, split, qp="\0"), rng, slips=False).replace("\0", marked)
    return exact("repeat", question, text)


def spelling(rng: random.Random, split: Split) -> Exchange:
    word = some_word(rng, split)
    question = casual(ask("spell", rng, split, q="\0", w="\0"), rng, slips=False)
    letters = "-".join(word)
    shown = quoted(word[:1].upper() + word[1:] if rng.random() < 0.1 else word, rng)
    return Exchange("spelling", question.replace("\0", shown), f"{letters}", {"contains": [letters]})


def about_letters(rng: random.Random, split: Split) -> Exchange:
    word = some_word(rng, split)
    family = rng.choice(["letters", "letters", "first-letter", "last-letter", "upper"])
    question = casual(ask(family, rng, split, q="\0"), rng, slips=False).replace("\0", quoted(word, rng))
    spelt = "-".join(word)
    if family == "letters":
        return containing("letters", question, f"{spelt}: {len(word)} letters.", f"{len(word)} letters")
    if family == "upper":
        return Exchange("letters", question, word.upper(), {"contains_case": [word.upper()]})
    which, letter = ("first", word[0]) if family == "first-letter" else ("last", word[-1])
    return containing("letters", question, f"{spelt}: the {which} letter is {letter}.", f"letter is {letter}.")
