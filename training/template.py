"""Renders conversations as tokens, with the same text as WebLLM renders from ``conv_template``."""
from __future__ import annotations

from tokenizers import Tokenizer

from tokenizer import END, SPECIAL

ROLE_IDS = {"system": 1, "user": 2, "assistant": 3, "tool": 4}
ASSISTANT = ROLE_IDS["assistant"]
OBJECT = "object"
"""Role of an answer whose grammar forces an object. Its first token has no loss, so the model does not learn to begin
objects."""
Message = tuple[str, str]


def _spoken_by(role: str) -> str:
    return "assistant" if role == OBJECT else role


def render(messages: list[Message], reply: bool = False) -> str:
    """Renders a prompt. ``reply`` begins the assistant's turn. An empty system message is omitted."""
    text = "".join(f"<|{_spoken_by(role)}|>{content}<|end|>" for role, content in messages if role != "system" or content)
    return text + ("<|assistant|>" if reply else "")


def encode(tokenizer: Tokenizer, messages: list[Message]) -> tuple[list[int], list[bool]]:
    """Returns the token ids, and for each whether the assistant writes it, including the end marker."""
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
