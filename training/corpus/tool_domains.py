"""Reads ``data/tools.txt``, and creates tools from it with random names, descriptions and parameters."""
from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .tool_values import value
from .wording import DATA, Split, all_expansions, bare, casual, expand, side

DECORATIONS = ["{}"] * 8 + ["{}_value", "the_{}", "input_{}", "{}_text", "user_{}", "{}_arg", "my_{}", "{}_param", "wanted_{}", "given_{}"]
NOTES = ["The {n}", "The {n}", "{N}", "The {n} to use", "{N} of the request", "The {n}, e.g. {v}", "{N}, for example {v}", "The {n} as text", "Which {n}", "The name of the {n}", "{N} (e.g. {v})", "The wanted {n}", "{N} given by the user"]


@dataclass(frozen=True)
class Slot:
    """A parameter of a tool: the name of its slot in the questions, the kind of its value, and its possible names."""

    slot: str
    kind: str
    names: tuple[str, ...]
    needed: bool

    @property
    def shape(self) -> dict[str, Any]:
        kind, _, rest = self.kind.partition(":")
        if kind == "int":
            return {"type": "integer"}
        return {"type": "string", "enum": rest.split(",")} if kind == "one" else {"type": "string"}


@dataclass
class Domain:
    key: str
    family: str
    names: list[str] = field(default_factory=list)
    abouts: list[str] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Tool:
    """A tool of one conversation: a domain with the names that this conversation uses for the tool and its parameters."""

    domain: Domain
    name: str
    described: dict[str, Any]
    parameters: dict[str, str]
    strict: bool = False
    written: frozenset[str] = frozenset()
    """Slots whose integer parameter has the type string."""

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """Converts the values of slots to arguments, in the order of the schema. A strict tool gets null for a missing
        value."""
        texts = {slot: str(item) if slot in self.written else item for slot, item in given.items()}
        return {self.parameters[slot.slot]: texts.get(slot.slot) for slot in self.domain.slots if self.strict or slot.slot in texts}


def read_domains() -> tuple[list[Domain], list[Domain]]:
    """Returns the domains that both splits use, and those that only the evaluation uses."""
    shared: list[Domain] = []
    reserved: list[Domain] = []
    for line in (DATA / "tools.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            key, family = line[1:].split("] ")
            domain = Domain(key.strip("!"), family)
            (reserved if key.startswith("!") else shared).append(domain)
            continue
        kind, _, rest = line.partition(" ")
        if kind == "name":
            domain.names.append(rest)
        elif kind == "about":
            domain.abouts.append(rest)
        elif kind == "ask":
            domain.asks.append(rest)
        elif kind in ("need", "may"):
            slot, what, names = rest.split(" ")
            domain.slots.append(Slot(slot, what, tuple(names.split("|")), kind == "need"))
        else:
            domain.results += [(name, what) for name, _, what in (part.partition(":") for part in rest.split(" "))]
    return shared, reserved


SHARED, RESERVED = read_domains()
MADE = "made up"
RESERVED_KEYS = {domain.key for domain in RESERVED}


@lru_cache(maxsize=None)
def sided(pattern: str, split: Split) -> tuple[str, ...]:
    return tuple(sorted(text for text in all_expansions(pattern) if side(bare(text)) == split))


def wording(patterns: list[str], rng: random.Random, split: Split, free: bool, apart: str = "{}") -> str:
    """Returns a wording of this split. ``free``: any wording, because all wordings of the tool belong to one split. If the
    evaluation has no wording of its own, ``apart`` changes one of training."""
    choices = [] if free else [texts for pattern in patterns if (texts := sided(pattern, split))]
    if not choices:
        return (apart if split == "eval" and not free else "{}").format(expand(rng.choice(patterns), rng))
    return rng.choice(rng.choice(choices))


def cased(text: str, style: str) -> str:
    """Converts a name such as ``get_weather`` to a style such as camel case."""
    parts = [part for part in text.split("_") if part]
    if style == "camel":
        return parts[0] + "".join(part.capitalize() for part in parts[1:])
    if style == "pascal":
        return "".join(part.capitalize() for part in parts)
    return ("-" if style == "kebab" else "_").join(parts)


def parameter_name(slot: Slot, rng: random.Random, split: Split, taken: set[str]) -> str:
    """Returns a parameter name of this split. If none is left, returns a name that occurs nowhere else."""
    for _ in range(20):
        name = rng.choice(DECORATIONS).format(rng.choice(slot.names))
        if name not in taken and side(name) == split:
            return name
    every = {decoration.format(name) for decoration in DECORATIONS for name in slot.names}
    left = sorted(name for name in every - taken if side(name) == split)
    return rng.choice(left) if left else f"{slot.slot}_{split}_{len(taken)}"


