"""Conversations with tools: calls, results, and messages that need no tool."""
from __future__ import annotations

import json
import random
from typing import Any

from . import knowledge, letters, lists, memory, numbers, stories, talk
from .made_tools import made_domain, noun
from .sample import Conversation, Exchange
from .tool_domains import MADE, RESERVED, SHARED, Domain, Tool, asked, call_text, make_tool, tool_prompt
from .tool_values import value
from .unknown import unknown
from .wording import Split

Message = tuple[str, str]
NO_TOOL = "I have no tool for that."
AGENTS = ["You are a helpful assistant.", "You are a helpful assistant", "You are an agent. Use the tools when they help.", "You are a helpful assistant with access to tools.", "Use the tools.", "Answer briefly.",
          "You help the user with tools.", "Be brief.", "You are Pocket.", "You are a friendly assistant.", "Use a tool where one fits.", "You are an assistant that can call functions."]
CONFUSED = [{"calculator", "add_numbers", "multiply_numbers"}, {"weather", "forecast"}, {"open_page", "summarise"}, {"search", "encyclopedia", "define"}, {"agenda", "event"}, {"read_file", "printer"}, {"todo", "note"},
            {"music", "playlist"}, {"taxi", "directions"}, {"now", "time"}, {"order", "cart"}, {"message", "mail"}]
CHATTING = [talk.small_talk, talk.small_talk, talk.identity, talk.product, knowledge.glossary, knowledge.capital, knowledge.opposite, knowledge.plural, knowledge.colour, lists.listing, stories.story,
            letters.repeat, letters.spelling, numbers.arithmetic, numbers.comparing, unknown, unknown]
UNLIKE_CHAT = {"mathematics", "web", "calendar", "money", "people"}


def drawn(rng: random.Random, split: Split) -> Domain:
    """Draws the domain of the tool that the user needs."""
    if split == "eval":
        roll = rng.random()
        return rng.choice(RESERVED) if roll < 0.15 else made_domain(rng, split) if roll < 0.3 else rng.choice(SHARED)
    return made_domain(rng, split) if rng.random() < 0.35 else rng.choice(SHARED)


def clash(one: Domain, other: Domain) -> bool:
    return one.key == other.key or any(one.key in group and other.key in group for group in CONFUSED)


def others(domain: Domain, count: int, rng: random.Random, split: Split) -> list[Domain]:
    """Returns further tools for the prompt. If the needed tool is a composed one (``made_tools.py``), some of them share
    its verb or noun."""
    chosen: list[Domain] = []
    while len(chosen) < count:
        if domain.family == MADE and rng.random() < 0.4:
            verb = domain.asks[0].split(" ")[0].strip("~")
            other = made_domain(rng, split, verb=verb) if verb.isalpha() and rng.random() < 0.5 else made_domain(rng, split)
        else:
            other = made_domain(rng, split) if rng.random() < 0.2 else rng.choice(SHARED)
        if not any(clash(other, one) for one in [domain, *chosen]):
            chosen.append(other)
    return chosen


def made_tools(domains: list[Domain], rng: random.Random, split: Split) -> list[Tool]:
    """Creates the tools of the domains. Their names are random and differ from each other."""
    while True:
        tools = [make_tool(domain, rng, split) for domain in domains]
        if len({tool.name for tool in tools}) == len(tools):
            return tools


def system_text(tools: list[Tool], rng: random.Random, split: Split, choice: str = "auto") -> str:
    shuffled = [tool.described for tool in tools]
    rng.shuffle(shuffled)
    prompt = tool_prompt(shuffled, choice)
    return f"{rng.choice(AGENTS)}\n\n{prompt}" if rng.random() < 0.4 else prompt


def shown(item: Any) -> str:
    if isinstance(item, list):
        return " and ".join(filter(None, [", ".join(map(str, item[:-1])), str(item[-1])])) if item else "nothing"
    return json.dumps(item) if isinstance(item, bool) or item is None else str(item)


def spoken(result: dict[str, Any]) -> str:
    """Returns a result as a sentence that states each key and its value."""
    if "error" in result:
        return f"That did not work: {shown(result['error'])}."
    parts = [f"the {key.replace('_', ' ')} {'are' if isinstance(item, list) and len(item) > 1 else 'is'} {shown(item)}" for key, item in result.items()]
    text = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return text[:1].upper() + text[1:] + "."


ERRORS = "not found|no connection|permission denied|unknown {n}|timeout|{n} is missing|not allowed|no such {n}|too many requests|invalid {n}|{n} not found|not available".split("|")


