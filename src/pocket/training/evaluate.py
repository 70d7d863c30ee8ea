"""Answers the evaluation set greedily in PyTorch with the exported weights, and scores it.

    python evaluate.py --package ../../../public/models/pocket evaluation.json answers.json

The figures that count come from the browser; this is the quick look while training.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer

import template
from decode import Decoder
from model import Pocket
from package import load_package
from score import table
from tokenizer import END, load

MOST_TOKENS = 120
BATCH_TOKENS = 6000


def answers_to(model: Pocket, tokenizer: Tokenizer, chats: list[list[template.Message]]) -> list[str]:
    """Greedy answers, in batches of prompts of similar length."""
    prompts = [template.encode_prompt(tokenizer, chat) for chat in chats]
    order = sorted(range(len(prompts)), key=lambda number: -len(prompts[number]))
    texts = [""] * len(chats)
    while order:
        longest = len(prompts[order[0]])
        group, order = order[: max(1, BATCH_TOKENS // longest)], order[max(1, BATCH_TOKENS // longest) :]
        for number, ids in zip(group, Decoder(model, [prompts[n] for n in group], MOST_TOKENS).run(END)):
            texts[number] = tokenizer.decode(ids, skip_special_tokens=False)
    return texts


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("evaluation", type=Path)
    options.add_argument("answers", type=Path)
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--without", nargs="*", default=[], help="bars to leave out")
    options.add_argument("--every", type=int, default=1, help="only every n-th question")
    args = options.parse_args()
    torch.set_num_threads(2)
    tokenizer = load(args.package / "tokenizer.json")
    model = load_package(args.package)
    items = [item for item in json.loads(args.evaluation.read_text()) if item["bar"] not in args.without and "response_format" not in item][:: args.every]
    chats = [[(m["role"], m["content"]) for m in item["messages"]] for item in items]
    texts = answers_to(model, tokenizer, chats)
    answers = {item["id"]: text for item, text in zip(items, texts)}
    args.answers.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")
    print(table(items, answers))


if __name__ == "__main__":
    main()
