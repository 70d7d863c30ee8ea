"""Writes the evaluation set: questions that training does not contain, with the expected answers.

    python make_evaluation.py evaluation.json

Each item has ``id``, ``bar`` (the group in the results), ``kind``, ``messages``, ``tools`` and
``response_format`` in the form of the API, and ``expect`` (see ``check.py``). Tool calls in messages
have the syntax of the prompt.
"""
from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import template
import tokenizer as tokenization
from corpus import calendar, knowledge, letters, lists, mixture, numbers, objects, schemas, stories, talk, tools
from corpus.sample import Conversation
from corpus.system import system_prompt
from corpus.unknown import unknown

SEED = 20251121
JSON_MODE = 100
SCHEMAS = 150
TOOLS = re.compile(r"# Tools\n.*?<tools>\n(.*?)\n</tools>.*", re.DOTALL)
Make = Callable[[random.Random], Conversation]


def alone(*makers: mixture.Make) -> Make:
    """Returns a maker of conversations with one exchange, from one of the generators."""

    def make(rng: random.Random) -> Conversation:
        one = rng.choice(makers)(rng, "eval")
        return Conversation(one.kind, mixture.as_messages([one]), one.expect)

    return make


def obeyed(rng: random.Random) -> Conversation:
    """Returns a system prompt with an instruction that changes the answer."""
    while True:
        made = system_prompt(rng, "eval")
        if made.kind != "system-plain":
            return made


def recall(rng: random.Random) -> Conversation:
    return mixture.recall(rng, "eval", between=(1, 3))


def bars(tokenizer_path: str) -> dict[str, tuple[int, Make]]:
    tokenizer = tokenization.load(Path(tokenizer_path))

    def length(messages: list[template.Message]) -> int:
        return len(template.encode(tokenizer, messages)[0])

    def distant(rng: random.Random) -> Conversation:
        return mixture.long_conversation(rng, "eval", 1150, length)

    def untold(rng: random.Random) -> Conversation:
        return mixture.untold(rng, "eval")

    def follow(rng: random.Random) -> Conversation:
        chain = rng.choice([knowledge.follow_up, numbers.running_total])(rng, "eval")
        return Conversation("follow-up", mixture.as_messages(chain), chain[-1].expect)

    return {
        "facts and definitions": (240, alone(knowledge.glossary, knowledge.glossary, knowledge.capital, knowledge.language, knowledge.country_of,
                                             knowledge.opposite, knowledge.plural, knowledge.colour, calendar.calendar, talk.product, talk.identity)),
        "arithmetic": (160, alone(numbers.arithmetic)),
        "copying": (120, alone(letters.repeat)),
        "recall": (120, recall),
        "recall at a distance": (40, distant),
        "system prompts": (140, obeyed),
        "unknown topics": (160, alone(unknown)),
        "small talk": (30, alone(talk.small_talk)),
        "other numbers": (70, alone(numbers.product, numbers.counting, numbers.neighbour, numbers.comparing, numbers.units)),
        "spelling": (50, alone(letters.spelling, letters.about_letters)),
        "lists": (40, alone(lists.listing)),
        "stories": (30, alone(stories.story)),
        "json objects": (40, alone(objects.given, objects.made_up)),
        "not told": (20, untold),
        "follow-ups": (30, follow),
        "tools": (15, lambda rng: tools.bare_result(rng, "eval")),
        "tool choice": (200, lambda rng: (tools.call if rng.random() < 0.6 else tools.no_call)(rng, "eval")),
        "answers from results": (50, lambda rng: tools.from_result(rng, "eval")),
    }


def build(tokenizer_path: str, seed: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    items: list[dict[str, Any]] = []
    for bar, (count, make) in bars(tokenizer_path).items():
        for number in range(count):
            made = make(rng)
            asked = made.messages[:-1]
            item = {"id": f"{bar.replace(' ', '-')}-{number}", "bar": bar, "kind": made.kind, "expect": made.expect}
            items.append({**item, **as_request(asked)})
    return items + [constrained(number, rng) for number in range(JSON_MODE)] + [shaped(number, rng) for number in range(SCHEMAS)]


def as_request(messages: list[template.Message]) -> dict[str, Any]:
    """Converts messages to the API's form. Tools in the system message become the field ``tools``."""
    request: dict[str, Any] = {"messages": []}
    for role, text in messages:
        if role == "system" and (found := TOOLS.search(text)):
            request["tools"] = [json.loads(line) for line in found.group(1).splitlines()]
            text = text[: found.start()].removesuffix("\n\n")
            if not text:
                continue
        request["messages"].append({"role": role, "content": text})
    return request


def shaped(number: int, rng: random.Random) -> dict[str, Any]:
    """A request with a small schema and without a token limit, as ``parse()`` of OpenAI's client sends it."""
    made = schemas.shaped(rng, "eval")
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": made.expect["schema"], "strict": True}}
    return {"id": f"schemas-{number}", "bar": "schemas", "kind": "schema", **as_request(made.messages[:-1]), "response_format": form, "unlimited": True, "expect": made.expect}


def constrained(number: int, rng: random.Random) -> dict[str, Any]:
    """A request with a schema that the grammar enforces. Only the endpoint can answer it."""
    asked = objects.made_up(rng, "eval")
    properties: dict[str, Any] = {}
    for key in asked.expect["json_keys"]:
        if key in objects.BOOLEAN_KEYS:
            properties[key] = {"type": "boolean"}
        elif key in objects.NUMBER_KEYS:
            properties[key] = {"type": "integer"}
        else:
            roll = rng.random()
            shade = {"type": "string", "enum": ["red", "green", "blue"]}
            several = {"type": "array", "items": {"type": "string"}, "maxItems": 3}
            listed = key in objects.LIST_KEYS or roll < 0.15
            properties[key] = shade if key == "colour" else several if listed else {"type": "string"}
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}
    return {"id": f"json-mode-{number}", "bar": "json mode", "kind": "json-mode", "messages": [{"role": "user", "content": asked.question}],
            "response_format": form, "expect": {"schema": schema}}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("out", type=Path)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--tokenizer", default="../public/models/pocket/tokenizer.json")
    args = options.parse_args()
    items = build(args.tokenizer, args.seed)
    args.out.write_text(json.dumps(items, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(items)} questions")


if __name__ == "__main__":
    main()
