"""Answers the evaluation set greedily in PyTorch with the exported weights, and scores it.

    python evaluate.py --package ../public/models/pocket evaluation.json answers.json

This is a quick check during training. The published results come from the browser (``ask-endpoint.ts``).
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

import template
from corpus.tool_domains import tool_prompt
from decode import Decoder
from model import Pocket
from package import load_package
from score import table
from tokenizer import END, load

MAX_TOKENS = 120
BATCH_TOKENS = 6000
BATCH_TOKENS_GPU = 60000


def answers_to(model: Pocket, tokenizer: Tokenizer, chats: list[list[template.Message]]) -> list[str]:
    """Returns greedy answers. Prompts of similar length share a batch."""
    prompts = [template.encode_prompt(tokenizer, chat) for chat in chats]
    order = sorted(range(len(prompts)), key=lambda number: -len(prompts[number]))
    texts = [""] * len(chats)
    most = BATCH_TOKENS_GPU if model.embedding.weight.is_cuda else BATCH_TOKENS
    while order:
        count = max(1, most // len(prompts[order[0]]))
        group, order = order[:count], order[count:]
        for number, ids in zip(group, Decoder(model, [prompts[n] for n in group], MAX_TOKENS).run(END)):
            texts[number] = tokenizer.decode(ids, skip_special_tokens=False)
    return texts


def as_chat(item: dict[str, Any]) -> list[template.Message]:
    """Returns the messages as the engine worker renders them, with the tools described in the system message."""
    chat = [(message["role"], message["content"]) for message in item["messages"]]
    if "tools" in item:
        system = chat.pop(0)[1] + "\n\n" if chat[0][0] == "system" else ""
        chat.insert(0, ("system", system + tool_prompt([tool["function"] for tool in item["tools"]])))
    return chat


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("evaluation", type=Path)
    options.add_argument("answers", type=Path)
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--without", nargs="*", default=[], help="bars to leave out")
    options.add_argument("--bar", help="only this bar")
    options.add_argument("--every", type=int, default=1, help="only every n-th question")
    args = options.parse_args()
    torch.set_num_threads(2)
    tokenizer = load(args.package / "tokenizer.json")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_package(args.package).to(device)
    items = [item for item in json.loads(args.evaluation.read_text()) if item["bar"] not in args.without and args.bar in (None, item["bar"]) and "response_format" not in item][:: args.every]
    chats = [as_chat(item) for item in items]
    texts = answers_to(model, tokenizer, chats)
    answers = {item["id"]: text for item, text in zip(items, texts)}
    args.answers.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")
    print(table(items, answers))


if __name__ == "__main__":
    main()
