"""Generates training pairs: a query, the text that it should find and, for some, a near miss that it should not find."""
from __future__ import annotations

import random
import re
from typing import NamedTuple

from . import changes, sentences, thesaurus


class Pair(NamedTuple):
    query: str
    found: str
    #: Pairs of one group are not used as negatives for each other.
    group: str
    near_miss: str | None = None


LITTLE = frozenset(
    "a an the is are was were be been of to in on at by for with and or but as it its that this which who what when where why how do does did so if"
    " then than not no from into onto over under there here he she they we you i my your our their has have had will would can could may might must"
    " also only one any all each other more most such me us them him her his am about some able order tell give let get".split()
)
_ASKED = ["how do i {}?", "how does {} work?", "what is {}?", "why {}?", "what happens with {}?", "where is {}?", "is there {}?", "can i {}?", "{}?", "{}", "{}",
          "{}", "tell me about {}", "what about {}?", "when {}?", "which {}?", "does it {}?", "{} explained", "how many {}?", "who {}?", "what does {} do?", "how are {}?", "are {}?", "how long {}?", "I wonder about {}", "is it true that {}?"]


class Source:
    """The hand-written texts, read once."""

    def __init__(self) -> None:
        self.triples = _lines("triples-training.tsv")
        self.notes = _lines("notes-training.tsv")
        self.texts = [note for note, *_ in self.notes]
        self.statements = [s for text in self.texts for s in re.split(r"(?<=[.;:?]) ", text) if 5 <= len(s.split()) <= 24]


def _lines(file: str) -> list[list[str]]:
    return [line.split("\t") for line in (thesaurus.DATA / file).read_text(encoding="utf-8").splitlines()]


def _query_of(text: str, rng: random.Random) -> str:
    """Returns some words of a text as a question or as search words. Synonyms replace some of them."""
    words = text.split()
    start = rng.randrange(max(1, len(words) - 4))
    span = words[start : start + rng.randint(4, 14)]
    telling = [word for word in span if word.strip(".,:;()").lower() not in LITTLE]
    kept = telling if rng.random() < 0.5 else span
    share = rng.uniform(0.3, 1.0)
    kept = [word for word in kept if rng.random() < share] or kept
    if rng.random() < 0.3:
        rng.shuffle(kept)
    said = " ".join(kept[: rng.randint(2, 10)]).strip(".,:; ")
    return rng.choice(_ASKED).format(thesaurus.reworded(said, rng, rng.choice([0.0, 0.5, 0.8])))


def of_change(source: Source, rng: random.Random) -> Pair:
    """A sentence of the notes, a paraphrase of it, and a near miss with one change."""
    said = rng.choice(source.statements)
    return Pair(said, changes.turned(thesaurus.reworded(said, rng, rng.choice([0.3, 0.6, 0.9])), rng), said, changes.changed(said, rng))


def of_sentence(source: Source, rng: random.Random) -> Pair:
    made = sentences.triple(rng, "train")
    return Pair(made.anchor, made.paraphrase, made.anchor, made.near_miss)


def of_triple(source: Source, rng: random.Random) -> Pair:
    """A hand-written sentence with its paraphrase and its near miss."""
    anchor, same, other = rng.choice(source.triples)
    if rng.random() < 0.5:
        anchor, same = same, anchor
    return Pair(thesaurus.reworded(anchor, rng, rng.choice([0.0, 0.4])), thesaurus.reworded(same, rng, rng.choice([0.0, 0.4])), other, other)


def of_note(source: Source, rng: random.Random) -> Pair:
    """A hand-written note and a search for it."""
    note, *queries = rng.choice(source.notes)
    query = _query_of(note, rng) if rng.random() < 0.3 else thesaurus.reworded(rng.choice(queries), rng, rng.choice([0.0, 0.4]))
    return Pair(query, note, note)


def of_topic(source: Source, rng: random.Random) -> Pair:
    topic, one, same, other = sentences.topical(rng)
    return Pair(one, same, f"topic {topic}", other)


def of_exchange(source: Source, rng: random.Random) -> Pair:
    question, answer = sentences.exchange(rng, "train")
    return Pair(thesaurus.reworded(question, rng, rng.choice([0.0, 0.0, 0.5])), answer, answer)


def of_word(source: Source, rng: random.Random) -> Pair:
    number = rng.randrange(len(_LINES))
    word, other = rng.sample(_LINES[number], 2)
    against = [w for w in thesaurus.opposites().get(word, []) if w not in _LINES[number]]
    return Pair(word, other, f"words {number}", rng.choice(against) if against else None)


_LINES = [line for section in ("verbs", "nouns", "adjectives") for line in thesaurus.groups(section)]
MIXTURE = {of_change: 8, of_triple: 4, of_note: 6, of_sentence: 40, of_topic: 1, of_exchange: 8, of_word: 3}


def batch(source: Source, rng: random.Random, size: int) -> list[Pair]:
    makers = rng.choices(list(MIXTURE), list(MIXTURE.values()), k=size)
    return [make(source, rng) for make in makers]
