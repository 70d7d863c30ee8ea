"""Generates sentences with paraphrases and near misses from verbs, objects and circumstances."""
from __future__ import annotations

import random
import re
from typing import NamedTuple

from corpus import calendar, knowledge, talk
from corpus.wording import Split, side

from .inflect import gerund, on_head, plural
from .thesaurus import opposites, sections, topics


class Triple(NamedTuple):
    """A text, a text with the same meaning, and a near miss: a similar text with another meaning."""

    anchor: str
    paraphrase: str
    near_miss: str


# {v} verb, {ving} its gerund, {o} object, {c} circumstance. Only the evaluation uses lines with ``!``.
QUESTIONS = [
    "how do i {v} {o} {c}?", "how can i {v} {o} {c}?", "is there a way to {v} {o} {c}?", "can i {v} {o} {c}?", "{v} {o} {c}",
    "{ving} {o} {c}", "what is the best way to {v} {o} {c}?", "i want to {v} {o} {c}", "we have to {v} {o} {c}", "please {v} {o} {c}",
    "steps to {v} {o} {c}", "why should i {v} {o} {c}?", "what happens when i {v} {o} {c}?", "is it possible to {v} {o} {c}?",
    "where can one {v} {o} {c}?", "am i allowed to {v} {o} {c}?", "{ving} {o} {c} does not work", "help me to {v} {o} {c}",
    "could you tell us how to {v} {o} {c}?", "i cannot {v} {o} {c}", "some hints on {ving} {o} {c}", "what must one do to {v} {o} {c}?",
    "give me an idea how to {v} {o} {c}", "let us {v} {o} {c}", "nobody told me how to {v} {o} {c}", "would it be able to {v} {o} {c}?",
    "i need a way to {v} {o} {c}", "is {ving} {o} {c} supported?", "all about {ving} {o} {c}", "what is needed for {ving} {o} {c}?",
    "my question is about {ving} {o} {c}", "are there rules for {ving} {o} {c}?", "in order to {v} {o} {c}, what comes first?",
    "they are not able to {v} {o} {c}", "anything on {ving} {o} {c}?", "do you let people {v} {o} {c}?", "which options are there to {v} {o} {c}?",
    "who can {v} {o} {c}?", "when should somebody {v} {o} {c}?", "it is easy to {v} {o} {c}", "they {v} {o} {c}",
    "!what do i need in order to {v} {o} {c}?", "!any advice on {ving} {o} {c}?", "!tell me about {ving} {o} {c}", "!does it let me {v} {o} {c}?",
    "!i am unable to {v} {o} {c}",
]
CIRCUMSTANCES = ["", "", "", "", "every day", "on my phone", "without a network", "for the first time", "in the evening", "at work", "in another tab",
                 "before the meeting", "after an update", "with a friend", "at home", "automatically", "by hand", "in the browser", "next week", "in a hurry",
                 "from the terminal", "while it runs", "for a large team", "on an old computer", "during the holidays", "as a beginner"]


def _templates(split: Split) -> list[str]:
    return [t.lstrip("!") for t in QUESTIONS if t.startswith("!") == (split == "eval")]


def _said(template: str, verb: str, thing: str, circumstance: str) -> str:
    text = template.format(v=verb, ving=on_head(gerund, verb, False), o=thing, c=circumstance)
    return re.sub(r"\s+([?]|$)", r"\1", text)


def _thing(rng: random.Random) -> tuple[list[str], list[str]]:
    """Returns a noun and an adjective, each with its synonyms."""
    nouns, adjectives = sections()["nouns"], sections()["adjectives"]
    return rng.choice(nouns), rng.choice(adjectives)


def _unlike(group: list[str], groups: list[list[str]], rng: random.Random) -> list[str]:
    """Returns a random group that has no word in common with this one."""
    while not set(group).isdisjoint(other := rng.choice(groups)):
        pass
    return other


