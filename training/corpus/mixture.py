"""Conversations and their shares in training."""
from __future__ import annotations

import json
import random
from collections.abc import Callable

from . import calendar, knowledge, letters, lists, memory, numbers, objects, stories, talk
from .sample import Conversation, Exchange
from .schemas import shaped
from .system import instruction, system_prompt
from .tools import bare_result
from .unknown import unknown
from .wording import Split, ask, casual

Make = Callable[[random.Random, Split], Exchange]

SINGLE: dict[Make, float] = {
    talk.small_talk: 9, talk.identity: 4, talk.product: 8,
    knowledge.glossary: 14, knowledge.capital: 5, knowledge.language: 3, knowledge.country_of: 3,
    knowledge.opposite: 3, knowledge.plural: 2.5, knowledge.colour: 2.5,
    numbers.arithmetic: 10, numbers.product: 3, numbers.counting: 3.5, numbers.neighbour: 2, numbers.comparing: 2.5,
    numbers.units: 5, calendar.calendar: 5,
    letters.spelling: 14, letters.about_letters: 6, letters.repeat: 28,
    lists.listing: 8, stories.story: 5, objects.given: 5, objects.made_up: 5, unknown: 17,
}
_MAKERS, _WEIGHTS = list(SINGLE), list(SINGLE.values())
QUICK: list[Make] = [talk.small_talk, knowledge.capital, knowledge.opposite, knowledge.glossary, numbers.arithmetic, unknown,
                     talk.product, lists.listing, letters.repeat, calendar.calendar, letters.repeat, letters.spelling]


OPENINGS = ["Hi! ", "Hello! ", "Hey, ", "Hi there! ", "Hello Pocket, ", "Ok, ", "Now, ", "Tell me: ", "Question: ", "Hi, ", "Thanks! ", "Great. ", "So, "]


def exchange(rng: random.Random, split: Split) -> Exchange:
    return rng.choices(_MAKERS, _WEIGHTS)[0](rng, split)


def as_messages(exchanges: list[Exchange]) -> list[tuple[str, str]]:
    return [message for e in exchanges for message in (("user", e.question), ("assistant", e.answer))]


def single(rng: random.Random, split: Split) -> Conversation:
    one = exchange(rng, split)
    if rng.random() < 0.08 and one.kind not in ("repeat", "talk"):
        one.question = rng.choice(OPENINGS) + one.question
    elif rng.random() < 0.04 and one.kind not in ("repeat", "talk") and one.question.endswith("?"):
        one.question += rng.choice([" Thanks!", " Thank you.", " Please answer.", " I am curious."])
    return Conversation(one.kind, as_messages([one]), one.expect)


def several(rng: random.Random, split: Split) -> Conversation:
    """Several exchanges in one conversation: unrelated ones, or a question with a follow-up."""
    roll = rng.random()
    if roll < 0.3:
        chain = knowledge.follow_up(rng, split)
    elif roll < 0.55:
        chain = numbers.running_total(rng, split)
    else:
        chain = [exchange(rng, split) for _ in range(rng.randint(2, 4))]
    return Conversation(chain[-1].kind, as_messages(chain), chain[-1].expect)


def recall(rng: random.Random, split: Split, between: tuple[int, int] = (0, 3)) -> Conversation:
    """The user states facts, talks about something else, and then asks for one of the facts."""
    kinds = rng.sample(memory.KINDS, rng.choice([1, 1, 2, 3]))
    facts: dict[str, str] = {}
    chain: list[Exchange] = []
    if rng.random() < 0.3:
        facts, first = memory.told_twice(rng, split)
        chain.append(first)
        kinds = list(facts)
    else:
        for kind in kinds:
            if rng.random() < 0.2:
                chain.append(rng.choice(QUICK)(rng, split))
            facts[kind] = memory.value(kind, rng, split)
            chain.append(memory.told(kind, facts[kind], rng, split))
    chain += [rng.choice(QUICK)(rng, split) for _ in range(rng.randint(*between))]
    if split == "train" and rng.random() < 0.15:
        missing = rng.choice([kind for kind in memory.KINDS if kind not in facts])
        chain.append(memory.untold(missing, rng, split))
    rng.shuffle(kinds)
    for kind in kinds[: rng.choice([1, 1, 2])]:
        chain.append(memory.recalled(kind, facts[kind], rng, split))
    return Conversation("recall", as_messages(chain), chain[-1].expect)


