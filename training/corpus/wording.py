"""Wordings of questions: patterns with alternatives, split by hash between training and evaluation.

A pattern such as ``(what is|name) the capital of {x}(?|)`` stands for all its expansions.
A hash of its text assigns each expansion to one split, so that no wording of the evaluation
occurs in training. Only the evaluation uses lines that start with ``!``.
"""
from __future__ import annotations

import hashlib
import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Literal

Split = Literal["train", "eval"]
DATA = Path(__file__).resolve().parent.parent / "data"
HELD_OUT_ONE_IN = 8

_INNERMOST = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


def side(text: str, one_in: int = HELD_OUT_ONE_IN) -> Split:
    """Returns the split that a text belongs to. The result never changes and is the same on every machine."""
    digest = hashlib.sha256(text.lower().encode()).digest()
    return "eval" if digest[0] % one_in == 0 else "train"


def of_side(items: list[str], split: Split, one_in: int = HELD_OUT_ONE_IN) -> list[str]:
    """Returns the items (such as names or words) of this split."""
    return _of_side(tuple(items), split, one_in)


@lru_cache(maxsize=None)
def _of_side(items: tuple[str, ...], split: Split, one_in: int) -> list[str]:
    return [item for item in items if side(item, one_in) == split]


def expand(pattern: str, rng: random.Random) -> str:
    """Returns a random expansion of a pattern. Slots are not filled."""
    while match := _INNERMOST.search(pattern):
        choice = rng.choice(match.group(1).split("|"))
        pattern = pattern[: match.start()] + choice + pattern[match.end() :]
    return pattern


def all_expansions(pattern: str) -> set[str]:
    """Returns all expansions of a pattern. Slots are not filled."""
    match = _INNERMOST.search(pattern)
    if not match:
        return {pattern}
    before, after = pattern[: match.start()], pattern[match.end() :]
    return {text for choice in match.group(1).split("|") for text in all_expansions(before + choice + after)}


@lru_cache(maxsize=None)
def _reserved(patterns: tuple[str, ...]) -> frozenset[str]:
    """Returns the wordings of the ``!`` lines in lower case, without punctuation. Training must not use them, even if
    another line has them."""
    return frozenset(bare(text).lower() for pattern in patterns for text in all_expansions(pattern))


def fill(pattern: str, slots: dict[str, str]) -> str:
    return _SLOT.sub(lambda match: slots[match.group(1)], pattern)


def _read_sections(path: Path) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            current.append(line)
    return sections


WORDINGS = _read_sections(DATA / "wordings.txt")


def bare(text: str) -> str:
    """Removes punctuation and spaces, which users may add or omit."""
    return re.sub(r"[^\w{}+*/-]", "", text)


def draw(patterns: list[str], rng: random.Random, split: Split) -> str:
    """Returns a wording of this split. Half of the evaluation's wordings come from ``!`` lines."""
    shared = [p for p in patterns if not p.startswith("!")]
    reserved = [p[1:] for p in patterns if p.startswith("!")]
    if split == "eval" and reserved and rng.random() < 0.5:
        return expand(rng.choice(reserved), rng)
    never_trained = _reserved(tuple(reserved))
    for _ in range(3000):
        text = expand(rng.choice(shared), rng)
        if split == "train" and bare(text).lower() in never_trained:
            continue
        # Punctuation does not make a wording new. For the evaluation the hash with punctuation must match, too.
        if side(bare(text)) == split and (split == "train" or side(text) == split):
            return text
    if split == "eval" and reserved:
        return expand(rng.choice(reserved), rng)
    raise ValueError(f"no {split} wording in {shared[0]!r}")


def ask(family: str, rng: random.Random, split: Split, **slots: str) -> str:
    """Returns a question from a section of ``wordings.txt``, with its slots filled."""
    return fill(draw(WORDINGS[family], rng, split), slots)


def quoted(text: str, rng: random.Random) -> str:
    """Returns the text as users mark it in a question: without quotes, or in one of the usual quotes."""
    return rng.choice(["{}", '"{}"', "'{}'", '"{}"', "{}"]).format(text)


def casual(text: str, rng: random.Random, slips: bool = True) -> str:
    """Changes a text as users type: without a capital letter or question mark, or with two letters swapped."""
    if rng.random() < 0.55:
        text = text[:1].upper() + text[1:]
    if text.endswith("?") and rng.random() < 0.15:
        text = text[:-1]
    if slips and rng.random() < 0.06 and len(text) > 12 and '"' not in text and "'" not in text:
        at = rng.randrange(1, min(len(text) - 2, 14))
        if text[at : at + 2].isalpha():
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text
