"""Question wordings: patterns with alternatives, split by hash between training and evaluation.

A pattern such as ``(what is|name) the capital of {x}(?|)`` stands for all its expansions.
Each expansion belongs to exactly one side, decided by a hash of its text, so that no
evaluated wording is ever trained on. Lines that start with ``!`` are evaluation only: whole
ways of asking which training never shows.
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
    """Which side a piece of text belongs to; the same on every machine, for ever."""
    digest = hashlib.sha256(text.lower().encode()).digest()
    return "eval" if digest[0] % one_in == 0 else "train"


def of_side(items: list[str], split: Split, one_in: int = HELD_OUT_ONE_IN) -> list[str]:
    """The items (names, words, places, ...) that the given side may use."""
    return _of_side(tuple(items), split, one_in)


@lru_cache(maxsize=None)
def _of_side(items: tuple[str, ...], split: Split, one_in: int) -> list[str]:
    return [item for item in items if side(item, one_in) == split]


def expand(pattern: str, rng: random.Random) -> str:
    """One random expansion of a pattern, slots untouched."""
    while match := _INNERMOST.search(pattern):
        choice = rng.choice(match.group(1).split("|"))
        pattern = pattern[: match.start()] + choice + pattern[match.end() :]
    return pattern


def all_expansions(pattern: str) -> set[str]:
    """Every expansion of a pattern, slots untouched."""
    match = _INNERMOST.search(pattern)
    if not match:
        return {pattern}
    before, after = pattern[: match.start()], pattern[match.end() :]
    return {text for choice in match.group(1).split("|") for text in all_expansions(before + choice + after)}


@lru_cache(maxsize=None)
def _reserved(patterns: tuple[str, ...]) -> frozenset[str]:
    """The wordings of the ``!`` lines, without marks and case: never trained on, whatever other line says them too."""
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
    """A wording without the marks and spaces that people add or leave out."""
    return re.sub(r"[^\w{}+*/-]", "", text)


def draw(patterns: list[str], rng: random.Random, split: Split) -> str:
    """A wording of the right side; evaluation takes half of its wordings from ``!`` lines."""
    shared = [p for p in patterns if not p.startswith("!")]
    reserved = [p[1:] for p in patterns if p.startswith("!")]
    if split == "eval" and reserved and rng.random() < 0.5:
        return expand(rng.choice(reserved), rng)
    never_trained = _reserved(tuple(reserved))
    for _ in range(3000):
        text = expand(rng.choice(shared), rng)
        if split == "train" and bare(text).lower() in never_trained:
            continue
        # Marks do not make a wording new; evaluation asks for both hashes, to be strict.
        if side(bare(text)) == split and (split == "train" or side(text) == split):
            return text
    if split == "eval" and reserved:
        return expand(rng.choice(reserved), rng)
    raise ValueError(f"no {split} wording in {shared[0]!r}")


def ask(family: str, rng: random.Random, split: Split, **slots: str) -> str:
    """A question of a family from ``wordings.txt``, with its slots filled."""
    return fill(draw(WORDINGS[family], rng, split), slots)


def quoted(text: str, rng: random.Random) -> str:
    """Text as people mark it in a question: bare, or in one of the usual quotes."""
    return rng.choice(["{}", '"{}"', "'{}'", '"{}"', "{}"]).format(text)


def casual(text: str, rng: random.Random, slips: bool = True) -> str:
    """How people really type: capital or not, a lost question mark, a slip of the finger."""
    if rng.random() < 0.55:
        text = text[:1].upper() + text[1:]
    if text.endswith("?") and rng.random() < 0.15:
        text = text[:-1]
    if slips and rng.random() < 0.06 and len(text) > 12 and '"' not in text and "'" not in text:
        at = rng.randrange(1, min(len(text) - 2, 14))
        if text[at : at + 2].isalpha():
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text
