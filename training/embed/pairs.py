"""Training pairs without end: a query, the text that it should find, and for some a text that it should not."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import changes, code_text, passages, sentences, thesaurus


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
        self.statements = [s for text in (*(body for _, body in self.bodies), *self.remarks) for s in re.split(r"(?<=[.;:?]) ", text) if 5 <= len(s.split()) <= 24]
        self.questions = list(_written_questions())
        self.triples = _lines("triples-training.tsv")
        self.notes = _lines("notes-training.tsv")


def _written_questions() -> Iterator[tuple[str, int]]:
    """The questions of ``questions-training.tsv``, and the number of the passage that answers each.

    Left out are those whose passage is gone, and those that are half the same as a question of an evaluation set.
    """
    found = passages.passages()
    held = [_telling_words(line.split("\t")[2]) for path in thesaurus.DATA.glob("questions-*.tsv") if path.stem != "questions-training"
            for line in path.read_text(encoding="utf-8").splitlines()]
    for line in (thesaurus.DATA / "questions-training.tsv").read_text(encoding="utf-8").splitlines():
        page, snippet, *questions = line.split("\t")
        number = min(passages.answering(found, page, snippet), default=None)
        for question in questions:
            words = _telling_words(question)
            if number is not None and all(2 * len(words & other) < len(words | other) for other in held):
                yield question, number


def _lines(file: str) -> list[list[str]]:
    return [line.split("\t") for line in (thesaurus.DATA / file).read_text(encoding="utf-8").splitlines()]


def _telling_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower())) - LITTLE


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


def of_question(source: Source, rng: random.Random) -> Pair:
    """A hand-written question, often without some of its words or with others for them."""
    question, number = rng.choice(source.questions)
    if rng.random() < 0.4:
        kept = [word for word in question.split() if rng.random() < 0.75]
        question = " ".join(kept) or question
    return Pair(thesaurus.reworded(question, rng, rng.choice([0.0, 0.0, 0.3, 0.6])), source.documents[number], f"document {number}")


def of_change(source: Source, rng: random.Random) -> Pair:
    """A sentence of the own texts in other words, and the sentence with one thing changed."""
    said = rng.choice(source.statements)
    return Pair(said, changes.turned(thesaurus.reworded(said, rng, rng.choice([0.3, 0.6, 0.9])), rng), said, changes.changed(said, rng))


def of_remark(source: Source, rng: random.Random) -> Pair:
    remark = rng.choice(source.remarks)
    if rng.random() < 0.3:
        return Pair(_query_of(remark, rng), thesaurus.reworded(remark, rng, 0.3), remark)
    return Pair(_query_of(remark, rng), remark, remark)


def of_sentence(source: Source, rng: random.Random) -> Pair:
    made = sentences.triple(rng, "train")
    return Pair(made.anchor, made.paraphrase, made.anchor, made.near_miss)


def of_triple(source: Source, rng: random.Random) -> Pair:
    """A hand-written sentence, the same in other words, and one that is nearly the same and says something else."""
    anchor, same, other = rng.choice(source.triples)
    if rng.random() < 0.5:
        anchor, same = same, anchor
    return Pair(thesaurus.reworded(anchor, rng, rng.choice([0.0, 0.4])), thesaurus.reworded(same, rng, rng.choice([0.0, 0.4])), other, other)


def of_note(source: Source, rng: random.Random) -> Pair:
    """A hand-written note of everyday life or work, and what somebody would search it by."""
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
MIXTURE = {of_document: 20, of_question: 28, of_remark: 8, of_change: 8, of_triple: 4, of_note: 6, of_sentence: 40, of_topic: 1, of_exchange: 8, of_word: 3}


def batch(source: Source, rng: random.Random, size: int) -> list[Pair]:
    makers = rng.choices(list(MIXTURE), list(MIXTURE.values()), k=size)
    return [make(source, rng) for make in makers]
