"""How a conversation becomes tokens: the same bytes that WebLLM renders from ``conv_template``."""
from __future__ import annotations

from tokenizers import Tokenizer

from tokenizer import END, SPECIAL

ROLE_IDS = {"system": 1, "user": 2, "assistant": 3, "tool": 4}
ASSISTANT = ROLE_IDS["assistant"]
Message = tuple[str, str]


def render(messages: list[Message], reply: bool = False) -> str:
    """The prompt as text; ``reply`` opens the assistant's turn. An empty system message is left out."""
    text = "".join(f"<|{role}|>{content}<|end|>" for role, content in messages if role != "system" or content)
    return text + ("<|assistant|>" if reply else "")


def encode(tokenizer: Tokenizer, messages: list[Message]) -> tuple[list[int], list[bool]]:
    """Token ids, and for each whether the assistant writes it (its end marker included)."""
    ids: list[int] = []
    own: list[bool] = []
    for role, content in messages:
        inner = tokenizer.encode(content, add_special_tokens=False).ids
        ids += [ROLE_IDS[role], *inner, END]
        own += [False, *[role == "assistant"] * (len(inner) + 1)]
    return ids, own


def encode_prompt(tokenizer: Tokenizer, messages: list[Message]) -> list[int]:
    return tokenizer.encode(render(messages, reply=True), add_special_tokens=False).ids


assert SPECIAL[END] == "<|end|>"
