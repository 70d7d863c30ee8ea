"""Reads the thesaurus: synonyms and opposites, in all their forms."""
from __future__ import annotations

import random
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from .inflect import gerund, on_head, past, plural, simple_past

DATA = Path(__file__).resolve().parent / "data"
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|[^a-z]+")


@cache
def sections() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for line in (DATA / "thesaurus.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            current.append([word.strip() for word in line.split(",")])
    return found


@cache
def topics() -> dict[str, list[str]]:
    lines = (DATA / "topics.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(":", 1) for line in lines if line and not line.startswith("#")]
    return {name: [name, *(word.strip() for word in words.split(","))] for name, words in pairs}


def groups(section: str) -> list[list[str]]:
    """Returns the groups of a section in all their inflected forms. Each form is a group of its own."""
    lines = sections()[section]
    if section == "verbs":
        forms = [lambda w: w, plural, gerund, past, simple_past]
        return [[on_head(form, word, False) for word in line] for line in lines for form in forms]
    if section == "nouns":
        return [*lines, *([on_head(plural, word, True) for word in line] for line in lines)]
    return lines


@cache
def alternatives() -> dict[str, list[str]]:
    """Returns the synonyms of each word and phrase."""
    found: dict[str, set[str]] = defaultdict(set)
    for section in ("verbs", "nouns", "adjectives"):
        for group in groups(section):
            for word in group:
                found[word].update(other for other in group if other != word)
    return {word: sorted(others) for word, others in found.items()}


@cache
def opposites() -> dict[str, list[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one, other in groups("opposites"):
        found[one].add(other)
        found[other].add(one)
    return {word: sorted(others) for word, others in found.items()}


def reworded(text: str, rng: random.Random, share: float) -> str:
    """Replaces words by synonyms, each with the probability ``share``."""
    known = alternatives()
    pieces = _WORD.findall(text.lower())
    out: list[str] = []
    at = 0
    while at < len(pieces):
        for length in (7, 5, 3, 1):
            phrase = "".join(pieces[at : at + length])
            if phrase in known and rng.random() < share:
                out.append(rng.choice(known[phrase]))
                at += length
                break
        else:
            out.append(pieces[at])
            at += 1
    return "".join(out)
