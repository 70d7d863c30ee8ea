"""Checks one answer against one expectation; shared by every way of collecting answers."""
from __future__ import annotations

import json
import re
from typing import Any

MOST_WORDS = 60


def plain(text: str) -> str:
    """Text without case, outer punctuation and double spaces."""
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
    """The part of JSON Schema that the evaluation uses."""
    match kind["type"]:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list) and len(value) <= kind["maxItems"] and all(isinstance(item, str) for item in value)
    return isinstance(value, str) and value in kind.get("enum", [value])


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
            value = as_object(answer)
            return value is not None and sorted(value) == sorted(wanted["properties"]) and all(
                fits(value[key], kind) for key, kind in wanted["properties"].items())
    raise ValueError(f"no rule named {rule}")


def correct(answer: str, expect: dict[str, Any]) -> bool:
    """Whether every rule of the expectation holds."""
    return all(holds(rule, wanted, answer) for rule, wanted in expect.items())


def runaway(answer: str) -> bool:
    """More than sixty words of which most are repetition."""
    words = answer.split()
    return len(words) > MOST_WORDS and len(set(words)) < len(words) / 2
