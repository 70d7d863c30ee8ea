"""The small vocabulary of the generators: an exchange, a conversation, an expectation."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Exchange:
    """One question and its answer, and how an evaluation may check the answer.

    ``core`` is the answer in a single word, where there is one; system prompts that ask
    for one word or for JSON are answered with it.
    """

    kind: str
    question: str
    answer: str
    expect: dict[str, Any] = field(default_factory=dict)
    core: str | None = None


@dataclass
class Conversation:
    """What one training sample is made of: (role, text) pairs in order."""

    kind: str
    messages: list[tuple[str, str]]
    expect: dict[str, Any] = field(default_factory=dict)


def exact(kind: str, question: str, answer: str) -> Exchange:
    """An exchange whose answer must match up to case and outer punctuation."""
    return Exchange(kind, question, answer, {"equals": answer})


def containing(kind: str, question: str, answer: str, *needed: str, core: str | None = None) -> Exchange:
    """An exchange whose answer must contain each of the given strings."""
    return Exchange(kind, question, answer, {"contains": list(needed)}, core)