def result_and_answer(domain: Domain, rng: random.Random, split: Split) -> tuple[str, str, list[str]]:
    """Returns a tool's result, the answer that reports it, and the texts that this answer must contain."""
    roll = rng.random()
    if roll < 0.07:
        result: dict[str, Any] = {"error": rng.choice(ERRORS).replace("{n}", noun(rng, split))}
    else:
        kinds = rng.sample(domain.results, rng.randint(1, len(domain.results)))
        result = {cased_key(key, rng): value(kind, rng, split) for key, kind in kinds}
        if rng.random() < 0.15:
            result[noun(rng, split)] = value(rng.choice(["word", "int:1:999", "person", "place"]), rng, split)
    needed = [shown(part) for item in result.values() for part in (item if isinstance(item, list) else [item])]
    if roll > 0.75:  # a result in plain text, which the answer repeats
        text = value(rng.choice(["sentence", "title", "task"]), rng, split) if roll > 0.9 else ", ".join(f"{key.replace('_', ' ')} {shown(item)}" for key, item in result.items())
        if roll > 0.85 and roll < 0.9 or roll > 0.97:
            text = shown(rng.choice(list(result.values())))
        text = str(text)[:1].upper() + str(text)[1:]
        return text, text if text.endswith(".") else text + ".", [text]
    spaced = rng.random() < 0.6
    return json.dumps(result, ensure_ascii=False, separators=(", ", ": ") if spaced else (",", ":")), spoken(result), needed


def cased_key(key: str, rng: random.Random) -> str:
    return key if rng.random() < 0.9 else rng.choice(["current_", "the_", "my_", "last_"]) + key


def chat_exchange(rng: random.Random, split: Split) -> Exchange:
    return rng.choice(CHATTING)(rng, split)


def unneeded(rng: random.Random, split: Split) -> tuple[list[Domain], Exchange]:
    """Returns tools and an exchange that needs none of them."""
    count = rng.choice([1, 1, 2, 2, 3, 4])
    if rng.random() < 0.5:
        pool = [domain for domain in SHARED if domain.family not in UNLIKE_CHAT]
        domains = [made_domain(rng, split) if rng.random() < 0.15 else one for one in rng.sample(pool, count)]
        return domains, chat_exchange(rng, split)
    wanted = drawn(rng, split)
    domains = []
    while len(domains) < count:
        other = made_domain(rng, split) if wanted.family == MADE and rng.random() < 0.6 else rng.choice(SHARED)
        if other.family == MADE and wanted.family == MADE:
            fits = other.key != wanted.key and other.asks[0].split(" ")[0] != wanted.asks[0].split(" ")[0]
        else:
            fits = other.family not in (wanted.family, "web")
        if fits and not any(clash(other, one) for one in domains):
            domains.append(other)
    question, _ = asked(wanted, rng, split)
    return domains, Exchange("no-tool", question, NO_TOOL)


def call_turn(tool: Tool, rng: random.Random, split: Split) -> tuple[list[Message], dict[str, Any]]:
    """Returns a question for a tool, followed by the call."""
    question, given = asked(tool.domain, rng, split)
    arguments = tool.arguments(given)
    return [("user", question), ("assistant", call_text(tool.name, arguments))], {"name": tool.name, "arguments": arguments}


def searched(tool: Tool, rng: random.Random, split: Split) -> tuple[list[Message], dict[str, Any]]:
    """Returns a question that Pocket cannot answer, followed by a web search for it."""
    question = unknown(rng, split).question
    arguments = {tool.parameters["query"]: question.rstrip("?!. ")}
    return [("user", question), ("assistant", call_text(tool.name, arguments))], {"name": tool.name, "arguments": arguments}


def both_calls(tool: Tool, rng: random.Random, split: Split) -> list[Message] | None:
    """Returns a question that needs two calls of a tool with one parameter; None if the question cannot be extended."""
    question, given = asked(tool.domain, rng, split)
    if len(given) != 1 or len(tool.domain.slots) != 1 or '"' in question or "'" in question:
        return None
    [(slot, first)] = given.items()
    second = value(tool.domain.slots[0].kind, rng, split)
    if str(first) not in question or first == second:
        return None
    question = question.replace(str(first), f"{first} and {second}", 1)
    return [("user", question), ("assistant", "\n".join(call_text(tool.name, tool.arguments({slot: one})) for one in (first, second)))]