def triple(rng: random.Random, split: Split) -> Triple:
    """Returns a random triple. Pairs of verb and noun belong to training or evaluation by their hash."""
    verbs = sections()["verbs"]
    while True:
        verb, (noun, adjective) = rng.choice(verbs), _thing(rng)
        if side(f"{verb[0]} {noun[0]}") == split:
            break
    many = rng.random() < 0.5
    described = rng.random() < 0.5
    circumstance = rng.choice(CIRCUMSTANCES)

    def name(group: list[str], shade: list[str], at: int, shade_at: int) -> str:
        word = on_head(plural, group[at], True) if many else f"{rng.choice(['a', 'the', 'my', 'this'])} {group[at]}"
        if not described:
            return word
        article, _, rest = word.rpartition(" ") if many else word.partition(" ")
        return f"{shade[shade_at]} {word}" if many else f"{article} {shade[shade_at]} {rest}"

    one, two = rng.sample(range(len(verb)), 2)
    first, second = rng.sample(range(len(noun)), 2) if rng.random() < 0.6 else [rng.randrange(len(noun))] * 2
    dark, light = rng.sample(range(len(adjective)), 2) if rng.random() < 0.6 else [rng.randrange(len(adjective))] * 2
    templates = _templates(split)
    anchor = _said(rng.choice(templates), verb[one], name(noun, adjective, first, dark), circumstance)
    paraphrase = _said(rng.choice(templates), verb[two], name(noun, adjective, second, light), circumstance)
    roll = rng.random()
    other_verb, other_noun, other_adjective, other_circumstance = verb, noun, adjective, circumstance
    if roll < 0.45 or (roll < 0.9 and len(noun) < 2):
        against = [w for w in (opposites().get(verb[one], []) + opposites().get(verb[two], [])) if w not in verb]
        other_verb = [rng.choice(against)] if against and rng.random() < 0.7 else _unlike(verb, verbs, rng)
    elif roll < 0.85 or not described:
        other_noun = _unlike(noun, sections()["nouns"], rng)
    else:
        other_adjective = _unlike(adjective, sections()["adjectives"], rng)
    # The near miss keeps words of the anchor where possible, so that similar words do not mean a similar text.
    template = rng.choice(templates)
    kept = one if other_verb is verb else rng.randrange(len(other_verb))
    kept_noun = first if other_noun is noun else rng.randrange(len(other_noun))
    kept_shade = dark if other_adjective is adjective else rng.randrange(len(other_adjective))
    near = _said(template, other_verb[kept], name(other_noun, other_adjective, kept_noun, kept_shade), other_circumstance)
    return Triple(anchor, paraphrase, near)


def topical(rng: random.Random) -> tuple[str, str, str, str]:
    """Returns the name of a topic, two texts about it, and one about another topic."""
    one, other = rng.sample(sorted(topics()), 2)

    def said(name: str, count: int) -> str:
        words = rng.sample(topics()[name], min(count, len(topics()[name])))
        forms = ["{} and {}", "the {} of the {}", "about {} with {}", "{}, {}", "my {} needs {}", "{} or {}", "questions about {} and {}", "a {} for the {}"]
        return ". ".join(rng.choice(forms).format(*pair) for pair in zip(words[::2], words[1::2]))

    return one, said(one, rng.choice([2, 4])), said(one, rng.choice([2, 4, 6])), said(other, 4)


FACTS = [knowledge.glossary, knowledge.glossary, talk.product, talk.product, knowledge.capital, knowledge.language, knowledge.country_of,
         knowledge.opposite, knowledge.plural, knowledge.colour, calendar.calendar, talk.identity]


def exchange(rng: random.Random, split: Split) -> tuple[str, str]:
    """Returns a question of Pocket's corpus and its answer."""
    made = rng.choice(FACTS)(rng, split)
    return made.question, made.answer


def sample_texts(count: int) -> list[str]:
    rng = random.Random(11)
    made: list[str] = []
    for _ in range(count // 4):
        made += [*triple(rng, "train")[:2], *exchange(rng, "train")]
    return made
