"""The types of the generators: exchanges and conversations, with the expectations for their answers."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Exchange:
    """A question and its answer, with the expectation by which the evaluation checks an answer.

    ``core`` is the answer as a single word; None if there is none. It answers system prompts
    that require one word or JSON.
    """

    kind: str
    question: str
    answer: str
    expect: dict[str, Any] = field(default_factory=dict)
    core: str | None = None


@dataclass
class Conversation:
    """A training sample: (role, text) pairs in order."""

    kind: str
    messages: list[tuple[str, str]]
    expect: dict[str, Any] = field(default_factory=dict)


def exact(kind: str, question: str, answer: str) -> Exchange:
    """Returns an exchange whose answer must equal the expected one, except for case and outer punctuation."""
    return Exchange(kind, question, answer, {"equals": answer})


def containing(kind: str, question: str, answer: str, *needed: str, core: str | None = None) -> Exchange:
    """Returns an exchange whose answer must contain all given strings."""
    return Exchange(kind, question, answer, {"contains": list(needed)}, core)
