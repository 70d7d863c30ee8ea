"""Training pairs without end: a query, the text that it should find, and for some a text that it should not."""
from __future__ import annotations

import random
import re
from typing import NamedTuple

from . import code_text, passages, sentences, thesaurus


class Pair(NamedTuple):
    query: str
    found: str
    #: Pairs of one group are no negatives for each other.
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
    """The own texts, read once."""

    def __init__(self) -> None:
        self.documents = [p.text for p in passages.passages()]
        self.bodies = [(p.headings, passages.plain(p.body)) for p in passages.passages()]
        self.remarks = code_text.remarks()


def _query_of(text: str, rng: random.Random) -> str:
    """Some words of a text, partly in other words, as a question or as bare search words."""
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


def of_document(source: Source, rng: random.Random) -> Pair:
    number = rng.randrange(len(source.bodies))
    headings, body = source.bodies[number]
    sentences_ = re.split(r"(?<=[.;:?]) ", body)
    roll = rng.random()
    if roll < 0.15 and headings:
        query, found = _query_of(" ".join(headings[-1:]), rng), source.documents[number]
    elif roll < 0.4 and len(sentences_) > 2:
        # Without the sentence that asks: then the rest of the passage has to tell what it is about.
        at = rng.randrange(len(sentences_))
        query = _query_of(sentences_[at], rng)
        found = ". ".join(headings[-2:]) + " " + " ".join(sentences_[:at] + sentences_[at + 1 :])
    else:
        query, found = _query_of(rng.choice(sentences_), rng), source.documents[number]
    return Pair(query, found, f"document {number}")


def of_remark(source: Source, rng: random.Random) -> Pair:
    remark = rng.choice(source.remarks)
    if rng.random() < 0.3:
        return Pair(_query_of(remark, rng), thesaurus.reworded(remark, rng, 0.3), remark)
    return Pair(_query_of(remark, rng), remark, remark)


def of_sentence(source: Source, rng: random.Random) -> Pair:
    made = sentences.triple(rng, "train")
    return Pair(made.anchor, made.paraphrase, made.anchor, made.near_miss)


def of_topic(source: Source, rng: random.Random) -> Pair:
    one, same, other = sentences.topical(rng)
    return Pair(one, same, one, other)


def of_exchange(source: Source, rng: random.Random) -> Pair:
    question, answer = sentences.exchange(rng, "train")
    return Pair(thesaurus.reworded(question, rng, rng.choice([0.0, 0.0, 0.5])), answer, answer)


def of_word(source: Source, rng: random.Random) -> Pair:
    known = thesaurus.alternatives()
    word = rng.choice(_WORDS)
    other = rng.choice(known[word])
    against = thesaurus.opposites().get(word)
    return Pair(word, other, word, rng.choice(against) if against else None)


_WORDS = sorted(thesaurus.alternatives())
MIXTURE = {of_document: 34, of_remark: 14, of_sentence: 36, of_topic: 2, of_exchange: 6, of_word: 8}


def batch(source: Source, rng: random.Random, size: int) -> list[Pair]:
    makers = rng.choices(list(MIXTURE), list(MIXTURE.values()), k=size)
    return [make(source, rng) for make in makers]