def call(rng: random.Random, split: Split) -> Conversation:
    """A question that needs a tool. In training often followed by the result, the answer and further questions."""
    domain = drawn(rng, split)
    tools = made_tools([domain, *others(domain, rng.choice([0, 0, 1, 1, 2, 3]), rng, split)], rng, split)
    tool, choice = tools[0], "auto"
    if split == "train" and rng.random() < 0.08:
        choice = rng.choice(["required", tool.name])
    messages: list[Message] = [("system", system_text(tools, rng, split, choice))]
    if split == "train" and choice == "auto" and rng.random() < 0.25:
        before = rng.choice([talk.small_talk, talk.identity, knowledge.capital if domain.family not in UNLIKE_CHAT else talk.small_talk])(rng, split)
        messages += [("user", before.question), ("assistant", before.answer)]
    if domain.key == "search" and rng.random() < 0.5:
        turn, made = searched(tool, rng, split)
    else:
        turn, made = call_turn(tool, rng, split)
    if split == "train" and rng.random() < 0.12 and (twice := both_calls(tool, rng, split)):
        return Conversation("call", [*messages, *twice])
    messages += turn
    if split == "train":
        messages += afterwards(tools, rng)
    return Conversation("call", messages, {"call": made})


def afterwards(tools: list[Tool], rng: random.Random) -> list[Message]:
    """Returns the tool's result and the answer, sometimes followed by small talk or another call."""
    if rng.random() < 0.25:
        return []
    result, answer, _ = result_and_answer(tools[0].domain, rng, "train")
    messages: list[Message] = [("tool", result), ("assistant", answer)]
    roll = rng.random()
    if roll < 0.15:
        more = rng.choice([talk.small_talk, talk.identity])(rng, "train")
        messages += [("user", more.question), ("assistant", more.answer)]
    elif roll < 0.45:
        tool = rng.choice(tools)
        turn, _ = call_turn(tool, rng, "train")
        messages += turn
        if rng.random() < 0.5:
            result, answer, _ = result_and_answer(tool.domain, rng, "train")
            messages += [("tool", result), ("assistant", answer)]
    return messages


def no_call(rng: random.Random, split: Split) -> Conversation:
    """A conversation that has tools, with a question that needs none of them."""
    domains, exchange = unneeded(rng, split)
    tools = made_tools(domains, rng, split)
    messages: list[Message] = [("system", system_text(tools, rng, split)), ("user", exchange.question), ("assistant", exchange.answer)]
    if split == "train" and rng.random() < 0.3:
        domain_tool = rng.choice(tools)
        turn, _ = call_turn(domain_tool, rng, split)
        messages += turn + afterwards([domain_tool], rng)
    elif split == "train" and rng.random() < 0.15:
        fact = memory.KINDS[rng.randrange(len(memory.KINDS))]
        held = memory.value(fact, rng, split)
        first, last = memory.told(fact, held, rng, split), memory.recalled(fact, held, rng, split)
        messages += [("user", first.question), ("assistant", first.answer), ("user", last.question), ("assistant", last.answer)]
    return Conversation("no-call", messages, {"no_call": True})


def from_result(rng: random.Random, split: Split) -> Conversation:
    """A conversation that ends with the answer to a tool's result."""
    domain = drawn(rng, split)
    tools = made_tools([domain, *others(domain, rng.choice([0, 1, 2]), rng, split)], rng, split)
    turn, _ = call_turn(tools[0], rng, split)
    result, answer, needed = result_and_answer(domain, rng, split)
    messages = [("system", system_text(tools, rng, split)), *turn, ("tool", result), ("assistant", answer)]
    return Conversation("tool-result", messages, {"contains": needed, "no_call": True})


def bare_result(rng: random.Random, split: Split) -> Conversation:
    """A conversation with a tool's result but without the description of tools, as some programs send it."""
    domain = drawn(rng, split)
    question, given = asked(domain, rng, split)
    result, answer, needed = result_and_answer(domain, rng, split)
    before = [("assistant", call_text(make_tool(domain, rng, split).name, given))] if rng.random() < 0.4 else [("assistant", "")] if rng.random() < 0.3 else []
    return Conversation("tool", [("user", question), *before, ("tool", result), ("assistant", answer)], {"contains": needed})


def with_tools(rng: random.Random) -> Conversation:
    """Returns a random training conversation with tools."""
    roll = rng.random()
    return call(rng, "train") if roll < 0.52 else no_call(rng, "train") if roll < 0.94 else bare_result(rng, "train")