def make_tool(domain: Domain, rng: random.Random, split: Split) -> Tool:
    """Returns the tool of a domain, described in one of many possible ways."""
    free = domain.key in RESERVED_KEYS or domain.family == MADE
    style = rng.choice(["snake"] * 6 + ["camel"] * 3 + ["pascal", "kebab"])
    name = cased(wording(domain.names, rng, split, free, "{}_for_user"), style)
    parameters: dict[str, str] = {}
    properties: dict[str, Any] = {}
    strict = rng.random() < 0.1
    written: set[str] = set()
    noted, titled, dotted = rng.random() < 0.5, rng.random() < 0.1, rng.random() < 0.5
    for slot in domain.slots:
        called = parameter_name(slot, rng, split, set(parameters.values()))
        parameters[slot.slot] = cased(called, "camel" if style in ("camel", "pascal") else "snake")
        shape = dict(slot.shape)
        if shape["type"] == "integer" and (roll := rng.random()) < 0.4:
            shape["type"] = "number" if roll < 0.28 else "string"
            written |= {slot.slot} if roll >= 0.28 else set()
        if strict and not slot.needed:
            shape = {"anyOf": [shape, {"type": "null"}]} if "enum" in shape or rng.random() < 0.5 else {"type": [shape["type"], "null"]}
        if noted and rng.random() < 0.8:
            human = called.replace("_", " ")
            note = rng.choice(NOTES).format(n=human, N=human.capitalize(), v=value(slot.kind, rng, split)) + ("." if dotted and rng.random() < 0.5 else "")
            shape = {**shape, "description": note} if rng.random() < 0.7 else {"description": note, **shape}
        if titled:
            shape = {**shape, "title": called.replace("_", " ").title()} if rng.random() < 0.5 else {"title": called.replace("_", " ").title(), **shape}
        properties[parameters[slot.slot]] = shape
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    needed = [parameters[slot.slot] for slot in domain.slots if slot.needed or strict]
    if needed or rng.random() < 0.5:
        schema["required"] = needed
    if strict or rng.random() < 0.35:
        schema["additionalProperties"] = False
    if rng.random() < 0.1:
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    if titled:
        schema["title"] = name
    if rng.random() < 0.1:
        schema = dict(sorted(schema.items()))
    about = wording(domain.abouts, rng, split, free, "{} for the user")
    function = {"name": name, "description": about + ("." if dotted and not about.endswith(".") else "")}
    if rng.random() < 0.04:
        del function["description"]
    return Tool(domain, name, {**function, "parameters": schema}, parameters, strict, frozenset(written))


def tool_prompt(tools: list[dict[str, Any]], choice: str = "auto") -> str:
    """Returns the tools' description in the system message, equal to that of ``src/engine-worker/tools/tool-prompt.ts``."""
    signatures = [json.dumps({"type": "function", "function": tool}, ensure_ascii=False, separators=(",", ":")) for tool in tools]
    when = {"auto": "Call a function only if it helps to answer; otherwise answer in plain text.", "required": "Answer with a function call."}
    return "\n".join(["# Tools", "", "These functions can be called, described as JSON between <tools></tools>:", "<tools>", *signatures, "</tools>", "",
                      "To call a function, write its name and arguments as a JSON object between <tool_call></tool_call>:",
                      "<tool_call>", '{"name": <function-name>, "arguments": <args-json-object>}', "</tool_call>", "",
                      when.get(choice, f"Answer with a call of the function {choice}.")])


def call_text(name: str, arguments: dict[str, Any]) -> str:
    """Returns a tool call in the syntax that the grammar enforces (``tool-syntax.ts``)."""
    return f'<tool_call>\n{{"name": {json.dumps(name)}, "arguments": {json.dumps(arguments, ensure_ascii=False)}}}\n</tool_call>'


_MARKS = re.compile(r"\{(\w+)\}")
ORDERS = ["{}"] * 6 + ["please {}", "please {}", "can you {}?", "could you {}?", "could you please {}?", "i want you to {}", "hey, {}", "{} please", "{}, please", "i need you to {}", "{}.", "{}!", "now {}", "will you {}?", "would you {}?"]


def asked(tool: Domain, rng: random.Random, split: Split) -> tuple[str, dict[str, Any]]:
    """Returns a user's request for the tool, and the values that it mentions, by slot."""
    pattern = wording(tool.asks, rng, split, tool.key in RESERVED_KEYS or tool.family == MADE)
    if pattern.startswith("~"):
        pattern = rng.choice(ORDERS).format(pattern[1:].replace("{", "{{").replace("}", "}}")) if "{" not in pattern else rng.choice(ORDERS).replace("{}", pattern[1:])
    pattern = re.sub(" +", " ", pattern).strip()
    slots = {slot.slot: slot for slot in tool.slots}
    given: dict[str, Any] = {}
    marks = list(dict.fromkeys(_MARKS.findall(pattern)))
    for number, mark in enumerate(marks):
        given[mark] = value(slots[mark].kind, rng, split)
        pattern = pattern.replace(f"{{{mark}}}", chr(0xE000 + number))
    text = casual(pattern, rng, slips="~" not in pattern and rng.random() < 0.4)
    for number, mark in enumerate(marks):
        shown = str(given[mark])
        if slots[mark].kind in ("sentence", "title", "topic", "task") and rng.random() < 0.25:
            shown = rng.choice(['"{}"', "'{}'"]).format(shown)
        text = text.replace(chr(0xE000 + number), shown)
    return text, given
