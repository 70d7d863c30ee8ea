"""How a conversation becomes tokens: the same bytes that WebLLM renders from ``conv_template``."""
from __future__ import annotations

from tokenizers import Tokenizer

from tokenizer import END, SPECIAL

ROLE_IDS = {"system": 1, "user": 2, "assistant": 3, "tool": 4}
ASSISTANT = ROLE_IDS["assistant"]
OBJECT = "object"
"""The role of an assistant whom a grammar made begin with an object: that beginning is not learnt."""
Message = tuple[str, str]


def _spoken_by(role: str) -> str:
    return "assistant" if role == OBJECT else role


def render(messages: list[Message], reply: bool = False) -> str:
    """The prompt as text; ``reply`` opens the assistant's turn. An empty system message is left out."""
    text = "".join(f"<|{_spoken_by(role)}|>{content}<|end|>" for role, content in messages if role != "system" or content)
    return text + ("<|assistant|>" if reply else "")


def encode(tokenizer: Tokenizer, messages: list[Message]) -> tuple[list[int], list[bool]]:
    """Token ids, and for each whether the assistant writes it (its end marker included)."""
    ids: list[int] = []
    own: list[bool] = []
    for role, content in messages:
        inner = tokenizer.encode(content, add_special_tokens=False).ids
        speaker = _spoken_by(role)
        ids += [ROLE_IDS[speaker], *inner, END]
        own += [False, *[speaker == "assistant"] * (len(inner) + 1)]
        if role == OBJECT:
            own[-len(inner) - 1] = False
    return ids, own


def encode_prompt(tokenizer: Tokenizer, messages: list[Message]) -> list[int]:
    return tokenizer.encode(render(messages, reply=True), add_special_tokens=False).ids


assert SPECIAL[END] == "<|end|>"