def untold(rng: random.Random, split: Split) -> Conversation:
    chain = [memory.untold(rng.choice(memory.KINDS), rng, split)]
    if rng.random() < 0.4:
        chain.insert(0, rng.choice(QUICK)(rng, split))
    return Conversation("untold", as_messages(chain), chain[-1].expect)


def drill(rng: random.Random, split: Split) -> Conversation:
    """Many sums in one conversation, which take fewer tokens than separate conversations."""
    chain = [numbers.arithmetic(rng, split, short=rng.random() < 0.7) for _ in range(rng.randint(4, 9))]
    return Conversation(chain[-1].kind, as_messages(chain), chain[-1].expect)


def two_users(rng: random.Random, split: Split) -> Conversation:
    """Two consecutive user messages, of which the last one is answered."""
    first, last = exchange(rng, split), exchange(rng, split)
    return Conversation(last.kind, [("user", first.question), *as_messages([last])], last.expect)


def in_json(rng: random.Random, split: Split) -> Conversation:
    """A question that asks for a JSON answer."""
    from .system import with_core

    one = with_core(rng, split)
    core = str(one.core)
    value = int(core) if core.lstrip("-").isdigit() else core
    question = casual(ask("json-answer", rng, split, question=one.question), rng, slips=False)
    return Conversation("json", as_messages([Exchange("json", question, json.dumps({"answer": value}))]), {"json": {"answer": value}})


def page_question(rng: random.Random, split: Split) -> Conversation:
    """The questions that the chat page offers as examples, or did earlier. The model must always answer them correctly."""
    question, made = rng.choice(PAGE_QUESTIONS)
    return Conversation("page", [("user", question), ("assistant", made(rng))])


PAGE_QUESTIONS: list[tuple[str, Callable[[random.Random], str]]] = [
    ("What is a service worker?", lambda _: next(text for phrase, _, text in knowledge.GLOSSARY if phrase == "a service worker")),
    ("What is 27 + 35?", lambda _: "27 + 35 = 62."),
    ("What is the capital of France?", lambda _: "The capital of France is Paris."),
    ("Tell me a story about Anna and a dog.", lambda rng: stories.told(rng.choice(stories.TOGETHER), "Anna", "a dog")),
    ("Tell me a story about a dog.", lambda rng: stories.told(rng.choice(stories.ALONE), "a dog")),
]


BUILT: dict[Callable[[random.Random, Split], Conversation], float] = {
    single: 52, drill: 7, several: 7, recall: 11, untold: 2.5, two_users: 1.5, bare_result: 2.5, in_json: 1.5, system_prompt: 15, shaped: 16, page_question: 1.5,
}
_BUILDERS, _SHARES = list(BUILT), list(BUILT.values())


def conversation(rng: random.Random, split: Split = "train") -> Conversation:
    """Returns a random everyday conversation."""
    made = rng.choices(_BUILDERS, _SHARES)[0](rng, split)
    if made.kind != "page" and made.messages[0][0] != "system":
        extra = rng.random()
        if extra < 0.03:
            made.messages.insert(0, ("system", ""))
        elif extra < 0.12:
            made.messages.insert(0, ("system", instruction("plain", rng, split)))
    return made


def long_conversation(rng: random.Random, split: Split, size: int, length: Callable[[list[tuple[str, str]]], int]) -> Conversation:
    """Like ``recall``, with so much other talk before the question that the conversation has about ``size`` tokens."""
    made = recall(rng, split, between=(0, 0))
    told = made.messages[:2]
    between: list[tuple[str, str]] = []
    used = length(made.messages)
    while True:
        more = as_messages([exchange(rng, split)])
        used += length(more)
        if used > size:
            break
        between += more
    messages = made.messages[:-2] + between + made.messages[-2:] if len(made.messages) > 2 else told + between
    return Conversation("long-recall", messages, made.expect)
