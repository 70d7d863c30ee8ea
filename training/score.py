"""Prints the results of collected answers as a table, one row per group (``bar``) of items.

    python score.py evaluation.json answers.json

``answers.json`` is an object {id: answer text}, written by ``evaluate.py`` (PyTorch) or
``ask-endpoint.ts`` (the endpoint).
"""
from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from check import correct, runaway

BARS = {"facts and definitions": 90, "arithmetic": 90, "copying": 90, "recall": 90, "recall at a distance": 70,
        "system prompts": 80, "unknown topics": 90, "json mode": 100, "tool choice": 80, "schemas": 98}


def table(items: list[dict[str, Any]], answers: dict[str, str]) -> str:
    groups: dict[str, list[bool]] = defaultdict(list)
    repeated = 0
    for item in items:
        if item["id"] in answers:
            rules = dict(item["expect"])
            values = rules.pop("values", None)
            groups[item["bar"]].append(correct(answers[item["id"]], rules))
            if values is not None:
                groups[f"{item['bar']}: contents"].append(correct(answers[item["id"]], {"values": values}))
            repeated += runaway(answers[item["id"]])
    lines = ["| group | right | of | percent | bar |", "|---|---|---|---|---|"]
    for bar, results in groups.items():
        share = 100 * sum(results) / len(results)
        wanted = f"{BARS[bar]} %" if bar in BARS else ""
        lines.append(f"| {bar} | {sum(results)} | {len(results)} | {share:.1f} % | {wanted} |")
    lines.append(f"| runaway repetition | {repeated} | {sum(map(len, groups.values()))} | | 0 |")
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("evaluation", type=Path)
    options.add_argument("answers", type=Path)
    options.add_argument("--wrong", action="store_true", help="also print every wrong answer")
    args = options.parse_args()
    items, answers = json.loads(args.evaluation.read_text()), json.loads(args.answers.read_text())
    print(table(items, answers))
    if args.wrong:
        for item in items:
            answer = answers.get(item["id"])
            if answer is not None and not correct(answer, item["expect"]):
                asked = " || ".join(f"{m['role']}: {m['content']}" for m in item["messages"][-4:])
                print(f"\n[{item['id']} {item['kind']}] {asked}\n  -> {answer!r}\n  wanted {item['expect']}")


if __name__ == "__main__":
    main()
