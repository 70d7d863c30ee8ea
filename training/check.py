"""Checks an answer against the expectation of its item, for answers from PyTorch and from the endpoint."""
from __future__ import annotations

import json
import re
from typing import Any

MAX_WORDS = 60


def plain(text: str) -> str:
    """Returns the text in lower case, without outer punctuation and double spaces."""
    return re.sub(r"\s+", " ", text).strip().strip(".!?\"' ").lower()


def letters_of(text: str) -> str:
    return "".join(character for character in text if character.isalpha())


def as_object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def lines_of(text: str) -> list[str]:
    return [re.sub(r"^\d+\.\s*", "", line).strip() for line in text.strip().splitlines() if line.strip()]


def fits(value: Any, kind: dict[str, Any]) -> bool:
    """Whether a value is valid against a schema. Supports only the keywords that the evaluation uses."""
    match kind["type"]:
        case "object":
            return isinstance(value, dict) and sorted(value) == sorted(kind["properties"]) and all(fits(value[key], inner) for key, inner in kind["properties"].items())
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list) and len(value) <= kind.get("maxItems", len(value)) and all(fits(item, kind["items"]) for item in value)
    return isinstance(value, str) and value in kind.get("enum", [value])


def calls_in(text: str) -> list[dict[str, Any]]:
    """Returns the tool calls in an answer, in the syntax of the engine worker (``tool-syntax.ts``)."""
    return [call for call in map(as_object, re.findall(r"<tool_call>\n(.*?)\n</tool_call>", text, re.DOTALL)) if call is not None]


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal. Case and outer punctuation of texts are ignored."""
    return plain(one) == plain(other) if isinstance(one, str) and isinstance(other, str) else one == other


def same_arguments(made: Any, wanted: dict[str, Any]) -> bool:
    return isinstance(made, dict) and sorted(made) == sorted(wanted) and all(same(made[key], part) for key, part in wanted.items())


def holds(rule: str, wanted: Any, answer: str) -> bool:
    words = re.findall(r"\S+", answer)
    match rule:
        case "equals":
            return plain(answer) == plain(wanted)
        case "contains":
            return all(text.lower() in answer.lower() for text in wanted)
        case "contains_case":
            return all(text in answer for text in wanted)
        case "case":
            letters = letters_of(answer)
            return bool(answer.strip()) and letters == (letters.upper() if wanted == "upper" else letters.lower())
        case "words":
            return len(words) == wanted
        case "last":
            return bool(words) and plain(words[-1]) == plain(wanted)
        case "first":
            return bool(words) and plain(words[0]) == plain(wanted)
        case "json":
            return as_object(answer) == wanted
        case "json_keys":
            value = as_object(answer)
            return value is not None and sorted(value) == sorted(wanted)
        case "lines":
            return len(lines_of(answer)) == wanted
        case "from":
            items = [item.lower() for item in lines_of(answer)]
            return len(set(items)) == len(items) and all(item in [w.lower() for w in wanted] for item in items)
        case "schema":
            return fits(as_object(answer), wanted)
        case "values":
            value = as_object(answer)
            return value is not None and all(same(value.get(key), part) for key, part in wanted.items())
        case "call":
            calls = calls_in(answer)
            return len(calls) == 1 and calls[0].get("name") == wanted["name"] and same_arguments(calls[0].get("arguments"), wanted["arguments"])
        case "no_call":
            return "<tool_call>" not in answer and bool(answer.strip())
    raise ValueError(f"no rule named {rule}")


def correct(answer: str, expect: dict[str, Any]) -> bool:
    """Whether an answer meets every rule of an expectation."""
    return all(holds(rule, wanted, answer) for rule, wanted in expect.items())


def runaway(answer: str) -> bool:
    """Whether an answer has more than sixty words, most of which are repetitions."""
    words = answer.split()
    return len(words) > MAX_WORDS and len(set(words)) < len(words) / 2
