"""Checks in a large sample that training contains no question of the evaluation.

    python audit.py evaluation.json --conversations 300000

Compares the last user message of every evaluation item with every user message of newly generated
training conversations, without case and outer punctuation.
"""
from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from check import plain
from corpus.mixture import conversation
from corpus.tools import with_tools

CONTEXT_DECIDES = {"recall", "untold", "follow-up", "long-recall", "tool", "tool-result"}
"""Kinds of items whose last question is short and common, such as "And Italy?". Their earlier messages are held out
instead."""
AGENTS_ONE_IN = 3


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("evaluation", type=Path)
    options.add_argument("--conversations", type=int, default=300_000)
    options.add_argument("--seed", type=int, default=99)
    args = options.parse_args()
    items = json.loads(args.evaluation.read_text())
    asked = {plain(item["messages"][-1]["content"]): item for item in items if item["kind"] not in CONTEXT_DECIDES and item["messages"][0]["role"] != "system"}
    rng = random.Random(args.seed)
    found: set[str] = set()
    for _ in range(args.conversations):
        made = with_tools(rng) if rng.random() < 1 / AGENTS_ONE_IN else conversation(rng)
        for role, text in made.messages:
            if role == "user" and plain(text) in asked:
                found.add(plain(text))
    print(f"{len(asked)} questions, {len(found)} of them also in {args.conversations} training conversations")
    for text in sorted(found):
        print(f"  {asked[text]['bar']}: {text}")


if __name__ == "__main__":
    main()
