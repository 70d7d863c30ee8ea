"""Answers the evaluation set greedily in PyTorch with the exported weights, and scores it.

    python evaluate.py --package ../../../public/models/pocket evaluation.json answers.json

The figures that count come from the browser; this is the quick look while training.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

import template
import tokenizer as tokenization
from model import Pocket
from package import load_package
from score import table

MOST_TOKENS = 200


@torch.no_grad()
def greedy(model: Pocket, prompts: list[list[int]], limit: int = MOST_TOKENS) -> list[list[int]]:
    """Greedy answers to prompts of exactly the same length, token by token with a cache of keys and values."""
    from decode import Decoder

    decoder = Decoder(model, torch.tensor(prompts), limit)
    return decoder.run(tokenization.END)


def answers_to(model: Pocket, tokenizer: tokenization.Tokenizer, chats: list[list[template.Message]]) -> list[str]:
    prompts = [template.encode_prompt(tokenizer, chat) for chat in chats]
    by_length: dict[int, list[int]] = {}
    for number, prompt in enumerate(prompts):
        by_length.setdefault(len(prompt), []).append(number)
    texts = [""] * len(chats)
    for group in by_length.values():
        for number, ids in zip(group, greedy(model, [prompts[n] for n in group])):
            texts[number] = tokenizer.decode(ids, skip_special_tokens=False)
    return texts


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("evaluation", type=Path)
    options.add_argument("answers", type=Path)
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--every", type=int, default=1, help="only every n-th question")
    args = options.parse_args()
    torch.set_num_threads(2)
    tokenizer = tokenization.load(args.package / "tokenizer.json")
    model = load_package(args.package)
    items = json.loads(args.evaluation.read_text())[:: args.every]
    chats = [[(m["role"], m["content"]) for m in item["messages"]] for item in items]
    texts = answers_to(model, tokenizer, chats)
    answers = {item["id"]: text for item, text in zip(items, texts)}
    args.answers.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")
    print(table(items, answers))


if __name__ == "__main__":
    main()
